// Decodes the tiles of a fractal image and puts them together.
#include <mutex>

#include "fractal/color_planes.h"
#include "fractal/deblock.h"
#include "fractal/fractal_image.h"
#include "fractal/reconstruct.h"
#include "fractal/tile_layout.h"

namespace tessera::fractal {
namespace {

// All planes of a tile, as leaves.
Result<std::vector<LeafList>> read_tile(const TsfFile& file, size_t index,
                                        const std::string& name) {
  const TsfHeader& header = file.header;
  std::vector<LeafList> planes;
  if (header.coder == CoderKind::kPaper) {
    TESSERA_ASSIGN_OR_RETURN(
        LeafList list, read_paper_stream(file.tiles[index], header.width, header.quality, name));
    planes.push_back(std::move(list));
    return planes;
  }
  BitReader reader(file.tiles[index]);
  for (uint32_t i = 0; i < header.channels; ++i) {
    planes.push_back(read_plane(reader, plane_shape(header, tile_rect(file.header, index), i)));
    if (reader.overrun()) {
      return invalid_error(name + ": the stream of tile " + std::to_string(index) +
                           " ends too early");
    }
  }
  return planes;
}

Status decode_tile(const TsfFile& file, size_t index, const ReconstructOptions& options,
                   const MutableImageView& image, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const std::vector<LeafList> lists, read_tile(file, index, name));
  const TileRect rect = tile_rect(file.header, index);
  ColorPlanes planes;
  for (size_t i = 0; i < lists.size(); ++i) {
    planes[i] = reconstruct(lists[i], options);
    deblock(lists[i], file.header.deblocking, options.scale, planes[i]);
  }
  const uint32_t scale = options.scale;
  if (lists.size() == 1) {
    join_grey(planes[0], rect.x * scale, rect.y * scale, rect.width * scale, rect.height * scale,
              image);
  } else {
    join_color(planes, rect.x * scale, rect.y * scale, rect.width * scale, rect.height * scale,
               image);
  }
  return {};
}

// A file of some hundred bytes may claim hundreds of megapixels. Where it claims more than pictures
// usually have, the streams are read once before memory is taken for the pixels.
Status check_streams(uint64_t file_bytes, const TsfFile& file, const std::string& name) {
  constexpr uint64_t kBelievedPixels = 1024;  // for a byte
  const uint64_t pixels = uint64_t{file.header.width} * file.header.height;
  for (size_t i = 0; pixels / kBelievedPixels > file_bytes && i < file.tiles.size(); ++i) {
    TESSERA_RETURN_IF_ERROR(read_tile(file, i, name));
  }
  return {};
}

}  // namespace

Result<Image> decode_fractal(ByteSpan bytes, const DecodeSettings& settings,
                             const ParallelFor& parallel, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const TsfFile file, read_tsf(bytes, name));
  if (settings.scale != 1 && settings.scale != 2) {
    return usage_error("fractal images are decoded at scale 1 or 2, not " +
                       std::to_string(settings.scale));
  }
  TESSERA_RETURN_IF_ERROR(check_streams(bytes.size(), file, name));
  ReconstructOptions options;
  options.iterations = settings.iterations.value_or(file.header.iterations);
  options.scale = settings.scale;
  ImageInfo info;
  info.width = file.header.width * settings.scale;
  info.height = file.header.height * settings.scale;
  info.channels = file.header.channels;
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(info));
  std::mutex mutex;
  Status status;
  TESSERA_RETURN_IF_ERROR(parallel(file.tiles.size(), 1, 1.0, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Status one = decode_tile(file, i, options, image.mutable_view(), name);
      const std::lock_guard lock(mutex);
      if (!one && status) {
        status = one;
      }
    }
  }));
  if (!status) {
    return status.error();
  }
  return image;
}

Result<std::vector<PlaneLeaves>> read_leaves(ByteSpan bytes, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(const TsfFile file, read_tsf(bytes, name));
  std::vector<PlaneLeaves> all;
  for (size_t i = 0; i < file.tiles.size(); ++i) {
    const TileRect rect = tile_rect(file.header, i);
    TESSERA_ASSIGN_OR_RETURN(std::vector<LeafList> lists, read_tile(file, i, name));
    for (uint32_t plane = 0; plane < lists.size(); ++plane) {
      all.push_back({rect.x, rect.y, plane, std::move(lists[plane])});
    }
  }
  return all;
}

Result<LeafStatistics> leaf_statistics(ByteSpan bytes, const std::string& name,
                                       const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(const TsfFile file, read_tsf(bytes, name));
  LeafStatistics statistics;
  for (size_t i = 0; i < file.tiles.size(); ++i) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    TESSERA_ASSIGN_OR_RETURN(const std::vector<LeafList> planes, read_tile(file, i, name));
    for (const LeafList& plane : planes) {
      for (const Leaf& leaf : plane.leaves) {
        ++statistics.count[static_cast<size_t>(leaf.kind)][leaf.log2_side];
      }
    }
  }
  return statistics;
}

}  // namespace tessera::fractal
