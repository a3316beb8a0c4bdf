// Runs the searches for devices on the host, warps lane by lane, and compares what they find with
// what the CPU's searches find.
#include <array>
#include <cstring>
#include <vector>

#include "../backward_warp.h"
#include "fractal/cuda/search_drivers-inl.h"
#include "fractal/fractal_image.h"
#include "test_pictures.h"

namespace tessera {
namespace {

using namespace fractal;
using fractal::device::kLanes;
using fractal::device::Slot;
using fractal::device::StepWords;
using fractal::device::TileSums;

struct HostWarp : BackwardWarp {
  // As the instruction is defined: which lanes hold which rows, columns and samples.
  static void multiply(const PerLane<StepWords>& words, PerLane<TileSums>& sums) {
    using Samples = std::array<int16_t, device::kStepSamples>;
    Samples rows[device::kTileRows];
    Samples columns[2 * device::kTurnedPerTile];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const StepWords& own = words[lane];
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned k = lane % 4 * 4 + i;
        for (unsigned j = 0; j < 4; ++j) {
          rows[8 * j + lane / 4][k] = static_cast<int16_t>((own.rows.word[j] >> (8 * i)) & 0xFF);
        }
        for (unsigned n = 0; n < device::kColumnSlots; ++n) {
          columns[8 * n + lane / 4][k] =
              static_cast<int16_t>((own.columns[n / 4].word[n % 4] >> (8 * i)) & 0xFF);
        }
      }
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned i = 0; i < 2 * device::kColumnSlots * 4; ++i) {
        const unsigned m = i / 32, n = i / 4 % 8, c = i % 4;
        const Samples& row = rows[16 * m + 8 * (c / 2) + lane / 4];
        const Samples& column = columns[8 * n + lane % 4 * 2 + c % 2];
        int32_t sum = 0;
        for (unsigned k = 0; k < device::kStepSamples; ++k) {
          sum += row[k] * column[k];
        }
        sums[lane].sums[m][n][c] += sum;
      }
    }
  }
};

// A device without any: the host's memory, and one thread. Items are run in an order of their own,
// as a device's are; memory is not cleared.
class HostMachine {
 public:
  explicit HostMachine(uint32_t warps) : warps_(warps) {}

  template <class Work>
  void run(uint32_t items, const Work& work) {
    for (uint32_t i = items; i-- > 0;) {
      work(i);
    }
  }
  template <class Work>
  void run_tiles(uint32_t items, size_t floats, const Work& work) {
    for (uint32_t i = items; i-- > 0;) {
      std::vector<float> shared(floats, -1.0f);
      HostWarp warp = {{shared.data()}};
      work(i, warp);
    }
  }
  uint32_t warps_wanted() const { return warps_; }
  template <class T>
  Result<T*> reserve(Slot slot, size_t count) {
    auto& memory = slots_[static_cast<size_t>(slot)];
    memory.assign(count * sizeof(T) / sizeof(device::FourWords) + 1,
                  {{0xCDCDCDCD, 0xCDCDCDCD, 0xCDCDCDCD, 0xCDCDCDCD}});
    return reinterpret_cast<T*>(memory.data());
  }
  void clear(void* memory, size_t bytes) { std::memset(memory, 0, bytes); }
  void write(const void* from, void* to, size_t bytes) { std::memcpy(to, from, bytes); }
  Status read(const void* from, void* to, size_t bytes) {
    std::memcpy(to, from, bytes);
    return {};
  }

 private:
  uint32_t warps_;
  std::array<std::vector<device::FourWords>, static_cast<size_t>(Slot::kCount)> slots_;
};

class HostSearch : public DeviceSearch {
 public:
  explicit HostSearch(uint32_t warps = 5) : machine_(warps) {}

  Status take_image(const Plane<uint8_t>& image) override {
    TESSERA_ASSIGN_OR_RETURN(image_, device::take_image(machine_, image));
    return {};
  }
  Status match_blocks(const DeviceBlocks& blocks, std::span<BlockMatch> matches) override {
    ++calls;
    return device::PaperDriver<HostMachine>(machine_, image_).match(blocks, matches);
  }
  Status find_domains(uint32_t log2_side, uint32_t first_row, uint32_t end_row,
                      std::span<BlockCandidates> found) override {
    ++calls;
    return device::DomainDriver<HostMachine>(machine_, image_)
        .find(log2_side, first_row, end_row, found);
  }

  int calls = 0;

 private:
  HostMachine machine_;
  device::DeviceImage image_;
};

std::vector<BlockPosition> grid(uint32_t width, uint32_t height, uint32_t side, uint32_t step) {
  std::vector<BlockPosition> blocks;
  for (uint32_t y = 0; y + side <= height; y += step) {
    for (uint32_t x = 0; x + side <= width; x += step) {
      blocks.push_back({x, y});
    }
  }
  return blocks;
}

