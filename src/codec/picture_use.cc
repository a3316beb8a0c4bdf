// The list of what pictures are for.
#include "codec/picture_use.h"

#include <algorithm>
#include <array>

namespace tessera {
namespace {

constexpr std::array<PictureUse, 7> kUses = {{
    // name, profile, linear, normal map, swizzle, weighs by alpha, is cut out
    {"color", Profile::kSrgb, false, false, "", false, false},
    {"alpha", Profile::kSrgb, false, false, "", true, true},  // cut-outs and decals
    {"normal", Profile::kLdr, true, true, "", false, false},
    {"mask", Profile::kLdr, true, false, "rrr1", false, false},  // one channel, in red
    {"packed", Profile::kLdr, true, false, "", false, false},  // a value of its own in each channel
    {"hdr", Profile::kHdr, true, false, "", false, false},     // light
    {"ui", Profile::kSrgb, false, false, "", true, false},     // icons and text
}};

}  // namespace

std::span<const PictureUse> all_picture_uses() {
  return kUses;
}

const PictureUse* find_picture_use(std::string_view name) {
  const auto found = std::find_if(kUses.begin(), kUses.end(),
                                  [&](const PictureUse& use) { return use.name == name; });
  return found == kUses.end() ? nullptr : &*found;
}

std::string picture_use_names() {
  std::string names;
  for (const PictureUse& use : kUses) {
    names += (names.empty() ? "" : ", ") + std::string(use.name);
  }
  return names;
}

}  // namespace tessera
