// Runs work on a stream of a CUDA device, one thread per item, and moves memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "exec/cuda/cuda_branches.h"
#include "exec/cuda/cuda_calls.h"

namespace tessera {

inline constexpr unsigned kThreadsPerGroup = 128;

// Threads of a group for so many items: of few items, every processor shall have some.
inline unsigned threads_per_group(uint32_t items) {
  constexpr unsigned kWarp = 32, kUsualProcessors = 128;
  return items < kThreadsPerGroup * kUsualProcessors ? kWarp : kThreadsPerGroup;
}

// Work may ask for a number of groups that a processor holds at once: fewer registers, more
// threads.
template <class Work, class = void>
struct GroupsPerProcessor {
  static constexpr int kLeast = 1;
};
template <class Work>
struct GroupsPerProcessor<Work, decltype(static_cast<void>(Work::kGroupsPerProcessor))> {
  static constexpr int kLeast = Work::kGroupsPerProcessor;
};

template <class Work>
__global__ void __launch_bounds__(kThreadsPerGroup, GroupsPerProcessor<Work>::kLeast)
    run_items(const __grid_constant__ Work work, uint32_t items) {
  const uint32_t item = blockIdx.x * blockDim.x + threadIdx.x;
  if (item < items) {
    work(item);
  }
}

// Their number is known on the device alone.
template <class Work>
__global__ void __launch_bounds__(kThreadsPerGroup, GroupsPerProcessor<Work>::kLeast)
    run_counted_items(const __grid_constant__ Work work, const uint32_t* count) {
  const uint32_t items = *count, step = gridDim.x * blockDim.x;
  for (uint32_t item = blockIdx.x * blockDim.x + threadIdx.x; item < items; item += step) {
    work(item);
  }
}

// The lanes of a warp that work on one item together.
struct CudaWarp {
  static constexpr unsigned kLanes = 32;
  static constexpr unsigned kAll = 0xFFFFFFFFu;

  // A thread has but its own.
  template <class T>
  struct PerLane {
    T value;
    __device__ __forceinline__ T& operator[](unsigned) { return value; }
    __device__ __forceinline__ const T& operator[](unsigned) const { return value; }
  };

  float* shared;

  template <class Work>
  __device__ __forceinline__ void each_lane(const Work& work) {
    work(threadIdx.x % kLanes);
    __syncwarp();
  }

