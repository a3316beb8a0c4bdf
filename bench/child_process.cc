// Starts a program, reads what it prints, and ends it when the benchmark is to stop.
#include "child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "files/descriptor.h"

extern char** environ;

namespace tessera::bench {
namespace {

constexpr int kPatience = 20;  // ms between two looks at the flag

const std::atomic<bool>* stop_flag = nullptr;

bool is_to_stop() {
  return stop_flag != nullptr && stop_flag->load();
}

// Both standard output and standard error go to `output`.
Result<pid_t> start(const std::vector<std::string>& arguments, int output) {
  std::vector<char*> list;
  list.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) {
    list.push_back(const_cast<char*>(argument.c_str()));
  }
  list.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, list[0], &actions, nullptr, list.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return failed_error("cannot start " + arguments[0] + ": " + std::strerror(error));
  }
  return child;
}

// What comes out until it is closed; kInterrupted when the flag is set.
Result<std::string> read_output(int input) {
  std::string output;
  char buffer[4096];
  while (true) {
    pollfd waiting = {input, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kPatience);
    if (is_to_stop()) {
      return Error{ErrorCode::kInterrupted, "interrupted"};
    }
    if (ready <= 0) {
      continue;
    }
    const ssize_t got = ::read(input, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return output;
    }
    output.append(buffer, static_cast<size_t>(got));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

void end_programs_when(const std::atomic<bool>& flag) {
  stop_flag = &flag;
}

Result<std::string> run_program(const std::vector<std::string>& arguments) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return failed_error("cannot start " + arguments[0] + ": " + std::strerror(errno));
  }
  const Descriptor input(ends[0]);
  Result<pid_t> child = failed_error("");
  {
    const Descriptor output(ends[1]);  // closed here, so that the end of the program is seen
    child = start(arguments, output.get());
  }
  if (!child) {
    return child.error();
  }
  auto output = read_output(input.get());
  if (!output) {
    ::kill(*child, SIGKILL);
  }
  const int status = wait_for(*child);
  if (!output) {
    return output.error();
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::string words;
    for (const std::string& argument : arguments) {
      words += " " + argument;
    }
    return failed_error("this command failed:" + words);
  }
  return output;
}

}  // namespace tessera::bench
