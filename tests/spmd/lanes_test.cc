// Every operation of lanes and texels on every target, and on plain lanes, against plain code.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "lane_operations.h"
#include "plain_operations.h"
#include "spmd/isa.h"

namespace tessera {

int32_t gather_entry(int32_t index) {
  return std::bit_cast<int32_t>(static_cast<float>(index) * 0.75f - 31.0f);
}

namespace {

constexpr const char* kPlainLanes = "plain lanes";
constexpr const char* kBest = "best";  // may use more instructions than any target with a name

// Integers and floats where something changes.
std::vector<int32_t> edge_cases() {
  std::vector<int32_t> values = {0,          1,          -1,         2,          -2,        7,
                                 31,         32,         127,        128,        255,       256,
                                 32767,      32768,      65535,      65536,      -32768,    -32769,
                                 0x7FFFFFFF, 0x7FFF7FFF, 0x00FF00FF, 0x7FFF8000, 0x01020304};
  values.push_back(INT32_MIN);
  values.push_back(static_cast<int32_t>(0x80008000u));
  values.push_back(static_cast<int32_t>(0xFF00FF00u));
  values.push_back(static_cast<int32_t>(0x80007FFFu));
  for (const float value : {-0.0f,         0.5f,           -0.5f,          1.0f,
                            -1.0f,         1.5f,           2.5f,           -2.5f,
                            0.99999994f,   255.5f,         16777216.0f,    16777215.0f,
                            2147483520.0f, -2147483648.0f, 1e-45f,         1.17549435e-38f,
                            1e-40f,        3.4028235e38f,  -3.4028235e38f, 1e20f,
                            4194303.5f,    -4194303.5f,    INFINITY,       -INFINITY}) {
    values.push_back(std::bit_cast<int32_t>(value));
  }
  return values;
}

// Every pair of edge cases, and random ones; padded to a multiple of 64.
struct LaneInputs {
  std::vector<int32_t> a, b, c;
};

LaneInputs lane_inputs() {
  LaneInputs in;
  const std::vector<int32_t> edges = edge_cases();
  for (const int32_t a : edges) {
    for (const int32_t b : edges) {
      in.a.push_back(a);
      in.b.push_back(b);
    }
  }
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    in.a.push_back(static_cast<int32_t>(random()));
    in.b.push_back(static_cast<int32_t>(random()));
    in.a.push_back(std::bit_cast<int32_t>(static_cast<float>(random()) / 4096.0f - 500000.0f));
    in.b.push_back(std::bit_cast<int32_t>(static_cast<float>(random()) / 65536.0f));
  }
  in.a.resize((in.a.size() + 63) / 64 * 64);
  in.b.resize(in.a.size());
  for (size_t i = 0; i < in.a.size(); ++i) {
    // Counts of shifts, and floats to add.
    const auto group = static_cast<int32_t>(i / 64);
    in.c.push_back(group % 2 == 0 ? group / 2
                                  : std::bit_cast<int32_t>(0.1f * static_cast<float>(group)));
  }
  return in;
}

bool is_nan(int32_t bits) {
  return std::isnan(std::bit_cast<float>(bits));
}

class Lanes : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == kPlainLanes) {
      tables_ = scalar_operation_tables();
      return;
    }
    ASSERT_TRUE(restrict_isa(GetParam() == kBest ? "" : GetParam()));
    tables_ = operation_tables();
  }
  void TearDown() override { ASSERT_TRUE(restrict_isa("")); }

  OperationTables tables_;
};

std::vector<std::string> all_targets() {
  std::vector<std::string> names = available_isas();
  names.emplace_back(kBest);
  names.emplace_back(kPlainLanes);
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Lanes, testing::ValuesIn(all_targets()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

TEST_P(Lanes, EveryLaneOperationIsThePlainOne) {
  const LaneInputs in = lane_inputs();
  const auto& plain = plain_lane_operations();
  ASSERT_EQ(tables_.lanes.size(), plain.size());
  std::vector<int32_t> out(in.a.size());
  for (const LaneOperation& operation : tables_.lanes) {
    ASSERT_TRUE(plain.contains(operation.name)) << operation.name;
    const PlainLaneOperation& expected = plain.at(operation.name);
    operation.run(in.a.data(), in.b.data(), in.c.data(), out.data(), out.size());
    size_t promised = 0;
    for (size_t i = 0; i < out.size(); ++i) {
      const std::optional<int32_t> wanted = expected(in.a[i], in.b[i], in.c[i]);
      if (!wanted) {
        continue;
      }
      ++promised;
      // Which NaN it is differs.
      const bool is_float = std::string_view(operation.name).ends_with("_f32") ||
                            std::string_view(operation.name) == "square_root" ||
                            std::string_view(operation.name) == "quick_reciprocal";
      ASSERT_TRUE(out[i] == *wanted || (is_float && is_nan(out[i]) && is_nan(*wanted)))
          << operation.name << " of " << std::hex << in.a[i] << ", " << in.b[i] << ", " << in.c[i]
          << " is " << out[i] << " instead of " << *wanted;
    }
    EXPECT_GT(promised, out.size() / 8) << operation.name;
  }
}

TEST_P(Lanes, EveryTexelOperationIsThePlainOne) {
  std::vector<uint16_t> a, b;
  const uint16_t edges[] = {0,   1,   2,    7,    8,     15,    127,   128,
                            255, 256, 2047, 4096, 32767, 32768, 40000, 65535};
  for (const uint16_t x : edges) {
    for (const uint16_t y : edges) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  std::mt19937 random(2);
  for (int i = 0; i < 1024; ++i) {
    a.push_back(static_cast<uint16_t>(random()));
    b.push_back(static_cast<uint16_t>(random()));
  }
  const auto& plain = plain_texel_operations();
  ASSERT_EQ(tables_.texels.size(), plain.size());
  std::vector<uint16_t> out(a.size());
  for (const TexelOperation& operation : tables_.texels) {
    ASSERT_TRUE(plain.contains(operation.name)) << operation.name;
    operation.run(a.data(), b.data(), out.data(), out.size());
    for (size_t i = 0; i < out.size(); ++i) {
      ASSERT_EQ(out[i], plain.at(operation.name)(a[i], b[i]))
          << operation.name << " of " << a[i] << ", " << b[i];
    }
  }
}

TEST_P(Lanes, EveryByteOperationIsThePlainOne) {
  const auto& plain = plain_byte_operations();
  ASSERT_EQ(tables_.bytes.size(), plain.size());
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    Vector16 a, b, c;
    for (size_t i = 0; i < 16; ++i) {
      // Also values around 15 and 128, and the lowest and highest.
      a[i] = static_cast<uint8_t>(round % 3 == 0 ? 14 + random() % 4 : random());
      b[i] = static_cast<uint8_t>(round % 5 == 0 ? 126 + random() % 4 : random());
      c[i] = static_cast<uint8_t>(round % 7 == 0 ? 255 * (random() % 2) : random());
    }
    for (const ByteOperation& operation : tables_.bytes) {
      ASSERT_TRUE(plain.contains(operation.name)) << operation.name;
      Vector16 out{};
      operation.run(a.data(), b.data(), c.data(), out.data());
      ASSERT_EQ(out, plain.at(operation.name)(a, b, c)) << operation.name;
    }
  }
}

TEST_P(Lanes, MemoryIsReadAndWrittenAsPlainCodeDoes) {
  EXPECT_EQ(tables_.check_memory(), "");
}

}  // namespace
}  // namespace tessera
