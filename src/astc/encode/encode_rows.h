// Pictures and volumes to ASTC blocks: LDR and HDR, all block sizes.
//
// Some thousand blocks at a time go through the stages (stages.h), all of them in lanes, one block
// per lane: blocks are loaded and analysed; what they could be is ranked by estimated errors; the
// best few of each are fitted, those of the same group of families and weight grid together, and
// the one with the least exact error is packed. A block's bytes depend on its own texels and on one
// number for the whole picture (PictureFacts), and are the same on every instruction set.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "astc/encode/effort_plan.h"
#include "astc/encode/presets.h"
#include "astc/encode/texel_formats.h"
#include "astc/format/block_size.h"
#include "image/image.h"

namespace tessera::astc {

// Working memory of encode_rows, about 13 MB, of which quick presets touch a tenth; one per thread.
class EncodeScratch {
 public:
  EncodeScratch();
  ~EncodeScratch();
  EncodeScratch(EncodeScratch&&) noexcept;
  EncodeScratch& operator=(EncodeScratch&&) noexcept;

  // Of texels of a format (texel_formats.h); those of HDR are made when they are first asked for.
  template <class Texels>
  struct Buffers;
  template <class Texels>
  Buffers<Texels>& buffers();

 private:
  std::unique_ptr<Buffers<Rgba8Texels>> buffers_;
  std::unique_ptr<Buffers<LnsTexels>> hdr_buffers_;
};

struct EncodeTables;

// Whether this build encodes such textures: the one for browsers leaves volumes and HDR out.
bool can_encode(BlockSize size, DecodeMode mode);

// Whether it finds partitions so: the one for browsers leaves clustering out.
bool can_search(PartitionSearch search);

// Makes all tables that encode_rows would make at first use.
void prepare_tables(BlockSize size, const EncodeSettings& settings);

// Encodes a sample of blocks of all slices, one in forty or fewer. Nothing is done for settings
// that do not ask.
PictureFacts look_at_picture(const EncodeTables& tables, const ImageView& image,
                             const EncodeSettings& settings, EncodeScratch& scratch);
PictureFacts look_at_picture(const ImageView& image, BlockSize size, const EncodeSettings& settings,
                             EncodeScratch& scratch);

// The same for pictures of one slice of which only the blocks of the sample are at hand, each as a
// view, cut off where the picture ends: where they are, counted in blocks and from the top down,
// and what they tell.
struct BlockPlace {
  uint32_t x;
  uint32_t y;
};
std::vector<BlockPlace> sampled_blocks(const ImageInfo& image, BlockSize size,
                                       const EncodeSettings& settings);
PictureFacts look_at_blocks(std::span<const ImageView> blocks, BlockSize size,
                            const EncodeSettings& settings, EncodeScratch& scratch);

// Encodes the block rows [first_block_row, end_block_row) of one slice of blocks of an image of
// four 8-bit channels, or of four half floats for settings of HDR: slices of blocks are as deep as
// a block, those of one layer of the image after those of another. `out` receives 16 bytes per
// block, row by row. Can run on many threads, each with a scratch of its own, and does not allocate
// (apart from tables made at first use). Vectors fill well from some thousand blocks per call on.
void encode_rows(const ImageView& image, BlockSize size, uint32_t slice, uint32_t first_block_row,
                 uint32_t end_block_row, const EncodeSettings& settings, const PictureFacts& facts,
                 EncodeScratch& scratch, std::span<uint8_t> out);

// The same with given tables, which must have been made for what the settings need.
void encode_rows(const EncodeTables& tables, const ImageView& image, uint32_t slice,
                 uint32_t first_block_row, uint32_t end_block_row, const EncodeSettings& settings,
                 const PictureFacts& facts, EncodeScratch& scratch, std::span<uint8_t> out);

}  // namespace tessera::astc
