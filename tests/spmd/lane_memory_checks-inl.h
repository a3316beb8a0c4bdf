// Operations that read or write memory, or ask all lanes at once, compared with plain code.
#if defined(TESSERA_TESTS_LANE_MEMORY_CHECKS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_TESTS_LANE_MEMORY_CHECKS_INL_H_
#undef TESSERA_TESTS_LANE_MEMORY_CHECKS_INL_H_
#else
#define TESSERA_TESTS_LANE_MEMORY_CHECKS_INL_H_
#endif

#include <cstdint>
#include <cstring>
#include <string>

#include "spmd/counters-inl.h"
#include "spmd/lanes-inl.h"
#include "spmd/texels-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::TESSERA_TARGET {

// Adds a sentence when the result is wrong.
inline void expect(bool is_right, const char* what, size_t where, std::string& failures) {
  if (!is_right) {
    failures += std::string(what) + " is wrong at " + std::to_string(where) + "; ";
  }
}

// One array for each lane, one value after its end to see that nothing more is written.
inline constexpr int32_t kGuard = 0x5A5A5A5A;

inline void check_loads_and_stores(std::string& failures) {
  const size_t count = lane_count();
  // An address that no vector is aligned to.
  int32_t values[kMaxLaneCount + 2], out[kMaxLaneCount + 2];
  for (size_t i = 0; i < kMaxLaneCount + 2; ++i) {
    values[i] = static_cast<int32_t>(1000003 * i) - 7;
    out[i] = kGuard;
  }
  store(load_i32(values + 1), out + 1);
  for (size_t i = 0; i < count; ++i) {
    expect(out[i + 1] == values[i + 1], "load_i32 or store", i, failures);
  }
  expect(out[0] == kGuard && out[count + 1] == kGuard, "the end of store", 0, failures);

  float floats[kMaxLaneCount + 1], float_out[kMaxLaneCount + 1];
  for (size_t i = 0; i <= kMaxLaneCount; ++i) {
    floats[i] = static_cast<float>(i) + 0.25f;
  }
  store(load_f32(floats + 1), float_out + 1);
  for (size_t i = 0; i < count; ++i) {
    expect(float_out[i + 1] == floats[i + 1], "load_f32 or store", i, failures);
  }
  expect(first_lane(load_i32(values)) == values[0], "first_lane", 0, failures);
  expect(first_lane(load_f32(floats)) == floats[0], "first_lane of floats", 0, failures);

  store(lane_numbers(), out);
  for (size_t i = 0; i < count; ++i) {
    expect(out[i] == static_cast<int32_t>(i), "lane_numbers", i, failures);
  }
}

inline void check_pairs(std::string& failures) {
  const size_t count = lane_count();
  int16_t halves[2 * kMaxLaneCount + 1], low[kMaxLaneCount + 1];
  int32_t out[kMaxLaneCount];
  for (size_t i = 0; i <= 2 * kMaxLaneCount; ++i) {
    halves[i] = static_cast<int16_t>(30011 * i + 5);
  }
  store(as_i32(load_i16x2(halves + 1)), out);
  for (size_t i = 0; i < count; ++i) {
    const auto wanted =
        static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint16_t>(halves[2 * i + 1])) |
                             static_cast<uint32_t>(static_cast<uint16_t>(halves[2 * i + 2])) << 16);
    expect(out[i] == wanted, "load_i16x2", i, failures);
  }
  const int32_t pair = static_cast<int32_t>(0x8001FFFEu);
  store(as_i32(broadcast_pair(&pair)), out);
  for (size_t i = 0; i < count; ++i) {
    expect(out[i] == pair, "broadcast_pair", i, failures);
  }
  for (size_t i = 0; i < kMaxLaneCount; ++i) {
    out[i] = (i % 2 == 0 ? -32768 : 32767) + (i % 2 == 0 ? 1 : -1) * static_cast<int32_t>(i);
  }
  low[count] = 77;
  store_low_halves(load_i32(out), low);
  for (size_t i = 0; i < count; ++i) {
    expect(low[i] == out[i], "store_low_halves", i, failures);
  }
  expect(low[count] == 77, "the end of store_low_halves", count, failures);
}

inline void check_masks(std::string& failures) {
  expect(!any_lane(every_lane(false)), "any_lane of none", 0, failures);
  expect(any_lane(every_lane(true)), "any_lane of all", 0, failures);
  for (size_t i = 0; i < lane_count(); ++i) {
    const LaneMask one = lane_numbers() == all_lanes(static_cast<int32_t>(i));
    expect(any_lane(one), "any_lane of one", i, failures);
    expect(any_lane(!one) == (lane_count() > 1), "any_lane of the others", i, failures);
  }
}

