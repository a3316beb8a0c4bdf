// Tiles in the C interface: rectangles of 8-bit pixels as they come, without allocation.
#include <limits>
#include <memory>

#include "api/encode_plan.h"
#include "api/errors.h"
#include "codec/tile_encoder.h"

struct tessera_tile_encoder {
  std::unique_ptr<tessera::TileEncoder> encoder;
};

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_tile_encoder_create(const tessera_encode_options* options,
                                           uint32_t concurrency, tessera_tile_encoder** encoder,
                                           tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(encoder, "encoder"));
    *encoder = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(options, "options"));
    TESSERA_ASSIGN_OR_RETURN(const EncodePlan plan, read_encode_plan(options));
    if (plan.mips || !plan.swizzle.is_identity() || plan.settings.normal_map || plan.edits.any() ||
        plan.group != PictureGroup::kNone) {
      return usage_error(
          "tiles are encoded as they are: without mip levels, swizzle, changes or normals");
    }
    if (plan.goals.any()) {
      return usage_error("tiles are encoded with a block size and a preset, not for a target");
    }
    constexpr uint32_t kMostAtOnce = 1024;
    if (concurrency == 0 || concurrency > kMostAtOnce) {
      return usage_error("the concurrency of a tile encoder is 1 to 1024");
    }
    auto made = std::make_unique<tessera_tile_encoder>();
    TESSERA_ASSIGN_OR_RETURN(made->encoder,
                             plan.codec->make_tile_encoder(plan.settings, concurrency));
    *encoder = made.release();
    return {};
  });
}

void tessera_tile_encoder_destroy(tessera_tile_encoder* encoder) {
  delete encoder;
}

size_t tessera_tile_size(const tessera_tile_encoder* encoder, uint32_t width, uint32_t height) {
  constexpr uint32_t kMaxExtent = 1U << 24;  // pixels
  if (encoder == nullptr || width == 0 || height == 0 || width > kMaxExtent ||
      height > kMaxExtent) {
    return 0;
  }
  return encoder->encoder->tile_bytes(width, height);
}

tessera_status tessera_encode_tile(tessera_tile_encoder* encoder, const uint8_t* rgba,
                                   size_t row_stride, uint32_t width, uint32_t height, void* out,
                                   size_t out_size, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(encoder, "encoder"));
    TESSERA_RETURN_IF_ERROR(check_not_null(rgba, "rgba"));
    TESSERA_RETURN_IF_ERROR(check_not_null(out, "out"));
    const size_t bytes = tessera_tile_size(encoder, width, height);
    if (bytes == 0) {
      return usage_error("a tile has 1 to 2^24 pixels per side");
    }
    if (row_stride < size_t{width} * 4) {
      return usage_error("row_stride is " + std::to_string(row_stride) +
                         " bytes, and a row of the tile has " + std::to_string(size_t{width} * 4));
    }
    if (row_stride > static_cast<size_t>(std::numeric_limits<ptrdiff_t>::max()) / height) {
      return usage_error("the tile does not fit into memory: row_stride is too large");
    }
    if (out_size != bytes) {
      return usage_error("the tile's blocks take " + std::to_string(bytes) +
                         " bytes, and out_size is " + std::to_string(out_size));
    }
    ImageView view;
    view.info.width = width;
    view.info.height = height;
    view.data = rgba;
    view.row_stride = row_stride;
    view.slice_stride = row_stride * height;
    return encoder->encoder->encode(view, {static_cast<uint8_t*>(out), out_size});
  });
}
