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
#include "files/pictures/piece_reader.h"

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

// The type of the next chunk, which is skipped; nothing where the file ends before it starts.
std::optional<uint32_t> take_chunk_start(ByteSpan& rest) {
  if (rest.size() < kFrameBytes) {
    return std::nullopt;
  }
  const uint32_t type = read_u32(rest, 4);
  rest = rest.subspan(std::min<size_t>(rest.size(), kFrameBytes + size_t{read_u32(rest, 0)}));
  return type;
}

// Files say that their samples are linear light by a gamma of 1; sRGB and iCCP chunks count more
// than a gamma. Other gammas, and profiles, which are not unpacked, are taken for sRGB, as is a
// file that says nothing. What tells it comes before the pixels.
class ColorSigns {
 public:
  // A chunk of `size` bytes, with its frame, at `place`.
  void look_at(uint32_t type, uint64_t place, uint64_t size, PieceReader& reader) {
    constexpr uint32_t kLinearGamma = 100000;  // in hundred thousandths
    constexpr uint32_t kTolerance = 1000;
    has_pixels_ |= type == chunk_type("IDAT");
    is_srgb_ |= !has_pixels_ && (type == chunk_type("sRGB") || type == chunk_type("iCCP"));
    std::array<uint8_t, 4> gamma{};
    if (!has_pixels_ && type == chunk_type("gAMA") && size == kFrameBytes + gamma.size() &&
        reader.read(place + 8, gamma)) {
      const uint32_t value = read_u32(gamma, 0);
      is_linear_ = value >= kLinearGamma - kTolerance && value <= kLinearGamma + kTolerance;
    }
  }
  ColorSpace space() const {
    return is_linear_ && !is_srgb_ ? ColorSpace::kLinear : ColorSpace::kSrgb;
  }

 private:
  bool has_pixels_ = false;  // have come
  bool is_srgb_ = false;
  bool is_linear_ = false;
};

// The file as the library is to see it: pieces one after the other.
class PngPieces {
 public:
  // The source and the budget must live as long as this.
  PngPieces(const ByteSource& source, std::string name, const ReadBudget& budget)
      : source_(source), name_(std::move(name)), budget_(budget) {}

  // False when the chunks do not lead up to a complete IEND (the library would not miss it).
  Result<bool> find() {
    constexpr uint64_t kChunksAtOnce = 4096;  // that are looked at without asking for the time
    PieceReader reader(source_);
    add(0, kSignature.size());
    uint64_t place = kSignature.size();
    for (uint64_t count = 1; source_.size() - place >= kFrameBytes; ++count) {
      if (count % kChunksAtOnce == 0) {
        TESSERA_RETURN_IF_ERROR(budget_.check_time(name_));
      }
      std::array<uint8_t, 8> start{};  // length and type
      TESSERA_RETURN_IF_ERROR(reader.read(place, start));
      const uint64_t size = kFrameBytes + uint64_t{read_u32(start, 0)};
      const uint32_t type = read_u32(start, 4);
      color_.look_at(type, place, size, reader);
      if (size > source_.size() - place) {
        return false;
      }
      if (is_needed(type)) {
        add(place, size);
      }
      compressed_bytes_ += type == chunk_type("IDAT") ? size - kFrameBytes : 0;
      if (type == chunk_type("IEND")) {
        return true;
      }
      place += size;
    }
    return false;
  }

  uint64_t compressed_bytes() const { return compressed_bytes_; }
  ColorSpace color_space() const { return color_.space(); }

  // For the library; stops it when the budget is used up.
  static int read(spng_ctx*, void* user, void* target, size_t count) {
    return static_cast<PngPieces*>(user)->read({static_cast<uint8_t*>(target), count});
  }
  void rewind() { next_ = done_ = 0; }

 private:
  struct Piece {
    uint64_t begin;
    uint64_t end;
  };

  // Neighbours become one.
  void add(uint64_t begin, uint64_t size) {
    if (!pieces_.empty() && pieces_.back().end == begin) {
      pieces_.back().end += size;
    } else {
      pieces_.push_back({begin, begin + size});
    }
  }

