// Leads the blocks of a picture through the stages on a device, effort by effort: what
// encode_rows.cc does for the CPU. Nothing but counters, and the errors of a sample of blocks,
// comes back to the host between the stages.
//
// A Machine runs work and moves memory:
//   run(items, work)                  calls work(item) for each item
//   run_counted(count, most, work)    the same for *count items, a number in its memory
//   run_warps(count, most, floats, work)
//                                     calls work(item, warp) for *count items: the lanes of a warp
//                                     share so many floats (find_patterns-inl.h says what a warp
//                                     is)
//   count_in_bins(items, source, bin_count, bins)
//                                     adds to bins how often source.visit(item, work) calls
//                                     work(bin, value)
//   place_in_bins(items, source, bin_count, bins, values)
//                                     the same, and writes each value where its bin begins, one
//                                     behind the other, in any order
//   fork(), next_branch(), join()     what is run between fork() and join() need not wait for what
//                                     was run before the last next_branch()
//   add_up_bins(bin_count, bins)      each bin becomes the sum of those before it, and the one
//   behind
//                                     the last the sum of all
//   clear(memory, bytes)              sets to zero
//   read(from, to, bytes), write(...) copy to and from the host; read() waits for what was asked
//                                     before, and tells how that went
#if defined(TESSERA_ASTC_ENCODE_PICTURE_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_ENCODE_PICTURE_INL_H_
#undef TESSERA_ASTC_ENCODE_PICTURE_INL_H_
#else
#define TESSERA_ASTC_ENCODE_PICTURE_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "astc/cuda/device_stages-inl.h"
#include "astc/cuda/device_work.h"
#include "astc/cuda/find_patterns-inl.h"
#include "base/result.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

template <class Machine>
class PictureEncoder {
 public:
  // Runs the jobs of one shape.
  using FitJobs = void (*)(Machine& machine, const DeviceTask& task, const ShapeJobs& jobs);

  PictureEncoder(Machine& machine, const DeviceWork& work, FitJobs fit_jobs)
      : machine_(machine), work_(work), fit_jobs_(fit_jobs) {
    task_.size = work_.size;
    task_.out = work_.out;
    const WorkSpace& space = work_.space;
    PictureChunk& chunk = task_.chunk;
    chunk.picture = work_.picture;
    chunk.has_edges = work_.has_edges;
    chunk.inside_x = space.inside_x;
    chunk.inside_y = space.inside_y;
    chunk.covariances = space.covariances;
    chunk.axes = space.axes;
    chunk.partition_gain_bound = space.partition_gain_bound;
    chunk.estimates = space.estimates;
    chunk.configurations = space.configuration;
    chunk.class_order = space.class_order;
  }

  // All blocks.
  Status encode() {
    const WorkSpace& space = work_.space;
    machine_.clear(space.list_counts, kMaxEfforts * sizeof(uint32_t));
    for (unsigned effort = 0; effort < work_.efforts.count(); ++effort) {
      const BlockList& list = space.blocks[effort];
      Blocks blocks = {nullptr, list.errors, work_.block_count};
      if (effort > 0) {
        blocks.places = list.places;
        TESSERA_RETURN_IF_ERROR(machine_.read(list.count, &blocks.count, sizeof(blocks.count)));
      }
      const auto encode_piece = [&]() -> Status {
        TESSERA_RETURN_IF_ERROR(encode_chunk(effort));
        find_hard_blocks(effort);
        return {};
      };
      TESSERA_RETURN_IF_ERROR(for_pieces(effort, blocks, encode_piece));
    }
    return machine_.finish();
  }

  // Errors that the first effort leaves of some blocks, given by their places; 0 for those of one
  // colour.
  Status measure(std::span<const uint32_t> places, std::span<float> errors) {
    const WorkSpace& space = work_.space;
    const BlockList& list = space.blocks[0];
    machine_.write(places.data(), list.places, places.size_bytes());
    const Blocks blocks = {list.places, list.errors, static_cast<uint32_t>(places.size())};
    TESSERA_RETURN_IF_ERROR(for_pieces(0, blocks, [&]() -> Status { return encode_chunk(0); }));
    return machine_.read(list.errors, errors.data(), errors.size_bytes());
  }

 private:
  // Blocks that go through an effort. Without places they are all of the picture, in order.
  struct Blocks {
    uint32_t* places;
    float* errors;
    uint32_t count;
  };

  // Calls work() with one piece of the blocks after the other in the chunk: as many as the memory
  // for configurations allows.
  template <class Work>
  Status for_pieces(unsigned effort, const Blocks& blocks, const Work& work) {
    const size_t room = work_.space.configurations / work_.efforts[effort].fits;
    for (uint32_t first = 0; first < blocks.count;) {
      const auto count = static_cast<uint32_t>(std::min<size_t>(room, blocks.count - first));
      PictureChunk& chunk = task_.chunk;
      chunk.count = chunk.stride = count;
      chunk.output = blocks.places == nullptr ? nullptr : blocks.places + first;
      chunk.error = blocks.errors + first;
      TESSERA_RETURN_IF_ERROR(work());
      first += count;
    }
    return {};
  }

  void use_settings(unsigned effort) {
    task_.tables = work_.tables[effort].tables;
    task_.bin_of_candidate = work_.tables[effort].bin_of_candidate;
    task_.settings = work_.efforts[effort];
    const auto& w = task_.settings.channel_weights;
    const float per_length = 1.0F / std::sqrt(w[0] + w[1] + w[2]);
    task_.root_weights = root_weights(task_.settings);
    for (unsigned i = 0; i < 3; ++i) {
      task_.grey[i] = task_.root_weights[i] * per_length;
    }
  }

