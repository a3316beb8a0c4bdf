// Encodes the tiles of a fractal image, one after the other.
#include <cmath>

#include "fractal/color_planes.h"
#include "fractal/deblock.h"
#include "fractal/fractal_image.h"
#include "fractal/reconstruct.h"
#include "fractal/tile_layout.h"

namespace tessera::fractal {
namespace {

// A tile with its searches done: ready to be coded at any quality.
struct TileTask {
  TileRect rect;
  std::vector<PlaneTask> planes;
};

struct CodedTile {
  Bytes stream;
  std::vector<LeafList> planes;
};

Result<TileTask> search_tile(const ImageView& image, const TileRect& rect, LeafChoice choice,
                             const ParallelFor& parallel, SharedLoop* shared,
                             OptionalDevice* device) {
  TileTask tile;
  tile.rect = rect;
  if (image.info.channels == 1) {
    const auto plane = split_grey(image, rect.x, rect.y, rect.width, rect.height);
    TESSERA_ASSIGN_OR_RETURN(PlaneTask task, search_plane(plane, choice, parallel, shared, device));
    tile.planes.push_back(std::move(task));
    return tile;
  }
  for (const auto& plane : split_color(image, rect.x, rect.y, rect.width, rect.height)) {
    TESSERA_ASSIGN_OR_RETURN(PlaneTask task, search_plane(plane, choice, parallel, shared, device));
    tile.planes.push_back(std::move(task));
  }
  return tile;
}

Result<CodedTile> code_tile(const TileTask& tile, const TsfHeader& header, LeafChoice choice,
                            const ParallelFor& parallel, SharedLoop* shared) {
  CodedTile coded;
  BitWriter writer(coded.stream);
  for (uint32_t i = 0; i < tile.planes.size(); ++i) {
    const PlaneShape shape = plane_shape(header, tile.rect, i);
    TESSERA_ASSIGN_OR_RETURN(LeafList list, choose_leaves(tile.planes[i], shape, choice,
                                                          header.iterations, parallel, shared));
    PlaneModel model;
    write_plane(writer, shape, model, list);
    coded.planes.push_back(std::move(list));
  }
  writer.finish();
  return coded;
}

uint64_t squared_error(const Plane<uint8_t>& a, const Plane<uint8_t>& b, uint32_t width,
                       uint32_t height) {
  uint64_t total = 0;
  for (uint32_t y = 0; y < height; ++y) {
    uint32_t line = 0;
    for (uint32_t x = 0; x < width; ++x) {
      const int difference = a.at(x, y) - b.at(x, y);
      line += static_cast<uint32_t>(difference * difference);
    }
    total += line;
  }
  return total;
}

constexpr uint32_t kStrengths[] = {0, 2, 3, 4, 6, 8, 11, 15};
constexpr size_t kStrengthCount = std::size(kStrengths);

// Squared errors of a tile's luma with each strength.
using StrengthErrors = std::array<uint64_t, kStrengthCount>;

StrengthErrors strength_errors(const TileTask& tile, const CodedTile& coded, uint32_t iterations) {
  const PlaneTask& task = tile.planes[0];
  const Plane<uint8_t> decoded = reconstruct(coded.planes[0], {iterations, 1});
  StrengthErrors errors{};
  for (size_t i = 0; i < kStrengthCount; ++i) {
    Plane<uint8_t> smoothed = decoded;
    deblock(coded.planes[0], kStrengths[i], 1, smoothed);
    errors[i] = squared_error(smoothed, task.image, task.width, task.height);
  }
  return errors;
}

TsfHeader header_of(const ImageView& image, LeafChoice choice) {
  TsfHeader header;
  header.coder = CoderKind::kOurs;
  header.channels = image.info.channels;
  header.iterations = kDefaultIterations;
  header.width = image.info.width;
  header.height = image.info.height;
  header.hybrid = choice != LeafChoice::kPure;
  return header;
}

size_t tile_count(const TsfHeader& header) {
  return size_t{header.tiles_across()} * header.tiles_down();
}

// Adds up the errors of tiles, and tells the strength with the least.
class StrengthVote {
 public:
  void add(const StrengthErrors& errors) {
    for (size_t i = 0; i < kStrengthCount; ++i) {
      total_[i] += errors[i];
    }
  }
  uint32_t best() const {
    return kStrengths[std::min_element(total_.begin(), total_.end()) - total_.begin()];
  }

