// What every verb needs of the library and of the process: errors, interruption, a description of
// the build, and the names of standard streams.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tessera/tessera.hpp>

#include "process.h"

namespace tessera::cli {

using Json = nlohmann::ordered_json;

// The name that stands for standard input or output.
inline constexpr const char* kStandardStream = "-";

// "standard input" for "-".
std::string input_display_name(const std::string& input);

// One sentence on standard error; returns the exit code.
int report_error(const Error& error);

Error usage_error(std::string sentence);

// What signals ask to stop. It lives as long as the process.
Stop& stop();

// Refuses "-" for a file to be written where standard output was closed at the start.
Status check_output_stream(const std::string& output);

// Bytes of its pixels.
uint64_t memory_of(const Image& image);

// An error once a signal has asked to stop.
Status check_interrupted();

// What the library says about its build; see tessera_describe_build.
const Json& build();

// The names of a list of the build, such as "formats": "bc1, astc, fractal".
std::string build_names(const char* list);

// What verbs that only read tell of a file that failed.
Json failure_of(const std::string& file, const Error& error);

// To standard output; bytes of file names that are not UTF-8 are replaced.
void print_json(const Json& value);

// Adds psnr_rgb, psnr_rgba, ssim and the others to `object`.
void add_metrics(Json& object, const Metrics& metrics);

// ", 3 layers", ", cube map" or ", 2 cube maps"; "" for one picture.
std::string layers_text(uint32_t layers, uint32_t faces);

// "6x6", or "4x4x4" for blocks of volumes.
std::string block_name(uint32_t width, uint32_t height, uint32_t depth);

struct Extent {
  uint32_t width = 0;
  uint32_t height = 0;
};

// "768x512", with sides from 1 to `most`.
std::optional<Extent> parse_extent(const std::string& text, uint32_t most);

}  // namespace tessera::cli
