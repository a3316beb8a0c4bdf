// Decides which blocks are split and what each leaf is.
#include "fractal/choose_leaves.h"

#include <algorithm>
#include <optional>

#include "fractal/leaf_costs.h"
#include "fractal/reconstruct.h"
#include "fractal/root_leaves.h"

namespace tessera::fractal {
namespace {

// Squared pixel steps that a bit may cost at a quantisation step of one pixel step: somewhat more
// than the 0.115 that high-rate theory gives for a uniform quantiser.
constexpr double kLambda = 0.16;
constexpr int kPasses = 3;

Plane<uint8_t> pad(const Plane<uint8_t>& samples) {
  const uint32_t width = (samples.width + kRootSide - 1) / kRootSide * kRootSide;
  const uint32_t height = (samples.height + kRootSide - 1) / kRootSide * kRootSide;
  Plane<uint8_t> padded(width, height);
  for (uint32_t y = 0; y < height; ++y) {
    const uint8_t* from = samples.row(std::min(y, samples.height - 1));
    uint8_t* to = padded.row(y);
    std::copy_n(from, samples.width, to);
    std::fill(to + samples.width, to + width, from[samples.width - 1]);
  }
  return padded;
}

// The means of all 4x4 cells, as if they had been decoded.
Neighbourhood original_means(const Plane<uint8_t>& image) {
  Neighbourhood means(image.width, image.height);
  Leaf cell;
  for (uint32_t y = 0; y < image.height; y += 4) {
    for (uint32_t x = 0; x < image.width; x += 4) {
      int sum = 0;
      for (uint32_t j = 0; j < 4; ++j) {
        const uint8_t* row = image.row(y + j) + x;
        sum += row[0] + row[1] + row[2] + row[3];
      }
      cell.x = static_cast<uint16_t>(x);
      cell.y = static_cast<uint16_t>(y);
      cell.mean = static_cast<int16_t>(sum);  // a sixteenth of it, in sixteenths
      means.remember(cell);
    }
  }
  return means;
}

double choose_block(const PassContext& pass, uint32_t x, uint32_t y, uint32_t log2_side,
                    std::vector<LeafChoiceResult>& out) {
  if (x >= pass.shape.width || y >= pass.shape.height) {
    LeafChoiceResult outside;
    outside.leaf.x = static_cast<uint16_t>(x);
    outside.leaf.y = static_cast<uint16_t>(y);
    outside.leaf.log2_side = static_cast<uint8_t>(log2_side);
    out.push_back(std::move(outside));
    return 0;
  }
  LeafChoiceResult whole = choose_leaf(pass, x, y, log2_side);
  if (log2_side == kMinLog2Side) {
    const double cost = whole.cost;
    out.push_back(std::move(whole));
    return cost;
  }
  const double whole_cost = whole.cost + pass.lambda * split_bits(pass, log2_side, false);
  double split_cost = pass.lambda * split_bits(pass, log2_side, true);
  const size_t first = out.size();
  const uint32_t half = 1u << (log2_side - 1);
  for (uint32_t i = 0; i < 4; ++i) {
    split_cost += choose_block(pass, x + (i & 1) * half, y + (i >> 1) * half, log2_side - 1, out);
  }
  if (whole_cost <= split_cost) {
    out.resize(first);
    out.push_back(std::move(whole));
    return whole_cost;
  }
  return split_cost;
}

// How the leaves of root blocks, row by row, travel.
SharedWork shared_roots(std::vector<RootLeaves>& roots, const PlaneTask& task) {
  SharedWork work;
  work.count = roots.size();
  work.grain = 8;
  work.save = [&roots](size_t begin, size_t end, Bytes& bytes) {
    for (size_t i = begin; i < end; ++i) {
      save_root(roots[i], bytes);
    }
  };
  work.load = [&roots, &task](size_t begin, size_t end, ByteSpan bytes) -> Status {
    const uint32_t across = task.image.width / kRootSide;
    ByteReader reader(bytes);
    for (size_t i = begin; i < end; ++i) {
      TESSERA_ASSIGN_OR_RETURN(
          roots[i], load_root(reader, static_cast<uint32_t>(i % across) * kRootSide,
                              static_cast<uint32_t>(i / across) * kRootSide, task.half.width,
                              task.half.height));
    }
    return reader.remaining() == 0 ? Status() : Status(wrong_results());
  };
  return work;
}

// How the candidates of rows of blocks travel.
SharedWork shared_candidates(std::vector<BlockCandidates>& candidates, size_t across,
                             uint32_t log2_side, const Plane<uint16_t>& half) {
  const uint32_t side = 1u << log2_side;
  SharedWork work = shared_values(
      std::span(candidates), across,
      [side, width = half.width, height = half.height](const BlockCandidates& block) {
        return std::all_of(block.begin(), block.end(), [&](const DomainCandidate& candidate) {
          return candidate.covariance == 0 ||
                 (candidate.isometry < 8 && candidate.x + side <= width &&
                  candidate.y + side <= height);
        });
      });
  work.count = candidates.size() / across;
  return work;
}

Result<LeafList> run_pass(const PassContext& pass, const ParallelFor& parallel,
                          SharedLoop* shared) {
  const uint32_t across = pass.task->image.width / kRootSide;
  const uint32_t down = pass.task->image.height / kRootSide;
  std::vector<RootLeaves> roots(size_t{across} * down);
  const auto choose = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      choose_block(pass, static_cast<uint32_t>(i % across) * kRootSide,
                   static_cast<uint32_t>(i / across) * kRootSide, kMaxLog2Side, roots[i].leaves);
    }
  };
  TESSERA_RETURN_IF_ERROR(
      run_shared(shared, shared_roots(roots, *pass.task), parallel, 0.1, choose));
  LeafList list;
  list.width = pass.task->image.width;
  list.height = pass.task->image.height;
  list.dct_step = pass.shape.dct_step;
  for (RootLeaves& root : roots) {
    for (LeafChoiceResult& result : root.leaves) {
      result.leaf.first_level = static_cast<uint32_t>(list.levels.size());
      list.levels.insert(list.levels.end(), result.levels.begin(), result.levels.end());
      list.leaves.push_back(result.leaf);
    }
  }
  return list;
}

