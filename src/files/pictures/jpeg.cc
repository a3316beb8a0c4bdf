// The library reports errors by longjmp. A jump over a C++ object with a destructor is undefined
// behaviour, so the two functions that call setjmp (read_header, read_rows) hold plain data only;
// images and strings live in their caller, which never has a jump pass through it.
#include "files/pictures/jpeg.h"

#include <algorithm>
#include <climits>
#include <csetjmp>
#include <cstdio>
// jpeglib.h needs size_t and FILE from <cstdio> before it.
#include <jerror.h>
#include <jpeglib.h>

#include "files/pictures/decode_error.h"

namespace tessera {
namespace {

// Honest progressive files have about ten scans. Every scan makes the decoder visit the whole image
// but may cost the file only a few bytes, so thousands of them would keep it busy for hours.
constexpr int kMaxScans = 100;

constexpr uint64_t kBitsPerByte = 8;

// The library's state and what its error handler left behind. Plain data.
struct Decoder {
  jpeg_decompress_struct library;
  jpeg_error_mgr errors;
  jpeg_progress_mgr progress;
  std::jmp_buf on_error;
  bool too_many_scans;
  const ReadBudget* budget;
  bool is_over;    // the budget's time
  int error_code;  // the library's JERR_ or JWRN_ number
  char message[JMSG_LENGTH_MAX];
};

Decoder& decoder_of(j_common_ptr library) {
  return *static_cast<Decoder*>(library->client_data);
}

[[noreturn]] void leave_with_error(j_common_ptr library) {
  Decoder& decoder = decoder_of(library);
  decoder.error_code = library->err->msg_code;
  library->err->format_message(library, decoder.message);
  std::longjmp(decoder.on_error, 1);
}

// Warnings after which every pixel is still the one that was written.
bool is_harmless(int warning) {
  return warning == JWRN_EXTRANEOUS_DATA || warning == JWRN_ADOBE_XFORM ||
         warning == JWRN_JFIF_MAJOR || warning == JWRN_BOGUS_ICC;
}

// level -1 is a warning, 0 and above are traces.
void take_message(j_common_ptr library, int level) {
  if (level < 0 && !is_harmless(library->err->msg_code)) {
    leave_with_error(library);
  }
}

void print_nothing(j_common_ptr) {}

// The library calls it again and again while it reads.
void check_progress(j_common_ptr library) {
  if (!library->is_decompressor) {
    return;
  }
  Decoder& decoder = decoder_of(library);
  decoder.too_many_scans = decoder.library.input_scan_number > kMaxScans;
  decoder.is_over = decoder.budget->is_over();
  if (decoder.too_many_scans || decoder.is_over) {
    std::longjmp(decoder.on_error, 1);
  }
}

// False when the library gave up; the reason is then in the decoder.
bool read_header(Decoder* decoder, const uint8_t* data, size_t size) {
  decoder->library.err = jpeg_std_error(&decoder->errors);
  decoder->errors.error_exit = leave_with_error;
  decoder->errors.emit_message = take_message;
  decoder->errors.output_message = print_nothing;
  decoder->library.client_data = decoder;
  if (setjmp(decoder->on_error) != 0) {
    return false;
  }
  jpeg_create_decompress(&decoder->library);
  decoder->progress.progress_monitor = check_progress;
  decoder->library.progress = &decoder->progress;
  jpeg_mem_src(&decoder->library, data, static_cast<unsigned long>(size));
  jpeg_read_header(&decoder->library, TRUE);
  return true;
}

// `memory`: bytes that the library may take.
bool read_rows(Decoder* decoder, uint8_t* pixels, size_t row_stride, uint64_t memory) {
  decoder->library.mem->max_memory_to_use = static_cast<long>(std::min<uint64_t>(memory, LONG_MAX));
  if (setjmp(decoder->on_error) != 0) {
    return false;
  }
  jpeg_decompress_struct* const library = &decoder->library;
  jpeg_start_decompress(library);
  while (library->output_scanline < library->output_height) {
    JSAMPROW row = pixels + library->output_scanline * row_stride;
    jpeg_read_scanlines(library, &row, 1);
    check_progress(reinterpret_cast<j_common_ptr>(library));
  }
  jpeg_finish_decompress(library);  // reads on to the end marker, and warns when there is none
  return true;
}

// Frees the library's memory, also after it gave up. jpeg_destroy never calls the error handler.
class DestroyWhenDone {
 public:
  explicit DestroyWhenDone(Decoder& decoder) : decoder_(decoder) {}
  DestroyWhenDone(const DestroyWhenDone&) = delete;
  DestroyWhenDone& operator=(const DestroyWhenDone&) = delete;
  ~DestroyWhenDone() { jpeg_destroy_decompress(&decoder_.library); }

