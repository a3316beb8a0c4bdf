// Goes through the blocks of a part of the picture and writes what is cheap for its error.
#include "bc/optimise_rate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "base/rate_rows.h"
#include "bc/bc1_encode.h"
#include "bc/bc1_format.h"
#include "bc/bc1_rounding.h"
#include "bc/rate_model.h"
#include "bc/reuse_history.h"

namespace tessera::bc1 {
namespace {

// Selectors of other blocks that are fitted exactly, and those for which ends are looked for.
constexpr unsigned kFittedSelectors = 4;
constexpr unsigned kSelectorsWithEnds = 1;
constexpr unsigned kBlocksBetweenCounts = 32;
constexpr float kEarlyCount = 0.1F;  // of a byte that may become a literal

uint32_t ends_of(const Block& block) {
  return block.color0 | (uint32_t{block.color1} << 16);
}

Block make_block(uint32_t ends, uint32_t selectors) {
  return {static_cast<uint16_t>(ends), static_cast<uint16_t>(ends >> 16), selectors};
}

void store_word(uint32_t word, uint8_t* out) {
  for (unsigned i = 0; i < 4; ++i) {
    out[i] = static_cast<uint8_t>(word >> (8 * i));
  }
}

uint32_t nearest(float value, uint32_t most) {
  const float level = value * static_cast<float>(most) / 255.0F + 0.5F;
  return level <= 0 ? 0 : std::min(static_cast<uint32_t>(level), most);
}

uint32_t pack_565(const std::array<float, 3>& color) {
  return nearest(color[0], 31) << 11 | nearest(color[1], 63) << 5 | nearest(color[2], 31);
}

// A way to write a block.
struct BlockCandidate {
  Block block;
  uint32_t ends_from = 0;       // how many blocks back; 0: they are literals
  uint32_t selectors_from = 0;  // the same
  float bits = 0;
  float cost = std::numeric_limits<float>::max();  // error and rate together
};

class Optimiser {
 public:
  Optimiser(const Settings& settings, float lambda, size_t blocks)
      : settings_(settings), lambda_(lambda), history_(settings, blocks) {}

  void expect(const Block& block) {
    model_.count(ends_of(block), kEarlyCount);
    model_.count(block.selectors, kEarlyCount);
  }

  // The next block: how it has been encoded, and what it becomes.
  Block optimise(const BlockTexels& texels, const Block& own) {
    if (count_++ % kBlocksBetweenCounts == 0) {
      model_.settle();
    }
    texels_ = &texels;
    best_ = {};
    consider(own, 0, 0);
    if (!texels.must_stay && history_.size() > 0) {
      compare_with_history(own);
    }
    note(best_);
    history_.add(best_.block);
    return best_.block;
  }
  double bits() const { return bits_; }

 private:
  float rate_of(const BlockCandidate& choice) const {
    const uint32_t ends = ends_of(choice.block);
    const bool goes_on = choice.ends_from != 0 && choice.ends_from == model_.running();
    float bits = choice.ends_from == 0 ? model_.literals(ends)
                 : goes_on             ? RateModel::kContinued
                                       : model_.match(choice.ends_from);
    if (choice.selectors_from == 0) {
      bits += model_.literals(choice.block.selectors);
    } else if (choice.selectors_from != choice.ends_from) {
      bits += model_.match(choice.selectors_from);
    }
    return bits;
  }

  void consider(const Block& block, uint32_t ends_from, uint32_t selectors_from) {
    if (ends_from != 0 && !has_four_colors(block)) {
      return;  // selectors mean something else
    }
    BlockCandidate choice{block, ends_from, selectors_from};
    choice.bits = rate_of(choice);
    choice.cost = texels_->error(block, settings_) + lambda_ * choice.bits;
    if (choice.cost < best_.cost) {
      best_ = choice;
    }
  }

