// The best configurations of each lane's block so far, by estimated error.
#if defined(TESSERA_ASTC_BEST_CONFIGURATIONS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_BEST_CONFIGURATIONS_INL_H_
#undef TESSERA_ASTC_BEST_CONFIGURATIONS_INL_H_
#else
#define TESSERA_ASTC_BEST_CONFIGURATIONS_INL_H_
#endif

#include "astc/encode/chunk.h"
#include "astc/encode/sorted_insert-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

class BestConfigurations {
 public:
  // `first` is the place of the first one among the chunk's configurations of a block.
  TESSERA_INLINE explicit BestConfigurations(unsigned count, unsigned first = 0)
      : count_(count), first_(first) {
    TESSERA_LOOP
    for (unsigned i = 0; i < count; ++i) {
      error_[i] = all_lanes_f32(kNoError);
      configuration_[i] = all_lanes(kNoConfiguration);
    }
  }

  // Nothing is entered that is not below the limit. To be called before the first insertion.
  TESSERA_INLINE void accept_below(F32 limit) {
    TESSERA_LOOP
    for (unsigned i = 0; i < count_; ++i) {
      error_[i] = limit;
    }
  }

  TESSERA_INLINE void insert(F32 error, I32 configuration) {
    insert_sorted(error, configuration, count_, error_, configuration_);
  }

  TESSERA_INLINE F32 best_error() const { return error_[0]; }
  TESSERA_INLINE F32 worst_error() const { return error_[count_ - 1]; }

  TESSERA_INLINE void insert_all(const BestConfigurations& others) {
    TESSERA_LOOP
    for (unsigned i = 0; i < others.count_; ++i) {
      insert(others.error_[i], others.configuration_[i]);
    }
  }

  // Of the blocks from `block` on.
  TESSERA_INLINE void store(size_t block, Chunk& chunk) const {
    TESSERA_LOOP
    for (unsigned i = 0; i < count_; ++i) {
      lanes::store(error_[i], chunk.estimate(first_ + i) + block);
      lanes::store(configuration_[i], chunk.configuration(first_ + i) + block);
    }
  }

  // Of any blocks.
  TESSERA_INLINE void gather(I32 block, const Chunk& chunk) {
    TESSERA_LOOP
    for (unsigned i = 0; i < count_; ++i) {
      error_[i] = lanes::gather(chunk.estimate(first_ + i), block);
      configuration_[i] = lanes::gather(chunk.configuration(first_ + i), block);
    }
  }
  TESSERA_INLINE void scatter(const int32_t* blocks, size_t block_count, Chunk& chunk) const {
    TESSERA_ALIGN float error[lanes::kMaxLaneCount];
    TESSERA_ALIGN int32_t configuration[lanes::kMaxLaneCount];
    TESSERA_LOOP
    for (unsigned i = 0; i < count_; ++i) {
      lanes::store(error_[i], error);
      lanes::store(configuration_[i], configuration);
      for (size_t lane = 0; lane < block_count; ++lane) {
        chunk.estimate(first_ + i)[static_cast<size_t>(blocks[lane])] = error[lane];
        chunk.configuration(first_ + i)[static_cast<size_t>(blocks[lane])] = configuration[lane];
      }
    }
  }

 private:
  unsigned count_;
  unsigned first_;
  F32 error_[kMaxFits];
  I32 configuration_[kMaxFits];
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_BEST_CONFIGURATIONS_INL_H_