  __device__ __forceinline__ unsigned lane_of_least(const PerLane<float>& costs,
                                                    const PerLane<int32_t>& entries) {
    float cost = costs.value;
    int32_t entry = entries.value;
    unsigned lane = threadIdx.x % kLanes;
    for (unsigned distance = kLanes / 2; distance > 0; distance /= 2) {
      const float other_cost = __shfl_xor_sync(kAll, cost, distance);
      const int32_t other_entry = __shfl_xor_sync(kAll, entry, distance);
      const unsigned other_lane = __shfl_xor_sync(kAll, lane, distance);
      // Of lanes without an entry, all of which have the same, the first: all lanes must agree.
      const bool is_less = other_cost < cost ||
                           (other_cost == cost &&
                            (other_entry < entry || (other_entry == entry && other_lane < lane)));
      cost = is_less ? other_cost : cost;
      entry = is_less ? other_entry : entry;
      lane = is_less ? other_lane : lane;
    }
    return lane;
  }
};

inline constexpr unsigned kWarpsPerGroup = 2;

template <class Work>
__global__ void __launch_bounds__(kWarpsPerGroup* CudaWarp::kLanes)
    run_warp_items(const __grid_constant__ Work work, const uint32_t* count,
                   uint32_t floats_per_warp) {
  extern __shared__ float shared_floats[];
  const uint32_t own = threadIdx.x / CudaWarp::kLanes;
  CudaWarp warp = {shared_floats + own * floats_per_warp};
  const uint32_t items = *count, step = gridDim.x * kWarpsPerGroup;
  for (uint32_t item = blockIdx.x * kWarpsPerGroup + own; item < items; item += step) {
    work(item, warp);
  }
}

// Counting and placing: a group of threads counts its own items in shared memory first, so that few
// additions meet in the memory of the device.
inline constexpr unsigned kThreadsPerBinGroup = 256;
inline constexpr unsigned kLeastItemsPerBinGroup = 1024, kMostItemsPerBinGroup = 8192;

template <class Source>
__device__ void count_items_of_group(const Source& source, uint32_t items, uint32_t per_group,
                                     uint32_t bin_count, uint32_t* shared_bins) {
  for (uint32_t bin = threadIdx.x; bin < bin_count; bin += kThreadsPerBinGroup) {
    shared_bins[bin] = 0;
  }
  __syncthreads();
  const uint32_t first = blockIdx.x * per_group;
  const uint32_t end = items - first < per_group ? items : first + per_group;
  for (uint32_t item = first + threadIdx.x; item < end; item += kThreadsPerBinGroup) {
    source.visit(item, [&](uint32_t bin, uint32_t) { atomicAdd(shared_bins + bin, 1u); });
  }
  __syncthreads();
}

template <class Source>
__global__ void __launch_bounds__(kThreadsPerBinGroup)
    count_items(const __grid_constant__ Source source, uint32_t items, uint32_t per_group,
                uint32_t bin_count, uint32_t* bins) {
  extern __shared__ uint32_t shared_bins[];
  count_items_of_group(source, items, per_group, bin_count, shared_bins);
  for (uint32_t bin = threadIdx.x; bin < bin_count; bin += kThreadsPerBinGroup) {
    if (shared_bins[bin] > 0) {
      atomicAdd(bins + bin, shared_bins[bin]);
    }
  }
}

template <class Source>
__global__ void __launch_bounds__(kThreadsPerBinGroup)
    place_items(const __grid_constant__ Source source, uint32_t items, uint32_t per_group,
                uint32_t bin_count, uint32_t* bins, uint32_t* values) {
  extern __shared__ uint32_t shared_bins[];
  count_items_of_group(source, items, per_group, bin_count, shared_bins);
  for (uint32_t bin = threadIdx.x; bin < bin_count; bin += kThreadsPerBinGroup) {
    if (shared_bins[bin] > 0) {
      shared_bins[bin] = atomicAdd(bins + bin, shared_bins[bin]);
    }
  }
  __syncthreads();
  const uint32_t first = blockIdx.x * per_group;
  const uint32_t end = items - first < per_group ? items : first + per_group;
  for (uint32_t item = first + threadIdx.x; item < end; item += kThreadsPerBinGroup) {
    source.visit(item, [&](uint32_t bin, uint32_t value) {
      values[atomicAdd(shared_bins + bin, 1u)] = value;
    });
  }
}

// By one group. On the device, because a copy from the host waits for all others in that direction.
inline constexpr unsigned kThreadsThatAddUp = 1024;

template <class Count>
__global__ void __launch_bounds__(kThreadsThatAddUp) add_up(Count* bins, Count bin_count) {
  __shared__ Count sums[kThreadsThatAddUp];
  const Count each = (bin_count + kThreadsThatAddUp - 1) / kThreadsThatAddUp;
  const Count first = min(threadIdx.x * each, bin_count), end = min(first + each, bin_count);
  Count own = 0;
  for (Count bin = first; bin < end; ++bin) {
    own += bins[bin];
  }
  sums[threadIdx.x] = own;
  __syncthreads();
  for (unsigned distance = 1; distance < kThreadsThatAddUp; distance *= 2) {
    const Count lower = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += lower;
    __syncthreads();
  }
  Count before = sums[threadIdx.x] - own;
  for (Count bin = first; bin < end; ++bin) {
    const Count count = bins[bin];
    bins[bin] = before;
    before += count;
  }
  if (threadIdx.x == kThreadsThatAddUp - 1) {
    bins[bin_count] = before;
  }
}

// Instantiated where the work's kernel is compiled; other files know it as extern.
template <class Work>
cudaError_t launch_items(const Work& work, uint32_t items, cudaStream_t stream) {
  const unsigned threads = threads_per_group(items);
  run_items<Work><<<(items + threads - 1) / threads, threads, 0, stream>>>(work, items);
  return cudaGetLastError();
}

class CudaMachine {
 public:
  CudaMachine(cudaStream_t stream, CudaBranches& branches, unsigned processors)
      : main_(stream), stream_(stream), branches_(branches), processors_(processors) {}

