// Reading a picture or a texture, whichever a file holds.
#include "files/any_image.h"

#include "codec/pipeline.h"
#include "containers/texture_file.h"
#include "files/file.h"
#include "files/pictures/image_file.h"

namespace tessera {

Result<AnyImage> read_any_image(const std::string& path, uint32_t level,
                                const DecodeOptions& options, Backend& backend,
                                const RunControl& control) {
  const std::string name = input_display_name(path);
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path));
  AnyImage any;
  any.file_bytes = bytes.size();
  if (const auto container = detect_container_type(bytes)) {
    TESSERA_ASSIGN_OR_RETURN(DecodedTexture decoded,
                             decode_texture(bytes, name, level, options, backend, control));
    any.image = std::move(decoded.image);
    any.texture = decoded.texture;
    any.container = *container;
    any.level_count = decoded.level_count;
    any.decode_seconds = decoded.decode_seconds;
    return any;
  }
  TESSERA_ASSIGN_OR_RETURN(any.image, decode_image(bytes, name));
  if (level > 0) {
    return usage_error(name + " is no texture, so it has no mip level " + std::to_string(level));
  }
  return any;
}

}  // namespace tessera
