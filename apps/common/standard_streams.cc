// Standard streams that are closed when a program starts.
#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace tessera {
namespace {

bool output_was_closed = false;

bool is_closed(int descriptor) {
  return ::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF;
}

}  // namespace

bool open_missing_standard_streams() {
  // In ascending order: open() takes the lowest number that is free, which is then the one asked
  // for.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (!is_closed(descriptor)) {
      continue;
    }
    const int access = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY;
    if (::open("/dev/null", access) != descriptor) {
      return false;
    }
    output_was_closed |= descriptor == STDOUT_FILENO;
  }
  return true;
}

bool standard_output_was_closed() {
  return output_was_closed;
}

}  // namespace tessera
