// What a picture is for, said in one word, and the settings that follow from it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "containers/format_table.h"

namespace tessera {

struct PictureUse {
  std::string_view name;
  Profile profile;           // sRGB where samples are colours that people look at
  bool linear;               // samples are averaged as they are in mip levels
  bool normal_map;           // x as luminance, y as alpha; errors are angles
  std::string_view swizzle;  // "": as it is
  bool weighs_by_alpha;      // colours count as much as they show
  bool is_cut_out;           // alpha is compared with a threshold: mip levels keep what shows
};

std::span<const PictureUse> all_picture_uses();
// nullptr: there is none of that name.
const PictureUse* find_picture_use(std::string_view name);
// "color, alpha, …"
std::string picture_use_names();

}  // namespace tessera
