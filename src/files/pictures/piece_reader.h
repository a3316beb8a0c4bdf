// Reads few bytes here and there of a file, from its beginning to its end.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "files/byte_source.h"

namespace tessera {

// For places in ascending order: through pieces of the file, which are larger where several of the
// places lie in one. A PNG file, say, may have millions of chunks of some bytes each.
class PieceReader {
 public:
  // The source must live as long as this.
  explicit PieceReader(const ByteSource& source) : source_(source) {}

  // Fills `out` with what begins at `place`. Fails where there is less.
  Status read(uint64_t place, std::span<uint8_t> out);

 private:
  bool holds(uint64_t place, uint64_t count) const {
    return place >= begin_ && place + count <= begin_ + piece_.size();
  }

  const ByteSource& source_;
  Bytes piece_;
  uint64_t begin_ = 0;  // of the piece, in the file
  uint32_t uses_ = 0;   // of the piece
};

}  // namespace tessera
