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
};
