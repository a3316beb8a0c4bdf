// Chooses and reads the pieces.
#include "files/pictures/piece_reader.h"

#include <algorithm>

namespace tessera {

Status PieceReader::read(uint64_t place, std::span<uint8_t> out) {
  constexpr uint64_t kSmallPiece = 512;  // bytes
  constexpr uint64_t kLargePiece = uint64_t{64} << 10;
  constexpr uint32_t kManyUses = 8;  // a large piece will have more
  if (!holds(place, out.size())) {
    const uint64_t left = source_.size() - std::min(place, source_.size());
    const uint64_t wanted = uses_ >= kManyUses ? kLargePiece : kSmallPiece;
    piece_.resize(static_cast<size_t>(std::min(left, wanted)));
    begin_ = place;
    uses_ = 0;
    TESSERA_RETURN_IF_ERROR(source_.read(place, piece_));
  }
  if (!holds(place, out.size())) {
    return source_.read(place, out);  // says what is wrong
  }
  ++uses_;
  const auto begin = static_cast<ptrdiff_t>(place - begin_);
  std::copy_n(piece_.begin() + begin, out.size(), out.begin());
  return {};
}

}  // namespace tessera
