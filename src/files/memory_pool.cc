// Lets files wait for memory.
#include "files/memory_pool.h"

namespace tessera {

void MemoryPool::Share::resize(uint64_t bytes, uint64_t limit) {
  std::unique_lock lock(pool_.mutex_);
  if (bytes > 0 && bytes <= bytes_) {
    return;  // readers tell again and again what they need
  }
  pool_.taken_ -= bytes_;
  bytes_ = 0;
  pool_.changed_.notify_all();
  if (bytes == 0) {
    return;
  }
  pool_.changed_.wait(
      lock, [&] { return pool_.taken_ == 0 || (bytes <= limit && pool_.taken_ <= limit - bytes); });
  pool_.taken_ += bytes;
  bytes_ = bytes;
}

}  // namespace tessera
