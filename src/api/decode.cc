// Decoding of files and of raw blocks in memory: the C interface over the pipeline.
#include "api/decode.h"

#include <algorithm>
#include <cstring>

#include "api/encode_plan.h"
#include "api/errors.h"
#include "api/handles.h"
#include "api/images.h"
#include "api/picture_files.h"
#include "api/reports.h"
#include "codec/pipeline.h"
#include "codec/registry.h"
#include "containers/texture_file.h"
#include "containers/tsf_file.h"
#include "image/convert.h"

namespace tessera::api {
namespace {

// The part of a description that the payload's own header tells.
Status add_payload_info(ByteSpan bytes, const std::string& name, ContainerType container,
                        tessera_file_info& info) {
  if (container == ContainerType::kTsf) {
    TESSERA_ASSIGN_OR_RETURN(const auto header, fractal::read_tsf_header(bytes, name));
    info.channels = header.channels;
  }
  return {};
}

void copy_rows(const ImageView& from, const MutableImageView& to) {
  const size_t row_bytes = from.info.width * from.info.pixel_bytes();
  for (uint32_t slice = 0; slice < from.info.slices(); ++slice) {
    for (uint32_t y = 0; y < from.info.height; ++y) {
      std::memcpy(to.row<uint8_t>(y, slice), from.row<uint8_t>(y, slice), row_bytes);
    }
  }
}

struct RawBlocks {
  const Codec* codec = nullptr;
  TextureInfo info;
};

Result<RawBlocks> read_raw_blocks(const char* format, const char* block, const ImageInfo& image,
                                  size_t size) {
  TESSERA_RETURN_IF_ERROR(check_not_null(format, "format"));
  RawBlocks raw;
  TESSERA_ASSIGN_OR_RETURN(raw.codec, find_codec(format));
  const FormatRow& row = raw.codec->row();
  if (row.payload != PayloadKind::kBlocks) {
    return unsupported_error("the format " + std::string(row.name) + " is not made of blocks");
  }
  raw.info.format = row.format;
  raw.info.block = row.default_block;
  if (block != nullptr && *block != '\0') {
    TESSERA_ASSIGN_OR_RETURN(raw.info.block, parse_block_size(block));
  }
  if (!row.has_block(raw.info.block)) {
    return usage_error(std::string(row.name) + " has no blocks of " +
                       block_size_name(raw.info.block));
  }
  raw.info.width = image.width;
  raw.info.height = image.height;
  raw.info.depth = image.depth;
  raw.info.layers = image.layers;
  TESSERA_ASSIGN_OR_RETURN(const uint64_t bytes, level_bytes(raw.info, 0));
  if (size != bytes) {
    return usage_error("the blocks of this image take " + std::to_string(bytes) +
                       " bytes, and there are " + std::to_string(size));
  }
  return raw;
}

}  // namespace

std::string display_name(const char* name) {
  if (name == nullptr) {
    return "the data";
  }
  return std::strcmp(name, "-") == 0 ? "standard input" : name;
}

Result<DecodeRequest> read_decode_options(const tessera_decode_options* given) {
  TESSERA_ASSIGN_OR_RETURN(const tessera_decode_options options,
                           read_options(given, "tessera_decode_options"));
  DecodeRequest request;
  request.level = options.level;
  if (options.profile != nullptr) {
    request.options.profile = parse_profile(options.profile);
    if (request.options.profile == Profile::kHdra) {  // of encoding alone
      request.options.profile = std::nullopt;
    }
    if (!request.options.profile) {
      return usage_error("'" + std::string(options.profile) +
                         "' is not a profile (ldr, srgb, hdr)");
    }
  }
  TESSERA_ASSIGN_OR_RETURN(request.options.sample, read_sample(options.sample));
  TESSERA_ASSIGN_OR_RETURN(request.options.options,
                           read_option_list(options.options, options.option_count));
  TESSERA_RETURN_IF_ERROR(check_decode_options_of_any(request.options.options));
  request.options.is_normal_map = options.normal_map != 0;
  request.options.yflip = options.yflip != 0;
  return request;
}

Result<Decoded> decode_any(ByteSpan bytes, const std::string& name, const DecodeRequest& request,
                           Backend& backend, const RunControl& control, const ReadBudget& budget) {
  Decoded decoded;
  const auto container = detect_container_type(bytes);
  if (!container) {
    TESSERA_ASSIGN_OR_RETURN(PictureFile picture, decode_picture_file(bytes, name, budget));
    if (request.level > 0) {
      return usage_error(name + " is no texture, so it has no mip level " +
                         std::to_string(request.level));
    }
    decoded.info = picture_info(picture.image.info(), picture.type);
    decoded.info.file_bytes = bytes.size();
    decoded.image = std::move(picture.image);
    return decoded;
  }
  TESSERA_ASSIGN_OR_RETURN(
      DecodedTexture texture,
      decode_texture(bytes, name, {request.level}, request.options, backend, control, budget));
  decoded.info = texture_info(texture.texture, *container, texture.level_count);
  decoded.info.file_bytes = bytes.size();
  TESSERA_RETURN_IF_ERROR(add_payload_info(bytes, name, *container, decoded.info));
  decoded.image = std::move(texture.image);
  return decoded;
}

Result<tessera_file_info> inspect_any(ByteSpan bytes, const std::string& name) {
  const auto container = detect_container_type(bytes);
  if (!container) {
    TESSERA_ASSIGN_OR_RETURN(const PictureHeader picture,
                             read_picture_header(bytes, bytes.size(), name));
    tessera_file_info info = picture_info(picture.info, picture.type);
    info.levels = picture.levels;
    info.file_bytes = bytes.size();
    return info;
  }
  TESSERA_ASSIGN_OR_RETURN(const TextureIndex texture,
                           read_texture_index(bytes, bytes.size(), name));
  tessera_file_info info = texture_info(texture.info, *container, texture.levels.size());
  info.file_bytes = bytes.size();
  TESSERA_RETURN_IF_ERROR(add_payload_info(bytes, name, *container, info));
  return info;
}

}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_decode(tessera_context* context, const void* data, size_t size,
                              const char* name, const tessera_decode_options* options,
                              const tessera_control* control, tessera_picture** picture,
                              tessera_file_info* info, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(picture, "picture"));
    *picture = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(data, "data"));
    TESSERA_ASSIGN_OR_RETURN(const DecodeRequest request, read_decode_options(options));
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    TESSERA_RETURN_IF_ERROR(check_runs_in_memory(context));
    CallPlace place(context);
    TESSERA_RETURN_IF_ERROR(check_cancelled(run));
    const ReadBudget budget(run.limits, run.cancelled);
    TESSERA_RETURN_IF_ERROR(budget.check_file(display_name(name), size));
    TESSERA_ASSIGN_OR_RETURN(
        Decoded decoded, decode_any({static_cast<const uint8_t*>(data), size}, display_name(name),
                                    request, place.backend(), run, budget));
    TESSERA_RETURN_IF_ERROR(write_result(decoded.info, info, "tessera_file_info"));
    give_picture(std::move(decoded.image), place.memory(), picture);
    return {};
  });
}

