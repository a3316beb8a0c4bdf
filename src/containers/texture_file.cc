#include "containers/texture_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <new>

#include "containers/astc_file.h"

namespace tessera {
namespace {

struct Container {
  ContainerType type;
  std::string_view extension;
  bool (*looks_like)(ByteSpan);
  Result<Texture> (*read)(ByteSpan, const std::string&);
  bool holds_bc1;
  bool holds_astc;
  bool holds_mips;
};

constexpr std::array<Container, 3> kContainers = {{
    {ContainerType::kDds, ".dds", is_dds_file, read_dds_file, true, false, true},
    {ContainerType::kAstc, ".astc", is_astc_file, read_astc_file, false, true, false},
    {ContainerType::kKtx2, ".ktx2", is_ktx2_file, read_ktx2_file, true, true, true},
}};

const Container& container_of(ContainerType type) {
  return *std::find_if(kContainers.begin(), kContainers.end(),
                       [&](const Container& container) { return container.type == type; });
}

bool holds_format(const Container& container, TextureFormat format) {
  switch (format) {
    case TextureFormat::kBc1:
      return container.holds_bc1;
    case TextureFormat::kAstc:
      return container.holds_astc;
  }
  return false;
}

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         std::equal(ending.begin(), ending.end(),
                    text.end() - static_cast<ptrdiff_t>(ending.size()),
                    [](unsigned char a, unsigned char b) { return a == std::tolower(b); });
}

Result<Bytes> write_as(const Texture& texture, ContainerType type,
                       const ContainerOptions& options) {
  switch (type) {
    case ContainerType::kDds:
      return write_dds_file(texture, options.dds_header);
    case ContainerType::kAstc:
      return write_astc_file(texture);
    case ContainerType::kKtx2:
      return write_ktx2_file(texture, {options.zstd, options.zstd_level});
  }
  return failed_error("unknown type of texture file");
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

Status check_container(ContainerType type, TextureFormat format, bool mips) {
  const Container& container = container_of(type);
  if (!holds_format(container, format)) {
    return unsupported_error(std::string(container.extension) + " files cannot hold " +
                             std::string(texture_format_name(format)));
  }
  if (mips && !container.holds_mips) {
    return unsupported_error(std::string(container.extension) + " files cannot hold mip levels");
  }
  return {};
}

Result<Texture> read_texture(ByteSpan bytes, const std::string& name) {
  const auto type = detect_container_type(bytes);
  if (!type) {
    return invalid_error(name + " is not a .dds, .astc or .ktx2 file");
  }
  try {
    return container_of(*type).read(bytes, name);
  } catch (const std::bad_alloc&) {
    return failed_error("not enough memory to read " + name);
  }
}

Result<Bytes> write_texture(const Texture& texture, ContainerType type,
                            const ContainerOptions& options) {
  try {
    return write_as(texture, type, options);
  } catch (const std::bad_alloc&) {
    return failed_error("not enough memory to write a " + std::string(container_type_name(type)) +
                        " file");
  }
}

}  // namespace tessera
