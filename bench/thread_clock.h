// Processor time of the calling thread: what a quiet machine's clock would show for work on one
// thread, also where other programs take turns on the core.
#pragma once

#include <ctime>

namespace tessera::bench {

class ThreadClock {
 public:
  using time_point = double;

  static double now() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
};

}  // namespace tessera::bench
