// Loops that several processes share. All of them encode the same image in step; a shared loop's
// parts are computed anywhere, and afterwards every process has the results of all.
#pragma once

#include <cstddef>
#include <functional>

#include "base/bytes.h"
#include "base/result.h"

namespace tessera {

// What a shared loop does with the items [begin, end).
struct SharedWork {
  size_t count = 0;
  size_t grain = 1;  // items of a part, at least
  std::function<Status(size_t begin, size_t end)> compute;
  // Appends the results of items to `bytes`.
  std::function<void(size_t begin, size_t end, Bytes& bytes)> save;
  // Takes over what another process has saved. It is checked as if it came from a file.
  std::function<Status(size_t begin, size_t end, ByteSpan bytes)> load;
};

class SharedLoop {
 public:
  virtual ~SharedLoop() = default;
  virtual size_t processes() const = 0;
  virtual Status run(const SharedWork& work) = 0;
};

}  // namespace tessera