 private:
  StrengthErrors total_{};
};

// Tiles that are kept in memory with their searches; of larger images as many are tried for --bpp.
constexpr size_t kKeptTiles = 8;

}  // namespace

struct SearchedImage::Tiles {
  TsfHeader header;
  LeafChoice choice = LeafChoice::kHybrid;
  std::vector<TileTask> tiles;
};

SearchedImage::SearchedImage() = default;
SearchedImage::SearchedImage(SearchedImage&&) noexcept = default;
SearchedImage& SearchedImage::operator=(SearchedImage&&) noexcept = default;
SearchedImage::~SearchedImage() = default;

Result<SearchedImage> SearchedImage::search(const ImageView& image, LeafChoice choice,
                                            const ParallelFor& parallel, SharedLoop* shared,
                                            OptionalDevice* device) {
  SearchedImage searched;
  searched.tiles_ = std::make_unique<Tiles>();
  searched.tiles_->header = header_of(image, choice);
  searched.tiles_->choice = choice;
  const size_t count = tile_count(searched.tiles_->header);
  const size_t kept = std::min(count, kKeptTiles);
  searched.complete_ = kept == count;
  for (size_t i = 0; i < kept; ++i) {
    const TileRect rect = tile_rect(searched.tiles_->header, i * count / kept);
    TESSERA_ASSIGN_OR_RETURN(TileTask tile,
                             search_tile(image, rect, choice, parallel, shared, device));
    searched.pixels_ += uint64_t{rect.width} * rect.height;
    searched.tiles_->tiles.push_back(std::move(tile));
  }
  return searched;
}

Result<Bytes> SearchedImage::encode(uint32_t quality, const ParallelFor& parallel,
                                    SharedLoop* shared) const {
  TsfHeader header = tiles_->header;
  header.quality = quality;
  std::vector<Bytes> streams;
  StrengthVote vote;
  for (const TileTask& tile : tiles_->tiles) {
    TESSERA_ASSIGN_OR_RETURN(CodedTile coded,
                             code_tile(tile, header, tiles_->choice, parallel, shared));
    vote.add(strength_errors(tile, coded, header.iterations));
    streams.push_back(std::move(coded.stream));
  }
  header.deblocking = vote.best();
  return write_tsf(header, streams);
}

Result<uint32_t> SearchedImage::quality_for(double bits_per_pixel, const ParallelFor& parallel,
                                            SharedLoop* shared) const {
  const double budget = bits_per_pixel * static_cast<double>(pixels_) / 8;
  uint32_t low = kMinQuality;
  uint32_t high = kMaxQuality;
  while (low < high) {
    const uint32_t middle = (low + high + 1) / 2;
    TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, encode(middle, parallel, shared));
    if (static_cast<double>(bytes.size()) <= budget) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

namespace {

struct FinishedTile {
  Bytes stream;
  StrengthErrors errors{};
};

// How finished tiles travel.
SharedWork shared_tiles(std::vector<FinishedTile>& tiles) {
  SharedWork work;
  work.count = tiles.size();
  work.save = [&tiles](size_t begin, size_t end, Bytes& bytes) {
    ByteWriter writer(bytes);
    for (size_t i = begin; i < end; ++i) {
      for (const uint64_t error : tiles[i].errors) {
        writer.write(error);
      }
      writer.write(static_cast<uint32_t>(tiles[i].stream.size()));
      writer.write_bytes(tiles[i].stream);
    }
  };
  work.load = [&tiles](size_t begin, size_t end, ByteSpan bytes) -> Status {
    ByteReader reader(bytes);
    for (size_t i = begin; i < end; ++i) {
      for (uint64_t& error : tiles[i].errors) {
        error = reader.read<uint64_t>();
      }
      const auto length = reader.read<uint32_t>();
      if (!reader.ok() || length > reader.remaining()) {
        return wrong_results();
      }
      const ByteSpan stream = bytes.subspan(reader.position(), length);
      tiles[i].stream.assign(stream.begin(), stream.end());
      reader.skip(length);
    }
    return reader.remaining() == 0 ? Status() : Status(wrong_results());
  };
  return work;
}

// Tile after tile, so that memory stays bounded. Several processes share whole tiles where there
// are enough of them, else the blocks of each.
Result<Bytes> encode_tile_by_tile(const ImageView& image, const EncodeSettings& settings,
                                  uint32_t quality, const ParallelFor& parallel) {
  constexpr size_t kTilesPerProcess = 2;
  const LeafChoice choice = settings.choice;
  SharedLoop* const shared = settings.shared;
  TsfHeader header = header_of(image, choice);
  header.quality = quality;
  std::vector<FinishedTile> tiles(tile_count(header));
  const bool share_tiles =
      shared != nullptr && tiles.size() >= kTilesPerProcess * shared->processes();
  SharedLoop* const inside = share_tiles ? nullptr : shared;
  const auto encode_tiles = [&](size_t begin, size_t end) -> Status {
    for (size_t i = begin; i < end; ++i) {
      TESSERA_ASSIGN_OR_RETURN(const TileTask tile, search_tile(image, tile_rect(header, i), choice,
                                                                parallel, inside, settings.device));
      TESSERA_ASSIGN_OR_RETURN(CodedTile coded, code_tile(tile, header, choice, parallel, inside));
      tiles[i] = {std::move(coded.stream), strength_errors(tile, coded, header.iterations)};
    }
    return {};
  };
  if (share_tiles) {
    SharedWork work = shared_tiles(tiles);
    work.compute = encode_tiles;
    TESSERA_RETURN_IF_ERROR(shared->run(work));
  } else {
    TESSERA_RETURN_IF_ERROR(encode_tiles(0, tiles.size()));
  }
  StrengthVote vote;
  std::vector<Bytes> streams;
  for (FinishedTile& tile : tiles) {
    vote.add(tile.errors);
    streams.push_back(std::move(tile.stream));
  }
  header.deblocking = vote.best();
  return write_tsf(header, streams);
}

Result<Bytes> encode_ours(const ImageView& image, const EncodeSettings& settings,
                          const ParallelFor& parallel) {
  uint32_t quality = settings.quality;
  if (settings.bits_per_pixel) {
    TESSERA_ASSIGN_OR_RETURN(
        const SearchedImage searched,
        SearchedImage::search(image, settings.choice, parallel, settings.shared, settings.device));
    TESSERA_ASSIGN_OR_RETURN(
        quality, searched.quality_for(*settings.bits_per_pixel, parallel, settings.shared));
    if (searched.complete()) {
      return searched.encode(quality, parallel, settings.shared);
    }
  }
  return encode_tile_by_tile(image, settings, quality, parallel);
}

Result<Bytes> encode_as_paper(const ImageView& image, const EncodeSettings& all,
                              const ParallelFor& parallel) {
  const PaperSettings& settings = *all.paper;
  if (image.info.channels != 1) {
    return unsupported_error("the paper's coder takes grey images only");
  }
  const auto plane = split_grey(image, 0, 0, image.info.width, image.info.height);
  TESSERA_ASSIGN_OR_RETURN(const PaperEncoding encoding,
                           encode_paper(plane, settings, parallel, all.shared, all.device));
  TsfHeader header;
  header.coder = CoderKind::kPaper;
  header.iterations = 10;
  header.width = image.info.width;
  header.height = image.info.height;
  header.quality = settings.depth;
  return write_tsf(header, {write_paper_stream(encoding, plane.width, settings.depth)});
}

}  // namespace

Result<Bytes> encode_fractal(const ImageView& image, const EncodeSettings& settings,
                             const ParallelFor& parallel) {
  const ImageInfo& info = image.info;
  if (info.sample != SampleType::kU8 || (info.channels != 1 && info.channels != 3) ||
      info.slices() != 1) {
    return unsupported_error("fractal images are 8-bit, grey or RGB, and have one slice");
  }
  if (info.width > 65535 || info.height > 65535 || info.pixel_count() > kMaxPixels) {
    return unsupported_error("an image of " + std::to_string(info.width) + "x" +
                             std::to_string(info.height) + " pixels is too large for .tsf files");
  }
  if (settings.paper) {
    return encode_as_paper(image, settings, parallel);
  }
  if (settings.quality < kMinQuality || settings.quality > kMaxQuality) {
    return usage_error("the quality must be 1 to 100, not " + std::to_string(settings.quality));
  }
  if (settings.bits_per_pixel && !(*settings.bits_per_pixel > 0)) {
    return usage_error("the bits per pixel must be more than 0");
  }
  return encode_ours(image, settings, parallel);
}

}  // namespace tessera::fractal
