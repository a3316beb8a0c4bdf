// A thread that works off what it is asked for.
#include "exec/cuda/launch_queue.h"

#include <system_error>
#include <utility>

namespace tessera {

LaunchQueue::LaunchQueue(std::function<Status(size_t number)> launch, Place place)
    : launch_(std::move(launch)) {
  if (place == Place::kCaller) {
    return;
  }
  try {
    thread_ = std::thread(&LaunchQueue::work, this);
  } catch (const std::system_error&) {
    // The machine has no more threads: pieces are worked on where they are asked for.
  }
}

LaunchQueue::~LaunchQueue() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
}

Status LaunchQueue::ask() {
  if (!thread_.joinable()) {
    status_ = status_ ? launch_(asked_) : status_;
    ++asked_;
    done_ = asked_;
    return status_;
  }
  const std::lock_guard lock(mutex_);
  ++asked_;
  changed_.notify_all();
  return status_;
}

Status LaunchQueue::wait(size_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_ > number || !status_; });
  return status_;
}

void LaunchQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_ending_ || (done_ < asked_ && status_); });
    if (is_ending_) {
      return;
    }
    const size_t number = done_;
    lock.unlock();
    Status status = launch_(number);
    lock.lock();
    ++done_;
    status_ = std::move(status);
    changed_.notify_all();
  }
}

}  // namespace tessera
