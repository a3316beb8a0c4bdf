// All containers behind one pair of calls.
#include "containers/texture_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <new>

#include "containers/astc_file.h"
#include "containers/ktx2_keys.h"
#include "containers/ktx_file.h"
#include "containers/tsf_file.h"

namespace tessera {
namespace {

struct Container {
  ContainerType type;
  std::string_view extension;
  bool (*looks_like)(ByteSpan);
  Result<TextureIndex> (*read_index)(ByteSpan head, uint64_t file_bytes, const std::string& name);
  Result<LargeBytes> (*write)(const Texture&, const ContainerOptions&);
  bool holds_mips;
  bool holds_layers;
  bool holds_keys;
};

Result<LargeBytes> write_dds(const Texture& texture, const ContainerOptions& options) {
  return write_dds_file(texture, options.dds_header);
}
Result<LargeBytes> write_astc(const Texture& texture, const ContainerOptions& /*options*/) {
  return write_astc_file(texture);
}
Result<LargeBytes> write_ktx2(const Texture& texture, const ContainerOptions& options) {
  return write_ktx2_file(texture, {options.zstd, options.zstd_level, options.made_with,
                                   options.keys, options.orientation});
}
Result<LargeBytes> write_tsf(const Texture& texture, const ContainerOptions& /*options*/) {
  return write_tsf_texture(texture);
}

Result<LargeBytes> write_ktx(const Texture& texture, const ContainerOptions& options) {
  return write_ktx_file(texture,
                        keys_with_orientation(texture.info, options.keys, options.orientation));
}

constexpr std::array<Container, 5> kContainers = {{
    {ContainerType::kDds, ".dds", is_dds_file, read_dds_index, write_dds, true, true, false},
    {ContainerType::kAstc, ".astc", is_astc_file, read_astc_index, write_astc, false, false, false},
    {ContainerType::kKtx2, ".ktx2", is_ktx2_texture, read_ktx2_index, write_ktx2, true, true, true},
    {ContainerType::kTsf, ".tsf", fractal::looks_like_tsf, read_tsf_index, write_tsf, false, false,
     false},
    {ContainerType::kKtx, ".ktx", is_ktx_file, read_ktx_index, write_ktx, true, true, true},
}};

const Container& container_of(ContainerType type) {
  return *std::find_if(kContainers.begin(), kContainers.end(),
                       [&](const Container& container) { return container.type == type; });
}

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         std::equal(ending.begin(), ending.end(),
                    text.end() - static_cast<ptrdiff_t>(ending.size()),
                    [](unsigned char a, unsigned char b) { return a == std::tolower(b); });
}

// ".dds or .ktx2"
std::string containers_of(const FormatRow& row) {
  std::string names;
  for (const ContainerType type : row.containers) {
    names += (names.empty() ? "" : " or ") + std::string(container_of(type).extension);
  }
  return names;
}

}  // namespace

std::string_view container_type_name(ContainerType type) {
  return container_of(type).extension;
}

std::optional<ContainerType> detect_container_type(ByteSpan bytes) {
  for (const Container& container : kContainers) {
    if (container.looks_like(bytes)) {
      return container.type;
    }
  }
  return std::nullopt;
}

std::optional<ContainerType> container_type_of_name(std::string_view path) {
  for (const Container& container : kContainers) {
    if (ends_with_ignoring_case(path, container.extension)) {
      return container.type;
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> container_extensions() {
  std::vector<std::string_view> extensions;
  extensions.reserve(std::size(kContainers));
  for (const Container& container : kContainers) {
    extensions.push_back(container.extension);
  }
  return extensions;
}

std::string all_container_names() {
  std::string names;
  for (const Container& container : kContainers) {
    names += (names.empty() ? "" : ", ") + std::string(container.extension);
  }
  return names;
}

const FormatRow* usual_format_of(ContainerType type) {
  // .ktx2 and .ktx files are no format's own: what they usually hold is what devices of all kinds
  // read.
  const bool is_shared = type == ContainerType::kKtx2 || type == ContainerType::kKtx;
  const ContainerType of = is_shared ? ContainerType::kAstc : type;
  for (const FormatRow& row : format_table()) {
    if (row.default_container == of) {
      return &row;
    }
  }
  return nullptr;
}

Status check_container(ContainerType type, TextureFormat format, bool mips) {
  const Container& container = container_of(type);
  const FormatRow& row = format_row(format);
  if (!row.is_held_by(type)) {
    return unsupported_error(std::string(container.extension) + " files cannot hold " +
                             std::string(row.name) + ", which goes into " + containers_of(row) +
                             " files");
  }
  if (mips && !container.holds_mips) {
    return unsupported_error(std::string(container.extension) + " files cannot hold mip levels");
  }
  return {};
}

Status check_holds_layers(ContainerType type) {
  const Container& container = container_of(type);
  return container.holds_layers ? Status()
                                : unsupported_error(std::string(container.extension) +
                                                    " files cannot hold arrays or cube maps, which "
                                                    "go into .ktx2, .dds or .ktx files");
}

bool holds_keys(ContainerType type) {
  return container_of(type).holds_keys;
}

Result<TextureIndex> read_texture_index(ByteSpan head, uint64_t file_bytes,
                                        const std::string& name) {
  const auto type = detect_container_type(head);
  if (!type) {
    return invalid_error(name + " is not a texture file (" + all_container_names() + ")");
  }
  return container_of(*type).read_index(head, file_bytes, name);
}

Result<Texture> read_texture(ByteSpan bytes, const std::string& name, const ReadBudget& budget,
                             uint64_t made) {
  TESSERA_ASSIGN_OR_RETURN(const TextureIndex index, read_texture_index(bytes, bytes.size(), name));
  if (detect_container_type(bytes) == ContainerType::kTsf) {
    TESSERA_RETURN_IF_ERROR(fractal::read_tsf(bytes, name));
  }
  try {
    return read_all_levels(bytes, index, name, budget, made);
  } catch (const std::bad_alloc&) {
    return failed_error("not enough memory to read " + name);
  }
}

Result<LargeBytes> write_texture(const Texture& texture, ContainerType type,
                                 const ContainerOptions& options) {
  try {
    return container_of(type).write(texture, options);
  } catch (const std::bad_alloc&) {
    return failed_error("not enough memory to write a " + std::string(container_type_name(type)) +
                        " file");
  }
}

}  // namespace tessera
