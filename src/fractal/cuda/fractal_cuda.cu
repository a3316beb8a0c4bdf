// The searches of fractal images on a CUDA device.
#include "fractal/cuda/fractal_cuda.h"

#include <array>

#include "exec/cuda/cuda_memory.h"
#include "exec/cuda/cuda_staging.h"
#include "exec/cuda/lease_pool.h"
#include "fractal/cuda/search_drivers-inl.h"
#include "fractal/cuda/tensor_warp.cuh"
#include "fractal/fractal_device.h"

namespace tessera {
namespace {

using fractal::device::Slot;

class SearchMachine : public CudaMachine {
 public:
  using Memory = std::array<CudaDeviceBuffer, static_cast<size_t>(Slot::kCount)>;

  SearchMachine(const CudaDevice& device, cudaStream_t stream, CudaBranches& branches,
                Memory& memory, CudaStaging& staging, Backend& threads)
      : CudaMachine(stream, branches, device.processors()),
        device_(device),
        stream_(stream),
        memory_(memory),
        staging_(staging),
        threads_(threads) {}

  // Enough for each processor to hold some while it waits for others.
  uint32_t warps_wanted() const { return device_.processors() * 24; }

  template <class Work>
  void run_tiles(uint32_t items, size_t floats, const Work& work) {
    constexpr unsigned kWarps = fractal::device::kTileWarpsPerGroup;
    fractal::device::run_tile_items<<<(items + kWarps - 1) / kWarps, kWarps * CudaWarp::kLanes,
                                      kWarps * floats * sizeof(float), stream_>>>(
        work, items, static_cast<uint32_t>(floats));
    note_started(cudaGetLastError());
  }

  template <class T>
  Result<T*> reserve(Slot slot, size_t count) {
    CudaDeviceBuffer& buffer = memory_[static_cast<size_t>(slot)];
    TESSERA_RETURN_IF_ERROR(buffer.reserve(count * sizeof(T)));
    return buffer.as<T>();
  }

  // Through pinned memory, which many threads empty.
  Status read(const void* from, void* to, size_t bytes) {
    TESSERA_RETURN_IF_ERROR(finish());
    TESSERA_RETURN_IF_ERROR(cuda_status(started_, "cannot start a kernel"));
    return staging_.download(from, {static_cast<uint8_t*>(to), bytes}, threads_, stream_);
  }

 private:
  void note_started(cudaError_t code) { started_ = started_ == cudaSuccess ? code : started_; }

  const CudaDevice& device_;
  cudaStream_t stream_;
  Memory& memory_;
  CudaStaging& staging_;
  Backend& threads_;
  cudaError_t started_ = cudaSuccess;
};

// What the search of one image needs.
struct SearchLane {
  explicit SearchLane(std::shared_ptr<CudaDevice> given) : device(std::move(given)) {}
  ~SearchLane() {
    if (stream != nullptr) {
      static_cast<void>(cudaStreamDestroy(stream));
    }
  }

  Status prepare() {
    TESSERA_RETURN_IF_ERROR(device->make_current());
    return stream != nullptr
               ? Status()
               : cuda_status(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                             "cannot be used");
  }

  std::shared_ptr<CudaDevice> device;
  cudaStream_t stream = nullptr;
  CudaBranches branches;
  SearchMachine::Memory memory;
  CudaStaging staging;
  fractal::device::DeviceImage image;
};

class CudaSearch : public fractal::DeviceSearch {
 public:
  CudaSearch(LeasePool<SearchLane>::Lease lane, Backend& threads)
      : lane_(std::move(lane)), threads_(threads) {}

  Status take_image(const fractal::Plane<uint8_t>& image) override {
    TESSERA_RETURN_IF_ERROR(lane_->prepare());
    SearchMachine machine = make_machine();
    TESSERA_ASSIGN_OR_RETURN(lane_->image, fractal::device::take_image(machine, image));
    return machine.finish();
  }
  Status match_blocks(const fractal::DeviceBlocks& blocks,
                      std::span<fractal::BlockMatch> matches) override {
    TESSERA_RETURN_IF_ERROR(lane_->prepare());
    SearchMachine machine = make_machine();
    return fractal::device::PaperDriver<SearchMachine>(machine, lane_->image)
        .match(blocks, matches);
  }
  Status find_domains(uint32_t log2_side, uint32_t first_row, uint32_t end_row,
                      std::span<fractal::BlockCandidates> found) override {
    TESSERA_RETURN_IF_ERROR(lane_->prepare());
    SearchMachine machine = make_machine();
    return fractal::device::DomainDriver<SearchMachine>(machine, lane_->image)
        .find(log2_side, first_row, end_row, found);
  }

 private:
  SearchMachine make_machine() {
    return {*lane_->device, lane_->stream,  lane_->branches,
            lane_->memory,  lane_->staging, threads_};
  }

  LeasePool<SearchLane>::Lease lane_;
  Backend& threads_;
};

class FractalCuda : public FractalKernels {
 public:
  explicit FractalCuda(std::shared_ptr<CudaDevice> device)
      : lanes_(kImagesAtOnce, [device] { return std::make_unique<SearchLane>(device); }) {}

  std::unique_ptr<fractal::DeviceSearch> search(Backend& threads) override {
    return std::make_unique<CudaSearch>(lanes_.take(), threads);
  }

 private:
  static constexpr size_t kImagesAtOnce = 4;

  LeasePool<SearchLane> lanes_;
};

}  // namespace

std::unique_ptr<DeviceKernels> make_fractal_cuda(std::shared_ptr<CudaDevice> device) {
  return std::make_unique<FractalCuda>(std::move(device));
}

}  // namespace tessera
