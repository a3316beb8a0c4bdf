// Puts a file without a name in the place of another file.
#include "files/replace_file.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace tessera {
namespace {

struct Names {
  const char* from;
  const char* temporary;
  const char* path;
};

// Makes system calls alone, as it may run in a process that shares our memory. Error numbers of
// Linux fit into the status of a process.
int link_and_rename(void* argument) {
  const Names& names = *static_cast<const Names*>(argument);
  if (::linkat(AT_FDCWD, names.from, AT_FDCWD, names.temporary, AT_SYMLINK_FOLLOW) != 0) {
    return errno;
  }
  if (::rename(names.temporary, names.path) != 0) {
    const int error = errno;
    ::unlink(names.temporary);
    return error;
  }
  return 0;
}

// Signals wait while it lives: a handler of the caller must not run in the helper process.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

// A process that borrows our memory and a stack, as vfork's does, so that it costs no copies. It
// ends without a signal and is waited for here alone: programs that wait for children of their own
// do not see it. Below 0 where there can be no such process.
int run_in_helper(Names names) {
  constexpr size_t kStackBytes = 64 << 10;
  std::vector<std::byte> stack(kStackBytes);
  const WithoutSignals quiet;
  const pid_t helper =
      ::clone(link_and_rename, stack.data() + kStackBytes, CLONE_VM | CLONE_VFORK, &names);
  if (helper < 0) {
    return -1;
  }
  int status = 0;
  pid_t ended = 0;
  do {
    ended = ::waitpid(helper, &status, static_cast<int>(__WCLONE));
  } while (ended < 0 && errno == EINTR);
  return ended == helper && WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

}  // namespace

int replace_file(const std::string& from, const std::string& temporary, const std::string& path) {
  Names names = {from.c_str(), temporary.c_str(), path.c_str()};
  const int result = run_in_helper(names);
  return result >= 0 ? result : link_and_rename(&names);
}

}  // namespace tessera
