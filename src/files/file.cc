// Whole files in and out; an output gets its name when it is complete.
#include "files/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "files/descriptor.h"
#include "files/input_file.h"
#include "files/old_temporaries.h"
#include "files/replace_file.h"

namespace tessera {
namespace {

std::string system_message() {
  return std::strerror(errno);
}

// Never in the place of a standard stream that is closed: what the program prints would end up in
// the file. errno tells why there is none.
Descriptor open_output(const std::string& path, int flags, mode_t mode) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  if (fd < 0 || fd > STDERR_FILENO) {
    return Descriptor(fd);
  }
  const int higher = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(fd);
  errno = error;
  return Descriptor(higher);
}

Status write_all(int fd, ByteSpan bytes, const std::string& name) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return io_error("cannot write " + name + ": " + system_message());
    }
    done += static_cast<size_t>(written);
  }
  return {};
}

std::string folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

bool is_special_file(const std::string& path) {
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

// A name beside `path` that no other process uses, on other machines with the same folder neither.
std::string temporary_name(const std::string& path, std::string_view mark) {
  std::random_device random;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%08x%08x", random(), random());
  return folder_of(path) + "/" + std::string(kTemporaryPrefix) + std::string(mark) + digits +
         std::string(kTemporarySuffix);
}

// A file that is replaced hands on its permissions; a new one has got its own by the umask.
void keep_permissions(int fd, const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) == 0) {
    ::fchmod(fd, info.st_mode & 0777);
  }
}

// Where a symbolic link points to: the file is replaced, not the link.
Result<std::string> resolve_link(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as the system follows
  std::error_code none;           // there need not be anything at the end
  std::error_code error;
  std::filesystem::path place = path;
  for (int i = 0; std::filesystem::is_symlink(place, none); ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(place, error);
    if (error || i == kMostLinks) {
      return io_error("cannot write " + path + ": " + std::strerror(error ? error.value() : ELOOP));
    }
    place = place.parent_path() / next;  // which may be absolute
  }
  return place.string();
}

// After a call that failed.
Error remove_and_tell(const std::string& temporary, const std::string& path) {
  const std::string reason = system_message();
  ::unlink(temporary.c_str());
  return io_error("cannot write " + path + ": " + reason);
}

// What has been written is on the disk when this returns, if it is wanted.
Status sync_if(WriteDurability durability, int fd, const std::string& path) {
  if (durability == WriteDurability::kSynced && ::fsync(fd) != 0) {
    return io_error("cannot write " + path + ": " + system_message());
  }
  return {};
}

// The same for a name.
Status sync_folder_if(WriteDurability durability, const std::string& path) {
  if (durability != WriteDurability::kSynced) {
    return {};
  }
  const Descriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return sync_if(durability, folder.get(), path);
}

// An O_TMPFILE has no name until it is linked: a killed process leaves nothing behind. A new file
// gets its name at once. No call replaces a file by one without a name: replace_file makes two.
Status write_unnamed(int fd, const std::string& path, ByteSpan bytes, WriteDurability durability) {
  TESSERA_RETURN_IF_ERROR(write_all(fd, bytes, path));
  TESSERA_RETURN_IF_ERROR(sync_if(durability, fd, path));
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  if (::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) {
    return {};
  }
  if (errno != EEXIST) {
    return io_error("cannot write " + path + ": " + system_message());
  }
  keep_permissions(fd, path);
  lock_temporary(fd);
  remove_old_temporaries(folder_of(path));
  const int error = replace_file(link, temporary_name(path, kLockedMark), path);
  if (error != 0) {
    return io_error("cannot write " + path + ": " + std::strerror(error));
  }
  return {};
}

// For file systems without O_TMPFILE.
Status write_named(const std::string& path, ByteSpan bytes, WriteDurability durability) {
  remove_old_temporaries(folder_of(path));
  const std::string temporary = temporary_name(path, "");
  Descriptor fd = open_output(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (fd.get() < 0) {
    return io_error("cannot write " + path + ": " + system_message());
  }
  Status written = write_all(fd.get(), bytes, path);
  written = written ? sync_if(durability, fd.get(), path) : written;
  if (!written) {
    ::unlink(temporary.c_str());
    return written.error();
  }
  keep_permissions(fd.get(), path);
  // Network file systems tell at the end that there is no room.
  if (::close(fd.take()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    return remove_and_tell(temporary, path);
  }
  return {};
}

}  // namespace

std::string input_display_name(const std::string& path) {
  return path == kStandardStream ? "standard input" : path;
}

Result<Bytes> read_file(const std::string& path, const ReadBudget& budget,
                        bool (*is_known)(ByteSpan head)) {
  TESSERA_ASSIGN_OR_RETURN(InputFile file, InputFile::open(path, budget));
  if (is_known != nullptr) {
    TESSERA_ASSIGN_OR_RETURN(const ByteSpan head, file.head(kHeadBytes));
    if (!is_known(head)) {
      return Bytes(head.begin(), head.end());
    }
  }
  return file.all();
}

Result<Bytes> read_table(const std::string& path, const std::string& what, uint64_t most,
                         const std::atomic<bool>* cancelled) {
  Limits limits;
  limits.max_file = most;
  auto bytes = read_file(path, ReadBudget(limits, cancelled));
  if (!bytes && bytes.error().code == ErrorCode::kFailed) {
    return failed_error(input_display_name(path) + " has more than " + std::to_string(most >> 20) +
                        " MiB, which is the limit for " + what);
  }
  return bytes;
}

Status check_writable(const std::string& path) {
  if (path == kStandardStream || is_special_file(path)) {
    return {};
  }
  if (path.empty()) {
    return usage_error("the output file has no name");
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return io_error("cannot write " + path + ": it is a folder");
  }
  const std::string folder = folder_of(path);
  if (!std::filesystem::is_directory(folder, ignored)) {
    return io_error("cannot write " + path + ": there is no folder " + folder);
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return io_error("cannot write " + path + ": the folder is not writable");
  }
  return {};
}

Status write_file(const std::string& path, ByteSpan bytes, WriteDurability durability) {
  if (path == kStandardStream) {
    return write_all(STDOUT_FILENO, bytes, "standard output");
  }
  if (is_special_file(path)) {
    const Descriptor fd = open_output(path, O_WRONLY, 0);
    if (fd.get() < 0 && errno == EINTR) {  // a signal that somebody handles ends the wait
      return Error{ErrorCode::kInterrupted, "interrupted while writing " + path};
    }
    return fd.get() < 0 ? Status(io_error("cannot write " + path + ": " + system_message()))
                        : write_all(fd.get(), bytes, path);
  }
  TESSERA_RETURN_IF_ERROR(check_writable(path));
  TESSERA_ASSIGN_OR_RETURN(const std::string target, resolve_link(path));
  const Descriptor fd = open_output(folder_of(target), O_TMPFILE | O_WRONLY, 0666);
  TESSERA_RETURN_IF_ERROR(fd.get() >= 0 ? write_unnamed(fd.get(), target, bytes, durability)
                                        : write_named(target, bytes, durability));
  return sync_folder_if(durability, target);
}

}  // namespace tessera
