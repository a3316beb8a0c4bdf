// Cuts the working memory of a device into arrays.
#include "astc/cuda/device_work.h"

#include <algorithm>

namespace tessera::astc {
namespace {

// Later efforts have more configurations of fewer blocks; a list that does not fit is worked off in
// pieces.
size_t configuration_room(size_t blocks, const EffortPlan& efforts) {
  constexpr size_t kEnough = size_t{1} << 24;
  size_t most = 0;
  for (unsigned i = 0; i < efforts.count(); ++i) {
    most = std::max<size_t>(most, efforts[i].fits);
  }
  return std::max(blocks * efforts[0].fits, std::min(blocks * most, kEnough));
}

bool scores_patterns(const EffortPlan& efforts) {
  bool scores = false;
  for (unsigned i = 0; i < efforts.count(); ++i) {
    scores = scores || efforts[i].partition_search == PartitionSearch::kMoments;
  }
  return scores;
}

// Of one partition count, for the effort that keeps most.
uint32_t room_for_patterns(const EffortPlan& efforts) {
  uint32_t most = 0;
  for (unsigned i = 0; i < efforts.count(); ++i) {
    for (const PartitionEffort& effort : efforts[i].partitions) {
      most = std::max<uint32_t>(most, effort.kept_with_alpha());
    }
  }
  return most;
}

// Nowhere as long as memory is only counted.
uint32_t* counter_at(uint32_t* counters, size_t i) {
  return counters == nullptr ? nullptr : counters + i;
}

WorkSpace cut(MemoryCutter& memory, size_t blocks, BlockSize size, const EffortPlan& efforts) {
  WorkSpace space;
  space.configurations = configuration_room(blocks, efforts);
  space.inside_x = memory.take<int32_t>(blocks);
  space.inside_y = memory.take<int32_t>(blocks);
  space.covariances = memory.take<float>(10 * blocks);
  space.axes = memory.take<float>(4 * blocks);
  space.partition_gain_bound = memory.take<float>(blocks);
  space.class_order = memory.take<int32_t>(blocks);
  space.selected_counts = memory.take<uint32_t>(space.selected.size());
  for (size_t i = 0; i < space.selected.size(); ++i) {
    space.selected[i] = {memory.take<int32_t>(blocks), counter_at(space.selected_counts, i)};
  }
  space.found = {};
  if (scores_patterns(efforts)) {
    space.found.planar =
        memory.take<float>(FoundPatterns::planar_floats(size.texel_count()) * blocks);
    space.found.traits = memory.take<int32_t>(blocks);
    space.found.room = room_for_patterns(efforts);
    space.found.patterns = memory.take<int32_t>(space.found.patterns_per_block() * blocks);
  }
  space.list_counts = memory.take<uint32_t>(kMaxEfforts);
  for (unsigned i = 0; i < efforts.count(); ++i) {
    space.blocks[i] = {memory.take<uint32_t>(blocks), memory.take<float>(blocks),
                       counter_at(space.list_counts, i)};
  }
  space.estimates = memory.take<float>(space.configurations);
  space.configuration = memory.take<int32_t>(space.configurations);
  space.jobs = memory.take<uint32_t>(space.configurations);
  space.packed = memory.take<Block128>(space.configurations);
  space.bins = memory.take<uint32_t>(kMaxJobBins + 1);
  return space;
}

}  // namespace

size_t work_space_bytes(size_t blocks, BlockSize size, const EffortPlan& efforts) {
  MemoryCutter memory(nullptr);
  cut(memory, blocks, size, efforts);
  return memory.used();
}

WorkSpace make_work_space(std::byte* memory, size_t blocks, BlockSize size,
                          const EffortPlan& efforts) {
  MemoryCutter cutter(memory);
  return cut(cutter, blocks, size, efforts);
}

float mean_error_of_sample(const Picture& picture, BlockSize size, std::span<const uint32_t> places,
                           std::span<const float> errors) {
  double error = 0, texels = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    const uint32_t x = places[i] % picture.across * size.width;
    const uint32_t y = places[i] / picture.across * size.height;
    error += double{errors[i]};
    const uint32_t inside =
        std::min(size.width, picture.width - x) * std::min(size.height, picture.height - y);
    texels += static_cast<double>(inside);
  }
  return static_cast<float>(error / std::max(texels, 1.0));
}

}  // namespace tessera::astc