inline void check_block_rows(std::string& failures) {
  const size_t count = lane_count();
  TESSERA_ALIGN uint32_t row[4 * kMaxLaneCount], out[4 * kMaxLaneCount];
  for (size_t i = 0; i < 4 * kMaxLaneCount; ++i) {
    row[i] = static_cast<uint32_t>(0x01020304u * i + 0x80FF00FEu);
  }
  U8x4 column[4];
  load_block_row(row, column);
  int32_t bits[kMaxLaneCount];
  for (size_t x = 0; x < 4; ++x) {
    store(as_i32(column[x]), bits);
    for (size_t i = 0; i < count; ++i) {
      expect(static_cast<uint32_t>(bits[i]) == row[4 * i + x], "load_block_row", 4 * i + x,
             failures);
    }
  }
  // Blocks of five texels, the last one first, and one of them in every third lane.
  TESSERA_ALIGN uint32_t wide[5 * kMaxLaneCount];
  TESSERA_ALIGN int32_t index[kMaxLaneCount];
  for (size_t i = 0; i < 5 * kMaxLaneCount; ++i) {
    wide[i] = static_cast<uint32_t>(0x01030507u * i + 0x40FF0080u);
  }
  for (size_t i = 0; i < count; ++i) {
    index[i] = i % 3 == 2 ? 0 : static_cast<int32_t>(count - 1 - i);
  }
  U8x4 scattered[4];
  load_row_of_blocks(wide + 1, index, 5, scattered);
  for (size_t x = 0; x < 4; ++x) {
    store(as_i32(scattered[x]), bits);
    for (size_t i = 0; i < count; ++i) {
      expect(static_cast<uint32_t>(bits[i]) == wide[1 + 5 * static_cast<size_t>(index[i]) + x],
             "load_row_of_blocks", 4 * i + x, failures);
    }
  }
  const I32 words[4] = {as_i32(column[0]), as_i32(column[1]), as_i32(column[2]), as_i32(column[3])};
  store_block_words(words[0], words[1], words[2], words[3], out);
  expect(std::memcmp(out, row, 16 * count) == 0, "store_block_words of four", 0, failures);
  store_block_words(words[3], words[1], out);
  for (size_t i = 0; i < count; ++i) {
    expect(out[2 * i] == row[4 * i + 3] && out[2 * i + 1] == row[4 * i + 1],
           "store_block_words of two", i, failures);
  }
}

inline void check_texel_memory(std::string& failures) {
  uint8_t bytes[64], even[16], odd[16];
  for (size_t i = 0; i < 64; ++i) {
    bytes[i] = static_cast<uint8_t>(37 * i + 200);
  }
  Bytes16 first, second;
  load_even_and_odd(bytes + 1, first, second);
  store(first, even);
  store(second, odd);
  for (size_t i = 0; i < 16; ++i) {
    expect(even[i] == bytes[2 * i + 1] && odd[i] == bytes[2 * i + 2], "load_even_and_odd", i,
           failures);
  }
  alignas(64) uint8_t rgba[4 * 32];
  const TexelU16 low = load_texel_bytes_u16(bytes), high = load_texel_bytes_u16(bytes + 32);
  store_texels(low | shift_left<8>(high), high | shift_left<8>(low), rgba);
  for (size_t i = 0; i < texel_count(); ++i) {
    const uint8_t wanted[4] = {bytes[i], bytes[i + 32], bytes[i + 32], bytes[i]};
    expect(std::memcmp(rgba + 4 * i, wanted, 4) == 0, "store_texels", i, failures);
  }
  expect(texel_count() <= 32 && 32 % texel_count() == 0, "texel_count", texel_count(), failures);
}

inline void check_places(std::string& failures) {
  for (size_t i = 0; i < 64; ++i) {
    alignas(64) int16_t values[64] = {};
    values[i] = i % 2 == 0 ? int16_t{-32768} : int16_t{256};
    expect(places_of_nonzero(values) == uint64_t{1} << i, "places_of_nonzero", i, failures);
  }
  alignas(64) int16_t all[64] = {};
  expect(places_of_nonzero(all) == 0, "places_of_nonzero of zeros", 0, failures);
  for (int16_t& value : all) {
    value = -1;
  }
  expect(places_of_nonzero(all) == ~uint64_t{0}, "places_of_nonzero of all", 0, failures);
}

// On a device threads take places at once, and each gets one of its own: the tests of its encoder
// compare the bytes that come of it.
inline void check_counters(std::string& failures) {
  uint32_t counters[3] = {0, 7, UINT32_MAX};
  for (uint32_t i = 0; i < 5; ++i) {
    expect(take_place(&counters[1]) == 7 + i, "take_place", i, failures);
  }
  expect(take_place(&counters[2]) == UINT32_MAX, "take_place of the largest number", 0, failures);
  expect(counters[0] == 0 && counters[1] == 12 && counters[2] == 0, "the counter of take_place", 0,
         failures);
}

inline std::string check_memory() {
  std::string failures;
  expect(lane_count() <= kMaxLaneCount && kMaxLaneCount <= 64, "lane_count", 0, failures);
  check_loads_and_stores(failures);
  check_pairs(failures);
  check_masks(failures);
  check_block_rows(failures);
  check_texel_memory(failures);
  check_places(failures);
  check_counters(failures);
  return failures;
}

}  // namespace tessera::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_TESTS_LANE_MEMORY_CHECKS_INL_H_
