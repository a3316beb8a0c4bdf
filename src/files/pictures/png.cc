// Reads and writes PNG files with libspng.
#include "files/pictures/png.h"

#include <spng.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "files/pictures/decode_error.h"

namespace tessera {
namespace {

constexpr std::array<uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

// Deflate's best case: 258 bytes out of two bits of codes, 1032 to 1.
constexpr uint64_t kMaxInflation = 1032;

struct FreeContext {
  void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
using Context = std::unique_ptr<spng_ctx, FreeContext>;

struct FreeBuffer {
  void operator()(void* buffer) const { std::free(buffer); }
};

Error decode_failure(const std::string& name, int code) {
  if (code == SPNG_EMEM) {
    return failed_error("cannot decode " + name + ": not enough memory");
  }
  if (code == SPNG_IO_EOF || code == SPNG_EOF) {
    return invalid_content(name, "the PNG data ends too early");
  }
  return invalid_content(name,
                         std::string("the PNG data is damaged (") + spng_strerror(code) + ")");
}

uint32_t file_channels(const spng_ihdr& header) {
  switch (header.color_type) {
    case SPNG_COLOR_TYPE_TRUECOLOR:
      return 3;
    case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA:
      return 2;
    case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA:
      return 4;
    default:
      return 1;  // grey, or the index of a palette
  }
}

// Big-endian; the caller has checked that it is there.
uint32_t read_u32(ByteSpan bytes, size_t position) {
  return uint32_t{bytes[position]} << 24 | uint32_t{bytes[position + 1]} << 16 |
         uint32_t{bytes[position + 2]} << 8 | uint32_t{bytes[position + 3]};
}

constexpr size_t kFrameBytes = 12;                     // of a chunk: length, type, checksum
constexpr size_t kEndOfHeader = 8 + kFrameBytes + 13;  // the signature and the first chunk, IHDR

constexpr uint32_t chunk_type(const char (&name)[5]) {
  return static_cast<uint32_t>(name[0]) << 24 | static_cast<uint32_t>(name[1]) << 16 |
         static_cast<uint32_t>(name[2]) << 8 | static_cast<uint32_t>(name[3]);
}

// A capital first letter says that pictures cannot be read without the chunk. Of the others, texts
// and colour profiles among them, only the one for transparency means something here: the library
// never sees the rest, however large that would become when it is unpacked.
bool is_needed(uint32_t type) {
  return (type & 0x20000000) == 0 || type == chunk_type("tRNS");
}

struct Chunk {
  uint32_t type = 0;
  ByteSpan bytes;  // with length, type and checksum
};

// Takes the next chunk; nothing where the file ends within it.
std::optional<Chunk> take_chunk(ByteSpan& rest) {
  if (rest.size() < kFrameBytes || read_u32(rest, 0) > rest.size() - kFrameBytes) {
    return std::nullopt;
  }
  const size_t size = kFrameBytes + read_u32(rest, 0);
  const Chunk chunk = {read_u32(rest, 4), rest.first(size)};
  rest = rest.subspan(size);
  return chunk;
}

// The type of the next chunk, which is skipped; nothing where the file ends before it starts.
std::optional<uint32_t> take_chunk_start(ByteSpan& rest) {
  if (rest.size() < kFrameBytes) {
    return std::nullopt;
  }
  const uint32_t type = read_u32(rest, 4);
  rest = rest.subspan(std::min<size_t>(rest.size(), kFrameBytes + size_t{read_u32(rest, 0)}));
  return type;
}

// The file as the library is to see it: pieces one after the other.
class PngPieces {
 public:
  // False when the chunks do not lead up to a complete IEND (the library would not miss it).
  bool find(ByteSpan bytes) {
    add(bytes.first(kSignature.size()));
    ByteSpan rest = bytes.subspan(kSignature.size());
    while (const auto chunk = take_chunk(rest)) {
      if (is_needed(chunk->type)) {
        add(chunk->bytes);
      }
      compressed_bytes_ +=
          chunk->type == chunk_type("IDAT") ? chunk->bytes.size() - kFrameBytes : 0;
      if (chunk->type == chunk_type("IEND")) {
        return true;
      }
    }
    return false;
  }

