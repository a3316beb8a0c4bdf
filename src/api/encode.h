// What is behind an encoder's handle.
#pragma once

#include <memory>
#include <string>

#include "codec/pipeline.h"
#include "tessera/tessera.h"

struct tessera_encoder {
  tessera::EncodePlan plan;
  std::unique_ptr<tessera::Encoder> encoder;
  bool container_was_named = false;  // otherwise the name of an output may choose another one
  // What tessera_encoder_describe tells.
  std::string format;
  std::string preset;
  std::string profile;
  std::string container;
  std::string swizzle;
};

namespace tessera::api {

// What calls that encode a picture in memory are given, checked.
struct EncodeCall {
  ImageView picture;
  RunControl control;
};
Result<EncodeCall> read_encode_call(const tessera_encoder* encoder, const tessera_context* context,
                                    const tessera_image* image, const tessera_control* control);

}  // namespace tessera::api
