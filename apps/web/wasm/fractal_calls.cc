// What fractal images are made of: all leaves of their quadtrees.
#include <array>
#include <cstring>

#include "containers/tsf_file.h"
#include "fractal/fractal_image.h"
#include "reply.h"

namespace tessera::web {
namespace {

// Of a leaf, as 32-bit numbers; positions are in pixels of the picture, scales in 1/kScaleUnit and
// means in 1/kSampleUnit.
using LeafRecord = std::array<int32_t, 10>;

LeafRecord record_of(const fractal::PlaneLeaves& plane, const fractal::Leaf& leaf) {
  const uint32_t step = plane.plane > 0 ? 2 : 1;  // planes of colour differences have half the size
  const bool is_fractal = leaf.kind == fractal::LeafKind::kFractal;
  const uint32_t side = leaf.side() * step;
  const auto number = [](uint32_t value) { return static_cast<int32_t>(value); };
  // Domains lie in the half-resolution image.
  return {number(plane.plane),
          number(plane.tile_x + leaf.x * step),
          number(plane.tile_y + leaf.y * step),
          number(side),
          number(static_cast<uint32_t>(leaf.kind)),
          is_fractal ? number(plane.tile_x + leaf.domain_x * step * 2) : 0,
          is_fractal ? number(plane.tile_y + leaf.domain_y * step * 2) : 0,
          leaf.isometry,
          leaf.scale,
          leaf.mean};
}

Status list_leaves(ByteSpan bytes) {
  const std::string name = "the file";
  TESSERA_ASSIGN_OR_RETURN(const fractal::TsfFile file, fractal::read_tsf(bytes, name));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<fractal::PlaneLeaves> planes,
                           fractal::read_leaves(bytes, name));
  size_t count = 0;
  for (const fractal::PlaneLeaves& plane : planes) {
    count += plane.list.leaves.size();
  }
  reply().bytes.resize(count * sizeof(LeafRecord));
  uint8_t* out = reply().bytes.data();
  for (const fractal::PlaneLeaves& plane : planes) {
    for (const fractal::Leaf& leaf : plane.list.leaves) {
      const LeafRecord record = record_of(plane, leaf);
      std::memcpy(out, record.data(), sizeof record);
      out += sizeof record;
    }
  }
  const bool paper = file.header.coder == fractal::CoderKind::kPaper;
  reply_with(Json::object({{"coder", paper ? "paper" : "tessera"},
                           {"planeCount", file.header.channels},
                           {"quality", file.header.quality},
                           {"passes", file.header.iterations},
                           {"leafCount", count},
                           {"scaleUnit", fractal::kScaleUnit},
                           {"sampleUnit", fractal::kSampleUnit}}));
  return {};
}

}  // namespace
}  // namespace tessera::web

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::web;  // NOLINT(google-build-using-namespace)

TESSERA_EXPORT(tessera_web_fractal_leaves)
int32_t tessera_web_fractal_leaves(const uint8_t* bytes, uint32_t size) {
  return serve([&]() -> Status { return list_leaves({bytes, size}); });
}