  uint64_t compressed_bytes() const { return compressed_bytes_; }

  // For the library; stops it when the budget is used up.
  static int read(spng_ctx*, void* user, void* target, size_t count) {
    return static_cast<PngPieces*>(user)->read(static_cast<uint8_t*>(target), count);
  }
  void set_budget(const ReadBudget& budget) { budget_ = &budget; }

 private:
  // Neighbours become one.
  void add(ByteSpan bytes) {
    if (!pieces_.empty() && pieces_.back().data() + pieces_.back().size() == bytes.data()) {
      pieces_.back() = {pieces_.back().data(), pieces_.back().size() + bytes.size()};
    } else {
      pieces_.push_back(bytes);
    }
  }

  int read(uint8_t* target, size_t count) {
    if (budget_->is_over()) {
      return SPNG_IO_ERROR;
    }
    while (count > 0 && next_ < pieces_.size()) {
      ByteSpan& piece = pieces_[next_];
      const size_t part = std::min(count, piece.size());
      std::copy_n(piece.begin(), part, target);
      target += part;
      count -= part;
      piece = piece.subspan(part);
      next_ += piece.empty() ? 1 : 0;
    }
    return count == 0 ? 0 : SPNG_IO_EOF;
  }

  std::vector<ByteSpan> pieces_;
  size_t next_ = 0;
  uint64_t compressed_bytes_ = 0;
  const ReadBudget* budget_ = nullptr;
};

// A lower limit: interlacing only adds to it. Every row has at least one filter byte.
uint64_t scanline_bytes(const spng_ihdr& header) {
  const uint64_t bits =
      uint64_t{header.width} * header.height * file_channels(header) * header.bit_depth;
  return bits / 8 + header.height;
}

struct OutputFormat {
  uint32_t channels = 0;
  int format = SPNG_FMT_PNG;
};

// The libspng format that gives the file's own channels, plus alpha when there is a tRNS chunk.
OutputFormat output_format(const spng_ihdr& header, bool has_transparency) {
  const bool wide = header.bit_depth == 16;
  switch (header.color_type) {
    case SPNG_COLOR_TYPE_GRAYSCALE:
      if (has_transparency) {
        return {2, wide ? SPNG_FMT_GA16 : SPNG_FMT_GA8};
      }
      return {1, wide ? SPNG_FMT_PNG : SPNG_FMT_G8};
    case SPNG_COLOR_TYPE_INDEXED:
      return has_transparency ? OutputFormat{4, SPNG_FMT_RGBA8} : OutputFormat{3, SPNG_FMT_RGB8};
    case SPNG_COLOR_TYPE_TRUECOLOR:
      if (has_transparency) {
        return {4, wide ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8};
      }
      return {3, SPNG_FMT_PNG};
    default:
      return {file_channels(header), SPNG_FMT_PNG};
  }
}

// Files say that their samples are linear light by a gamma of 1; sRGB and iCCP chunks count more
// than a gamma. Other gammas, and profiles, which are not unpacked, are taken for sRGB, as is a
// file that says nothing. What tells it comes before the pixels.
ColorSpace color_space_of(ByteSpan bytes) {
  constexpr uint32_t kLinearGamma = 100000;  // in hundred thousandths
  constexpr uint32_t kTolerance = 1000;
  ColorSpace space = ColorSpace::kSrgb;
  for (ByteSpan rest = bytes.subspan(kSignature.size()); rest.size() >= kFrameBytes;) {
    const uint32_t type = read_u32(rest, 4);
    if (type == chunk_type("sRGB") || type == chunk_type("iCCP")) {
      return ColorSpace::kSrgb;
    }
    const auto chunk = take_chunk(rest);
    if (!chunk || type == chunk_type("IDAT")) {
      break;
    }
    if (type == chunk_type("gAMA") && chunk->bytes.size() == kFrameBytes + 4) {
      const uint32_t gamma = read_u32(chunk->bytes, 8);
      const bool is_linear =
          gamma >= kLinearGamma - kTolerance && gamma <= kLinearGamma + kTolerance;
      space = is_linear ? ColorSpace::kLinear : ColorSpace::kSrgb;
    }
  }
  return space;
}

// `bytes` are the file, or its beginning.
ImageInfo info_of(const spng_ihdr& header, bool has_transparency, ByteSpan bytes) {
  ImageInfo info =
      picture_info(header.width, header.height, output_format(header, has_transparency).channels,
                   header.bit_depth == 16 ? SampleType::kU16 : SampleType::kU8);
  info.color_space = color_space_of(bytes);
  return info;
}

// `compressed_bytes`: of the pixels, or more.
Status check_header(const spng_ihdr& header, uint64_t compressed_bytes, const std::string& name) {
  TESSERA_RETURN_IF_ERROR(check_file_extent(name, header.width, header.height));
  if (scanline_bytes(header) / kMaxInflation > compressed_bytes) {
    return invalid_content(name, too_few_bytes_reason(header.width, header.height));
  }
  return {};
}

Result<Context> make_decoder(const std::string& name) {
  // Chunks that the library keeps: a palette and its transparency. It never gets others.
  constexpr size_t kMostChunkBytes = size_t{64} << 10;
  Context context(spng_ctx_new(0));
  if (context == nullptr ||
      spng_set_chunk_limits(context.get(), kMostChunkBytes, kMostChunkBytes) != SPNG_OK) {
    return failed_error("cannot decode " + name + ": not enough memory");
  }
  return context;
}

// Returns libspng's code: SPNG_OK when every row, and everything after them, has been read.
int decode_rows(spng_ctx* context, int format, Image& image) {
  const size_t row_bytes = image.width() * image.info().pixel_bytes();
  int code =
      spng_decode_image(context, nullptr, 0, format, SPNG_DECODE_TRNS | SPNG_DECODE_PROGRESSIVE);
  while (code == SPNG_OK) {
    spng_row_info row = {};
    code = spng_get_row_info(context, &row);
    if (code == SPNG_OK) {
      // An interlaced file comes by this way several times per row, and fills in more pixels each
      // time.
      code = spng_decode_row(context, image.row<uint8_t>(row.row_num), row_bytes);
    }
  }
  return code == SPNG_EOI ? spng_decode_chunks(context) : code;
}

Result<Context> make_encoder(const ImageView& image) {
  Context context(spng_ctx_new(SPNG_CTX_ENCODER));
  if (context == nullptr) {
    return failed_error("not enough memory to write a PNG file");
  }
  constexpr std::array<uint8_t, 4> kColorTypes = {
      SPNG_COLOR_TYPE_GRAYSCALE, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, SPNG_COLOR_TYPE_TRUECOLOR,
      SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
  spng_ihdr header = {};
  header.width = image.info.width;
  header.height = image.info.height;
  header.bit_depth = image.info.sample == SampleType::kU16 ? 16 : 8;
  header.color_type = kColorTypes[image.info.channels - 1];

  spng_ctx* const c = context.get();
  spng_set_option(c, SPNG_ENCODE_TO_BUFFER, 1);
  // On photographs this takes a third of the time of level 6 with all filters, and gives files of
  // about the same size (up to 6 % larger).
  spng_set_option(c, SPNG_IMG_COMPRESSION_LEVEL, 1);
  spng_set_option(c, SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_SUB | SPNG_FILTER_CHOICE_UP);
  int code = spng_set_ihdr(c, &header);
  if (code == SPNG_OK && image.info.color_space == ColorSpace::kSrgb) {
    code = spng_set_srgb(c, 0);  // rendering intent: perceptual
  }
  if (code != SPNG_OK) {
    return failed_error(std::string("cannot write a PNG file: ") + spng_strerror(code));
  }
  return context;
}

}  // namespace

bool looks_like_png(ByteSpan bytes) {
  return bytes.size() >= kSignature.size() &&
         std::equal(kSignature.begin(), kSignature.end(), bytes.begin());
}

Result<ImageInfo> read_png_info(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  if (head.size() < kEndOfHeader) {
    return invalid_content(name, "the PNG data ends too early");
  }
  ByteSpan rest = head.subspan(kSignature.size());
  const auto first = take_chunk(rest);
  TESSERA_ASSIGN_OR_RETURN(const Context context, make_decoder(name));
  spng_ihdr header = {};
  int code = spng_set_png_buffer(context.get(), head.data(), kEndOfHeader);
  code = code == SPNG_OK ? spng_get_ihdr(context.get(), &header) : code;
  if (code != SPNG_OK || !first) {
    return decode_failure(name, code == SPNG_OK ? SPNG_EIHDR_SIZE : code);
  }
  TESSERA_RETURN_IF_ERROR(check_header(header, file_bytes, name));
  // Transparency comes before the first pixels.
  while (const auto chunk = take_chunk_start(rest)) {
    if (*chunk == chunk_type("IDAT") || *chunk == chunk_type("tRNS")) {
      return info_of(header, *chunk == chunk_type("tRNS"), head);
    }
  }
  return invalid_content(name, "the PNG data ends too early");
}

Result<Image> decode_png(ByteSpan bytes, const std::string& name, const ReadBudget& budget) {
  PngPieces pieces;
  if (!looks_like_png(bytes) || !pieces.find(bytes)) {
    return invalid_content(name, "the PNG data ends too early");
  }
  pieces.set_budget(budget);
  TESSERA_ASSIGN_OR_RETURN(const Context context, make_decoder(name));
  spng_ihdr header = {};
  int code = spng_set_png_stream(context.get(), PngPieces::read, &pieces);
  if (code == SPNG_OK) {
    code = spng_get_ihdr(context.get(), &header);
  }
  if (code != SPNG_OK) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    return decode_failure(name, code);
  }
  TESSERA_RETURN_IF_ERROR(check_header(header, pieces.compressed_bytes(), name));

