// The searches of both coders on a device, with the results of the CPU.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "base/result.h"
#include "fractal/domain_search.h"
#include "fractal/paper_search.h"
#include "fractal/plane.h"

namespace tessera::fractal {

// Blocks of one size of the paper's coder.
struct DeviceBlocks {
  uint32_t side = 4;
  RotationSet rotations = RotationSet::kAll;
  std::span<const BlockPosition> ranges;
  std::span<const BlockPosition> domains;  // in the half-resolution plane
};

// Not for several threads at once.
class DeviceSearch {
 public:
  virtual ~DeviceSearch() = default;

  // The image that the calls after this are about, both of its sides even.
  virtual Status take_image(const Plane<uint8_t>& image) = 0;
  // The paper's search: one match a range block.
  virtual Status match_blocks(const DeviceBlocks& blocks, std::span<BlockMatch> matches) = 0;
  // Our coder's: all blocks of the block rows [first_row, end_row), row by row.
  virtual Status find_domains(uint32_t log2_side, uint32_t first_row, uint32_t end_row,
                              std::span<BlockCandidates> found) = 0;
};

// A device that may be missing, and may be given up when it fails.
class OptionalDevice {
 public:
  using GiveUp = std::function<bool(const Error&)>;

  OptionalDevice() = default;
  // `give_up` tells whether the work of a device that failed is to be done on threads.
  OptionalDevice(std::unique_ptr<DeviceSearch> search, GiveUp give_up)
      : search_(std::move(search)), give_up_(std::move(give_up)) {}

  // Whether call(search) has done the work; false where threads have to.
  template <class Call>
  Result<bool> run(const Call& call) {
    if (search_ == nullptr) {
      return false;
    }
    const Status status = call(*search_);
    if (status) {
      return true;
    }
    if (!give_up_ || !give_up_(status.error())) {
      return status.error();
    }
    search_.reset();
    return false;
  }

 private:
  std::unique_ptr<DeviceSearch> search_;
  GiveUp give_up_;
};

}  // namespace tessera::fractal