  Status encode_chunk(unsigned effort) {
    use_settings(effort);
    const EncodeSettings& settings = task_.settings;
    const JobBins& bins = *work_.tables[effort].bins;
    const float small = small_error(settings, work_.facts);
    const FitEffort first = {settings.fit_passes, 0, 0, false};
    rank_single(effort == 0);
    if (small > 0) {
      TESSERA_RETURN_IF_ERROR(fit(FitUse::kBlock, bins, 1, easy_limit(small, work_.size), first));
      machine_.run(block_count(), FinishEasy{task_, small});
    }
    if (settings.partition_search != PartitionSearch::kOff) {
      rank_partitions();
    }
    unsigned slots = settings.fits;
    if (settings.fits > settings.refined) {
      TESSERA_RETURN_IF_ERROR(fit(FitUse::kError, bins, slots, kNoError, first));
      slots = settings.refined;
      machine_.run(block_count(), KeepBest{task_, slots, small});
    }
    const FitEffort last = {settings.refine_passes, settings.weight_sweeps, settings.endpoint_moves,
                            settings.refine_passes > 1};
    if (slots == 1) {
      return fit(FitUse::kBlock, bins, slots, kNoError, last);
    }
    TESSERA_RETURN_IF_ERROR(fit(FitUse::kChoice, bins, slots, kNoError, last));
    machine_.run(block_count(), ChooseBest{task_, slots, work_.space.packed});
    return {};
  }

  void rank_single(bool is_first_effort) {
    forget_selected();
    machine_.run(block_count(), RankOnePlane{task_, is_first_effort, work_.space.selected});
    if (task_.settings.dual_plane) {
      for_selected([&]<unsigned kChannels>(const uint32_t* count) {
        machine_.run_counted(count, block_count(), RankTwoPlanes<kChannels>{task_});
      });
    }
  }

  void rank_partitions() {
    forget_selected();
    machine_.run(block_count(), SelectForPartitions{task_, work_.space.selected});
    for_selected([&]<unsigned kChannels>(const uint32_t* count) {
      if (task_.settings.partition_search == PartitionSearch::kMoments) {
        rank_by_moments<kChannels>(count);
      } else {
        machine_.run_counted(count, block_count(), RankPartitions<kChannels>{task_});
      }
    });
  }

  template <unsigned kChannels>
  void rank_by_moments(const uint32_t* count) {
    const FoundPatterns& found = work_.space.found;
    machine_.run_counted(count, block_count(), ProjectBlocks<kChannels>{task_, found});
    const size_t shared = SharedMoments::floats(KernelSize(task_.size).texel_count(),
                                                task_.settings.favors_two_colors);
    machine_.run_warps(count, block_count(), shared, FindPatterns{task_, found});
    machine_.run_counted(count, block_count(), RankFoundPatterns<kChannels>{task_, found});
  }

  void forget_selected() {
    machine_.clear(work_.space.selected_counts, sizeof(uint32_t) * work_.space.selected.size());
  }

  // Calls work<channels>(count) for the list of opaque blocks and for that of the others.
  template <class Work>
  void for_selected(const Work& work) {
    const auto& [opaque, others] = work_.space.selected;
    task_.chunk.selected = opaque.blocks;
    work.template operator()<3>(opaque.count);
    task_.chunk.selected = others.blocks;
    work.template operator()<4>(others.count);
  }

  // The first `slots` configurations of all blocks, as far as their estimates are below a limit.
  Status fit(FitUse use, const JobBins& bins, unsigned slots, float limit, const FitEffort& how) {
    const WorkSpace& space = work_.space;
    const JobSource source = {task_, slots, limit};
    machine_.clear(space.bins, bins.count * sizeof(uint32_t));
    machine_.count_in_bins(block_count() * slots, source, bins.count, space.bins);
    machine_.add_up_bins(bins.count, space.bins);
    // One more than there are bins: where the last one ends.
    std::vector<uint32_t> bounds(bins.count + 1);
    TESSERA_RETURN_IF_ERROR(
        machine_.read(space.bins, bounds.data(), bounds.size() * sizeof(uint32_t)));
    machine_.place_in_bins(block_count() * slots, source, bins.count, space.bins, space.jobs);
    machine_.fork();
    for (const JobBins::Range& range : bins.ranges) {
      const uint32_t first = bounds[range.first], end = bounds[range.end];
      if (first < end) {
        machine_.next_branch();
        fit_jobs_(machine_, task_,
                  {range.shape, how, use, space.jobs + first, end - first, space.packed});
      }
    }
    machine_.join();
    return {};
  }

  void find_hard_blocks(unsigned effort) {
    const unsigned last = work_.efforts.count() - 1;
    if (effort < last) {
      const auto& lists = work_.space.blocks;
      machine_.run(block_count(),
                   FindHard{task_, HardRule(work_.efforts, effort, work_.facts, work_.size),
                            lists[effort + 1], lists[std::min(effort + 2, last)]});
    }
  }

  uint32_t block_count() const { return static_cast<uint32_t>(task_.chunk.count); }

  Machine& machine_;
  DeviceWork work_;
  FitJobs fit_jobs_;
  DeviceTask task_;
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_ENCODE_PICTURE_INL_H_