 private:
  Decoder& decoder_;
};

Error library_error(const Decoder& decoder, const std::string& name) {
  if (decoder.is_over) {
    return decoder.budget->check_time(name).error();
  }
  if (decoder.too_many_scans) {
    return invalid_content(name,
                           "the JPEG data has more than " + std::to_string(kMaxScans) + " scans");
  }
  switch (decoder.error_code) {
    case JERR_NO_BACKING_STORE:  // it would write to a file what it may not keep in memory
      return failed_error(name +
                          " wants more memory for its JPEG scans than the limit allows "
                          "(--max-memory lifts it)");
    case JERR_OUT_OF_MEMORY:
      return failed_error("cannot decode " + name + ": not enough memory");
    case JERR_BAD_PRECISION:
      return unsupported_content(name, "only JPEG files with 8 bits per sample can be read");
    case JERR_SOF_UNSUPPORTED:
    case JERR_ARITH_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
      return unsupported_content(
          name, std::string("its kind of JPEG cannot be read (") + decoder.message + ")");
    case JWRN_JPEG_EOF:
    case JERR_INPUT_EOF:
    case JERR_INPUT_EMPTY:
      return invalid_content(name, "the JPEG data ends too early");
    default:
      return invalid_content(name,
                             std::string("the JPEG data is damaged (") + decoder.message + ")");
  }
}

Status check_color(const jpeg_decompress_struct& library, const std::string& name) {
  switch (library.jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_RGB:
    case JCS_YCbCr:
      return {};
    case JCS_CMYK:
    case JCS_YCCK:
      return unsupported_content(name, "CMYK JPEG files cannot be read; convert it to RGB first");
    default:
      return unsupported_content(name,
                                 "only grey, YCbCr and RGB JPEG files can be read, and this has " +
                                     std::to_string(library.num_components) + " channels");
  }
}

// Every block of 8x8 samples has a DC coefficient, and its Huffman code has at least one bit.
// Arithmetic coding has no such limit (and no use in practice), so it is refused.
Status check_size(const jpeg_decompress_struct& library, size_t file_bytes,
                  const std::string& name) {
  TESSERA_RETURN_IF_ERROR(check_file_extent(name, library.image_width, library.image_height));
  if (library.arith_code) {
    return unsupported_content(name, "JPEG files with arithmetic coding cannot be read");
  }
  uint64_t blocks = 0;
  for (int i = 0; i < library.num_components; ++i) {
    const jpeg_component_info& component = library.comp_info[i];
    blocks += uint64_t{component.width_in_blocks} * component.height_in_blocks;
  }
  if (blocks > kBitsPerByte * file_bytes) {
    return invalid_content(name, too_few_bytes_reason(library.image_width, library.image_height));
  }
  return {};
}

ImageInfo info_of(const jpeg_decompress_struct& library) {
  return picture_info(library.image_width, library.image_height,
                      library.jpeg_color_space == JCS_GRAYSCALE ? 1 : 3, SampleType::kU8);
}

// Files with several scans have all their coefficients in memory at once; others some rows.
uint64_t library_bytes(jpeg_decompress_struct& library) {
  uint64_t coefficients = 0;
  for (int i = 0; i < library.num_components; ++i) {
    const jpeg_component_info& component = library.comp_info[i];
    coefficients += uint64_t{component.width_in_blocks} * component.height_in_blocks * DCTSIZE2;
  }
  const uint64_t rows = uint64_t{library.image_width} * 3 * 64;
  return rows + (jpeg_has_multiple_scans(&library) != FALSE ? coefficients * sizeof(JCOEF) : 0);
}

}  // namespace

bool looks_like_jpeg(ByteSpan bytes) {
  // The start-of-image marker and the first byte of the next marker.
  return bytes.size() >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff;
}

Result<ImageInfo> read_jpeg_info(ByteSpan head, uint64_t file_bytes, const std::string& name) {
  const ReadBudget budget;
  Decoder decoder = {};
  decoder.budget = &budget;
  const DestroyWhenDone destroy(decoder);
  if (!read_header(&decoder, head.data(), head.size())) {
    return library_error(decoder, name);
  }
  TESSERA_RETURN_IF_ERROR(check_color(decoder.library, name));
  TESSERA_RETURN_IF_ERROR(check_size(decoder.library, file_bytes, name));
  return info_of(decoder.library);
}

Result<Image> decode_jpeg(ByteSpan bytes, const std::string& name, const ReadBudget& budget) {
  Decoder decoder = {};
  decoder.budget = &budget;
  const DestroyWhenDone destroy(decoder);
  if (!read_header(&decoder, bytes.data(), bytes.size())) {
    return library_error(decoder, name);
  }
  jpeg_decompress_struct& library = decoder.library;
  TESSERA_RETURN_IF_ERROR(check_color(library, name));
  TESSERA_RETURN_IF_ERROR(check_size(library, bytes.size(), name));
  const ImageInfo info = info_of(library);
  library.out_color_space = info.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  library.dct_method = JDCT_ISLOW;  // integers: the same pixels on every machine
  const MemoryNeed beside = {.file = bytes.size(), .scratch = library_bytes(library)};
  TESSERA_ASSIGN_OR_RETURN(Image image, create_decoded_image(name, info, beside, budget));
  const uint64_t memory = budget.memory_left({.file = bytes.size(), .pixels = info.pixel_count()});
  if (!read_rows(&decoder, image.row<uint8_t>(0), image.row_stride(), memory)) {
    return library_error(decoder, name);
  }
  return image;
}

}  // namespace tessera
