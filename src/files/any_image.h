// Any file that shows a picture, as an Image: picture files and compressed textures alike.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "codec/pipeline.h"
#include "containers/texture.h"
#include "exec/backend.h"
#include "image/image.h"

namespace tessera {

struct AnyImage {
  Image image;
  std::optional<TextureInfo> texture;             // what it was decoded from
  ContainerType container = ContainerType::kDds;  // of a texture
  size_t level_count = 1;
  double decode_seconds = 0;  // the decoder alone; 0 for pictures
};

// Whether a file that begins like this may be one.
bool is_known_file(ByteSpan head);

// What is chosen of a texture, and the options, mean nothing to pictures. A format takes those of
// the options that it knows.
Result<AnyImage> decode_any_image(ByteSpan bytes, const std::string& name,
                                  const TextureRequest& request, const DecodeOptions& options,
                                  Backend& backend, const RunControl& control,
                                  const ReadBudget& budget);
// All slices of a mip level of a file.
Result<AnyImage> read_any_image(const std::string& path, uint32_t level,
                                const DecodeOptions& options, Backend& backend,
                                const RunControl& control);

}  // namespace tessera
