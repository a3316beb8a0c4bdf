// Reading a picture or a texture, whichever a file holds.
#include "files/any_image.h"

#include "codec/pipeline.h"
#include "containers/texture_file.h"
#include "files/file.h"
#include "files/pictures/image_file.h"

namespace tessera {

bool is_known_file(ByteSpan head) {
  return detect_container_type(head) || detect_image_file_type(head);
}

Result<AnyImage> decode_any_image(ByteSpan bytes, const std::string& name,
                                  const TextureRequest& request, const DecodeOptions& options,
                                  Backend& backend, const RunControl& control,
                                  const ReadBudget& budget) {
  AnyImage any;
  if (const auto container = detect_container_type(bytes)) {
    TESSERA_ASSIGN_OR_RETURN(DecodedTexture decoded, decode_texture(bytes, name, request, options,
                                                                    backend, control, budget));
    any.image = std::move(decoded.image);
    any.texture = decoded.texture;
    any.container = *container;
    any.level_count = decoded.level_count;
    any.decode_seconds = decoded.decode_seconds;
    return any;
  }
  TESSERA_ASSIGN_OR_RETURN(any.image, decode_image(bytes, name, budget));
  if (request.level > 0) {
    return usage_error(name + " is no texture, so it has no mip level " +
                       std::to_string(request.level));
  }
  return any;
}

Result<AnyImage> read_any_image(const std::string& path, uint32_t level,
                                const DecodeOptions& options, Backend& backend,
                                const RunControl& control) {
  const ReadBudget budget(control.limits, control.cancelled);
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path, budget, is_known_file));
  return decode_any_image(bytes, input_display_name(path), {level}, options, backend, control,
                          budget);
}

}  // namespace tessera
