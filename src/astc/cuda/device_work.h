// What the drivers of devices work with: memory of the device, and what is to be done there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "astc/cuda/device_task.h"
#include "astc/cuda/job_bins.h"
#include "astc/cuda/picture.h"
#include "astc/encode/effort_plan.h"
#include "astc/encode/encode_tables.h"
#include "astc/format/block128.h"

namespace tessera::astc {

// Working memory for so many blocks at once; all pointers are the device's.
struct WorkSpace {
  size_t configurations = 0;  // of all blocks together

  int32_t* inside_x;
  int32_t* inside_y;
  float* covariances;  // ten per block
  float* axes;         // four per block
  float* partition_gain_bound;
  int32_t* class_order;
  SelectedLists selected;
  FoundPatterns found;                        // of the selected blocks
  std::array<BlockList, kMaxEfforts> blocks;  // of each effort
  // One per configuration.
  float* estimates;
  int32_t* configuration;
  uint32_t* jobs;
  Block128* packed;
  // Counters.
  uint32_t* bins;
  uint32_t* selected_counts;
  uint32_t* list_counts;  // of the lists of blocks
};

inline constexpr uint32_t kMaxJobBins = 4096;

// Gives memory out piece by piece. Without memory, it counts what is needed.
class MemoryCutter {
 public:
  explicit MemoryCutter(std::byte* memory) : memory_(memory) {}

  template <class T>
  T* take(size_t count) {
    constexpr size_t kAlignment = 256;
    T* const first = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + used_);
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return first;
  }
  size_t used() const { return used_; }

 private:
  std::byte* memory_;
  size_t used_ = 0;
};

// For `blocks` blocks that are encoded with the efforts of a plan.
size_t work_space_bytes(size_t blocks, BlockSize size, const EffortPlan& efforts);
WorkSpace make_work_space(std::byte* memory, size_t blocks, BlockSize size,
                          const EffortPlan& efforts);

// Tables of one effort, in memory of the device but for the bins.
struct DeviceTables {
  const EncodeTables* tables;
  const uint16_t* bin_of_candidate;
  const JobBins* bins;
};

struct DeviceWork {
  BlockSize size;
  Picture picture;
  uint32_t block_count;
  bool has_edges;  // a block reaches over the picture's edge
  EffortPlan efforts;
  std::array<DeviceTables, kMaxEfforts> tables;
  PictureFacts facts;
  WorkSpace space;
  Block128* out;
};

// The squared error of a texel in the mean of sampled blocks, given by their places, as the CPU
// counts it.
float mean_error_of_sample(const Picture& picture, BlockSize size, std::span<const uint32_t> places,
                           std::span<const float> errors);

}  // namespace tessera::astc
