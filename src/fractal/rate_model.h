// How many bits symbols cost: counted over a whole plane in one pass of the encoder, used for its
// decisions in the next.
#pragma once

#include <memory>
#include <vector>

#include "fractal/leaf_syntax.h"

namespace tessera::fractal {

// log2(value) for value ≥ 1, in floating point but from whole-number steps only: the encoder's
// decisions must not depend on a mathematics library.
double exact_log2(uint64_t value);

// Bits for zeros and ones of every adaptive bit of a PlaneModel. The model is made of adaptive bits
// only, so a bit is known by its place in it.
class RateModel {
 public:
  RateModel();  // one bit per bit

  struct Counts {
    uint32_t ones = 0;
    uint32_t total = 0;
  };
  // Learns from what was counted.
  void learn(const std::vector<Counts>& counts);

  static constexpr size_t bit_count() { return sizeof(PlaneModel) / sizeof(AdaptiveBit); }
  double bits(size_t place, bool value) const { return cost_[2 * place + (value ? 1 : 0)]; }
  PlaneModel& model() const { return *model_; }

 private:
  std::vector<double> cost_;
  std::shared_ptr<PlaneModel> model_;  // for its places only
};

// Counts bits instead of writing them.
class CountingCoder {
 public:
  explicit CountingCoder(const PlaneModel& model)
      : base_(reinterpret_cast<const AdaptiveBit*>(&model)), counts_(RateModel::bit_count()) {}

  void bit(AdaptiveBit& state, bool& value) {
    RateModel::Counts& count = counts_[static_cast<size_t>(&state - base_)];
    ++count.total;
    count.ones += value ? 1 : 0;
  }
  void uniform(uint32_t, uint32_t&) {}
  const std::vector<RateModel::Counts>& counts() const { return counts_; }

 private:
  const AdaptiveBit* base_;
  std::vector<RateModel::Counts> counts_;
};

// Adds up what symbols would cost.
class CostCoder {
 public:
  explicit CostCoder(const RateModel& rates)
      : rates_(rates), base_(reinterpret_cast<const AdaptiveBit*>(&rates.model())) {}

  void bit(AdaptiveBit& state, bool& value) {
    bits_ += rates_.bits(static_cast<size_t>(&state - base_), value);
  }
  void uniform(uint32_t count, uint32_t&) { bits_ += exact_log2(count); }
  double bits() const { return bits_; }

 private:
  const RateModel& rates_;
  const AdaptiveBit* base_;
  double bits_ = 0;
};

}  // namespace tessera::fractal
