// Runs the drivers and kernels for devices on the host, with one lane, and compares the bytes with
// those of the CPU's encoder.
#define TESSERA_SCALAR_LANES
#define TESSERA_SCALAR_NAME N_DEVICE_TEST
#define TESSERA_KERNEL_OF_DEVICE
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "../backward_warp.h"
#include "astc/cuda/encode_picture-inl.h"
#include "astc/cuda/fit_jobs_of_shapes-inl.h"
#include "astc/encode/encode_rows.h"
#include "base/bytes.h"
#include "encoding.h"

namespace tessera::astc {
namespace {

using N_DEVICE_TEST::PictureEncoder;

struct HostWarp : BackwardWarp {
  unsigned lane_of_least(const PerLane<float>& costs, const PerLane<int32_t>& entries) {
    unsigned best = 0;
    for (unsigned lane = 1; lane < kLanes; ++lane) {
      const bool is_less = costs[lane] < costs[best] ||
                           (costs[lane] == costs[best] && entries[lane] < entries[best]);
      best = is_less ? lane : best;
    }
    return best;
  }
};

// A device without any: the host's memory, and one thread. Items are run in an order of their own,
// as a device's are.
class HostMachine {
 public:
  static void add_up_bins(uint32_t bin_count, uint32_t* bins) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= bin_count; ++i) {
      const uint32_t count = i < bin_count ? bins[i] : 0;
      bins[i] = sum;
      sum += count;
    }
  }
  void fork() {}
  void next_branch() {}
  void join() {}

  template <class Work>
  void run(uint32_t items, const Work& work) {
    for (uint32_t i = items; i-- > 0;) {
      work(i);
    }
  }
  template <class Work>
  void run_counted(const uint32_t* count, uint32_t most, const Work& work) {
    ASSERT_LE(*count, most);
    run(*count, work);
  }
  template <class Work>
  void run_warps(const uint32_t* count, uint32_t most, size_t shared_floats, const Work& work) {
    ASSERT_LE(*count, most);
    for (uint32_t i = *count; i-- > 0;) {
      std::vector<float> shared(shared_floats);
      HostWarp warp = {{shared.data()}};
      work(i, warp);
    }
  }
  template <class Source>
  void count_in_bins(uint32_t items, const Source& source, uint32_t bin_count, uint32_t* bins) {
    for (uint32_t i = 0; i < items; ++i) {
      source.visit(i, [&](uint32_t bin, uint32_t) {
        ASSERT_LT(bin, bin_count);
        ++bins[bin];
      });
    }
  }
  template <class Source>
  void place_in_bins(uint32_t items, const Source& source, uint32_t bin_count, uint32_t* bins,
                     uint32_t* values) {
    for (uint32_t i = items; i-- > 0;) {
      source.visit(i, [&](uint32_t bin, uint32_t value) {
        ASSERT_LT(bin, bin_count);
        values[bins[bin]++] = value;
      });
    }
  }
  void clear(void* memory, size_t bytes) { std::memset(memory, 0, bytes); }
  Status read(const void* from, void* to, size_t bytes) {
    std::memcpy(to, from, bytes);
    return {};
  }
  void write(const void* from, void* to, size_t bytes) { std::memcpy(to, from, bytes); }
  Status finish() { return {}; }
};

constexpr auto* fit_jobs = N_DEVICE_TEST::fit_jobs_of_shape<HostMachine>;

Picture picture_of(const Image& image, BlockSize size) {
  const ImageView view = image.view();
  return {view.row<uint32_t>(0, 0),
          view.row_stride / 4,
          view.info.width,
          view.info.height,
          static_cast<uint32_t>(divide_round_up(view.info.width, size.width)),
          view.row_stride % 16 == 0 && reinterpret_cast<uintptr_t>(view.data) % 16 == 0};
}

struct Encoded {
  Bytes bytes;
  PictureFacts facts;
};

