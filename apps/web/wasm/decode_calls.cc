// Decoding: what a file is, its blocks strip by strip, and whole files of formats without blocks.
#include "base/block_size.h"
#include "codec/pipeline.h"
#include "codec/registry.h"
#include "exec/backend.h"
#include "file_layout.h"
#include "reply.h"
#include "web_options.h"

namespace tessera::web {
namespace {

constexpr const char* kName = "the file";  // in messages

Result<ContainerType> container_of(ByteSpan bytes) {
  if (bytes.empty()) {
    return invalid_error("the file is empty");
  }
  const auto container = detect_container_type(bytes);
  if (!container) {
    return invalid_error("the file is none of " + all_container_names());
  }
  return *container;
}

Json info_json(const TextureInfo& info, ContainerType container) {
  const FormatRow& row = format_row(info.format);
  const bool has_blocks = row.payload == PayloadKind::kBlocks;
  return Json::object({{"format", row.name},
                       {"container", container_type_name(container).substr(1)},
                       {"profile", profile_name(profile_of(info))},
                       {"width", info.width},
                       {"height", info.height},
                       {"blockWidth", has_blocks ? info.block.width : 0U},
                       {"blockHeight", has_blocks ? info.block.height : 0U},
                       {"blockBytes", row.block_bytes}});
}

Status check_flat(const TextureInfo& info) {
  if (info.depth != 1 || info.layers != 1 || info.block.is_3d()) {
    return unsupported_error("the file holds a volume or an array; only single pictures are read");
  }
  return {};
}

Status describe_file(ByteSpan bytes) {
  TESSERA_ASSIGN_OR_RETURN(const ContainerType container, container_of(bytes));
  TESSERA_ASSIGN_OR_RETURN(const Texture texture, read_texture(bytes, kName));
  TESSERA_RETURN_IF_ERROR(check_flat(texture.info));
  Json object = info_json(texture.info, container);
  std::vector<LevelPlace> levels = {{texture.info.width, texture.info.height, 0, bytes.size()}};
  if (format_row(texture.info.format).payload == PayloadKind::kBlocks) {
    TESSERA_ASSIGN_OR_RETURN(
        levels, bare_levels(texture.info, static_cast<uint32_t>(texture.levels.size())));
    levels = place_levels(std::move(levels), container, bytes);
  }
  object.set("levels", levels_json(levels));
  reply_with(object);
  return {};
}

// The texture that options describe.
Result<TextureInfo> read_raw(WebOptions& options, uint32_t width, uint32_t height) {
  TESSERA_ASSIGN_OR_RETURN(const Codec* codec, find_codec(options.take("format").value_or("astc")));
  const FormatRow& row = codec->row();
  if (row.payload != PayloadKind::kBlocks) {
    return usage_error("the format " + std::string(row.name) + " is not made of blocks");
  }
  TextureInfo info;
  info.format = row.format;
  info.block = row.default_block;
  if (const auto block = options.take("block")) {
    TESSERA_ASSIGN_OR_RETURN(info.block, parse_block_size(*block));
  }
  if (!row.has_block(info.block)) {
    return usage_error(std::string(row.name) + " has no blocks of " + block_size_name(info.block));
  }
  info.width = width;
  info.height = height;
  TESSERA_RETURN_IF_ERROR(check_flat(info));
  ImageInfo image;
  image.width = width;
  image.height = height;
  TESSERA_RETURN_IF_ERROR(layout_of(image, PTRDIFF_MAX));
  return info;
}

// The size of raw blocks, told before they are decoded.
Status describe_raw(WebOptions options, uint32_t width, uint32_t height) {
  const std::string profile = options.take("profile").value_or("ldr");
  TESSERA_ASSIGN_OR_RETURN(const TextureInfo info, read_raw(options, width, height));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<LevelPlace> levels, bare_levels(info, 1));
  Json object = info_json(info, ContainerType::kAstc);
  object.set("container", "blocks");
  object.set("profile", profile);
  object.set("levels", levels_json(levels));
  reply_with(object);
  return {};
}

Status decode_strip(WebOptions options, ByteSpan blocks, uint32_t width, uint32_t height) {
  TESSERA_ASSIGN_OR_RETURN(const TextureInfo info, read_raw(options, width, height));
  TESSERA_ASSIGN_OR_RETURN(const uint64_t expected, level_bytes(info, 0));
  if (blocks.size() != expected) {
    return invalid_error("the blocks take " + std::to_string(expected) + " bytes, and there are " +
                         std::to_string(blocks.size()));
  }
  TESSERA_ASSIGN_OR_RETURN(const DecodeOptions decode, read_web_decode_options(options));
  const auto backend = make_serial_backend();
  TESSERA_ASSIGN_OR_RETURN(
      Image image, codec_of(info.format).decode_level(info, 0, blocks, decode, *backend, {}));
  return reply_with_pixels(std::move(image));
}

}  // namespace
}  // namespace tessera::web

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::web;  // NOLINT(google-build-using-namespace)

// All functions return a status; what they make is in the reply.

TESSERA_EXPORT(tessera_web_describe_file)
int32_t tessera_web_describe_file(const uint8_t* bytes, uint32_t size) {
  return serve([&]() -> Status { return describe_file({bytes, size}); });
}

TESSERA_EXPORT(tessera_web_describe_raw)
int32_t tessera_web_describe_raw(const char* options, uint32_t width, uint32_t height) {
  return serve([&]() -> Status { return describe_raw(WebOptions(options), width, height); });
}

// Whole block rows as four 8-bit channels.
TESSERA_EXPORT(tessera_web_decode_strip)
int32_t tessera_web_decode_strip(const char* options, const uint8_t* blocks, uint32_t size,
                                 uint32_t width, uint32_t height) {
  return serve([&]() -> Status {
    return decode_strip(WebOptions(options), {blocks, size}, width, height);
  });
}
