// Compares each block with those before it.
#include "astc/encode/repeat_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include "astc/format/block128.h"
#include "base/bytes.h"

namespace tessera::astc {
namespace {

constexpr size_t kWindow = 1024;  // blocks that are compared with
constexpr size_t kTexelBytes = 4;

// Bits after compression, as zstd has them: literals hardly become shorter; a match has codes for
// its lengths, and its distance, which is short where it repeats one of the last three.
constexpr float kLiterals = 122;
constexpr float kContinued = 1;
constexpr float kRepeatedDistance = 6.5F;
constexpr float kMatchCodes = 9;

// A block's texels in the picture, without those beyond its edge.
struct Place {
  uint32_t x, y, width, height;
};

class Repeater {
 public:
  Repeater(const ImageView& source, const ImageView& decoded, BlockSize size,
           const RepeatSettings& settings, std::span<uint8_t> blocks)
      : source_(source),
        decoded_(decoded),
        size_(size),
        settings_(settings),
        blocks_(blocks),
        across_(static_cast<size_t>(divide_round_up(source.info.width, size.width))),
        shown_(blocks.size() / kBlockBytes) {}

  // Returns the bits of all blocks.
  double run() {
    double all_bits = 0;
    for (size_t i = 0; i < shown_.size(); ++i) {
      shown_[i] = static_cast<uint32_t>(i);
      const Place place = place_of(i);
      float best =
          error(place, i, std::numeric_limits<float>::max()) + settings_.lambda * kLiterals;
      size_t chosen = i;
      for (size_t j = i > kWindow ? i - kWindow : 0; j < i; ++j) {
        const Place other = place_of(shown_[j]);
        const float rate = settings_.lambda * bits(distance(i, j));
        if (other.width < place.width || other.height < place.height || rate >= best) {
          continue;  // nothing is known of what it shows beyond the edge
        }
        const float cost = error(place, shown_[j], best - rate) + rate;
        if (cost < best) {
          best = cost;
          chosen = j;
        }
      }
      all_bits += static_cast<double>(chosen == i ? kLiterals : bits(distance(i, chosen)));
      write(i, chosen);
    }
    return all_bits;
  }

 private:
  Place place_of(size_t block) const {
    const auto x = static_cast<uint32_t>(block % across_) * size_.width;
    const auto y = static_cast<uint32_t>(block / across_) * size_.height;
    return {x, y, std::min(size_.width, source_.info.width - x),
            std::min(size_.height, source_.info.height - y)};
  }

  static uint32_t distance(size_t block, size_t earlier) {
    return static_cast<uint32_t>(block - earlier);
  }

  // Of the place in the picture, where it shows what the block `shown` decoded to. It may stop
  // where it is more than `limit`.
  float error(const Place& place, size_t shown, float limit) const {
    const Place from = place_of(shown);
    float sum = 0;
    for (uint32_t row = 0; row < place.height && sum < limit; ++row) {
      const uint8_t* const a = source_.row<uint8_t>(place.y + row) + place.x * kTexelBytes;
      const uint8_t* const b = decoded_.row<uint8_t>(from.y + row) + from.x * kTexelBytes;
      const std::array<int, 4> squares = settings_.alpha_weight
                                             ? squared_differences<true>(a, b, place.width)
                                             : squared_differences<false>(a, b, place.width);
      const float per_color = settings_.alpha_weight ? 1.0F / 255 : 1.0F;
      for (unsigned c = 0; c < 4; ++c) {
        sum += settings_.channel_weights[c] * (c < 3 ? per_color : 1.0F) *
               static_cast<float>(squares[c]);
      }
    }
    return sum;
  }

  // Of a row, by channel; those of colours times alpha, 0 to 255, where they count by it. At most
  // 12 · 255³ then, which fits.
  template <bool kByAlpha>
  static std::array<int, 4> squared_differences(const uint8_t* a, const uint8_t* b,
                                                uint32_t width) {
    std::array<int, 4> squares = {};
    for (uint32_t x = 0; x < width; ++x, a += kTexelBytes, b += kTexelBytes) {
      for (unsigned c = 0; c < 4; ++c) {
        const int difference = a[c] - b[c];
        squares[c] += difference * difference * (kByAlpha && c < 3 ? a[3] : 1);
      }
    }
    return squares;
  }

  float bits(uint32_t distance) const {
    if (distance == running_) {
      return kContinued;
    }
    const bool is_repeated = std::find(latest_.begin(), latest_.end(), distance) != latest_.end();
    return is_repeated ? kRepeatedDistance
                       : kMatchCodes + static_cast<float>(std::bit_width(distance * kBlockBytes));
  }

  void write(size_t i, size_t chosen) {
    if (chosen == i) {
      running_ = 0;
      return;
    }
    std::memcpy(&blocks_[i * kBlockBytes], &blocks_[chosen * kBlockBytes], kBlockBytes);
    shown_[i] = shown_[chosen];
    const uint32_t distance = this->distance(i, chosen);
    if (distance != running_) {
      const auto found = std::find(latest_.begin(), latest_.end() - 1, distance);
      std::rotate(latest_.begin(), found, found + 1);
      latest_[0] = distance;
    }
    running_ = distance;
  }

  const ImageView& source_;
  const ImageView& decoded_;
  BlockSize size_;
  const RepeatSettings& settings_;
  std::span<uint8_t> blocks_;
  size_t across_;
  std::vector<uint32_t> shown_;  // the block whose texels each block shows now
  uint32_t running_ = 0;         // the distance of the match that ends with the last block
  std::array<uint32_t, 3> latest_ = {};
};

}  // namespace

double repeat_blocks(const ImageView& source, const ImageView& decoded, BlockSize size,
                     const RepeatSettings& settings, std::span<uint8_t> blocks) {
  return Repeater(source, decoded, size, settings, blocks).run();
}

}  // namespace tessera::astc
