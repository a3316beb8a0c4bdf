// Reads files in steps that are short enough to be stopped in between.
#include "files/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "files/file.h"

namespace tessera {
namespace {

constexpr size_t kStep = size_t{1} << 22;   // bytes that are read without asking whether to stop
constexpr uint64_t kSmallFile = 256 << 10;  // bytes: read in one go, even where the head is wanted
constexpr int kPatience = 50;               // ms to wait for input before asking again

Error cannot_read(const std::string& name, const std::string& reason) {
  return io_error("cannot read " + name + ": " + reason);
}

}  // namespace

Result<InputFile> InputFile::open(const std::string& path, const ReadBudget& budget) {
  const std::string name = input_display_name(path);
  // Without waiting: a pipe that nobody writes to would keep open() for ever.
  const int fd = path == kStandardStream ? STDIN_FILENO
                                         : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return cannot_read(name, std::strerror(errno));
  }
  InputFile file(name, fd, budget);
  struct stat info = {};
  if (::fstat(fd, &info) == 0) {
    if (S_ISDIR(info.st_mode)) {
      return cannot_read(name, "it is a folder");
    }
    file.is_regular_ = S_ISREG(info.st_mode);
    file.stated_size_ = file.is_regular_ ? static_cast<uint64_t>(info.st_size) : 0;
  }
  TESSERA_RETURN_IF_ERROR(budget.check_file(name, file.stated_size_));
  return file;
}

std::optional<uint64_t> InputFile::size() const {
  if (is_at_end_) {
    return filled_;
  }
  return is_regular_ && stated_size_ > 0 ? std::optional(stated_size_) : std::nullopt;
}

Result<ByteSpan> InputFile::head(size_t count) {
  TESSERA_RETURN_IF_ERROR(read_up_to(count));
  return ByteSpan(bytes_).first(std::min(count, filled_));
}

Result<Bytes> InputFile::all() {
  TESSERA_RETURN_IF_ERROR(read_up_to(UINT64_MAX));
  bytes_.resize(filled_);
  return std::move(bytes_);
}

Status InputFile::read_up_to(uint64_t count) {
  try {
    while (!is_at_end_ && filled_ < count) {
      if (filled_ == bytes_.size()) {
        bytes_.resize(static_cast<size_t>(next_capacity(count)));
      }
      TESSERA_ASSIGN_OR_RETURN(
          const size_t got,
          read_some(bytes_.data() + filled_, std::min(bytes_.size() - filled_, kStep)));
      is_at_end_ = got == 0;
      filled_ += got;
      TESSERA_RETURN_IF_ERROR(budget_->check_file(name_, filled_));
      TESSERA_RETURN_IF_ERROR(budget_->check_time(name_));
    }
    return {};
  } catch (const std::bad_alloc&) {
    return failed_error("cannot read " + name_ + ": not enough memory");
  }
}

// How much memory to have next, where `count` bytes are wanted.
uint64_t InputFile::next_capacity(uint64_t count) const {
  // One byte more than a regular file's size lets the first read that finds its end be the last.
  const uint64_t whole = filled_ < stated_size_ + 1 ? stated_size_ + 1 : 0;
  if (whole > 0 && whole <= kSmallFile) {
    return whole;
  }
  // Without a size the memory grows with what comes.
  const uint64_t grown = std::max<uint64_t>(filled_ + filled_ / 2, kHeadBytes);
  const uint64_t most = std::max(whole, grown);
  return count < most ? std::max(count, grown) : most;
}

Result<size_t> InputFile::read_some(uint8_t* target, size_t count) const {
  while (true) {
    if (!is_regular_) {
      TESSERA_RETURN_IF_ERROR(wait_for_input());
    }
    const ssize_t got = ::read(fd_.get(), target, count);
    if (got >= 0) {
      return static_cast<size_t>(got);
    }
    if (errno == EINTR) {
      TESSERA_RETURN_IF_ERROR(stopped_by_signal());
    } else if (errno != EAGAIN) {
      return cannot_read(name_, std::strerror(errno));
    }
  }
}

Status InputFile::wait_for_input() const {
  pollfd waiting = {fd_.get(), POLLIN, 0};
  while (true) {
    TESSERA_RETURN_IF_ERROR(budget_->check_time(name_));
    const int ready = ::poll(&waiting, 1, kPatience);
    if (ready > 0) {
      return {};
    }
    if (ready < 0 && errno != EINTR) {
      return cannot_read(name_, std::strerror(errno));
    }
    if (ready < 0) {
      TESSERA_RETURN_IF_ERROR(stopped_by_signal());
    }
  }
}

// A signal that the program handles ends the wait, unless the program tells in another way whether
// to stop.
Status InputFile::stopped_by_signal() const {
  return budget_->can_be_cancelled()
             ? budget_->check_time(name_)
             : Status(Error{ErrorCode::kInterrupted, "interrupted while reading " + name_});
}

}  // namespace tessera
