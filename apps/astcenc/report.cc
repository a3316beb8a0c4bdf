// Prints as astcenc does.
#include "report.h"

#include <cstdio>

namespace tessera::astcenc {
namespace {

constexpr const char* kHelp =
    R"(tessera-astcenc - the command line of astcenc with Tessera's encoder

To compress an image use:
    tessera-astcenc {-cl|-cs|-ch|-cH} <in> <out> <blockdim> <quality> [options]

To decompress an image use:
    tessera-astcenc {-dl|-ds|-dh|-dH} <in> <out> [options]

To perform a quality test, writing the decompressed image, use:
    tessera-astcenc {-tl|-ts|-th|-tH} <in> <out> <blockdim> <quality> [options]

Mode -*l = linear LDR, -*s = sRGB LDR, -*h = HDR RGB and LDR alpha, -*H = HDR.
Quality = -fastest, -fast, -medium, -thorough, -verythorough, -exhaustive, or a number, 0 to 100.

Options:
    -a <radius>              errors of colours count by alpha; each texel's own, whatever the radius
    -cw <r> <g> <b> <a>      what errors of each channel count
    -decode_unorm8           optimise for decoders that work with 8 bits, and decode so
    -dsw <swizzle>           four of r g b a 0 1 z, after decompression
    -esw <swizzle>           four of r g b a 0 1, before compression
    -ssw <swizzle>           the channels that shaders read
    -j <threads>             0: all
    -mask                    accepted; channels are always weighed one by one
    -mpsnr <low> <high>      the exposures of the mPSNR, in stops
    -normal                  a normal map: x is stored in red, green and blue, y in alpha
    -perceptual              errors count as eyes see them
    -pp-normalize            gives normals the length 1 first
    -pp-premultiply          multiplies colours by alpha first
    -repeats <number>        compresses so often, and tells the mean time
    -rgbm <max>              an RGBM texture of values up to <max>
    -silent                  metrics and errors alone
    -yflip                   turns the image upside down
    -zdim <slices>           a volume of the images <in>_0, <in>_1 and so on

Options that set the limits of astcenc's own search are refused: the search is another one.
The exit code is 0, or 1 for any error. `tessera encode --help` has all that the library can do.
)";

void print_title(const char* title, const char* line) {
  std::printf("%s\n%s\n\n", title, line);
}

void print_text(const char* label, const std::string& value) {
  std::printf("    %-28s%s\n", label, value.c_str());
}

void print_number(const char* label, double value, const char* unit) {
  std::printf("    %-26s%9.4f%s\n", label, value, unit);
}

double bits_per_texel(const std::string& block) {
  unsigned width = 1;
  unsigned height = 1;
  unsigned depth = 1;
  std::sscanf(block.c_str(), "%ux%ux%u", &width, &height, &depth);
  return 128.0 / (static_cast<double>(width) * height * depth);
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

void print_help() {
  std::fputs(kHelp, stdout);
}

void print_version() {
  std::printf("tessera-astcenc %s, with the command line of astcenc 4\n", version().c_str());
}

void print_source(const Arguments& arguments, const Pixels& pixels, uint32_t channels) {
  print_title("Source image", "============");
  print_text("Source:", arguments.input);
  print_text("Color profile:", pixels.is_float ? "HDR" : "LDR");
  std::string extent = std::to_string(pixels.width) + "x" + std::to_string(pixels.height);
  extent =
      pixels.depth > 1 ? "3D, " + extent + "x" + std::to_string(pixels.depth) : "2D, " + extent;
  print_text("Dimensions:", extent);
  print_text("Components:", std::to_string(channels));
  std::printf("\n");
}

void print_settings(const Arguments& arguments, uint32_t threads) {
  print_title("Compressor settings", "===================");
  print_text("Color profile:", arguments.profile_title);
  print_text("Block size:", arguments.block);
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.2f bpp", bits_per_texel(arguments.block));
  print_text("Bitrate:", rate);
  print_text("RGB alpha scale weight:", arguments.weighs_by_alpha ? "1" : "0");
  constexpr const char* kLabels[] = {
      "R component weight:", "G component weight:", "B component weight:", "A component weight:"};
  for (size_t c = 0; c < 4; ++c) {
    print_text(kLabels[c], short_number(static_cast<double>(arguments.weights[c])));
  }
  print_text("Compressor thread count:", std::to_string(threads));
  std::printf("\n");
}

void print_quality(const Arguments& arguments, const ErrorSums& sums, bool is_float) {
  print_title("Quality metrics", "===============");
  print_number("PSNR (LDR-RGBA):", sums.psnr_rgba, " dB");
  print_number("Alpha-weighted PSNR:", sums.psnr_alpha_weighted, " dB");
  print_number("PSNR (LDR-RGB):", sums.psnr_rgb, " dB");
  if (is_float) {
    char unit[64];
    std::snprintf(unit, sizeof unit, " dB (peak %f)", sums.peak);
    print_number("PSNR (RGB norm to peak):", sums.psnr_peak, unit);
    std::snprintf(unit, sizeof unit, " dB (fstops %+d to %+d)", arguments.exposures[0],
                  arguments.exposures[1]);
    print_number("mPSNR (RGB):", sums.mpsnr, unit);
    print_number("LogRMSE (RGB):", sums.log_rmse, "");
  }
  if (arguments.is_normal_map) {
    print_number("Mean Angular Error:", sums.mean_angle, " degrees");
    print_number("Worst Angular Error:", sums.worst_angle, " degrees");
  }
  std::printf("\n");
}

void print_times(const Times& times) {
  print_title("Performance metrics", "===================");
  const auto rate = [&](double seconds) {
    return static_cast<double>(times.texels) / 1e6 / std::max(seconds, 1e-9);
  };
  print_number("Total time:", times.total, " s");
  if (times.coding > 0) {
    print_number("Coding time:", times.coding, " s");
    print_number("Coding rate:", rate(times.coding), " MT/s");
  }
  if (times.decoding > 0) {
    print_number("Decoding time:", times.decoding, " s");
    print_number("Decoding rate:", rate(times.decoding), " MT/s");
  }
}

}  // namespace tessera::astcenc
