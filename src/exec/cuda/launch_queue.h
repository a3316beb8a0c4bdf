// Work that is asked for piece by piece and done in order: by the thread that asks, or, where it
// would wait for a device between its kernels, by a thread of its own, so that who asks can copy
// the next piece meanwhile.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>

#include "base/result.h"

namespace tessera {

class LaunchQueue {
 public:
  enum class Place { kCaller, kOwnThread };

  // Where no thread can be made, the caller does the work.
  LaunchQueue(std::function<Status(size_t number)> launch, Place place);
  // Waits for the piece that is being worked on; pieces behind it are dropped.
  ~LaunchQueue();
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  // Asks for the next piece: 0, 1, 2 and so on. Fails where an earlier one is known to have failed.
  Status ask();
  // Returns when piece `number`, which was asked for, is done.
  Status wait(size_t number);

 private:
  void work();

  std::function<Status(size_t number)> launch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t asked_ = 0, done_ = 0;
  bool is_ending_ = false;
  Status status_;  // the first failure
  std::thread thread_;
};

}  // namespace tessera