// As the CPU does it.
Encoded expected(const Image& image, BlockSize size, const EncodeSettings& settings) {
  EncodeScratch scratch;
  const PictureFacts facts = look_at_picture(image.view(), size, settings, scratch);
  const auto across = divide_round_up(image.info().width, size.width);
  const auto down = divide_round_up(image.info().height, size.height);
  Encoded result = {Bytes(across * down * kBlockBytes), facts};
  encode_rows(image.view(), size, 0, 0, static_cast<uint32_t>(down), settings, facts, scratch,
              result.bytes);
  return result;
}

// Working memory is kept short, so that lists are worked off in pieces.
class DeviceEncoding {
 public:
  DeviceEncoding(const Image& image, BlockSize size, const EncodeSettings& settings)
      : efforts_(settings, size) {
    const Picture picture = picture_of(image, size);
    const auto down = static_cast<uint32_t>(divide_round_up(picture.height, size.height));
    const uint32_t blocks = picture.across * down;
    // Not zeros: the driver clears what it counts with.
    memory_.assign(work_space_bytes(blocks, size, efforts_) + 256, std::byte{0xA5});
    out_.resize(blocks);
    for (unsigned i = 0; i < efforts_.count(); ++i) {
      const EncodeTables& tables = encode_tables(size, TableNeeds::of(efforts_[i], size));
      bins_.push_back(std::make_unique<JobBins>(tables));
      tables_[i] = {&tables, bins_.back()->bin_of_candidate.data(), bins_.back().get()};
    }
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    std::byte* const aligned = memory_.data() + (256 - address % 256);
    const bool has_edges = picture.width % size.width != 0 || picture.height % size.height != 0;
    work_ =
        std::make_unique<DeviceWork>(DeviceWork{size,
                                                picture,
                                                blocks,
                                                has_edges,
                                                efforts_,
                                                tables_,
                                                {},
                                                make_work_space(aligned, blocks, size, efforts_),
                                                out_.data()});
  }

  float mean_error() {
    const uint64_t down = work_->block_count / work_->picture.across;
    const SampledBlocks samples({work_->picture.across, down, 1}, efforts_[0]);
    std::vector<uint32_t> places(samples.count());
    for (size_t i = 0; i < places.size(); ++i) {
      places[i] = static_cast<uint32_t>(samples[i]);
    }
    DeviceWork work = *work_;
    work.efforts = EffortPlan(sample_settings(efforts_[0]), work.size);
    work.facts = {};
    std::vector<float> errors(places.size());
    HostMachine machine;
    EXPECT_TRUE(PictureEncoder<HostMachine>(machine, work, fit_jobs).measure(places, errors));
    return mean_error_of_sample(work.picture, work.size, places, errors);
  }

  Bytes encode(const PictureFacts& facts) {
    work_->facts = facts;
    HostMachine machine;
    EXPECT_TRUE(PictureEncoder<HostMachine>(machine, *work_, fit_jobs).encode());
    Bytes bytes(out_.size() * kBlockBytes);
    std::memcpy(bytes.data(), out_.data(), bytes.size());
    return bytes;
  }

 private:
  EffortPlan efforts_;
  std::vector<std::byte> memory_;
  std::vector<Block128> out_;
  std::vector<std::unique_ptr<JobBins>> bins_;
  std::array<DeviceTables, kMaxEfforts> tables_;
  std::unique_ptr<DeviceWork> work_;
};

size_t different_blocks(const Bytes& a, const Bytes& b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); i += kBlockBytes) {
    count += std::memcmp(a.data() + i, b.data() + i, kBlockBytes) != 0 ? 1 : 0;
  }
  return count;
}

void expect_same(const Image& image, BlockSize size, const EncodeSettings& settings,
                 std::string_view name) {
  const Encoded wanted = expected(image, size, settings);
  DeviceEncoding device(image, size, settings);
  EXPECT_EQ(device.mean_error(), wanted.facts.mean_error) << name;
  const Bytes bytes = device.encode(wanted.facts);
  EXPECT_EQ(different_blocks(bytes, wanted.bytes), 0u) << name;
}

struct Case {
  BlockSize size;
  Preset preset;
};

class DevicePresets : public testing::TestWithParam<Case> {};

