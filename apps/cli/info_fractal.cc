// What a fractal image (.tsf) is made of.
#include "info_fractal.h"

#include <cstdio>

#include "fractal/fractal_image.h"

namespace tessera::cli {

Result<Json> describe_fractal(ByteSpan bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const fractal::TsfFile file, fractal::read_tsf(bytes, name));
  TESSERA_ASSIGN_OR_RETURN(const fractal::LeafStatistics statistics,
                           fractal::leaf_statistics(bytes, name));
  const fractal::TsfHeader& header = file.header;
  const bool paper = header.coder == fractal::CoderKind::kPaper;
  Json object = {{"kind", "fractal"},
                 {"type", "tsf"},
                 {"coder", paper ? "paper" : "tessera"},
                 {"width", header.width},
                 {"height", header.height},
                 {"channels", header.channels},
                 {"iterations", header.iterations},
                 {"tiles", file.tiles.size()}};
  if (paper) {
    object["depth"] = header.quality;
  } else {
    object["quality"] = header.quality;
    object["hybrid"] = header.hybrid;
    object["deblocking"] = header.deblocking;
  }
  constexpr const char* kKinds[] = {"flat", "fractal", "dct"};
  for (size_t kind = 0; kind < 3; ++kind) {
    Json sizes = Json::object();
    for (size_t log2 = 0; log2 < 16; ++log2) {
      if (statistics.count[kind][log2] > 0) {
        sizes[std::to_string(1u << log2)] = statistics.count[kind][log2];
      }
    }
    object["leaves"][kKinds[kind]] = std::move(sizes);
  }
  return object;
}

void print_fractal(const Json& object) {
  std::printf("%s: fractal image, %ux%u, %s, %s coder, %u passes, %zu tile%s, %zu bytes\n",
              object["file"].get<std::string>().c_str(), object["width"].get<uint32_t>(),
              object["height"].get<uint32_t>(), object["channels"] == 1 ? "grey" : "colour",
              object["coder"] == "paper" ? "the paper's" : "our",
              object["iterations"].get<uint32_t>(), object["tiles"].get<size_t>(),
              object["tiles"] == 1 ? "" : "s", object["bytes"].get<size_t>());
  for (const char* kind : {"flat", "fractal", "dct"}) {
    std::printf("  %s leaves:", kind);
    for (const auto& [side, count] : object["leaves"][kind].items()) {
      std::printf(" %lu of %sx%s", static_cast<unsigned long>(count.get<uint64_t>()), side.c_str(),
                  side.c_str());
    }
    std::printf("\n");
  }
}

}  // namespace tessera::cli
