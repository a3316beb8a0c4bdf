// Any container in and out: the type of an input is told by its content, that of an output by its
// name's extension.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "containers/dds_file.h"
#include "containers/ktx2_file.h"
#include "containers/stored_level.h"
#include "containers/texture.h"

namespace tessera {

std::string_view container_type_name(ContainerType type);  // ".dds", ".astc", ".ktx2", ".tsf"

std::optional<ContainerType> detect_container_type(ByteSpan bytes);
std::optional<ContainerType> container_type_of_name(std::string_view path);

// ".dds" and the others.
std::vector<std::string_view> container_extensions();
// ".dds, .astc, .ktx2, .tsf"
std::string all_container_names();
// The format that files with this extension usually hold, where only the output is named; nullptr
// where there is no usual one.
const FormatRow* usual_format_of(ContainerType type);

// Whether a container can hold a format, with mip levels or without.
Status check_container(ContainerType type, TextureFormat format, bool mips);
// Whether it can hold arrays and cube maps.
Status check_holds_layers(ContainerType type);
// Whether it can hold texts, and say which side of the texture is up.
bool holds_keys(ContainerType type);

struct ContainerOptions {
  DdsHeader dds_header = DdsHeader::kAuto;
  bool zstd = false;  // .ktx2: compress the levels once more
  int zstd_level = kDefaultZstdLevel;
  std::string made_with = {};         // .ktx2: the settings, for people; empty: not said
  std::vector<TextureKey> keys = {};  // .ktx2, .ktx: texts of the user's
  std::string orientation = {};       // .ktx2, .ktx: "rd" or "ru"; empty: not said
};

// All that the headers of a file of `file_bytes` tell. `head` is its beginning: at least
// kTextureHeadBytes, or all of it.
Result<TextureIndex> read_texture_index(ByteSpan head, uint64_t file_bytes,
                                        const std::string& name);
// With all levels. `made` is what the caller makes of it, in bytes.
Result<Texture> read_texture(ByteSpan bytes, const std::string& name, const ReadBudget& budget = {},
                             uint64_t made = 0);
Result<LargeBytes> write_texture(const Texture& texture, ContainerType type,
                                 const ContainerOptions& options = {});

}  // namespace tessera
