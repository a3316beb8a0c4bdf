// Pictures of browsers are encoded as they are: cube maps and changes are made by the command.
#include "image/cube_map.h"
#include "image/mip_premultiplied.h"
#include "image/picture_edits.h"

namespace tessera {

std::optional<CubeShape> cube_shape_of(const ImageInfo& /*picture*/) {
  return std::nullopt;
}

Result<Image> make_cube_map(const ImageView& /*picture*/, std::optional<uint32_t> /*size*/) {
  return unsupported_error("cube maps are not part of this module");
}

Result<std::vector<Image>> make_premultiplied_levels(const ImageView& /*base*/,
                                                     uint32_t /*max_levels*/,
                                                     const MipSettings& /*settings*/) {
  return unsupported_error("changes of pictures are not part of this module");
}

Result<Image> edit_picture(const ImageView& /*picture*/, const PictureEdits& /*edits*/) {
  return unsupported_error("changes of pictures are not part of this module");
}

}  // namespace tessera
