// The best choices of each lane's block so far, by estimated error.
#if defined(TESSERA_ASTC_TOP_CHOICES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_TOP_CHOICES_INL_H_
#undef TESSERA_ASTC_TOP_CHOICES_INL_H_
#else
#define TESSERA_ASTC_TOP_CHOICES_INL_H_
#endif

#include "astc/encode/chunk.h"
#include "astc/encode/sorted_insert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

class TopChoices {
 public:
  // `first` is the place of the first one among the chunk's choices of a block.
  HWY_INLINE explicit TopChoices(unsigned count, unsigned first = 0)
      : count_(count), first_(first) {
    for (unsigned i = 0; i < count; ++i) {
      error_[i] = all_lanes_f32(kNoError);
      choice_[i] = all_lanes(kConstantBlock);
    }
  }

  HWY_INLINE void insert(F32 error, I32 choice) {
    insert_sorted(error, choice, count_, error_, choice_);
  }

  HWY_INLINE F32 best_error() const { return error_[0]; }
  HWY_INLINE F32 worst_error() const { return error_[count_ - 1]; }

  HWY_INLINE void insert_all(const TopChoices& others) {
    for (unsigned i = 0; i < others.count_; ++i) {
      insert(others.error_[i], others.choice_[i]);
    }
  }

  // Of the blocks from `block` on.
  HWY_INLINE void store(size_t block, Chunk& chunk) const {
    for (unsigned i = 0; i < count_; ++i) {
      lanes::store(error_[i], chunk.estimate(first_ + i) + block);
      lanes::store(choice_[i], chunk.choice(first_ + i) + block);
    }
  }

  // Of any blocks.
  HWY_INLINE void gather(I32 block, const Chunk& chunk) {
    for (unsigned i = 0; i < count_; ++i) {
      error_[i] = lanes::gather(chunk.estimate(first_ + i), block);
      choice_[i] = lanes::gather(chunk.choice(first_ + i), block);
    }
  }
  HWY_INLINE void scatter(const int32_t* blocks, size_t block_count, Chunk& chunk) const {
    HWY_ALIGN float error[lanes::kMaxLaneCount];
    HWY_ALIGN int32_t choice[lanes::kMaxLaneCount];
    for (unsigned i = 0; i < count_; ++i) {
      lanes::store(error_[i], error);
      lanes::store(choice_[i], choice);
      for (size_t lane = 0; lane < block_count; ++lane) {
        chunk.estimate(first_ + i)[static_cast<size_t>(blocks[lane])] = error[lane];
        chunk.choice(first_ + i)[static_cast<size_t>(blocks[lane])] = choice[lane];
      }
    }
  }

 private:
  unsigned count_;
  unsigned first_;
  F32 error_[kMaxFits];
  I32 choice_[kMaxFits];
};

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_ASTC_TOP_CHOICES_INL_H_
