// A few things of a kind for many threads: each takes one, uses it alone, and gives it back.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tessera {

template <class T>
class LeasePool {
 public:
  using Make = std::function<std::unique_ptr<T>()>;

  // At most so many are made, each when it is first needed.
  LeasePool(size_t most, Make make) : most_(most), make_(std::move(make)) {}

  // Gives it back at its end. The pool must live longer.
  class Lease {
   public:
    Lease(LeasePool& pool, std::unique_ptr<T> own) : pool_(&pool), own_(std::move(own)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (own_) {
        pool_->give_back(std::move(own_));
      }
    }
    T* operator->() const { return own_.get(); }

   private:
    LeasePool* pool_;
    std::unique_ptr<T> own_;
  };

  // Waits while all are taken. The one that was given back last comes first: its memory is warm.
  Lease take() {
    std::unique_lock lock(mutex_);
    free_one_.wait(lock, [&] { return !free_.empty() || made_ < most_; });
    if (free_.empty()) {
      ++made_;
      lock.unlock();
      return Lease(*this, make_());
    }
    std::unique_ptr<T> own = std::move(free_.back());
    free_.pop_back();
    return Lease(*this, std::move(own));
  }

 private:
  void give_back(std::unique_ptr<T> own) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(own));
    }
    free_one_.notify_one();
  }

  const size_t most_;
  const Make make_;
  std::mutex mutex_;
  std::condition_variable free_one_;
  std::vector<std::unique_ptr<T>> free_;
  size_t made_ = 0;
};

}  // namespace tessera
