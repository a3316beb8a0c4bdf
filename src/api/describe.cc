// Descriptions of files, blocks and the build as JSON texts in the C interface.
#include "api/describe.h"

#include "api/build.h"
#include "api/context.h"
#include "api/decode.h"
#include "api/errors.h"
#include "api/handles.h"
#include "api/limits.h"
#include "api/picture_files.h"
#include "codec/pipeline.h"
#include "codec/registry.h"
#include "containers/ktx2_keys.h"
#include "containers/stored_facts.h"
#include "containers/texture_file.h"
#include "spmd/isa.h"

namespace tessera::api {
namespace {

Json texture_json(const TextureInfo& info, size_t level_count) {
  return Json::object({{"format", texture_format_name(info.format)},
                       {"block", block_size_name(info.block)},
                       {"srgb", info.srgb},
                       {"hdr", info.hdr},
                       {"width", info.width},
                       {"height", info.height},
                       {"depth", info.depth},
                       {"layers", info.layers},
                       {"faces", info.faces},
                       {"levels", level_count}});
}

// `source` is a texture or its index.
template <class Source>
void add_texture(const Source& source, Json& object) {
  object.update(texture_json(source.info, source.levels.size()));
  if (!source.made_with.empty()) {
    object.set("made_with", source.made_with);
  }
  if (!source.keys.empty()) {
    Json keys = Json::object({});
    for (const TextureKey& key : source.keys) {
      keys.set(shown_value(key.name), shown_value(key.value));
    }
    object.set("keys", std::move(keys));
  }
}

void add_stored(ByteSpan head, ContainerType container, Json& object) {
  if (auto facts = stored_facts(head, container)) {
    object.set("stored", std::move(*facts));
  }
}

Status describe_texture(const Texture& texture, ContainerType container, const std::string& name,
                        const DescribeRequest& request, const ReadBudget& budget, Json& object) {
  const Codec& codec = codec_of(texture.info.format);
  const std::string type(container_type_name(container).substr(1));
  if (codec.row().payload == PayloadKind::kWholeImage) {
    if (request.wants_blocks()) {
      return usage_error(name + " is a " + std::string(codec.name()) +
                         " image; only textures have blocks to explain");
    }
    object.set("kind", codec.name());
    object.set("type", type);
    TESSERA_ASSIGN_OR_RETURN(const Json description, codec.describe_image(texture, name, budget));
    object.update(description);
    return {};
  }
  object.set("kind", "texture");
  object.set("type", type);
  add_texture(texture, object);
  if (request.statistics) {
    TESSERA_ASSIGN_OR_RETURN(Json statistics, codec.describe_blocks(texture, name));
    object.set("blocks", std::move(statistics));
  }
  if (!request.block.empty()) {
    TESSERA_ASSIGN_OR_RETURN(Json block, codec.describe_block(texture, request.block, name));
    object.set("block_at", std::move(block));
  }
  return {};
}

Json picture_json(const ImageInfo& info, const std::string& type) {
  return Json::object({{"kind", "picture"},
                       {"type", type},
                       {"width", info.width},
                       {"height", info.height},
                       {"channels", info.channels},
                       {"samples", sample_type_name(info.sample)}});
}

Json begin_description(const char* path, uint64_t file_bytes) {
  return Json::object({{"file", text_or(path, display_name(path).c_str())}, {"bytes", file_bytes}});
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

// `made` is what becomes of its largest level, in bytes for each of its texels.
Result<Texture> read_checked_texture(ByteSpan bytes, const std::string& name,
                                     const ReadBudget& budget, uint64_t made) {
  TESSERA_ASSIGN_OR_RETURN(const TextureIndex index, read_texture_index(bytes, bytes.size(), name));
  const TextureInfo& info = index.info;
  const uint64_t slices = slice_count(info, 0);
  TESSERA_RETURN_IF_ERROR(budget.check_pixels(name, info.width, info.height, slices));
  return read_texture(bytes, name, budget, uint64_t{info.width} * info.height * slices * made);
}

Result<Texture> read_whole_texture(ByteSpan bytes, const char* given_name,
                                   const tessera_control* control, uint64_t made) {
  const std::string name = display_name(given_name);
  TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
  TESSERA_RETURN_IF_ERROR(check_cancelled(run));
  const ReadBudget budget(run.limits, run.cancelled);
  TESSERA_RETURN_IF_ERROR(budget.check_file(name, bytes.size()));
  return read_checked_texture(bytes, name, budget, made);
}

Json legend_json(const BlockMap& map, const TextureInfo& info) {
  std::vector<uint64_t> counts(map.names.size());
  for (const uint8_t kind : map.kinds) {
    ++counts[kind];
  }
  Json kinds = Json::Array();
  for (size_t i = 0; i < map.names.size(); ++i) {
    kinds.push_back(Json::object(
        {{"name", map.names[i].name}, {"color", map.names[i].color}, {"count", counts[i]}}));
  }
  return Json::object({{"across", map.across},
                       {"down", map.down},
                       {"block_width", uint32_t{info.block.width}},
                       {"block_height", uint32_t{info.block.height}},
                       {"kinds", std::move(kinds)}});
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

Result<Json> describe_bytes(ByteSpan bytes, const char* path, const DescribeRequest& request,
                            const ReadBudget& budget) {
  const std::string name = display_name(path);
  Json object = begin_description(path, bytes.size());
  if (const auto container = detect_container_type(bytes)) {
    TESSERA_ASSIGN_OR_RETURN(const Texture texture, read_checked_texture(bytes, name, budget, 0));
    TESSERA_RETURN_IF_ERROR(describe_texture(texture, *container, name, request, budget, object));
    add_stored(bytes, *container, object);
    return object;
  }
  if (request.wants_blocks()) {
    return usage_error(name + " is no texture, so it has no blocks");
  }
  TESSERA_ASSIGN_OR_RETURN(const PictureFile picture, decode_picture_file(bytes, name, budget));
  object.update(picture_json(picture.image.info(), picture.type));
  return object;
}

Result<Json> describe_head(ByteSpan head, uint64_t file_bytes, const char* path) {
  const std::string name = display_name(path);
  Json object = begin_description(path, file_bytes);
  const auto container = detect_container_type(head);
  if (!container) {
    TESSERA_ASSIGN_OR_RETURN(const PictureHeader picture,
                             read_picture_header(head, file_bytes, name));
    object.update(picture_json(picture.info, picture.type));
    if (picture.levels > 1) {
      object.set("levels", picture.levels);
    }
    return object;
  }
  TESSERA_ASSIGN_OR_RETURN(const TextureIndex index, read_texture_index(head, file_bytes, name));
  const Codec& codec = codec_of(index.info.format);
  const bool is_image = codec.row().payload == PayloadKind::kWholeImage;
  object.set("kind", is_image ? codec.name() : "texture");
  object.set("type", std::string(container_type_name(*container).substr(1)));
  if (is_image) {
    TESSERA_ASSIGN_OR_RETURN(const Json header, codec.describe_image_header(head, name));
    object.update(header);
  } else {
    add_texture(index, object);
    add_stored(head, *container, object);
  }
  return object;
}

}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_describe(const void* data, size_t size, const char* name, int statistics,
                                const char* block, tessera_buffer** json, tessera_error* error) {
  return tessera_describe_limited(data, size, name, statistics, block, nullptr, json, error);
}

tessera_status tessera_describe_limited(const void* data, size_t size, const char* name,
                                        int statistics, const char* block,
                                        const tessera_control* control, tessera_buffer** json,
                                        tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(json, "json"));
    *json = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(data, "data"));
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    TESSERA_RETURN_IF_ERROR(check_cancelled(run));
    const ReadBudget budget(run.limits, run.cancelled);
    TESSERA_RETURN_IF_ERROR(budget.check_file(display_name(name), size));
    TESSERA_ASSIGN_OR_RETURN(const Json description,
                             describe_bytes({static_cast<const uint8_t*>(data), size}, name,
                                            {statistics != 0, text_or(block, "")}, budget));
    give_text(description.text(), json);
    return {};
  });
}

