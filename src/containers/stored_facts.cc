// Reads the numbers of headers again, without judging them.
#include "containers/stored_facts.h"

#include <algorithm>
#include <string>

#include "containers/dds_header.h"
#include "containers/dds_numbers.h"
#include "containers/ktx2_header.h"
#include "containers/ktx_header.h"

namespace tessera {
namespace {

std::string scheme_name(uint32_t scheme) {
  constexpr const char* kNames[] = {"none", "BasisLZ", "zstd", "zlib"};
  return scheme < std::size(kNames) ? kNames[scheme] : "scheme " + std::to_string(scheme);
}

// The basic block of the data format descriptor: its colour model, primaries, transfer function and
// flags are a byte each, behind the total size and two words.
Json descriptor_json(ByteSpan head, const ktx2::Section& section) {
  constexpr size_t kFirstByte = 12;
  Json object = Json::object({{"offset", section.offset}, {"bytes", section.length}});
  if (section.length >= kFirstByte + 4 && section.offset <= head.size() &&
      head.size() - section.offset >= kFirstByte + 4) {
    const uint8_t* const bytes = head.data() + section.offset + kFirstByte;
    object.set("color_model", uint32_t{bytes[0]});
    object.set("primaries", uint32_t{bytes[1]});
    object.set("transfer", uint32_t{bytes[2]});
    object.set("flags", uint32_t{bytes[3]});
  }
  return object;
}

Json ktx2_facts(ByteSpan head) {
  constexpr uint32_t kMostLevels = 32;
  ByteReader reader(head);
  const ktx2::Header header = ktx2::read_header(reader);
  Json object = Json::object({{"vk_format", header.vk_format},
                              {"type_size", header.type_size},
                              {"supercompression", scheme_name(header.scheme)},
                              {"descriptor", descriptor_json(head, header.descriptor)}});
  Json levels = Json::Array();
  for (const ktx2::Level& level :
       ktx2::read_level_index(reader, std::clamp(header.levels, 1U, kMostLevels))) {
    levels.push_back(Json::object({{"offset", level.section.offset},
                                   {"bytes", level.section.length},
                                   {"unpacked_bytes", level.uncompressed_length}}));
  }
  object.set("level_table", std::move(levels));
  return object;
}

Json ktx_facts(ByteSpan head) {
  ByteReader reader(head);
  reader.skip(ktx::kIdentifier.size());
  const ktx::Header header = ktx::read_header(reader);
  return Json::object({{"gl_internal_format", header.internal_format},
                       {"gl_base_format", header.base_format},
                       {"byte_order", header.is_swapped() ? "big" : "little"},
                       {"key_value_bytes", header.key_value_bytes}});
}

Json dds_facts(ByteSpan head) {
  ByteReader reader(head);
  reader.skip(4);  // the magic number
  const dds::Header header = dds::read_header(reader);
  std::string code;
  for (unsigned i = 0; i < 4; ++i) {
    code += static_cast<char>(header.pixel_format_code >> (8 * i) & 0x7F);
  }
  Json object = Json::object({{"four_cc", code}});
  if (code == "DX10") {
    object.set("dxgi_format", reader.read<uint32_t>());
  }
  return object;
}

}  // namespace

std::optional<Json> stored_facts(ByteSpan head, ContainerType type) {
  switch (type) {
    case ContainerType::kKtx2:
      return ktx2_facts(head);
    case ContainerType::kKtx:
      return ktx_facts(head);
    case ContainerType::kDds:
      return dds_facts(head);
    default:
      return std::nullopt;
  }
}

}  // namespace tessera
