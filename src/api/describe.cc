// Descriptions of files, blocks and the build as JSON texts in the C interface.
#include "api/build.h"
#include "api/decode.h"
#include "api/errors.h"
#include "api/handles.h"
#include "api/picture_files.h"
#include "base/json.h"
#include "codec/registry.h"
#include "containers/texture_file.h"
#include "spmd/isa.h"

namespace tessera::api {
namespace {

struct DescribeChoice {
  bool statistics = false;
  std::string block;  // empty: none
  bool wants_blocks() const { return statistics || !block.empty(); }
};

Json texture_json(const TextureInfo& info, size_t level_count) {
  return Json::object({{"format", texture_format_name(info.format)},
                       {"block", block_size_name(info.block)},
                       {"srgb", info.srgb},
                       {"hdr", info.hdr},
                       {"width", info.width},
                       {"height", info.height},
                       {"depth", info.depth},
                       {"layers", info.layers},
                       {"levels", level_count}});
}

Status describe_texture(const Texture& texture, ContainerType container, const std::string& name,
                        const DescribeChoice& choice, Json& object) {
  const Codec& codec = codec_of(texture.info.format);
  const std::string type(container_type_name(container).substr(1));
  if (codec.row().payload == PayloadKind::kWholeImage) {
    if (choice.wants_blocks()) {
      return usage_error(name + " is a " + std::string(codec.name()) +
                         " image; only textures have blocks to explain");
    }
    object.set("kind", codec.name());
    object.set("type", type);
    TESSERA_ASSIGN_OR_RETURN(const Json description, codec.describe_image(texture, name));
    object.update(description);
    return {};
  }
  object.set("kind", "texture");
  object.set("type", type);
  object.update(texture_json(texture.info, texture.levels.size()));
  if (!texture.made_with.empty()) {
    object.set("made_with", texture.made_with);
  }
  if (choice.statistics) {
    TESSERA_ASSIGN_OR_RETURN(Json statistics, codec.describe_blocks(texture, name));
    object.set("blocks", std::move(statistics));
  }
  if (!choice.block.empty()) {
    TESSERA_ASSIGN_OR_RETURN(Json block, codec.describe_block(texture, choice.block, name));
    object.set("block_at", std::move(block));
  }
  return {};
}

Result<Json> describe_file(ByteSpan bytes, const char* path, const DescribeChoice& choice) {
  const std::string name = display_name(path);
  Json object = Json::object({{"file", text_or(path, name.c_str())}, {"bytes", bytes.size()}});
  if (const auto container = detect_container_type(bytes)) {
    TESSERA_ASSIGN_OR_RETURN(const Texture texture, read_texture(bytes, name));
    TESSERA_RETURN_IF_ERROR(describe_texture(texture, *container, name, choice, object));
    return object;
  }
  if (choice.wants_blocks()) {
    return usage_error(name + " is no texture, so it has no blocks");
  }
  TESSERA_ASSIGN_OR_RETURN(const PictureFile picture, decode_picture_file(bytes, name));
  const ImageInfo& info = picture.image.info();
  object.update(Json::object({{"kind", "picture"},
                              {"type", picture.type},
                              {"width", info.width},
                              {"height", info.height},
                              {"channels", info.channels},
                              {"samples", sample_type_name(info.sample)}}));
  return object;
}

Json names_json(std::string_view separated) {
  Json names = Json::Array();
  while (!separated.empty()) {
    const size_t comma = separated.find(", ");
    const std::string_view name = separated.substr(0, comma);
    names.push_back(name.starts_with('.') ? name.substr(1) : name);
    separated.remove_prefix(comma == std::string_view::npos ? separated.size() : comma + 2);
  }
  return names;
}

Json describe_build() {
  Json formats = Json::Array();
  for (const Codec* codec : all_codecs()) {
    formats.push_back(codec->name());
  }
  Json available = Json::Array();
  for (const std::string& name : available_isas()) {
    available.push_back(name);
  }
  const BuildParts parts = build_parts();
  return Json::object({{"version", tessera_version()},
                       {"formats", formats},
                       {"containers", names_json(parts.containers)},
                       {"pictures", names_json(parts.pictures)},
                       {"backends", names_json(parts.backends)},
                       {"zstd", parts.has_zstd},
                       {"isa", active_isa()},
                       {"available_isas", available}});
}

}  // namespace
}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_describe(const void* data, size_t size, const char* name, int statistics,
                                const char* block, tessera_buffer** json, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(json, "json"));
    *json = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(data, "data"));
    TESSERA_ASSIGN_OR_RETURN(const Json description,
                             describe_file({static_cast<const uint8_t*>(data), size}, name,
                                           DescribeChoice{statistics != 0, text_or(block, "")}));
    give_text(description.text(), json);
    return {};
  });
}

tessera_status tessera_describe_build(tessera_buffer** json, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(json, "json"));
    *json = nullptr;
    give_text(describe_build().text(), json);
    return {};
  });
}

tessera_status tessera_restrict_isa(const char* name, tessera_error* error) {
  return call(error, [&]() -> Status { return restrict_isa(text_or(name, "")); });
}
