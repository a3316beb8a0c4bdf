// Prints hashes of what the encoders and decoders make, to compare machines and implementations of
// the lanes: a line for each format, block size, preset and picture.
#include <cinttypes>
#include <cstdio>
#include <string_view>
#include <vector>

#include "astc/decode/decode_image.h"
#include "astc/encode/encode_rows.h"
#include "bc/bc1_encode.h"
#include "fractal/fractal_image.h"
#include "image/convert.h"
#include "image/synthetic.h"
#include "spmd/isa.h"

namespace tessera {
namespace {

uint64_t hash_of(ByteSpan bytes) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (const uint8_t byte : bytes) {
    hash = (hash ^ byte) * 0x100000001B3u;
  }
  return hash;
}

// Of pixels, without what lies between rows.
uint64_t hash_of(const Result<Image>& image) {
  Bytes pixels;
  for (uint32_t y = 0; image && y < image->height(); ++y) {
    const auto* row = image->row<uint8_t>(y);
    pixels.insert(pixels.end(), row, row + image->width() * image->info().pixel_bytes());
  }
  return hash_of(ByteSpan(pixels));
}

// The slowest one is done for a few block sizes: it differs from the others in numbers alone.
std::vector<Preset> presets(bool with_exhaustive) {
  std::vector<Preset> list = {Preset::kRealtime, Preset::kFast, Preset::kMedium, Preset::kThorough};
  if (with_exhaustive) {
    list.push_back(Preset::kExhaustive);
  }
  return list;
}

bool is_one_of_few(BlockSize size) {
  return size == BlockSize{4, 4, 1} || size == BlockSize{6, 6, 1} || size == BlockSize{10, 8, 1};
}

bool is_wanted(BlockSize size, bool is_short) {
  return !size.is_3d() && (!is_short || is_one_of_few(size));
}

void print_astc(const Image& image, const char* picture, bool is_short) {
  astc::EncodeScratch scratch;
  for (const BlockSize size : astc::kBlockSizes) {
    if (!is_wanted(size, is_short)) {
      continue;
    }
    for (const Preset preset : presets(!is_short && is_one_of_few(size))) {
      const astc::BlockCounts counts = astc::block_counts(image.info(), size);
      Bytes blocks(size_t{counts.x} * counts.y * 16);
      const astc::EncodeSettings settings = astc::preset_settings(preset, size);
      astc::encode_rows(image.view(), size, 0, 0, counts.y, settings,
                        astc::look_at_picture(image.view(), size, settings, scratch), scratch,
                        blocks);
      std::printf("astc %ux%u %s %s %016" PRIx64, size.width, size.height,
                  preset_name(preset).data(), picture, hash_of(blocks));
      for (const astc::DecodeMode mode :
           {astc::DecodeMode::kLdrFloat16, astc::DecodeMode::kLdrUnorm8, astc::DecodeMode::kSrgb}) {
        std::printf(" %016" PRIx64, hash_of(astc::decode_image(blocks, image.info(), size, mode)));
      }
      std::printf("\n");
    }
  }
}

// The same pictures as half floats, with alpha of both kinds.
void print_hdr(const Image& image, const char* picture, bool is_short) {
  const auto halves = convert_samples(image.view(), SampleType::kF16);
  astc::EncodeScratch scratch;
  for (const BlockSize size : astc::kBlockSizes) {
    if (!halves || !is_wanted(size, is_short) || !astc::can_encode(size, astc::DecodeMode::kHdr)) {
      continue;
    }
    for (const Preset preset : presets(!is_short && is_one_of_few(size))) {
      const astc::BlockCounts counts = astc::block_counts(image.info(), size);
      Bytes blocks(size_t{counts.x} * counts.y * 16);
      astc::EncodeSettings settings = astc::preset_settings(preset, size);
      settings.decode_mode = astc::DecodeMode::kHdr;
      for (const bool hdr_alpha : {false, true}) {
        settings.hdr_alpha = hdr_alpha;
        astc::encode_rows(halves->view(), size, 0, 0, counts.y, settings,
                          astc::look_at_picture(halves->view(), size, settings, scratch), scratch,
                          blocks);
        std::printf(
            "hdr %ux%u %s %s %016" PRIx64 " %016" PRIx64 "\n", size.width, size.height,
            preset_name(preset).data(), picture, hash_of(blocks),
            hash_of(astc::decode_image(blocks, halves->info(), size, astc::DecodeMode::kHdr)));
      }
    }
  }
}

void print_bc1(const Image& image, const char* picture, const char* name,
               const bc1::Settings& settings) {
  const uint32_t rows = (image.info().height + 3) / 4;
  Bytes blocks(size_t{rows} * ((image.info().width + 3) / 4) * 8);
  bc1::encode_rows(image.view(), 0, 0, rows, settings, blocks);
  std::printf("bc1 %s %s %016" PRIx64 "\n", name, picture, hash_of(blocks));
}

void print_bc1_presets_and_methods(const Image& image, const char* picture) {
  for (const Preset preset : presets(true)) {
    print_bc1(image, picture, preset_name(preset).data(), bc1::preset_settings(preset));
  }
  for (size_t i = 0; i < bc1::kMethodNames.size(); ++i) {
    bc1::Settings settings;
    settings.method = static_cast<bc1::Method>(i);
    print_bc1(image, picture, bc1::kMethodNames[i].data(), settings);
    settings.three_colors = settings.punch_through = true;
    settings.descent_sweeps = 1;
    settings.weights = {3, 4, 2};
    print_bc1(image, picture, bc1::kMethodNames[i].data(), settings);
  }
}

void print_fractal(const Image& image, const char* picture, const char* name,
                   const fractal::EncodeSettings& settings) {
  const auto bytes = fractal::encode_fractal(image.view(), settings, fractal::run_serially);
  std::printf("fractal %s %s %016" PRIx64, name, picture, bytes ? hash_of(*bytes) : 0);
  for (const uint32_t scale : {1u, 2u}) {
    const uint64_t hash =
        bytes ? hash_of(fractal::decode_fractal(*bytes, {.iterations = {}, .scale = scale},
                                                fractal::run_serially, picture))
              : 0;
    std::printf(" %016" PRIx64, hash);
  }
  std::printf("\n");
}

void print_fractals(const Image& image, const char* picture) {
  const auto color = convert_channels(image.view(), 3);
  const auto grey = convert_channels(image.view(), 1);
  if (!color || !grey) {
    return;
  }
  for (const auto choice :
       {fractal::LeafChoice::kPure, fractal::LeafChoice::kHybrid, fractal::LeafChoice::kDctOnly}) {
    fractal::EncodeSettings settings;
    settings.choice = choice;
    print_fractal(*color, picture, "color", settings);
    settings.quality = 85;
    print_fractal(*grey, picture, "grey", settings);
  }
  fractal::EncodeSettings settings;
  settings.paper = fractal::PaperSettings{};
  settings.paper->depth = 4;
  print_fractal(*grey, picture, "paper", settings);
}

Result<Image> make_picture(SyntheticKind kind, uint32_t width, uint32_t height) {
  const auto picture = make_synthetic_image(kind, width, height, 5);
  return picture ? convert_channels(picture->view(), 4) : picture.error();
}

int print_all(bool is_short) {
  struct Picture {
    SyntheticKind kind;
    const char* name;
  };
  for (const auto& [kind, name] : {Picture{SyntheticKind::kPhoto, "photo"},
                                   {SyntheticKind::kInterface, "interface"},
                                   {SyntheticKind::kSprite, "sprite"},
                                   {SyntheticKind::kNoise, "noise"}}) {
    const auto image = make_picture(kind, 45, 29);
    const auto square = make_picture(kind, 64, 64);
    if (!image || !square) {
      return 1;
    }
    print_astc(*image, name, is_short);
    print_hdr(*image, name, is_short);
    print_bc1_presets_and_methods(*image, name);
    print_fractals(*square, name);
  }
  return 0;
}

}  // namespace
}  // namespace tessera

// Arguments: "short" to leave out what is slow, "isas" to print the instruction sets instead. The
// environment variable TESSERA_ISA chooses one.
int main(int argc, char** argv) {
  const std::string_view argument = argc > 1 ? argv[1] : "";
  if (argument == "isas") {
    for (const std::string& isa : tessera::available_isas()) {
      std::printf("%s\n", isa.c_str());
    }
    return 0;
  }
  if (!tessera::restrict_isa_from_environment()) {
    return 1;
  }
  return tessera::print_all(argument == "short");
}
