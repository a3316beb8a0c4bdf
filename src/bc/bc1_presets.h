// Every knob of every BC1 preset, as a table.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "base/preset.h"

namespace tessera::bc1 {

enum class Method : uint8_t { kBounds };

inline constexpr std::array<std::string_view, 1> kMethodNames = {"bounds"};

constexpr std::string_view method_name(Method method) {
  return kMethodNames[static_cast<size_t>(method)];
}

constexpr std::optional<Method> parse_method(std::string_view name) {
  for (size_t i = 0; i < kMethodNames.size(); ++i) {
    if (kMethodNames[i] == name) {
      return static_cast<Method>(i);
    }
  }
  return std::nullopt;
}

struct Settings {
  Method method = Method::kBounds;
};

// The bounding box is the only method so far, so every preset is served by it.
inline constexpr std::array<Settings, 5> kPresets = {{
    /* realtime   */ {Method::kBounds},
    /* fast       */ {Method::kBounds},
    /* medium     */ {Method::kBounds},
    /* thorough   */ {Method::kBounds},
    /* exhaustive */ {Method::kBounds},
}};

constexpr const Settings& preset_settings(Preset preset) {
  return kPresets[static_cast<size_t>(preset)];
}

}  // namespace tessera::bc1