  // With the ends that suit the selectors best; they must leave the block one of four colours.
  void consider_selectors(uint32_t selectors, uint32_t from) {
    const SelectorSums sums(*texels_, selectors);
    std::array<float, 3> ends[2];
    sums.solve(ends);
    const uint32_t word = pack_565(ends[0]) | pack_565(ends[1]) << 16;
    const Block block = make_block(word, selectors);
    if (has_four_colors(block)) {
      consider(block, 0, from);
    }
  }

  void consider_ends(uint32_t selectors, uint32_t from) {
    const SelectorSums sums(*texels_, selectors);
    const size_t at = history_.best_ends(*texels_, sums, lambda_, costs_);
    const uint32_t distance = history_.distance(at);
    consider(make_block(history_.ends(at), selectors), distance, from);
  }

  void compare_with_history(const Block& own) {
    costs_.prepare(model_);
    std::array<size_t, kFittedSelectors> found;
    size_t whole = 0;
    const unsigned count = history_.best_selectors(*texels_, lambda_, costs_, found, whole);
    consider(make_block(history_.ends(whole), history_.selectors(whole)), history_.distance(whole),
             history_.distance(whole));
    for (unsigned i = 0; i < count; ++i) {
      const uint32_t selectors = history_.selectors(found[i]);
      const uint32_t distance = history_.distance(found[i]);
      consider_selectors(selectors, distance);
      if (selectors == own.selectors) {
        consider(own, 0, distance);
      }
      if (i < kSelectorsWithEnds) {
        consider_ends(selectors, distance);
      }
    }
    if (has_four_colors(own)) {
      consider_ends(own.selectors, 0);
    }
    costs_.restore(model_);
  }

  void note(const BlockCandidate& choice) {
    bits_ += double{choice.bits};
    if (choice.ends_from == 0) {
      model_.count(ends_of(choice.block), 1);
      model_.note_literals();
    } else if (choice.ends_from != model_.running()) {
      model_.note_match(choice.ends_from);
    }
    if (choice.selectors_from == 0) {
      model_.count(choice.block.selectors, 1);
      model_.note_literals();
    } else if (choice.selectors_from != choice.ends_from) {
      model_.note_match(choice.selectors_from);
    }
  }

  const Settings& settings_;
  float lambda_;
  RateModel model_;
  ReuseHistory history_;
  ReuseCosts costs_{model_};
  const BlockTexels* texels_ = nullptr;
  BlockCandidate best_;
  double bits_ = 0;
  unsigned count_ = 0;
};

}  // namespace

double optimise_rate(const ImageView& image, uint32_t slice, uint32_t first_row, uint32_t end_row,
                     const Settings& settings, float lambda, std::span<uint8_t> blocks) {
  const uint32_t across = (image.info.width + kBlockSide - 1) / kBlockSide;
  const uint32_t together = rows_optimised_together(across);
  double bits = 0;
  for (uint32_t first = first_row; first < end_row; first += together) {
    const uint32_t end = std::min(end_row, first + together);
    uint8_t* const part = blocks.data() + size_t{first - first_row} * across * kBlockBytes;
    const size_t count = size_t{end - first} * across;
    const auto optimiser = std::make_unique<Optimiser>(settings, lambda, count);
    for (size_t i = 0; i < count; ++i) {
      optimiser->expect(load_block(part + i * kBlockBytes));
    }
    BlockTexels texels;
    for (size_t i = 0; i < count; ++i) {
      const auto x = static_cast<uint32_t>(i % across);
      const uint32_t y = first + static_cast<uint32_t>(i / across);
      texels.load(image, slice, x, y, settings);
      uint8_t* const bytes = part + i * kBlockBytes;
      const Block block = optimiser->optimise(texels, load_block(bytes));
      store_word(ends_of(block), bytes);
      store_word(block.selectors, bytes + 4);
    }
    bits += optimiser->bits();
  }
  return bits;
}

}  // namespace tessera::bc1
