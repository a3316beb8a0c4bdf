// Metrics of 8-bit pictures on a device. Errors are whole numbers, added by block and by row of
// blocks. SSIM is a double for each window; windows of a row are added from left to right and rows
// from above, as the CPU does it, so that all figures are the CPU's to the last bit.
//
// A Machine has run(items, work), reserve<T>(slot, count) as Result<T*>, and read(from, to, bytes),
// which waits; tests have one that runs on the host.
#pragma once

#include <algorithm>
#include <vector>

#include "base/bytes.h"
#include "exec/device.h"
#include "image/metrics_sums.h"
#include "image/ssim.h"
#include "spmd/host_device.h"

namespace tessera::metrics {

struct Pair {
  DeviceImage reference;
  DeviceImage test;

  TESSERA_DEVICE_CODE static uint32_t texel(const DeviceImage& image, uint32_t x, uint32_t y) {
    const auto* row = static_cast<const uint8_t*>(image.texels) + y * image.row_bytes;
    return reinterpret_cast<const uint32_t*>(row)[x];
  }
};

struct BlockRowSums {
  ErrorSums errors;
  double worst_mse;  // of its blocks, the first of equals
  uint32_t worst_block;
  uint32_t unused;  // as in ErrorSums
};

// An item is a block of texels.
struct AddBlocks {
  Pair pair;
  MetricsOptions size;
  uint32_t across;
  ErrorSums* blocks;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const uint32_t left = item % across * size.block_width, top = item / across * size.block_height;
    const uint32_t width = pair.reference.width, height = pair.reference.height;
    const uint32_t right = width - left < size.block_width ? width : left + size.block_width;
    const uint32_t bottom = height - top < size.block_height ? height : top + size.block_height;
    ErrorSums sums;
    for (uint32_t y = top; y < bottom; ++y) {
      for (uint32_t x = left; x < right; ++x) {
        sums.add_texel(Pair::texel(pair.reference, x, y), Pair::texel(pair.test, x, y));
      }
    }
    blocks[item] = sums;
  }
};

// An item is a row of blocks.
struct AddBlockRows {
  Pair pair;
  MetricsOptions size;
  uint32_t across;
  const ErrorSums* blocks;
  BlockRowSums* rows;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const uint32_t width = pair.reference.width,
                   below = pair.reference.height - item * size.block_height;
    const uint32_t height = below < size.block_height ? below : size.block_height;
    BlockRowSums all = {{}, 0.0, 0, 0};
    for (uint32_t block = 0; block < across; ++block) {
      const ErrorSums& sums = blocks[size_t{item} * across + block];
      all.errors.add(sums);
      const uint32_t rest = width - block * size.block_width;
      const uint32_t texels = (rest < size.block_width ? rest : size.block_width) * height;
      const double mse = mean_square(static_cast<double>(sums.color),
                                     3.0 * static_cast<double>(texels), kPeakOfBytes);
      if (mse > all.worst_mse) {
        all.worst_mse = mse;
        all.worst_block = block;
      }
    }
    rows[item] = all;
  }
};

// Rows of windows that are worked off together, and what is known of them.
struct WindowRows {
  uint32_t width;    // of the pictures
  uint32_t columns;  // windows of a row
  uint32_t first_row;
  uint32_t row_taps, column_taps;
  double row_weights[kSsimWindow];
  double column_weights[kSsimWindow];
  double* luma_reference;  // from first_row on
  double* luma_test;
  double* mean_reference;  // combined rows
  double* mean_test;
  double* mean_squares;
  double* mean_product;
  double* values;  // a window each
  double* row_totals;
};

// An item is a texel, counted from the first row on.
struct TakeLuma {
  Pair pair;
  WindowRows rows;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const uint32_t x = item % rows.width, y = rows.first_row + item / rows.width;
    rows.luma_reference[item] = luma(Pair::texel(pair.reference, x, y));
    rows.luma_test[item] = luma(Pair::texel(pair.test, x, y));
  }

 private:
  TESSERA_DEVICE_CODE static double luma(uint32_t texel) {
    return luma_of(static_cast<double>(texel & 0xFF), static_cast<double>((texel >> 8) & 0xFF),
                   static_cast<double>((texel >> 16) & 0xFF), kPeakOfBytes);
  }
};

// An item is a column of a row of windows.
struct CombineRows {
  WindowRows rows;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    double a_mean = 0.0, b_mean = 0.0, squares = 0.0, product = 0.0;
    for (uint32_t i = 0; i < rows.row_taps; ++i) {
      const double weight = rows.row_weights[i];
      const double a = rows.luma_reference[size_t{item} + size_t{i} * rows.width];
      const double b = rows.luma_test[size_t{item} + size_t{i} * rows.width];
      const double weighted_a = weight * a;
      const double weighted_b = weight * b;
      a_mean += weighted_a;
      b_mean += weighted_b;
      squares += weighted_a * a + weighted_b * b;
      product += weighted_a * b;
    }
    rows.mean_reference[item] = a_mean;
    rows.mean_test[item] = b_mean;
    rows.mean_squares[item] = squares;
    rows.mean_product[item] = product;
  }
};

// An item is a window.
struct CompareWindows {
  WindowRows rows;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    const size_t first = size_t{item / rows.columns} * rows.width + item % rows.columns;
    rows.values[item] =
        ssim_of_window(across(rows.mean_reference + first), across(rows.mean_test + first),
                       across(rows.mean_squares + first), across(rows.mean_product + first));
  }

 private:
  TESSERA_DEVICE_CODE double across(const double* values) const {
    double sum = 0.0;
    for (uint32_t i = 0; i < rows.column_taps; ++i) {
      sum += rows.column_weights[i] * values[i];
    }
    return sum;
  }
};