  // Between fork() and join(), what is run after a call of next_branch() does not wait for what was
  // run before it.
  void fork() { note(branches_.fork(main_)); }
  void next_branch() {
    const Result<cudaStream_t> next = branches_.next();
    if (next) {
      stream_ = *next;
    } else {
      note(next.error());
    }
  }
  void join() {
    note(branches_.join(main_));
    stream_ = main_;
  }

  template <class Work>
  void run(uint32_t items, const Work& work) {
    if (items > 0) {
      note(launch_items(work, items, stream_));
    }
  }

  template <class Work>
  void run_counted(const uint32_t* count, uint32_t most, const Work& work) {
    constexpr unsigned kGroups = 16;  // per processor: more than it holds, for even loads
    const unsigned threads = threads_per_group(most);
    const unsigned groups = std::min((most + threads - 1) / threads, processors_ * kGroups);
    if (groups > 0) {
      run_counted_items<Work><<<groups, threads, 0, stream_>>>(work, count);
      note(cudaGetLastError());
    }
  }

  template <class Work>
  void run_warps(const uint32_t* count, uint32_t most, size_t shared_floats, const Work& work) {
    constexpr unsigned kGroups = 64;  // per processor: more than it holds, for even loads
    const unsigned groups =
        std::min((most + kWarpsPerGroup - 1) / kWarpsPerGroup, processors_ * kGroups);
    if (groups > 0) {
      run_warp_items<Work><<<groups, kWarpsPerGroup * CudaWarp::kLanes,
                             kWarpsPerGroup * shared_floats * sizeof(float), stream_>>>(
          work, count, static_cast<uint32_t>(shared_floats));
      note(cudaGetLastError());
    }
  }

  template <class Source>
  void count_in_bins(uint32_t items, const Source& source, uint32_t bin_count, uint32_t* bins) {
    if (items == 0) {
      return;
    }
    const uint32_t per_group = items_per_bin_group(items);
    count_items<<<(items + per_group - 1) / per_group, kThreadsPerBinGroup,
                  bin_count * sizeof(uint32_t), stream_>>>(source, items, per_group, bin_count,
                                                           bins);
    note(cudaGetLastError());
  }
  template <class Source>
  void place_in_bins(uint32_t items, const Source& source, uint32_t bin_count, uint32_t* bins,
                     uint32_t* values) {
    if (items == 0) {
      return;
    }
    const uint32_t per_group = items_per_bin_group(items);
    place_items<<<(items + per_group - 1) / per_group, kThreadsPerBinGroup,
                  bin_count * sizeof(uint32_t), stream_>>>(source, items, per_group, bin_count,
                                                           bins, values);
    note(cudaGetLastError());
  }

  void add_up_bins(uint32_t bin_count, uint32_t* bins) {
    add_up<uint32_t><<<1, kThreadsThatAddUp, 0, stream_>>>(bins, bin_count);
    note(cudaGetLastError());
  }

  void clear(void* memory, size_t bytes) { note(cudaMemsetAsync(memory, 0, bytes, stream_)); }
  void write(const void* from, void* to, size_t bytes) {
    note(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_));
  }
  Status read(const void* from, void* to, size_t bytes) {
    note(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
    note(cudaStreamSynchronize(stream_));
    return failure_;
  }
  // Of all that has been asked for; the stream may still be at work.
  Status finish() const { return failure_; }

 private:
  // Few, so that all processors have some, but enough for the bins to be worth clearing.
  uint32_t items_per_bin_group(uint32_t items) const {
    return std::clamp(items / (2 * processors_), kLeastItemsPerBinGroup, kMostItemsPerBinGroup);
  }
  void note(cudaError_t code) { note(cuda_status(code, "failed")); }
  void note(Status status) {
    if (failure_) {  // the first failure is the one to tell
      static_cast<void>(failure_ = std::move(status));
    }
  }

  cudaStream_t main_, stream_;
  CudaBranches& branches_;
  unsigned processors_;
  Status failure_;
};

}  // namespace tessera
