#include "containers/texture_file.h"

#include <algorithm>
#include <cctype>

#include "containers/astc_file.h"

namespace tessera {
namespace {

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         std::equal(ending.begin(), ending.end(),
                    text.end() - static_cast<ptrdiff_t>(ending.size()),
                    [](unsigned char a, unsigned char b) { return a == std::tolower(b); });
}

}  // namespace

std::string_view container_type_name(ContainerType type) {
  return type == ContainerType::kDds ? ".dds" : ".astc";
}

std::optional<ContainerType> detect_container_type(ByteSpan bytes) {
  if (is_dds_file(bytes)) {
    return ContainerType::kDds;
  }
  if (is_astc_file(bytes)) {
    return ContainerType::kAstc;
  }
  return std::nullopt;
}

std::optional<ContainerType> container_type_of_name(std::string_view path) {
  for (const ContainerType type : {ContainerType::kDds, ContainerType::kAstc}) {
    if (ends_with_ignoring_case(path, container_type_name(type))) {
      return type;
    }
  }
  return std::nullopt;
}

Status check_container(ContainerType type, TextureFormat format, bool mips) {
  const TextureFormat held =
      type == ContainerType::kDds ? TextureFormat::kBc1 : TextureFormat::kAstc;
  if (format != held) {
    return unsupported_error(std::string(container_type_name(type)) + " files cannot hold " +
                             std::string(texture_format_name(format)));
  }
  if (mips && type == ContainerType::kAstc) {
    return unsupported_error(".astc files cannot hold mip levels");
  }
  return {};
}

Result<Texture> read_texture(ByteSpan bytes, const std::string& name) {
  const auto type = detect_container_type(bytes);
  if (!type) {
    return invalid_error(name + " is not a .dds or .astc file");
  }
  return *type == ContainerType::kDds ? read_dds_file(bytes, name) : read_astc_file(bytes, name);
}

Result<Bytes> write_texture(const Texture& texture, ContainerType type,
                            const ContainerOptions& options) {
  return type == ContainerType::kDds ? write_dds_file(texture, options.dds_header)
                                     : write_astc_file(texture);
}

}  // namespace tessera
