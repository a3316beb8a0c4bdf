// Starts a program, reads what it prints, and ends it when it takes too long or all is to stop.
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

using Clock = std::chrono::steady_clock;

constexpr int kPatience = 20;  // ms between two looks at the flag

const std::atomic<bool>* stop_flag = nullptr;

bool is_to_stop() {
  return stop_flag != nullptr && stop_flag->load();
}

// Both standard output and standard error go to `output`. 0, or an error of the system.
int start(const std::vector<std::string>& arguments, int output, pid_t& child) {
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
  const int error = ::posix_spawnp(&child, list[0], &actions, nullptr, list.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Takes what comes out until it is closed, the limit has passed, or the flag is set.
ProgramEnd read_output(int input, std::chrono::milliseconds limit, std::string& output) {
  const auto start_time = Clock::now();
  char buffer[4096];
  while (true) {
    pollfd waiting = {input, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kPatience);
    if (is_to_stop()) {
      return ProgramEnd::kInterrupted;
    }
    if (Clock::now() - start_time > limit) {
      return ProgramEnd::kTooLong;
    }
    if (ready <= 0) {
      continue;
    }
    const ssize_t got = ::read(input, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return ProgramEnd::kDone;
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

std::string words_of(const std::vector<std::string>& arguments) {
  std::string words;
  for (const std::string& argument : arguments) {
    words += " " + argument;
  }
  return words;
}

ProgramRun not_started(const std::vector<std::string>& arguments, int error) {
  return {ProgramEnd::kFailed, "", "cannot start " + arguments[0] + ": " + std::strerror(error)};
}

}  // namespace

void end_programs_when(const std::atomic<bool>& flag) {
  stop_flag = &flag;
}

ProgramRun run_program(const std::vector<std::string>& arguments, std::chrono::milliseconds limit) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return not_started(arguments, errno);
  }
  const Descriptor input(ends[0]);
  pid_t child = 0;
  {
    const Descriptor output(ends[1]);  // closed here, so that the end of the program is seen
    if (const int error = start(arguments, output.get(), child); error != 0) {
      return not_started(arguments, error);
    }
  }
  ProgramRun run;
  run.end = read_output(input.get(), limit, run.output);
  if (run.end != ProgramEnd::kDone) {
    ::kill(child, SIGKILL);
  }
  const int status = wait_for(child);
  if (run.end == ProgramEnd::kInterrupted) {
    run.problem = "interrupted";
  } else if (run.end == ProgramEnd::kTooLong) {
    run.problem = "this command took too long:" + words_of(arguments);
  } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    run.end = ProgramEnd::kFailed;
    run.problem = "this command failed:" + words_of(arguments);
  }
  return run;
}

}  // namespace tessera::bench