// Squared errors of the decoded half-resolution image, summed from the upper left corner.
std::vector<double> decoding_errors(const PlaneTask& task, const LeafList& list,
                                    uint32_t iterations) {
  const Plane<int16_t> half = reconstruct_half(list, iterations);
  const size_t stride = size_t{half.width} + 1;
  std::vector<double> area(stride * (half.height + 1), 0.0);
  for (uint32_t y = 0; y < half.height; ++y) {
    double line = 0;
    for (uint32_t x = 0; x < half.width; ++x) {
      const int steps = half.at(x, y) - task.half.at(x, y) * (kSampleUnit / 4);
      const double error = static_cast<double>(steps) / kSampleUnit;
      line += error * error;
      area[(y + 1) * stride + x + 1] = area[y * stride + x + 1] + line;
    }
  }
  return area;
}

// The domains that the decoder sees differ from those of the original: fit s again to them.
void refit_scales(const PlaneTask& task, uint32_t iterations, LeafList& list) {
  const Plane<int16_t> half = reconstruct_half(list, iterations);
  for (Leaf& leaf : list.leaves) {
    if (leaf.kind != LeafKind::kFractal) {
      continue;
    }
    const uint32_t side = leaf.side();
    const Traversal way = traversal(leaf.isometry, side, half.width);
    const int16_t* domain = half.row(leaf.domain_y) + leaf.domain_x + way.base;
    double sum_a = 0;
    double sum_b = 0;
    double sum_aa = 0;
    double sum_ab = 0;
    for (uint32_t j = 0; j < side; ++j) {
      const uint8_t* range = task.image.row(leaf.y + j) + leaf.x;
      const int16_t* line = domain + static_cast<ptrdiff_t>(j) * way.step_y;
      for (uint32_t i = 0; i < side; ++i) {
        const double a = line[static_cast<ptrdiff_t>(i) * way.step_x];
        sum_a += a;
        sum_b += range[i];
        sum_aa += a * a;
        sum_ab += a * range[i];
      }
    }
    const double count = static_cast<double>(side) * side;
    const double covariance = (sum_ab - sum_a * sum_b / count) / kSampleUnit;
    const double variance = (sum_aa - sum_a * sum_a / count) / (kSampleUnit * kSampleUnit);
    if (variance > 0) {
      leaf.scale = static_cast<int8_t>(best_scale(covariance, variance));
    }
  }
}

}  // namespace