tessera_status tessera_map_blocks(const void* data, size_t size, const char* name,
                                  tessera_buffer** kinds, tessera_buffer** legend,
                                  tessera_error* error) {
  return tessera_map_blocks_limited(data, size, name, nullptr, kinds, legend, error);
}

tessera_status tessera_map_blocks_limited(const void* data, size_t size, const char* name,
                                          const tessera_control* control, tessera_buffer** kinds,
                                          tessera_buffer** legend, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(kinds, "kinds"));
    TESSERA_RETURN_IF_ERROR(check_not_null(legend, "legend"));
    *kinds = nullptr;
    *legend = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(data, "data"));
    constexpr uint64_t kMade = 1;  // byte for each texel: at most two for each block
    TESSERA_ASSIGN_OR_RETURN(
        const Texture texture,
        read_whole_texture({static_cast<const uint8_t*>(data), size}, name, control, kMade));
    TESSERA_ASSIGN_OR_RETURN(const BlockMap map,
                             codec_of(texture.info.format).map_blocks(texture, display_name(name)));
    give_text(legend_json(map, texture.info).text(), legend);
    give_bytes(Bytes(map.kinds.begin(), map.kinds.end()), kinds);
    return {};
  });
}

tessera_status tessera_list_leaves(const void* data, size_t size, const char* name,
                                   tessera_buffer** json, tessera_error* error) {
  return tessera_list_leaves_limited(data, size, name, nullptr, json, error);
}

tessera_status tessera_list_leaves_limited(const void* data, size_t size, const char* name,
                                           const tessera_control* control, tessera_buffer** json,
                                           tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(json, "json"));
    *json = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(data, "data"));
    constexpr uint64_t kMade = 96;  // bytes: 1.5 kB as objects and text for a leaf of 4x4 texels
    TESSERA_ASSIGN_OR_RETURN(
        const Texture texture,
        read_whole_texture({static_cast<const uint8_t*>(data), size}, name, control, kMade));
    TESSERA_ASSIGN_OR_RETURN(const Json leaves,
                             codec_of(texture.info.format).list_parts(texture, display_name(name)));
    give_text(leaves.text(), json);
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