tessera_status tessera_decode_blocks(tessera_context* context, const char* format,
                                     const char* block, const void* blocks, size_t size,
                                     const tessera_decode_options* options,
                                     const tessera_control* control, const tessera_image* image,
                                     void* pixels, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(blocks, "blocks"));
    TESSERA_RETURN_IF_ERROR(check_not_null(pixels, "pixels"));
    TESSERA_ASSIGN_OR_RETURN(const ImageView layout, read_layout(image));
    TESSERA_ASSIGN_OR_RETURN(const RawBlocks raw,
                             read_raw_blocks(format, block, layout.info, size));
    TESSERA_ASSIGN_OR_RETURN(DecodeRequest request, read_decode_options(options));
    TESSERA_RETURN_IF_ERROR(check_decode_options(*raw.codec, request.options.options));
    request.options.sample = layout.info.sample;
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    TESSERA_RETURN_IF_ERROR(check_runs_in_memory(context));
    CallPlace place(context);
    TESSERA_ASSIGN_OR_RETURN(
        Image decoded,
        raw.codec->decode_level(raw.info, 0, {static_cast<const uint8_t*>(blocks), size},
                                request.options, place.backend(), run));
    if (decoded.info().channels != layout.info.channels) {
      TESSERA_ASSIGN_OR_RETURN(decoded, convert_channels(decoded.view(), layout.info.channels));
    }
    copy_rows(decoded.view(),
              {static_cast<uint8_t*>(pixels), layout.info, layout.row_stride, layout.slice_stride});
    return {};
  });
}

tessera_status tessera_inspect(const void* data, size_t size, const char* name,
                               tessera_file_info* info, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(data, "data"));
    TESSERA_RETURN_IF_ERROR(check_not_null(info, "info"));
    TESSERA_ASSIGN_OR_RETURN(
        const tessera_file_info found,
        inspect_any({static_cast<const uint8_t*>(data), size}, display_name(name)));
    return write_result(found, info, "tessera_file_info");
  });
}

tessera_status tessera_inspect_limited(const void* data, size_t size, const char* name,
                                       const tessera_control* control, tessera_file_info* info,
                                       tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(data, "data"));
    TESSERA_RETURN_IF_ERROR(check_not_null(info, "info"));
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    TESSERA_RETURN_IF_ERROR(check_cancelled(run));
    const std::string file = display_name(name);
    const ReadBudget budget(run.limits, run.cancelled);
    TESSERA_RETURN_IF_ERROR(budget.check_file(file, size));
    TESSERA_ASSIGN_OR_RETURN(const tessera_file_info found,
                             inspect_any({static_cast<const uint8_t*>(data), size}, file));
    TESSERA_RETURN_IF_ERROR(
        budget.check_pixels(file, found.width, found.height,
                            uint64_t{std::max(1U, found.depth)} * std::max(1U, found.layers)));
    return write_result(found, info, "tessera_file_info");
  });
}
