// Ranks on the same machine read rank 0's pixels in memory instead of receiving them in messages.
// Rank 0's large images lie in anonymous files (memfd), which the other ranks open through /proc
// and map for reading. A probe finds out whether that works between two ranks; where it does not
// (other machines, other users, containers), pixels travel in messages.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"
#include "cluster/unit_message.h"
#include "image/image.h"

namespace tessera::cluster {

class SharedImages : public LargeMemory {
 public:
  // The only one of this process. It is never destroyed: images may live until the end.
  static SharedImages& instance();

  static constexpr size_t kSmallest = size_t{1} << 20;  // bytes of an image

  uint8_t* allocate(size_t bytes) override;
  void release(uint8_t* data, size_t bytes) override;

  // Where the bytes lie, if they belong to an image in this memory.
  std::optional<SharedPlace> find(ByteSpan bytes) const;

  // A probe for others, made at the first call; all zeros where there are no anonymous files.
  SharedProbe probe();

 private:
  SharedImages() : LargeMemory({kSmallest, SIZE_MAX, true, true}) {}

  struct Region {
    int descriptor = -1;
    size_t size = 0;
    uint64_t number = 0;
  };
  mutable std::mutex mutex_;
  std::map<const uint8_t*, Region> regions_;  // by address
  uint64_t next_number_ = 1;
  SharedProbe probe_;
};

// Whether this process can read the files of the one that made the probe.
bool can_see(const SharedProbe& probe);

// Files of another process, mapped for reading. The last two stay mapped, as the next unit is
// likely to be of the same image; more would keep memory that rank 0 has given back.
class SharedViews {
 public:
  explicit SharedViews(uint64_t process) : process_(process) {}
  ~SharedViews();
  SharedViews(const SharedViews&) = delete;
  SharedViews& operator=(const SharedViews&) = delete;

  // The view stays valid until two other files have been asked for.
  Result<ByteSpan> view(const SharedPlace& place, uint64_t bytes);

 private:
  struct Mapped {
    uint64_t file = 0;
    const uint8_t* data = nullptr;
    size_t size = 0;
  };
  Result<Mapped> map(const SharedPlace& place) const;

  uint64_t process_;
  std::list<Mapped> mapped_;  // last used first
};

}  // namespace tessera::cluster
