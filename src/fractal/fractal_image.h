// Whole fractal images: pixels to .tsf bytes and back.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "containers/tsf_file.h"
#include "fractal/choose_leaves.h"
#include "fractal/device_search.h"
#include "fractal/leaf.h"
#include "fractal/paper_coder.h"
#include "fractal/parallel.h"
#include "fractal/shared_loop.h"
#include "image/image.h"

namespace tessera::fractal {

inline constexpr uint32_t kDefaultQuality = 50;
// Means are right from the start and passes work in place: after three the picture stands still
// (docs/fractal.md).
inline constexpr uint32_t kDefaultIterations = 3;

struct EncodeSettings {
  std::optional<PaperSettings> paper;  // the paper's coder instead of ours
  LeafChoice choice = LeafChoice::kHybrid;
  uint32_t quality = kDefaultQuality;    // 1…100
  std::optional<double> bits_per_pixel;  // the best quality whose file is not larger
  SharedLoop* shared = nullptr;          // with other processes, which do the same
  OptionalDevice* device = nullptr;      // that searches
};

// 8-bit images with one (grey) or three (RGB) channels; the paper's coder takes grey only.
Result<Bytes> encode_fractal(const ImageView& image, const EncodeSettings& settings,
                             const ParallelFor& parallel);

// An image whose domains have been searched: it can be encoded at several qualities for little
// more. Large images keep some of their tiles only (complete() is false); they serve to find a
// quality.
class SearchedImage {
 public:
  SearchedImage();
  SearchedImage(SearchedImage&&) noexcept;
  SearchedImage& operator=(SearchedImage&&) noexcept;
  ~SearchedImage();

  static Result<SearchedImage> search(const ImageView& image, LeafChoice choice,
                                      const ParallelFor& parallel, SharedLoop* shared = nullptr,
                                      OptionalDevice* device = nullptr);
  bool complete() const { return complete_; }
  Result<Bytes> encode(uint32_t quality, const ParallelFor& parallel,
                       SharedLoop* shared = nullptr) const;
  // The highest quality that needs no more than this.
  Result<uint32_t> quality_for(double bits_per_pixel, const ParallelFor& parallel,
                               SharedLoop* shared = nullptr) const;

 private:
  struct Tiles;
  std::unique_ptr<Tiles> tiles_;
  uint64_t pixels_ = 0;
  bool complete_ = true;
};

struct DecodeSettings {
  std::optional<uint32_t> iterations;  // default: as the file says
  uint32_t scale = 1;                  // or 2
};

// 8-bit, one or three channels. `name` is used in messages.
Result<Image> decode_fractal(ByteSpan bytes, const DecodeSettings& settings,
                             const ParallelFor& parallel, const std::string& name);

// The leaves of one plane of a tile.
struct PlaneLeaves {
  uint32_t tile_x = 0;  // pixels of the picture
  uint32_t tile_y = 0;
  uint32_t plane = 0;  // 0: grey or luma; 1 and 2: colour differences, at half the resolution
  LeafList list;
};
Result<std::vector<PlaneLeaves>> read_leaves(ByteSpan bytes, const std::string& name);

// How many leaves of each kind and size a file has.
struct LeafStatistics {
  // [kind][log2 of the side]
  uint64_t count[3][16] = {};
};
// One tile after the other is unpacked, for as long as the budget has time.
Result<LeafStatistics> leaf_statistics(ByteSpan bytes, const std::string& name,
                                       const ReadBudget& budget = {});

}  // namespace tessera::fractal