void expect_same_matches(const Plane<uint8_t>& image, uint32_t side, uint32_t domain_step,
                         RotationSet rotations) {
  const Plane<uint16_t> half = sums_of_four(image);
  const auto ranges = grid(image.width, image.height, side, side);
  const auto domains = grid(half.width, half.height, side, domain_step);
  std::vector<BlockMatch> expected(ranges.size());
  search_scalar({&image, &half, side, ranges, domains, rotations}, expected);
  std::vector<BlockMatch> got(ranges.size());
  HostSearch search;
  ASSERT_TRUE(search.take_image(image));
  ASSERT_TRUE(search.match_blocks({side, rotations, ranges, domains}, got));
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].domain, expected[i].domain) << "range " << i << " side " << side;
    ASSERT_EQ(got[i].rotation, expected[i].rotation) << "range " << i << " side " << side;
    ASSERT_EQ(got[i].scale, expected[i].scale) << "range " << i << " side " << side;
    ASSERT_EQ(got[i].error, expected[i].error) << "range " << i << " side " << side;
  }
}

TEST(DeviceSearchTest, PaperMatchesAreThoseOfTheCpu) {
  for (const uint32_t side : {4u, 8u, 16u}) {
    for (const RotationSet rotations : {RotationSet::kAll, RotationSet::kHalfTurns}) {
      expect_same_matches(photo_plane(96, 72, side), side, side, rotations);
    }
  }
  expect_same_matches(photo_plane(48, 40, 9), 4, 1, RotationSet::kAll);
}

// More than 64x64 samples: chunks of samples, whose sums are as large as they get.
TEST(DeviceSearchTest, LargePaperBlocksAreThoseOfTheCpu) {
  Plane<uint8_t> picture = photo_plane(256, 256, 3);
  expect_same_matches(picture, 64, 64, RotationSet::kAll);
  for (uint32_t y = 0; y < 128; ++y) {
    for (uint32_t x = 0; x < 256; ++x) {
      picture.at(x, y) = x < 128 ? 255 : 0;
    }
  }
  expect_same_matches(picture, 128, 128, RotationSet::kAll);
  expect_same_matches(picture, 128, 128, RotationSet::kHalfTurns);
}

// Pictures where many pairs tie, and such with the largest differences.
TEST(DeviceSearchTest, TiesAndExtremesAreThoseOfTheCpu) {
  Plane<uint8_t> repeating(64, 64);
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 0; x < 64; ++x) {
      repeating.at(x, y) = static_cast<uint8_t>(((x / 8 + y / 8) % 2) * 200 + (x % 8 < 4 ? 20 : 0));
    }
  }
  expect_same_matches(repeating, 8, 8, RotationSet::kAll);
  expect_same_matches(repeating, 4, 2, RotationSet::kAll);
  Random random(5);
  Plane<uint8_t> noise(64, 64);
  for (uint8_t& pixel : noise.samples) {
    pixel = (random() & 1) != 0 ? 255 : 0;
  }
  expect_same_matches(noise, 4, 4, RotationSet::kAll);
  expect_same_matches(Plane<uint8_t>(32, 32, 77), 4, 4, RotationSet::kAll);
}

void expect_same_candidates(const Plane<uint8_t>& image, uint32_t log2_side, uint32_t warps) {
  const Plane<uint16_t> half = sums_of_four(image);
  const uint32_t across = image.width >> log2_side, down = image.height >> log2_side;
  const SizeSearch prepared = prepare_search(half, log2_side);
  HostSearch search(warps);
  ASSERT_TRUE(search.take_image(image));
  // In two parts, as processes share them.
  std::vector<BlockCandidates> got(size_t{across} * down);
  const uint32_t middle = down / 2;
  const std::span<BlockCandidates> all(got);
  ASSERT_TRUE(search.find_domains(log2_side, 0, middle, all.first(size_t{middle} * across)));
  ASSERT_TRUE(search.find_domains(log2_side, middle, down, all.subspan(size_t{middle} * across)));
  std::vector<BlockCandidates> expected(across);
  for (uint32_t row = 0; row < down; ++row) {
    search_block_row(image, half, prepared, row, expected);
    for (uint32_t i = 0; i < across; ++i) {
      for (uint32_t ring = 0; ring < kRingCount; ++ring) {
        const DomainCandidate& one = got[size_t{row} * across + i][ring];
        const DomainCandidate& two = expected[i][ring];
        ASSERT_TRUE(one.x == two.x && one.y == two.y && one.isometry == two.isometry &&
                    one.covariance == two.covariance && one.variance == two.variance)
            << "size " << log2_side << " row " << row << " block " << i << " class " << ring << ": "
            << one.x << "," << one.y << "/" << int{one.isometry} << " instead of " << two.x << ","
            << two.y << "/" << int{two.isometry};
      }
    }
  }
}

