// The speed and quality steps that every format offers under the same names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

enum class Preset : uint8_t { kRealtime, kFast, kMedium, kThorough, kExhaustive };

inline constexpr std::array<std::string_view, 5> kPresetNames = {"realtime", "fast", "medium",
                                                                 "thorough", "exhaustive"};

constexpr std::string_view preset_name(Preset preset) {
  return kPresetNames[static_cast<size_t>(preset)];
}

constexpr std::optional<Preset> parse_preset(std::string_view name) {
  for (size_t i = 0; i < kPresetNames.size(); ++i) {
    if (kPresetNames[i] == name) {
      return static_cast<Preset>(i);
    }
  }
  return std::nullopt;
}

}  // namespace tessera