  spng_trns transparency = {};
  code = spng_get_trns(context.get(), &transparency);
  if (code != SPNG_OK && code != SPNG_ECHUNKAVAIL) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    return decode_failure(name, code);
  }
  const bool has_transparency = code == SPNG_OK;
  const ImageInfo info = info_of(header, has_transparency, bytes);
  // The library holds some rows, which may be as wide as the picture is large.
  const MemoryNeed beside = {.file = bytes.size(),
                             .scratch = 3 * uint64_t{header.width} * 4 * sample_bytes(info.sample)};
  TESSERA_ASSIGN_OR_RETURN(Image image, create_decoded_image(name, info, beside, budget));
  code = decode_rows(context.get(), output_format(header, has_transparency).format, image);
  if (code != SPNG_OK) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    return decode_failure(name, code);
  }
  return image;
}

Result<Bytes> encode_png(const ImageView& image) {
  TESSERA_ASSIGN_OR_RETURN(const Context context, make_encoder(image));
  const size_t row_bytes = image.info.width * image.info.pixel_bytes();
  int code = spng_encode_image(context.get(), nullptr, 0, SPNG_FMT_PNG,
                               SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE);
  for (uint32_t y = 0; y < image.info.height && code == SPNG_OK; ++y) {
    code = spng_encode_row(context.get(), image.row<uint8_t>(y), row_bytes);
  }
  size_t size = 0;
  std::unique_ptr<void, FreeBuffer> buffer;
  if (code == SPNG_EOI) {
    buffer.reset(spng_get_png_buffer(context.get(), &size, &code));
  }
  if (buffer == nullptr) {
    return failed_error(std::string("cannot write a PNG file: ") + spng_strerror(code));
  }
  const auto* const first = static_cast<const uint8_t*>(buffer.get());
  return Bytes(first, first + size);
}

}  // namespace tessera
