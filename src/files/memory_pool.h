// Files that are made at the same time share the memory that one may take.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tessera {

class MemoryPool {
 public:
  // What one file takes. It is given back at the end.
  class Share {
   public:
    explicit Share(MemoryPool& pool) : pool_(pool) {}
    ~Share() { resize(0); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // The file needs so many bytes in all, or a little less: waits until they fit beside what other
    // files have. While it waits it has none, so that files never wait for each other; a file that
    // is alone is not kept waiting. `limit` is what all of them may have.
    void resize(uint64_t bytes, uint64_t limit = UINT64_MAX);

   private:
    MemoryPool& pool_;
    uint64_t bytes_ = 0;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t taken_ = 0;  // bytes, by all shares
};

}  // namespace tessera
