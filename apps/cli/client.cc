// What every verb needs of the library and of the process.
#include "client.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "standard_streams.h"

namespace tessera::cli {

std::string input_display_name(const std::string& input) {
  return input == kStandardStream ? "standard input" : input;
}

int report_error(const Error& error) {
  return report_error(static_cast<int>(error.code), error.message);
}

Error usage_error(std::string sentence) {
  return {ErrorCode::kUsage, std::move(sentence)};
}

Stop& stop() {
  static Stop asked;
  return asked;
}

Status check_output_stream(const std::string& output) {
  return output == kStandardStream && standard_output_was_closed()
             ? Status(Error{ErrorCode::kIo, "cannot write standard output: it is closed"})
             : Status();
}

uint64_t memory_of(const Image& image) {
  const uint64_t sample = image.sample == Sample::kU8 ? 1 : image.sample == Sample::kF32 ? 4 : 2;
  return uint64_t{image.width} * image.height * image.slices() * image.channels * sample;
}

Status check_interrupted() {
  return is_interrupted() ? Status(Error{ErrorCode::kInterrupted, "interrupted"}) : Status();
}

const Json& build() {
  static const Json description = [] {
    const auto text = describe_build();
    return text ? Json::parse(text->text()) : Json::object();
  }();
  return description;
}

std::string build_names(const char* list) {
  std::string names;
  for (const Json& name : build().value(list, Json::array())) {
    names += (names.empty() ? "" : ", ") + name.get<std::string>();
  }
  return names.empty() ? "none" : names;
}

Json failure_of(const std::string& file, const Error& error) {
  return {{"file", file}, {"error", error.message}, {"exit_code", static_cast<int>(error.code)}};
}

void print_json(const Json& value) {
  std::puts(value.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

void add_metrics(Json& object, const Metrics& metrics) {
  object["psnr_rgb"] = metrics.psnr_rgb;
  object["psnr_rgba"] = metrics.psnr_rgba;
  object["psnr_alpha_weighted"] = metrics.psnr_alpha_weighted;
  object["ssim"] = metrics.ssim;
  object["max_error"] = metrics.max_error;
  object["worst_block"] = {{"x", metrics.worst_block_x},
                           {"y", metrics.worst_block_y},
                           {"slice", metrics.worst_block_slice},
                           {"psnr_rgb", metrics.worst_block_psnr_rgb}};
  if (metrics.has_hdr != 0) {
    object["mpsnr"] = metrics.mpsnr;
    object["log_rmse"] = metrics.log_rmse;
    object["psnr_peak"] = metrics.psnr_peak;
    object["peak"] = metrics.peak;
  }
}

std::string layers_text(uint32_t layers, uint32_t faces) {
  if (faces > 1) {
    return layers > faces ? ", " + std::to_string(layers / faces) + " cube maps" : ", cube map";
  }
  return layers > 1 ? ", " + std::to_string(layers) + " layers" : "";
}

std::string block_name(uint32_t width, uint32_t height, uint32_t depth) {
  return std::to_string(width) + "x" + std::to_string(height) +
         (depth > 1 ? "x" + std::to_string(depth) : "");
}

std::optional<Extent> parse_extent(const std::string& text, uint32_t most) {
  Extent extent;
  const char* const end = text.data() + text.size();
  const auto [middle, width_error] = std::from_chars(text.data(), end, extent.width);
  if (width_error != std::errc() || middle == end || *middle != 'x') {
    return std::nullopt;
  }
  const auto [rest, height_error] = std::from_chars(middle + 1, end, extent.height);
  const bool in_range =
      std::min(extent.width, extent.height) > 0 && std::max(extent.width, extent.height) <= most;
  return height_error == std::errc() && rest == end && in_range ? std::optional(extent)
                                                                : std::nullopt;
}

}  // namespace tessera::cli
