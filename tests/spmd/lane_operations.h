// Every operation of src/spmd as a function on arrays, for each target: what lanes_test.cc compares
// with plain code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tessera {

// out[i] = operation(a[i], b[i], c[i]) on the bits of lanes, for `count` lanes, a multiple of 64.
// c is the same in each group of 64 lanes.
struct LaneOperation {
  const char* name;
  void (*run)(const int32_t* a, const int32_t* b, const int32_t* c, int32_t* out, size_t count);
};

// The same on 16-bit numbers of texels; `count` is a multiple of 32.
struct TexelOperation {
  const char* name;
  void (*run)(const uint16_t* a, const uint16_t* b, uint16_t* out, size_t count);
};

// out = operation(a, b, c), 16 bytes each.
struct ByteOperation {
  const char* name;
  void (*run)(const uint8_t* a, const uint8_t* b, const uint8_t* c, uint8_t* out);
};

struct OperationTables {
  std::span<const LaneOperation> lanes;
  std::span<const TexelOperation> texels;
  std::span<const ByteOperation> bytes;
  // What reads or writes memory, or asks all lanes at once: a sentence for each wrong result.
  std::string (*check_memory)();
};

// Of the target that kernels run on (spmd/isa.h), and of plain lanes.
OperationTables operation_tables();
OperationTables scalar_operation_tables();

// Tables that operations look into.
inline constexpr int32_t kGatherEntries = 256;
int32_t gather_entry(int32_t index);
inline constexpr uint8_t kByteTable[16] = {0,  3,  250, 7, 9, 255, 128, 127,
                                           64, 65, 66,  1, 2, 200, 201, 33};
inline constexpr int16_t kWordTable[8] = {-32768, 32767, 0, -1, 1, 12345, -12345, 256};

}  // namespace tessera
