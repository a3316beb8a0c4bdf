// Makes results, and turns them into the data of the page of `tessera report`.
#include "report_entry.h"

#include <algorithm>
#include <utility>

namespace tessera::cli {
namespace {

// The blocks that the encoder uses, or has chosen for this picture to reach a target.
Extent block_of(const EncoderInfo& info, const EncodeReport& report) {
  if (const auto chosen = parse_extent(report.chosen_block, 255)) {
    return *chosen;
  }
  // Comparisons without blocks of the format take such of 4x4.
  return info.block_bytes > 0 ? Extent{info.block_width, info.block_height} : Extent{4, 4};
}

// The pixels as people look at them: light as light, normals with their z.
Result<Picture> decode_for_report(const Bytes& file, const EncodeReport& report,
                                  const EncoderInfo& info, const Context& context,
                                  const Control& control) {
  DecodeOptions options;
  options.normal_map = info.normal_map != 0;
  if (std::string(report.profile).starts_with("hdr")) {
    options.profile = "hdr";  // .astc files do not say it
    options.sample = Sample::kF16;
  }
  return decode(file.span(), options, &context, control);
}

// Encoders measure the two channels that they store of normals; the page has what `compare
// --normal` tells.
Status measure_normals(const Image& reference, ReportEntry& entry) {
  const Image decoded = entry.decoded.image();
  const auto metrics = compare(reference, decoded, entry.block.width, entry.block.height);
  if (!metrics) {
    return metrics.error();
  }
  const auto angles = compare_normals(reference, decoded);
  if (!angles) {
    return angles.error();
  }
  entry.metrics = *metrics;
  entry.angle = angles->mean;
  return {};
}

Status check_shape(const Image& image, const Image& decoded) {
  if (image.width == decoded.width && image.height == decoded.height) {
    return {};
  }
  return Error{ErrorCode::kUnsupported,
               "the result has " + std::to_string(decoded.width) + "x" +
                   std::to_string(decoded.height) +
                   " pixels, and the page shows results of the picture's size"};
}

}  // namespace

Result<ReportEntry> encode_for_report(const Image& image, const PictureSetting& setting,
                                      const Context& context, const Control& control) {
  EncodeReport report = TESSERA_ENCODE_REPORT_INIT;
  const auto file = setting.encoder.encode(image, &context, control, &report);
  if (!file) {
    return file.error();
  }
  const EncoderInfo info = setting.encoder.info();
  auto decoded = decode_for_report(*file, report, info, context, control);
  if (!decoded) {
    return decoded.error();
  }
  ReportEntry entry = {
      {file->data(), file->data() + file->size()},
      report.metrics,
      block_of(info, report),
      static_cast<double>(report.encoded_pixels) / 1e6 / std::max(report.encode_seconds, 1e-9),
      std::move(*decoded)};
  entry.swizzle = info.swizzle;
  if (const Status fits = check_shape(image, entry.decoded.image()); !fits) {
    return fits.error();
  }
  const PictureEdits& edits = setting.edits;
  if (edits.yflip || edits.premultiply || edits.normalize) {
    auto reference = edit_picture(image, edits);
    if (!reference) {
      return reference.error();
    }
    entry.reference = std::move(*reference);
  }
  if (setting.is_of_normals) {
    const bool is_edited = entry.reference.get() != nullptr;
    const Status measured = measure_normals(is_edited ? entry.reference.image() : image, entry);
    if (!measured) {
      return measured.error();
    }
  }
  return entry;
}

Result<std::string> png_text(const Image& image, const Window& window, const std::string& swizzle) {
  const ShownPixels pixels = swizzled(shown_pixels(image, window), swizzle);
  const auto file = write_to_memory("png", pixels.image());
  if (!file) {
    return file.error();
  }
  return base64(file->span());
}

namespace {

// Its own original, where that is not the picture as it is.
Status add_original(const Image& image, const ReportEntry& entry, const Window& window,
                    Json& json) {
  const bool is_edited = entry.reference.get() != nullptr;
  if (!is_edited && entry.swizzle == "rgba") {
    return {};
  }
  auto text = png_text(is_edited ? entry.reference.image() : image, window, entry.swizzle);
  if (!text) {
    return text.error();
  }
  json["original"] = std::move(*text);
  return {};
}

}  // namespace

Result<Json> entry_json(const Image& image, const ReportEntry& entry, const Window& window) {
  const double pixels = static_cast<double>(image.width) * image.height;
  auto result = png_text(entry.decoded.image(), window);
  if (!result) {
    return result.error();
  }
  Json json;
  add_metrics(json, entry.metrics);
  if (entry.angle) {
    json["angle"] = *entry.angle;
  }
  json["worst_block"] = {{"left", entry.metrics.worst_block_x * entry.block.width},
                         {"top", entry.metrics.worst_block_y * entry.block.height},
                         {"width", entry.block.width},
                         {"height", entry.block.height},
                         {"psnr_rgb", entry.metrics.worst_block_psnr_rgb}};
  json["bytes"] = entry.file.size();
  json["bpp"] = 8.0 * static_cast<double>(entry.file.size()) / pixels;
  json["mpixels_per_second"] = entry.mpixels_per_second;
  json["result"] = std::move(*result);
  if (const Status added = add_original(image, entry, window, json); !added) {
    return added.error();
  }
  if (const auto map = map_blocks(entry.file)) {
    Json legend = Json::parse(map->legend.text());
    Json kinds = std::move(legend["kinds"]);
    legend["legend"] = std::move(kinds);
    legend["kinds"] = base64(map->kinds.span());
    json["map"] = std::move(legend);
  }
  return json;
}

}  // namespace tessera::cli
