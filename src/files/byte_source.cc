// Reads parts of files and of memory.
#include "files/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "files/file.h"

namespace tessera {
namespace {

Error cannot_read(const std::string& name, const std::string& reason) {
  return io_error("cannot read " + name + ": " + reason);
}

Error ends_early(const std::string& name) {
  return invalid_error("cannot decode " + name + ": the file ends too early");
}

}  // namespace

Status MemorySource::read(uint64_t offset, std::span<uint8_t> out) const {
  if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
    return ends_early(name_);
  }
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  return {};
}

Result<FileSource> FileSource::open(const std::string& path, const ReadBudget& budget) {
  const std::string name = input_display_name(path);
  struct stat info = {};
  // A pipe must not even be opened: its writer would find nobody there when it is closed again.
  if (path == kStandardStream || (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))) {
    return unsupported_error(name + " cannot be read in parts");
  }
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  FileSource file(name, fd);
  if (fd < 0 || ::fstat(fd, &info) != 0) {
    return cannot_read(name, std::strerror(errno));
  }
  file.size_ = static_cast<uint64_t>(info.st_size);
  TESSERA_RETURN_IF_ERROR(budget.check_file_size(name, file.size_));
  return file;
}

Status FileSource::read(uint64_t offset, std::span<uint8_t> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(fd_.get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (got == 0) {
      return ends_early(name_);
    }
    if (got < 0 && errno != EINTR) {
      return cannot_read(name_, std::strerror(errno));
    }
    const auto count = static_cast<size_t>(std::max<ssize_t>(got, 0));
    out = out.subspan(count);
    offset += count;
  }
  return {};
}

}  // namespace tessera
