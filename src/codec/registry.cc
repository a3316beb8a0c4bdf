#include "codec/registry.h"

#include <algorithm>

#include "codec/astc_codec.h"
#include "codec/bc1_codec.h"

namespace tessera {

std::string_view profile_name(Profile profile) {
  constexpr std::array<std::string_view, 3> kNames = {"ldr", "srgb", "hdr"};
  return kNames[static_cast<size_t>(profile)];
}

std::optional<Profile> parse_profile(std::string_view name) {
  for (const Profile profile : {Profile::kLdr, Profile::kSrgb, Profile::kHdr}) {
    if (profile_name(profile) == name) {
      return profile;
    }
  }
  return std::nullopt;
}

Result<const Codec*> find_codec(std::string_view name) {
  if (name == texture_format_name(TextureFormat::kBc1)) {
    return &bc1_codec();
  }
  if (name == texture_format_name(TextureFormat::kAstc)) {
    return &astc_codec();
  }
  if (std::find(kFormatNames.begin(), kFormatNames.end(), name) != kFormatNames.end()) {
    return unsupported_error("the format " + std::string(name) +
                             " cannot be encoded or decoded by this build");
  }
  return usage_error("'" + std::string(name) + "' is not a format (bc1, astc, fractal)");
}

Result<const Codec*> find_codec(TextureFormat format) {
  return find_codec(texture_format_name(format));
}

}  // namespace tessera