  int read(std::span<uint8_t> target) {
    if (budget_.is_over()) {
      return SPNG_IO_ERROR;
    }
    while (!target.empty() && next_ < pieces_.size()) {
      const Piece& piece = pieces_[next_];
      const uint64_t left = piece.end - piece.begin - done_;
      const auto part = static_cast<size_t>(std::min<uint64_t>(target.size(), left));
      if (!source_.read(piece.begin + done_, target.first(part))) {
        return SPNG_IO_ERROR;
      }
      target = target.subspan(part);
      done_ = part == left ? 0 : done_ + part;
      next_ += part == left ? 1 : 0;
    }
    return target.empty() ? 0 : SPNG_IO_EOF;
  }

  const ByteSource& source_;
  std::string name_;
  const ReadBudget& budget_;
  std::vector<Piece> pieces_;
  size_t next_ = 0;
  uint64_t done_ = 0;  // bytes of that piece
  uint64_t compressed_bytes_ = 0;
  ColorSigns color_;
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

ImageInfo info_of(const spng_ihdr& header, bool has_transparency, ColorSpace color_space) {
  ImageInfo info =
      picture_info(header.width, header.height, output_format(header, has_transparency).channels,
                   header.bit_depth == 16 ? SampleType::kU16 : SampleType::kU8);
  info.color_space = color_space;
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

// The rows of a file, as often as they are wanted.
class PngDecoder {
 public:
  // The source and the budget must live as long as this.
  PngDecoder(const ByteSource& source, std::string name, const ReadBudget& budget)
      : name_(std::move(name)), budget_(budget), pieces_(source, name_, budget) {}
  PngDecoder(const PngDecoder&) = delete;  // the library knows where the pieces are
  PngDecoder& operator=(const PngDecoder&) = delete;

  Status open(ByteSpan head) {
    if (!looks_like_png(head)) {
      return invalid_content(name_, "the PNG data ends too early");
    }
    TESSERA_ASSIGN_OR_RETURN(const bool is_complete, pieces_.find());
    if (!is_complete) {
      return invalid_content(name_, "the PNG data ends too early");
    }
    TESSERA_RETURN_IF_ERROR(begin());
    spng_trns transparency = {};
    const int code = spng_get_trns(context_.get(), &transparency);
    if (code != SPNG_OK && code != SPNG_ECHUNKAVAIL) {
      return failure(code);
    }
    info_ = info_of(header_, code == SPNG_OK, pieces_.color_space());
    format_ = output_format(header_, code == SPNG_OK).format;
    return {};
  }

  const ImageInfo& info() const { return info_; }
  bool is_interlaced() const { return header_.interlace_method != SPNG_INTERLACE_NONE; }
  // Of the library, which holds some rows, each of which may be as wide as the picture is large.
  uint64_t scratch_bytes() const {
    return 3 * uint64_t{header_.width} * 4 * sample_bytes(info_.sample);
  }

  // Calls place(y) for the place of each row that comes next, `count` times, or to the end. An
  // interlaced file comes by each row several times, and fills in more pixels each time.
  template <class Place>
  Status decode(uint64_t count, const Place& place) {
    int code = SPNG_OK;
    if (!is_decoding_) {
      is_decoding_ = true;
      code = spng_decode_image(context_.get(), nullptr, 0, format_,
                               SPNG_DECODE_TRNS | SPNG_DECODE_PROGRESSIVE);
    }
    for (; count > 0 && code == SPNG_OK; --count) {
      spng_row_info row = {};
      code = spng_get_row_info(context_.get(), &row);
      if (code == SPNG_OK) {
        code =
            spng_decode_row(context_.get(), place(row.row_num), info_.width * info_.pixel_bytes());
      }
    }
    // All that comes after the rows is read, too.
    code = code == SPNG_EOI ? spng_decode_chunks(context_.get()) : code;
    return code == SPNG_OK ? Status() : failure(code);
  }

  Status rewind() {
    pieces_.rewind();
    return begin();
  }

 private:
  Status begin() {
    is_decoding_ = false;
    TESSERA_ASSIGN_OR_RETURN(context_, make_decoder(name_));
    int code = spng_set_png_stream(context_.get(), PngPieces::read, &pieces_);
    code = code == SPNG_OK ? spng_get_ihdr(context_.get(), &header_) : code;
    return code == SPNG_OK ? check_header(header_, pieces_.compressed_bytes(), name_)
                           : failure(code);
  }

  Status failure(int code) const {
    TESSERA_RETURN_IF_ERROR(budget_.check_time(name_));
    return decode_failure(name_, code);
  }

  std::string name_;
  const ReadBudget& budget_;
  PngPieces pieces_;
  Context context_;
  spng_ihdr header_ = {};
  ImageInfo info_;
  int format_ = 0;
  bool is_decoding_ = false;
};

class PngRowReader : public RowReader {
 public:
  PngRowReader(const ByteSource& source, const std::string& name, const ReadBudget& budget)
      : decoder_(source, name, budget) {}

  PngDecoder& decoder() { return decoder_; }
  const ImageInfo& info() const override { return decoder_.info(); }

  Status read(const MutableImageView& rows) override {
    const uint32_t first = next_;
    next_ += rows.info.height;
    return decoder_.decode(rows.info.height,
                           [&](uint32_t y) { return rows.row<uint8_t>(y - first); });
  }

  Status rewind() override {
    next_ = 0;
    return decoder_.rewind();
  }

  uint64_t scratch_bytes() const override { return decoder_.scratch_bytes(); }

 private:
  PngDecoder decoder_;
  uint32_t next_ = 0;
};

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
  TESSERA_ASSIGN_OR_RETURN(const Context context, make_decoder(name));
  spng_ihdr header = {};
  int code = spng_set_png_buffer(context.get(), head.data(), kEndOfHeader);
  code = code == SPNG_OK ? spng_get_ihdr(context.get(), &header) : code;
  if (code != SPNG_OK) {
    return decode_failure(name, code);
  }
  TESSERA_RETURN_IF_ERROR(check_header(header, file_bytes, name));
  ByteSpan rest = head.subspan(kEndOfHeader);
  // Transparency comes before the first pixels.
  while (const auto chunk = take_chunk_start(rest)) {
    if (*chunk == chunk_type("IDAT") || *chunk == chunk_type("tRNS")) {
      const MemorySource source(head, name);
      const ReadBudget budget;
      PngPieces pieces(source, name, budget);
      TESSERA_RETURN_IF_ERROR(pieces.find());  // as far as the head goes
      return info_of(header, *chunk == chunk_type("tRNS"), pieces.color_space());
    }
  }
  return invalid_content(name, "the PNG data ends too early");
}

Result<Image> decode_png(ByteSpan bytes, const std::string& name, const ReadBudget& budget) {
  const MemorySource source(bytes, name);
  PngDecoder decoder(source, name, budget);
  TESSERA_RETURN_IF_ERROR(decoder.open(bytes));
  TESSERA_ASSIGN_OR_RETURN(
      Image image,
      create_decoded_image(name, decoder.info(),
                           {.file = bytes.size(), .scratch = decoder.scratch_bytes()}, budget));
  TESSERA_RETURN_IF_ERROR(
      decoder.decode(UINT64_MAX, [&](uint32_t y) { return image.row<uint8_t>(y); }));
  return image;
}

Result<std::unique_ptr<RowReader>> read_png_by_rows(const ByteSource& source, ByteSpan head,
                                                    const std::string& name,
                                                    const ReadBudget& budget) {
  auto reader = std::make_unique<PngRowReader>(source, name, budget);
  TESSERA_RETURN_IF_ERROR(reader->decoder().open(head));
  if (reader->decoder().is_interlaced()) {
    return unsupported_content(name, "rows of an interlaced PNG file cannot be read one by one");
  }
  return std::unique_ptr<RowReader>(std::move(reader));
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
