// The paper's coder: a grey square, split by a threshold, every block from a domain of twice the
// side among non-overlapping ones.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "fractal/device_search.h"
#include "fractal/leaf.h"
#include "fractal/paper_search.h"
#include "fractal/parallel.h"
#include "fractal/plane.h"
#include "fractal/shared_loop.h"

namespace tessera::fractal {

struct PaperSettings {
  SearchKernel kernel = SearchKernel::kSimd;
  RotationSet rotations = RotationSet::kAll;
  double epsilon = 300.0;  // accepted mean squared error, 0–255 scale
  uint32_t depth = 7;      // blocks of this depth are accepted in any case
};

// One block of the quadtree that was not split.
struct PaperTransform {
  BlockPosition range;
  uint32_t side = 0;
  uint32_t mean = 0;        // of the range's pixels, rounded
  BlockPosition domain_at;  // in the half-resolution plane
  BlockMatch match;
};

struct PaperLevel {
  uint32_t side = 0;
  size_t ranges = 0;   // searched at this depth
  size_t domains = 0;  // each of them compared with
};

struct PaperEncoding {
  std::vector<PaperTransform> transforms;
  std::vector<PaperLevel> levels;  // the work that was done
};

// kUnsupported for images that are no squares with a power of two as side, kUsage for a depth that
// makes blocks of less than 4x4.
Status check_paper_settings(uint32_t width, uint32_t height, const PaperSettings& settings);

// With `shared`, range blocks are searched by several processes; with `device`, by that, whichever
// kernel the settings name.
Result<PaperEncoding> encode_paper(const Plane<uint8_t>& image, const PaperSettings& settings,
                                   const ParallelFor& parallel, SharedLoop* shared = nullptr,
                                   OptionalDevice* device = nullptr);

// The transforms as a stream, and back as leaves for the decoder.
Bytes write_paper_stream(const PaperEncoding& encoding, uint32_t side, uint32_t depth);
Result<LeafList> read_paper_stream(ByteSpan stream, uint32_t side, uint32_t depth,
                                   const std::string& name);

}  // namespace tessera::fractal