Result<PlaneTask> search_plane(const Plane<uint8_t>& samples, LeafChoice choice,
                               const ParallelFor& parallel, SharedLoop* shared,
                               OptionalDevice* device) {
  PlaneTask task;
  task.width = samples.width;
  task.height = samples.height;
  task.image = pad(samples);
  task.half = sums_of_four(task.image);
  if (choice == LeafChoice::kDctOnly) {
    return task;
  }
  OptionalDevice none;
  OptionalDevice& chosen = device != nullptr ? *device : none;
  TESSERA_ASSIGN_OR_RETURN(bool on_device, chosen.run([&](DeviceSearch& search) {
    return search.take_image(task.image);
  }));
  for (uint32_t size = 0; size < kSizeCount; ++size) {
    const uint32_t log2_side = size + kMinLog2Side;
    const uint32_t across = task.image.width >> log2_side;
    const uint32_t down = task.image.height >> log2_side;
    task.candidates[size].resize(size_t{across} * down);
    std::optional<SizeSearch> search;  // the CPU's, made when it is needed
    constexpr double kShares[kSizeCount] = {0.4, 0.2, 0.07, 0.03};
    const auto rows_of = [&](size_t begin, size_t end) {
      return std::span(task.candidates[size]).subspan(begin * across, (end - begin) * across);
    };
    const auto search_rows = [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; ++row) {
        search_block_row(task.image, task.half, *search, static_cast<uint32_t>(row),
                         rows_of(row, row + 1));
      }
    };
    const auto search_on_device = [&](size_t begin, size_t end) -> Result<bool> {
      if (on_device) {
        TESSERA_ASSIGN_OR_RETURN(on_device, chosen.run([&](DeviceSearch& found) {
          return found.find_domains(log2_side, static_cast<uint32_t>(begin),
                                    static_cast<uint32_t>(end), rows_of(begin, end));
        }));
      }
      if (!on_device && !search) {
        search = prepare_search(task.half, log2_side);
      }
      return on_device;
    };
    TESSERA_RETURN_IF_ERROR(
        run_shared(shared, shared_candidates(task.candidates[size], across, log2_side, task.half),
                   parallel, kShares[size], search_rows, search_on_device));
  }
  return task;
}

Result<LeafList> choose_leaves(const PlaneTask& task, const PlaneShape& shape, LeafChoice choice,
                               uint32_t iterations, const ParallelFor& parallel,
                               SharedLoop* shared) {
  const double step = static_cast<double>(shape.dct_step) / kSampleUnit;
  PassContext pass = {
      &task, shape, choice, kLambda * step * step, RateModel(), {}, original_means(task.image)};
  LeafList list;
  for (int i = 0; i < kPasses; ++i) {
    TESSERA_ASSIGN_OR_RETURN(list, run_pass(pass, parallel, shared));
    // Counting also replaces the means by what the decoder will see.
    const auto counts = count_plane(shape, list);
    if (i + 1 < kPasses) {
      pass.rates.learn(counts);
      if (choice != LeafChoice::kDctOnly) {
        pass.error_area = decoding_errors(task, list, iterations);
      }
    }
  }
  if (choice != LeafChoice::kDctOnly) {
    refit_scales(task, iterations, list);
  }
  return list;
}

}  // namespace tessera::fractal
