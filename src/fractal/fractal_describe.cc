// Describes fractal images: how they were made, and how many leaves of each kind and size they
// have.
#include "fractal/fractal_describe.h"

#include "containers/tsf_file.h"
#include "fractal/fractal_image.h"

namespace tessera {

Result<Json> describe_fractal_header(ByteSpan head, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const fractal::TsfHeader header, fractal::read_tsf_header(head, name));
  const bool paper = header.coder == fractal::CoderKind::kPaper;
  Json object = Json::object({{"coder", paper ? "paper" : "tessera"},
                              {"width", header.width},
                              {"height", header.height},
                              {"channels", header.channels},
                              {"iterations", header.iterations},
                              {"tiles", uint64_t{header.tiles_across()} * header.tiles_down()}});
  if (paper) {
    object.set("depth", header.quality);
  } else {
    object.set("quality", header.quality);
    object.set("hybrid", header.hybrid);
    object.set("deblocking", header.deblocking);
  }
  return object;
}

Result<Json> describe_fractal_image(ByteSpan bytes, const std::string& name,
                                    const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(Json object, describe_fractal_header(bytes, name));
  TESSERA_ASSIGN_OR_RETURN(const fractal::LeafStatistics statistics,
                           fractal::leaf_statistics(bytes, name, budget));
  constexpr const char* kKinds[] = {"flat", "fractal", "dct"};
  Json leaves;
  for (size_t kind = 0; kind < 3; ++kind) {
    Json sizes;
    for (size_t log2 = 0; log2 < 16; ++log2) {
      if (statistics.count[kind][log2] > 0) {
        sizes.set(std::to_string(1U << log2), statistics.count[kind][log2]);
      }
    }
    leaves.set(kKinds[kind], std::move(sizes));
  }
  object.set("leaves", std::move(leaves));
  return object;
}

Result<Json> list_fractal_leaves(ByteSpan bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const std::vector<fractal::PlaneLeaves> planes,
                           fractal::read_leaves(bytes, name));
  constexpr const char* kKinds[] = {"flat", "fractal", "dct"};
  Json leaves = Json::Array();
  for (const fractal::PlaneLeaves& plane : planes) {
    // Planes of colour differences have half the size, and domains lie in an image of half of that.
    const uint32_t step = plane.plane > 0 ? 2 : 1;
    for (const fractal::Leaf& leaf : plane.list.leaves) {
      Json object = Json::object({{"plane", plane.plane},
                                  {"x", plane.tile_x + leaf.x * step},
                                  {"y", plane.tile_y + leaf.y * step},
                                  {"side", leaf.side() * step},
                                  {"kind", kKinds[static_cast<size_t>(leaf.kind)]}});
      if (leaf.kind == fractal::LeafKind::kFractal) {
        object.set("domain_x", plane.tile_x + leaf.domain_x * step * 2);
        object.set("domain_y", plane.tile_y + leaf.domain_y * step * 2);
        object.set("domain_side", leaf.side() * step * 2);
        object.set("isometry", uint32_t{leaf.isometry});
        object.set("scale", static_cast<double>(leaf.scale) / fractal::kScaleUnit);
      }
      leaves.push_back(std::move(object));
    }
  }
  return leaves;
}

}  // namespace tessera
