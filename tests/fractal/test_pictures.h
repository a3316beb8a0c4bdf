// Pictures and instruction sets for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "fractal/color_planes.h"
#include "fractal/plane.h"
#include "image/convert.h"
#include "image/synthetic.h"
#include "spmd/isa.h"

namespace tessera {

// 32-bit numbers, the same everywhere.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

inline Image photo(uint32_t width, uint32_t height, uint32_t channels, uint32_t seed = 1) {
  const Image image = make_synthetic_image(SyntheticKind::kPhoto, width, height, seed).value();
  return convert_channels(image.view(), channels).value();
}

inline fractal::Plane<uint8_t> photo_plane(uint32_t width, uint32_t height, uint32_t seed = 1) {
  return fractal::split_grey(photo(width, height, 1, seed).view(), 0, 0, width, height);
}

// Runs the body once for every instruction set of this machine, and once with the default, which
// may use instructions that have no name of their own.
class OnEveryIsa : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(restrict_isa(GetParam() == "best" ? "" : GetParam())); }
  void TearDown() override { ASSERT_TRUE(restrict_isa("")); }
};

inline std::vector<std::string> isas_to_test() {
  std::vector<std::string> names = available_isas();
  names.push_back("best");
  return names;
}

}  // namespace tessera