// An item is a row of windows.
struct AddWindows {
  WindowRows rows;

  TESSERA_DEVICE_CODE void operator()(uint32_t item) const {
    double sum = 0.0;
    for (uint32_t x = 0; x < rows.columns; ++x) {
      sum += rows.values[size_t{item} * rows.columns + x];
    }
    rows.row_totals[item] = sum;
  }
};

enum class Slot : uint8_t { kBlocks, kBlockRows, kWindows, kRowTotals, kCount };

template <class Machine>
class Driver {
 public:
  Driver(Machine& machine, const Pair& pair, const MetricsOptions& size)
      : machine_(machine), pair_(pair), size_(size) {}

  Result<Metrics> run() {
    ErrorSums errors;
    TESSERA_ASSIGN_OR_RETURN(const WorstBlock worst, add_errors(errors));
    const double pixels = static_cast<double>(pair_.reference.width) * pair_.reference.height;
    Metrics metrics = metrics_of_sums(errors.color, errors.alpha, errors.weighted,
                                      static_cast<double>(errors.largest), kPeakOfBytes, pixels);
    metrics.worst_block = worst;
    TESSERA_ASSIGN_OR_RETURN(metrics.ssim, mean_ssim());
    return metrics;
  }

 private:
  Result<WorstBlock> add_errors(ErrorSums& errors) {
    const auto across =
        static_cast<uint32_t>(divide_round_up(pair_.reference.width, size_.block_width));
    const auto down =
        static_cast<uint32_t>(divide_round_up(pair_.reference.height, size_.block_height));
    TESSERA_ASSIGN_OR_RETURN(ErrorSums * blocks, machine_.template reserve<ErrorSums>(
                                                     Slot::kBlocks, size_t{across} * down));
    TESSERA_ASSIGN_OR_RETURN(BlockRowSums * sums,
                             machine_.template reserve<BlockRowSums>(Slot::kBlockRows, down));
    machine_.run(across * down, AddBlocks{pair_, size_, across, blocks});
    machine_.run(down, AddBlockRows{pair_, size_, across, blocks, sums});
    std::vector<BlockRowSums> rows(down);
    TESSERA_RETURN_IF_ERROR(machine_.read(sums, rows.data(), down * sizeof rows[0]));
    WorstBlock worst;
    double worst_mse = 0.0;
    for (uint32_t y = 0; y < down; ++y) {
      errors.add(rows[y].errors);
      if (rows[y].worst_mse > worst_mse) {
        worst_mse = rows[y].worst_mse;
        worst = {rows[y].worst_block, y, 0, psnr_from_mse(worst_mse)};
      }
    }
    return worst;
  }

  // Some rows of windows at a time, so that their doubles take some hundred megabytes at most.
  Result<double> mean_ssim() {
    WindowRows rows = {};
    const std::vector<double> row_weights =
        ssim_weights(std::min<size_t>(kSsimWindow, pair_.reference.height));
    const std::vector<double> column_weights =
        ssim_weights(std::min<size_t>(kSsimWindow, pair_.reference.width));
    std::copy(row_weights.begin(), row_weights.end(), rows.row_weights);
    std::copy(column_weights.begin(), column_weights.end(), rows.column_weights);
    rows.width = pair_.reference.width;
    rows.row_taps = static_cast<uint32_t>(row_weights.size());
    rows.column_taps = static_cast<uint32_t>(column_weights.size());
    rows.columns = rows.width - rows.column_taps + 1;
    const uint32_t all_rows = pair_.reference.height - rows.row_taps + 1;
    const uint32_t at_once = std::clamp(machine_.texels_at_once() / rows.width, 1u, all_rows);
    TESSERA_RETURN_IF_ERROR(place(rows, at_once));
    std::vector<double> totals(at_once);
    double total = 0.0;
    for (; rows.first_row < all_rows; rows.first_row += at_once) {
      const uint32_t count = std::min(at_once, all_rows - rows.first_row);
      machine_.run((count + rows.row_taps - 1) * rows.width, TakeLuma{pair_, rows});
      machine_.run(count * rows.width, CombineRows{rows});
      machine_.run(count * rows.columns, CompareWindows{rows});
      machine_.run(count, AddWindows{rows});
      TESSERA_RETURN_IF_ERROR(
          machine_.read(rows.row_totals, totals.data(), count * sizeof totals[0]));
      for (uint32_t i = 0; i < count; ++i) {
        total += totals[i];
      }
    }
    return total / (static_cast<double>(all_rows) * rows.columns);
  }

  Status place(WindowRows& rows, uint32_t at_once) {
    const size_t luma = size_t{at_once + rows.row_taps - 1} * rows.width;
    const size_t texels = size_t{at_once} * rows.width;
    TESSERA_ASSIGN_OR_RETURN(
        double* memory, machine_.template reserve<double>(Slot::kWindows, 2 * luma + 5 * texels));
    rows.luma_reference = memory;
    rows.luma_test = memory + luma;
    rows.mean_reference = memory + 2 * luma;
    rows.mean_test = rows.mean_reference + texels;
    rows.mean_squares = rows.mean_test + texels;
    rows.mean_product = rows.mean_squares + texels;
    rows.values = rows.mean_product + texels;
    TESSERA_ASSIGN_OR_RETURN(rows.row_totals,
                             machine_.template reserve<double>(Slot::kRowTotals, at_once));
    return {};
  }

  Machine& machine_;
  Pair pair_;
  MetricsOptions size_;
};

}  // namespace tessera::metrics
