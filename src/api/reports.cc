// Fills the structs that tell the caller what was done and what a file is.
#include "api/reports.h"

#include <string_view>

#include "api/errors.h"
#include "api/images.h"
#include "containers/texture_file.h"

namespace tessera::api {

tessera_metrics to_c(const Metrics& metrics) {
  tessera_metrics result = {};
  result.struct_size = sizeof result;
  result.psnr_rgb = metrics.psnr_rgb;
  result.psnr_rgba = metrics.psnr_rgba;
  result.psnr_alpha_weighted = metrics.psnr_alpha_weighted;
  result.ssim = metrics.ssim;
  result.max_error = metrics.max_error;
  result.worst_block_x = metrics.worst_block.x;
  result.worst_block_y = metrics.worst_block.y;
  result.worst_block_slice = metrics.worst_block.slice;
  result.worst_block_psnr_rgb = metrics.worst_block.psnr_rgb;
  if (metrics.hdr) {
    result.has_hdr = 1;
    result.mpsnr = metrics.hdr->mpsnr;
    result.log_rmse = metrics.hdr->log_rmse;
    result.psnr_peak = metrics.hdr->psnr_peak;
    result.peak = metrics.hdr->peak;
  }
  return result;
}

tessera_encode_report to_c(const EncodeReport& report) {
  tessera_encode_report result = TESSERA_ENCODE_REPORT_INIT;
  result.width = report.width;
  result.height = report.height;
  result.channels = report.channels;
  result.levels = static_cast<uint32_t>(report.level_count);
  result.encoded_pixels = report.encoded_pixels;
  result.file_bytes = report.file_bytes;
  result.encode_seconds = report.encode_seconds;
  result.depth = report.depth;
  result.layers = report.layers;
  result.faces = report.faces;
  result.alpha_dropped = report.alpha_dropped ? 1 : 0;
  result.clamped_nan = report.clamped.nan;
  result.clamped_infinite = report.clamped.infinite;
  result.clamped_negative = report.clamped.negative;
  result.clamped_too_large = report.clamped.too_large;
  result.clamped_alpha = report.clamped.alpha;
  result.profile = profile_name(report.profile).data();  // a constant
  if (report.metrics) {
    result.has_metrics = 1;
    result.metrics = to_c(*report.metrics);
  }
  if (report.angular_error) {
    result.has_angular_error = 1;
    result.angular_error_mean = report.angular_error->mean_degrees;
    result.angular_error_max = report.angular_error->max_degrees;
  }
  if (report.chosen) {
    copy_text(block_size_name(report.chosen->block), result.chosen_block);
    copy_text(report.chosen->preset, result.chosen_preset);
    copy_text(report.chosen->reason, result.chosen_reason);
  }
  if (report.rate) {
    result.rdo_number = double{report.rate->number};
    result.rdo_percent = 100 * double{report.rate->left};
    result.rdo_missed = report.rate->is_reached ? 0 : 1;
  }
  return result;
}

Status write_report(const EncodeReport& report, tessera_encode_report* out) {
  return write_result(to_c(report), out, "tessera_encode_report");
}

tessera_file_info picture_info(const ImageInfo& image, std::string_view type) {
  tessera_file_info info = {};
  info.struct_size = sizeof info;
  copy_text("picture", info.kind);
  copy_text(type, info.type);
  info.srgb = image.color_space == ColorSpace::kSrgb ? 1 : 0;
  info.hdr = image.sample == SampleType::kF16 || image.sample == SampleType::kF32 ? 1 : 0;
  info.width = image.width;
  info.height = image.height;
  info.depth = image.depth;
  info.layers = image.layers;
  info.faces = 1;
  info.levels = 1;
  info.channels = image.channels;
  info.sample = to_c(image.sample);
  return info;
}

tessera_file_info texture_info(const TextureInfo& texture, ContainerType container, size_t levels) {
  const FormatRow& row = format_row(texture.format);
  tessera_file_info info = {};
  info.struct_size = sizeof info;
  copy_text(row.payload == PayloadKind::kBlocks ? "texture" : row.name, info.kind);
  copy_text(container_type_name(container).substr(1), info.type);
  copy_text(row.name, info.format);
  if (row.payload == PayloadKind::kBlocks) {
    info.block_width = texture.block.width;
    info.block_height = texture.block.height;
    info.block_depth = texture.block.depth;
  }
  info.srgb = texture.srgb ? 1 : 0;
  info.hdr = texture.hdr ? 1 : 0;
  info.width = texture.width;
  info.height = texture.height;
  info.depth = texture.depth;
  info.layers = texture.layers;
  info.faces = texture.faces;
  info.upside_down = texture.upside_down ? 1 : 0;
  info.levels = static_cast<uint32_t>(levels);
  return info;
}

}  // namespace tessera::api
