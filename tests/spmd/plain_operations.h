// What the operations of src/spmd must do in one lane, in plain code, by their names in
// lane_operations.cc.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace tessera {

// On the bits of lanes; nothing where nothing is promised.
using PlainLaneOperation = std::function<std::optional<int32_t>(int32_t, int32_t, int32_t)>;
const std::map<std::string, PlainLaneOperation>& plain_lane_operations();

using PlainTexelOperation = std::function<uint16_t(uint16_t, uint16_t)>;
const std::map<std::string, PlainTexelOperation>& plain_texel_operations();

using Vector16 = std::array<uint8_t, 16>;
using PlainByteOperation =
    std::function<Vector16(const Vector16&, const Vector16&, const Vector16&)>;
const std::map<std::string, PlainByteOperation>& plain_byte_operations();

}  // namespace tessera
