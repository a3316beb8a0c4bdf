// tessera-astcenc: the command line of astcenc over Tessera's public interface, for scripts and
// people that know it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>

#include "arguments.h"
#include "pixels.h"
#include "report.h"
#include "standard_streams.h"

namespace tessera::astcenc {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string extension_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

// A list of what the build can do, such as "containers", in words between commas.
bool build_has(const char* list, const std::string& name) {
  const auto build = describe_build();
  if (!build) {
    return false;
  }
  const std::string text(build->text());
  const size_t begin = text.find("\"" + std::string(list) + "\"");
  const size_t end = begin == std::string::npos ? begin : text.find(']', begin);
  return end != std::string::npos &&
         text.substr(begin, end - begin).find("\"" + name + "\"") != std::string::npos;
}

struct Source {
  Pixels pixels;
  uint32_t channels = 4;
};

// "in_3.png" for "in.png".
std::string slice_name(const std::string& path, uint32_t slice) {
  const std::filesystem::path whole(path);
  return (whole.parent_path() / (whole.stem().string() + "_" + std::to_string(slice))).string() +
         whole.extension().string();
}

void append(Pixels& all, Pixels slice) {
  all.bytes.insert(all.bytes.end(), slice.bytes.begin(), slice.bytes.end());
  all.floats.insert(all.floats.end(), slice.floats.begin(), slice.floats.end());
  ++all.depth;
}

Result<Source> read_source(const Arguments& arguments, const Context& context) {
  Source source;
  for (uint32_t slice = 0; slice < arguments.depth; ++slice) {
    const std::string path =
        arguments.depth > 1 ? slice_name(arguments.input, slice) : arguments.input;
    const auto picture = read(path, {}, &context);
    if (!picture) {
      return picture.error();
    }
    auto pixels = to_pixels(picture->image());
    if (!pixels) {
      return pixels.error();
    }
    if (slice == 0) {
      source.channels = picture->image().channels;
      source.pixels = std::move(*pixels);
      continue;
    }
    if (pixels->width != source.pixels.width || pixels->height != source.pixels.height ||
        pixels->is_float != source.pixels.is_float) {
      return Error{ErrorCode::kInvalid, path + " is not like the slices before it"};
    }
    append(source.pixels, std::move(*pixels));
  }
  if (arguments.normalizes || arguments.premultiplies) {
    auto changed = edited(source.pixels, {false, arguments.premultiplies, arguments.normalizes},
                          arguments.profile == "srgb");
    if (!changed) {
      return changed.error();
    }
    source.pixels = std::move(*changed);
  }
  return source;
}

// The weights of -cw and -ssw together; "": all the same.
std::string channel_weights(const Arguments& arguments) {
  constexpr float kLeast = 0.001F;  // of the library
  constexpr float kMost = 1000;
  std::array<float, 4> weights = arguments.weights;
  for (size_t c = 0; c < 4; ++c) {
    const bool is_read =
        arguments.sampled.empty() || arguments.sampled.find("rgba"[c]) != std::string::npos;
    weights[c] = std::clamp(is_read ? weights[c] : 0, kLeast, kMost);
  }
  if (std::all_of(weights.begin(), weights.end(), [](float weight) { return weight == 1; })) {
    return "";
  }
  char text[100];
  std::snprintf(text, sizeof text, "%g,%g,%g,%g", static_cast<double>(weights[0]),
                static_cast<double>(weights[1]), static_cast<double>(weights[2]),
                static_cast<double>(weights[3]));
  return text;
}

EncodeOptions encode_options(const Arguments& arguments) {
  EncodeOptions options;
  options.format = "astc";
  options.block = arguments.block;
  options.profile = arguments.profile;
  options.container = "astc";
  if (arguments.operation == Operation::kCompress) {
    options.container = extension_of(arguments.output).substr(1);
  }
  if (arguments.encode_swizzle != "rgba") {
    options.swizzle = arguments.encode_swizzle;
  } else if (arguments.is_normal_map && arguments.profile == "ldr") {
    options.normal_map = true;
  } else if (arguments.is_normal_map) {
    options.swizzle = "rrrg";  // normals that are not linear are none to the library
  }
  char quality[32];
  std::snprintf(quality, sizeof quality, "%g",
                static_cast<double>(library_quality(arguments.quality)));
  options.options.push_back({"quality", quality});
  const std::string weights = channel_weights(arguments);
  if (!weights.empty()) {
    options.options.push_back({"channel-weights", weights});
  }
  const bool has_own_weights = !weights.empty() || arguments.is_normal_map;
  if (arguments.is_perceptual && !has_own_weights) {
    options.options.push_back({"perceptual", ""});
  }
  if (arguments.rgbm && !has_own_weights) {
    options.options.push_back({"rgbm", ""});
  }
  if (arguments.weighs_by_alpha || (arguments.rgbm && has_own_weights)) {
    options.options.push_back({"alpha-weight", "1"});
  }
  if (arguments.unorm8) {
    options.options.push_back({"decode-mode", "unorm8"});
  }
  if (arguments.flips) {
    options.options.push_back({"yflip", "1"});
  }
  return options;
}

Result<Bytes> encode_repeatedly(const Arguments& arguments, const Pixels& pixels,
                                const Context& context, Times& times) {
  const auto encoder = Encoder::create(encode_options(arguments));
  if (!encoder) {
    return encoder.error();
  }
  const Image image = pixels.image(arguments.profile == "srgb");
  for (uint32_t i = 1;; ++i) {
    EncodeReport report = TESSERA_ENCODE_REPORT_INIT;
    auto file = encoder->encode(image, &context, {}, &report);
    times.coding += report.encode_seconds / arguments.repeats;
    if (!file || i == arguments.repeats) {
      return file;
    }
  }
}

Result<Pixels> decode_pixels(const Arguments& arguments, std::span<const uint8_t> file,
                             bool to_floats, const Context& context, Times& times) {
  DecodeOptions options;
  // Alpha is decoded as its blocks say, whatever it was encoded for.
  options.profile = arguments.profile == "hdra" ? "hdr" : arguments.profile;
  options.sample = to_floats ? Sample::kF32 : Sample::kU8;
  if (arguments.unorm8) {
    options.options.push_back({"decode-mode", "unorm8"});
  }
  FileInfo info = {};
  info.struct_size = sizeof info;
  const auto start = Clock::now();
  const auto picture = decode(file, options, &context, {}, &info, arguments.input);
  times.decoding = seconds_since(start);
  if (!picture) {
    return picture.error();
  }
  if (std::strcmp(info.format, "astc") != 0) {
    return Error{ErrorCode::kInvalid, arguments.input + " is no ASTC texture"};
  }
  auto pixels = to_pixels(picture->image());
  if (pixels) {
    swizzle(*pixels, arguments.decode_swizzle);
  }
  return pixels && arguments.flips ? edited(*pixels, {.yflip = true}, false) : std::move(pixels);
}

bool holds_floats(const std::string& path) {
  return extension_of(path) == ".exr" || extension_of(path) == ".hdr";
}

Status write_pixels(const Arguments& arguments, const Pixels& pixels) {
  Pixels slice = first_slice(pixels, holds_floats(arguments.output));
  if (extension_of(arguments.output) == ".hdr") {  // it has no alpha, and astcenc leaves it out
    swizzle(slice, "rgb1");
  }
  const auto written = write(arguments.output, slice.image(arguments.profile == "srgb"));
  return written ? Status() : Status(written.error());
}

Status compress(const Arguments& arguments, const Context& context) {
  const auto start = Clock::now();
  const bool is_test = arguments.operation == Operation::kTest;
  const auto source = read_source(arguments, context);
  if (!source) {
    return source.error();
  }
  const Pixels& pixels = source->pixels;
  if (!arguments.is_silent) {
    print_source(arguments, pixels, source->channels);
    print_settings(arguments, context.threads());
  }
  Times times;
  times.texels = pixels.texels();
  // As astcenc does it: light is cut off for textures that cannot hold it, and measured with what
  // was cut off.
  const bool is_cut_off = pixels.is_float && !arguments.profile.starts_with("hdr");
  const auto file = is_cut_off ? encode_repeatedly(arguments, clamped(pixels), context, times)
                               : encode_repeatedly(arguments, pixels, context, times);
  if (!file) {
    return file.error();
  }
  if (!is_test) {
    if (Status written = write_bytes(arguments.output, file->span()); !written) {
      return written;
    }
  } else {
    const auto decoded = decode_pixels(arguments, file->span(), pixels.is_float, context, times);
    if (!decoded) {
      return decoded.error();
    }
    if (Status written = write_pixels(arguments, *decoded); !written) {
      return written;
    }
    print_quality(arguments, measure(pixels, *decoded, arguments), pixels.is_float);
  }
  times.total = seconds_since(start);
  if (is_test || !arguments.is_silent) {
    print_times(times);
  }
  return {};
}

Status decompress(const Arguments& arguments, const Context& context) {
  const auto start = Clock::now();
  const auto file = read_bytes(arguments.input);
  if (!file) {
    return file.error();
  }
  Times times;
  const auto pixels =
      decode_pixels(arguments, file->span(), holds_floats(arguments.output), context, times);
  if (!pixels) {
    return pixels.error();
  }
  if (Status written = write_pixels(arguments, *pixels); !written) {
    return written;
  }
  times.texels = pixels->texels();
  times.total = seconds_since(start);
  if (!arguments.is_silent) {
    print_times(times);
  }
  return {};
}

// What can be known before anything is read.
Status check_output_name(const Arguments& arguments) {
  const std::string extension = extension_of(arguments.output);
  if (arguments.operation == Operation::kCompress) {
    const bool is_known = extension.size() > 1 && build_has("containers", extension.substr(1)) &&
                          extension != ".tsf" && extension != ".dds";
    return is_known ? Status()
                    : Error{ErrorCode::kUsage,
                            "Unknown compressed output file type '" + extension + "'"};
  }
  return check_output(arguments.output, {arguments.input});
}

Status run(const std::vector<std::string>& words) {
  const auto arguments = read_arguments(words);
  if (!arguments) {
    return arguments.error();
  }
  if (arguments->operation == Operation::kHelp) {
    print_help();
    return {};
  }
  if (arguments->operation == Operation::kVersion) {
    print_version();
    return {};
  }
  if (Status possible = check_output_name(*arguments); !possible) {
    return possible;
  }
  if (arguments->alpha_radius > 0 && !arguments->is_silent) {
    std::fprintf(stderr, "NOTE: -a weighs by each texel's own alpha; the radius is not used\n");
  }
  ContextOptions options;
  options.threads = arguments->threads;
  const auto context = Context::create(std::move(options));
  if (!context) {
    return context.error();
  }
  return arguments->operation == Operation::kDecompress ? decompress(*arguments, *context)
                                                        : compress(*arguments, *context);
}

int report(const std::string& sentence) {
  std::fprintf(stderr, "ERROR: %s\n", sentence.c_str());
  return 1;
}

}  // namespace
}  // namespace tessera::astcenc

int main(int argc, char** argv) {
  if (!tessera::open_missing_standard_streams()) {
    return tessera::astcenc::report(tessera::kNoStandardStreams);
  }
  try {
    const auto done = tessera::astcenc::run(std::vector<std::string>(argv + 1, argv + argc));
    if (!done) {
      return tessera::astcenc::report(done.error().message);
    }
    return std::fflush(stdout) == 0 ? 0 : tessera::astcenc::report("cannot write standard output");
  } catch (const std::exception& exception) {
    return tessera::astcenc::report(exception.what());
  }
}
