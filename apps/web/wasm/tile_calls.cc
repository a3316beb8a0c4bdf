// Tiles of one size: all memory is taken when the encoder is made.
#include <memory>

#include "codec/codec.h"
#include "reply.h"
#include "web_options.h"

namespace tessera::web {
namespace {

struct WebTileEncoder {
  std::unique_ptr<TileEncoder> encoder;
  Image input;  // JavaScript writes its rows
  LargeBytes output;
};

Result<std::unique_ptr<WebTileEncoder>> make(const char* options, uint32_t width, uint32_t height) {
  TESSERA_ASSIGN_OR_RETURN(const EncodePlan plan, read_web_plan(options));
  auto made = std::make_unique<WebTileEncoder>();
  TESSERA_ASSIGN_OR_RETURN(made->encoder, plan.codec->make_tile_encoder(plan.settings, 1));
  ImageInfo info;
  info.width = width;
  info.height = height;
  TESSERA_ASSIGN_OR_RETURN(made->input, Image::create(info));
  made->output.resize(made->encoder->tile_bytes(width, height));
  const BlockSize block = plan.codec->block_of(plan.settings);
  reply_with(Json::object({{"blockWidth", block.width},
                           {"blockHeight", block.height},
                           {"rowStride", made->input.row_stride()},
                           {"input", reinterpret_cast<uintptr_t>(made->input.row<uint8_t>(0))},
                           {"output", reinterpret_cast<uintptr_t>(made->output.data())},
                           {"byteLength", made->output.size()}}));
  return made;
}

}  // namespace
}  // namespace tessera::web

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::web;  // NOLINT(google-build-using-namespace)

TESSERA_EXPORT(tessera_web_tile_create)
int32_t tessera_web_tile_create(const char* options, uint32_t width, uint32_t height,
                                WebTileEncoder** encoder) {
  return serve([&]() -> Status {
    *encoder = nullptr;
    TESSERA_ASSIGN_OR_RETURN(auto made, make(options, width, height));
    *encoder = made.release();
    return {};
  });
}

TESSERA_EXPORT(tessera_web_tile_destroy) void tessera_web_tile_destroy(WebTileEncoder* encoder) {
  delete encoder;
}

// From the encoder's input to its output.
TESSERA_EXPORT(tessera_web_tile_encode) int32_t tessera_web_tile_encode(WebTileEncoder* encoder) {
  return static_cast<int32_t>(api::call(&last_error(), [&]() -> Status {
    return encoder->encoder->encode(encoder->input.view(), encoder->output);
  }));
}