TEST(DeviceSearchTest, DomainsAreThoseOfTheCpu) {
  for (uint32_t log2_side = kMinLog2Side; log2_side <= kMaxLog2Side; ++log2_side) {
    expect_same_candidates(photo_plane(160, 64, 4), log2_side, 7);
  }
  expect_same_candidates(photo_plane(288, 32, 2), 3, 1);
}

TEST(DeviceSearchTest, DomainsOfRepeatingAndFlatPicturesAreThoseOfTheCpu) {
  Plane<uint8_t> repeating(96, 64);
  for (uint32_t y = 0; y < repeating.height; ++y) {
    for (uint32_t x = 0; x < repeating.width; ++x) {
      repeating.at(x, y) = static_cast<uint8_t>((x % 8 < 4) == (y % 8 < 4) ? 255 : 0);
    }
  }
  for (uint32_t log2_side = kMinLog2Side; log2_side <= kMaxLog2Side; ++log2_side) {
    expect_same_candidates(repeating, log2_side, 3);
    expect_same_candidates(Plane<uint8_t>(64, 64, 90), log2_side, 3);
    expect_same_candidates(photo_plane(32, 32), log2_side, 3);  // no room for the largest
  }
}

// A device that fails at its second call.
class FailingSearch : public HostSearch {
 public:
  Status match_blocks(const DeviceBlocks& blocks, std::span<BlockMatch> matches) override {
    return calls == 1 ? Status(failed_error("the device is lost"))
                      : HostSearch::match_blocks(blocks, matches);
  }
  Status find_domains(uint32_t log2_side, uint32_t first_row, uint32_t end_row,
                      std::span<BlockCandidates> found) override {
    return calls == 1 ? Status(failed_error("the device is lost"))
                      : HostSearch::find_domains(log2_side, first_row, end_row, found);
  }
};

// A search that outlives its use, so that its calls can be counted.
class LentSearch : public DeviceSearch {
 public:
  explicit LentSearch(DeviceSearch& search) : search_(search) {}

  Status take_image(const Plane<uint8_t>& image) override { return search_.take_image(image); }
  Status match_blocks(const DeviceBlocks& blocks, std::span<BlockMatch> matches) override {
    return search_.match_blocks(blocks, matches);
  }
  Status find_domains(uint32_t log2_side, uint32_t first_row, uint32_t end_row,
                      std::span<BlockCandidates> found) override {
    return search_.find_domains(log2_side, first_row, end_row, found);
  }

 private:
  DeviceSearch& search_;
};

Bytes encoded(const Image& image, EncodeSettings settings, OptionalDevice* device) {
  settings.device = device;
  const auto bytes = encode_fractal(image.view(), settings, run_serially);
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : Bytes();
}

class DeviceEncoding : public testing::TestWithParam<bool> {
 protected:
  DeviceEncoding() {
    if (GetParam()) {
      settings_.paper = PaperSettings();
      settings_.paper->depth = 4;
      settings_.paper->epsilon = 20;
    }
    picture_ = GetParam() ? photo(64, 64, 1, 6) : photo(88, 50, 3, 3);
  }

  EncodeSettings settings_;
  Image picture_;
};
INSTANTIATE_TEST_SUITE_P(Coders, DeviceEncoding, testing::Bool(),
                         [](const auto& paper) { return paper.param ? "Paper" : "Ours"; });

TEST_P(DeviceEncoding, GivesTheBytesOfTheCpu) {
  HostSearch search;
  OptionalDevice device(std::make_unique<LentSearch>(search), {});
  EXPECT_EQ(encoded(picture_, settings_, &device), encoded(picture_, settings_, nullptr));
  EXPECT_GT(search.calls, 3);
}

TEST_P(DeviceEncoding, GoesOnWithoutADeviceThatIsGivenUp) {
  FailingSearch search;
  std::string reason;
  OptionalDevice device(std::make_unique<LentSearch>(search), [&](const Error& error) {
    reason = error.message;
    return true;
  });
  EXPECT_EQ(encoded(picture_, settings_, &device), encoded(picture_, settings_, nullptr));
  EXPECT_EQ(reason, "the device is lost");
  EXPECT_EQ(search.calls, 1);
}

TEST_P(DeviceEncoding, FailsWithADeviceThatIsNot) {
  FailingSearch search;
  OptionalDevice device(std::make_unique<LentSearch>(search), [](const Error&) { return false; });
  EncodeSettings settings = settings_;
  settings.device = &device;
  const auto bytes = encode_fractal(picture_.view(), settings, run_serially);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "the device is lost");
}

}  // namespace
}  // namespace tessera
