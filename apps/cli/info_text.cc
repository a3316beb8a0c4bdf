// Prints what the library says about a file, its blocks or its leaves.
#include "info_text.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "client.h"

namespace tessera::cli {
namespace {

using Count = unsigned long long;

std::string text_of(const Json& object, const char* key) {
  return printable(object[key].get<std::string>());
}

Count count_of(const Json& value) {
  return value.get<uint64_t>();
}

void print_counts(const Json& statistics) {
  const double blocks = std::max(1.0, statistics["blocks"].get<double>());
  for (const auto& [key, value] : statistics.items()) {
    if (value.is_number()) {
      std::printf("  %-14s %10llu  %5.1f %%\n", key.c_str(), count_of(value),
                  100 * value.get<double>() / blocks);
      continue;
    }
    std::printf("  %s\n", key.c_str());
    for (const auto& [name, count] : value.items()) {
      std::printf("    %-28s %10llu  %5.1f %%\n", name.c_str(), count_of(count),
                  100 * count.get<double>() / blocks);
    }
  }
}

void print_weighted_block(const Json& block) {
  const std::string pattern =
      block.contains("partition_seed") ? " (pattern " + block["partition_seed"].dump() + ")" : "";
  const std::string planes =
      block["planes"] == 1 ? "one plane"
                           : "two planes (the second for " + text_of(block, "second_plane") + ")";
  std::printf("%u partition%s%s, a grid of %s weights with %u levels, %s, colours with %u levels\n",
              block["partitions"].get<unsigned>(), block["partitions"] == 1 ? "" : "s",
              pattern.c_str(), text_of(block, "grid").c_str(),
              block["weight_levels"].get<unsigned>(), planes.c_str(),
              block["color_levels"].get<unsigned>());
  for (const Json& mode : block["endpoint_modes"]) {
    std::printf("    endpoints: mode %u, %s\n", mode["number"].get<unsigned>(),
                text_of(mode, "name").c_str());
  }
  std::printf("    colour codes: %s\n    weight codes: %s\n", block["color_codes"].dump().c_str(),
              block["weight_codes"].dump().c_str());
}

void print_block(const Json& block) {
  std::printf("  block %llu,%llu,%llu (%s): ", count_of(block["x"]), count_of(block["y"]),
              count_of(block["z"]), text_of(block, "bytes").c_str());
  if (block["kind"] == "illegal") {
    std::printf("not a legal block; it decodes to the error colour\n");
  } else if (block["kind"] == "void extent") {
    std::printf("one colour, %s, as four %s\n", block["color"].dump().c_str(),
                block["hdr"] ? "half floats (bits)" : "16-bit numbers");
  } else {
    print_weighted_block(block);
  }
}

void print_fractal(const Json& object) {
  std::printf("%s: fractal image, %ux%u, %s, %s coder, %u passes, %llu tile%s, %llu bytes\n",
              text_of(object, "file").c_str(), object["width"].get<uint32_t>(),
              object["height"].get<uint32_t>(), object["channels"] == 1 ? "grey" : "colour",
              object["coder"] == "paper" ? "the paper's" : "our",
              object["iterations"].get<uint32_t>(), count_of(object["tiles"]),
              object["tiles"] == 1 ? "" : "s", count_of(object["bytes"]));
  if (!object.contains("leaves")) {
    return;
  }
  for (const auto& [kind, sizes] : object["leaves"].items()) {
    std::printf("  %s leaves:", kind.c_str());
    for (const auto& [side, count] : sizes.items()) {
      std::printf(" %llu of %sx%s", count_of(count), side.c_str(), side.c_str());
    }
    std::printf("\n");
  }
}

// The numbers of the file's header.
void print_stored(const Json& stored) {
  if (stored.contains("four_cc")) {
    std::printf("  FourCC %s", text_of(stored, "four_cc").c_str());
    if (stored.contains("dxgi_format")) {
      std::printf(", DXGI format %llu", count_of(stored["dxgi_format"]));
    }
    std::printf("\n");
    return;
  }
  if (stored.contains("gl_internal_format")) {
    std::printf("  OpenGL format %llu, %s-endian, %llu bytes of texts\n",
                count_of(stored["gl_internal_format"]), text_of(stored, "byte_order").c_str(),
                count_of(stored["key_value_bytes"]));
    return;
  }
  const Json& descriptor = stored["descriptor"];
  std::printf("  VkFormat %llu, supercompression %s", count_of(stored["vk_format"]),
              text_of(stored, "supercompression").c_str());
  if (descriptor.contains("transfer")) {
    std::printf(", descriptor: model %llu, primaries %llu, transfer %llu, flags %llu",
                count_of(descriptor["color_model"]), count_of(descriptor["primaries"]),
                count_of(descriptor["transfer"]), count_of(descriptor["flags"]));
  }
  std::printf("\n");
  unsigned number = 0;
  for (const Json& level : stored["level_table"]) {
    std::printf("  level %u: %llu bytes at %llu", number++, count_of(level["bytes"]),
                count_of(level["offset"]));
    if (level["bytes"] != level["unpacked_bytes"]) {
      std::printf(", %llu unpacked", count_of(level["unpacked_bytes"]));
    }
    std::printf("\n");
  }
}

}  // namespace

void print_description(const Json& object, bool with_header) {
  if (object["kind"] == "fractal") {
    print_fractal(object);
    return;
  }
  std::printf("%s: %s %s, %ux%u", text_of(object, "file").c_str(), text_of(object, "type").c_str(),
              text_of(object, "kind").c_str(), object["width"].get<uint32_t>(),
              object["height"].get<uint32_t>());
  const uint32_t depth = object.value("depth", 1U);
  const uint32_t layers = object.value("layers", 1U);
  if (depth > 1) {
    std::printf("x%u", depth);
  }
  std::printf("%s", layers_text(layers, object.value("faces", 1U)).c_str());
  if (object["kind"] == "texture") {
    std::printf(", %s %s%s%s, %llu mip level%s", text_of(object, "format").c_str(),
                text_of(object, "block").c_str(), object["srgb"] ? " sRGB" : "",
                object["hdr"] ? " HDR" : "", count_of(object["levels"]),
                object["levels"] == 1 ? "" : "s");
  } else {
    std::printf(", %u channel%s, %s", object["channels"].get<uint32_t>(),
                object["channels"] == 1 ? "" : "s", text_of(object, "samples").c_str());
  }
  std::printf(", %llu bytes\n", count_of(object["bytes"]));
  if (with_header && object.contains("stored")) {
    print_stored(object["stored"]);
  }
  if (object.contains("made_with")) {
    std::printf("  made with %s\n", text_of(object, "made_with").c_str());
  }
  if (object.contains("keys")) {
    for (const auto& [name, value] : object["keys"].items()) {
      std::printf("  %s: %s\n", printable(name).c_str(),
                  printable(value.get<std::string>()).c_str());
    }
  }
  if (object.contains("blocks")) {
    print_counts(object["blocks"]);
  }
  if (object.contains("block_at")) {
    print_block(object["block_at"]);
  }
}

}  // namespace tessera::cli