TEST_P(DevicePresets, GiveTheBytesOfTheCpu) {
  const auto [size, preset] = GetParam();
  for (const SyntheticKind kind : {SyntheticKind::kPhoto, SyntheticKind::kInterface,
                                   SyntheticKind::kSprite, SyntheticKind::kNormalMap}) {
    const Image image = synthetic_rgba(kind, 61, 47, 7);
    expect_same(image, size, preset_settings(preset, size), synthetic_kind_name(kind));
  }
  const Image photo = synthetic_rgba(SyntheticKind::kPhoto, 64, 60, 8);
  const Image grey = drawn_rgba(64, 60, [&](uint32_t x, uint32_t y) {
    const uint32_t g = photo.row<uint8_t>(y)[4 * x + 1];
    return rgba(g, g, g, x < 32 ? 255 : 255 - y * 4);
  });
  expect_same(grey, size, preset_settings(preset, size), "grey");
  const Image nearly_opaque = drawn_rgba(64, 60, [&](uint32_t x, uint32_t y) {
    const uint8_t* const texel = photo.row<uint8_t>(y) + size_t{4} * x;
    const uint32_t step = (x * 73 + y * 151) % 7;
    const uint32_t alpha = y < 24 ? 255 - step % 2 : y < 40 ? 255 - step : x % 5 == 0 ? 80 : 254;
    return rgba(texel[0], texel[1], texel[2], alpha);
  });
  expect_same(nearly_opaque, size, preset_settings(preset, size), "nearly opaque");
}

TEST(DeviceStages, KnowAllWishes) {
  const BlockSize size = {5, 5, 1};
  const Image image = synthetic_rgba(SyntheticKind::kSprite, 50, 40, 3);
  EncodeSettings settings = preset_settings(Preset::kFast, size);
  settings.channel_weights = {3, 4, 1, 2};
  expect_same(image, size, settings, "channel weights");
  settings.alpha_weight = true;
  expect_same(image, size, settings, "alpha weight");
  settings.decode_mode = DecodeMode::kSrgb;
  expect_same(image, size, settings, "sRGB");
  settings.endpoint_start = EndpointStart::kBounds;
  expect_same(image, size, settings, "endpoints from bounds");
  settings.partition_search = PartitionSearch::kKmeans;
  expect_same(image, size, settings, "k-means");
}

TEST(DeviceStages, WriteWhatNobodySeesAsOneColor) {
  const BlockSize size = {6, 6, 1};
  const Image photo = synthetic_rgba(SyntheticKind::kPhoto, 61, 47, 9);
  const Image cut = drawn_rgba(61, 47, [&](uint32_t x, uint32_t y) {
    const uint8_t* const texel = photo.view().row<uint8_t>(y) + 4 * x;
    return rgba(texel[0], texel[1], texel[2], x > 20 && y > 15 ? 0 : 255);
  });
  EncodeSettings settings = preset_settings(Preset::kFast, size);
  settings.alpha_weight = true;
  expect_same(cut, size, settings, "hidden blocks");
}

TEST(DeviceStages, FindNothingToDoInOneColor) {
  const Image image = drawn_rgba(20, 20, [](uint32_t, uint32_t) { return rgba(1, 2, 3, 4); });
  const BlockSize size = {6, 6, 1};
  expect_same(image, size, preset_settings(Preset::kMedium, size), "one colour");
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, DevicePresets,
    testing::Values(Case{{4, 4, 1}, Preset::kRealtime}, Case{{4, 4, 1}, Preset::kFast},
                    Case{{4, 4, 1}, Preset::kMedium}, Case{{4, 4, 1}, Preset::kThorough},
                    Case{{4, 4, 1}, Preset::kExhaustive}, Case{{8, 8, 1}, Preset::kExhaustive},
                    Case{{6, 6, 1}, Preset::kRealtime}, Case{{6, 6, 1}, Preset::kFast},
                    Case{{6, 6, 1}, Preset::kMedium}, Case{{5, 4, 1}, Preset::kFast},
                    Case{{8, 8, 1}, Preset::kFast}, Case{{8, 8, 1}, Preset::kMedium},
                    Case{{12, 12, 1}, Preset::kFast}));

}  // namespace
}  // namespace tessera::astc
