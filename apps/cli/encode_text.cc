// What the command says about a file that has been encoded.
#include "encode_text.h"

#include <algorithm>
#include <cstdio>

#include "base/file.h"

namespace tessera::cli {
namespace {

double bits_per_pixel(const EncodeReport& report) {
  return 8.0 * static_cast<double>(report.file_bytes) /
         (static_cast<double>(report.width) * report.height);
}

double megapixels_per_second(const EncodeReport& report) {
  return static_cast<double>(report.encoded_pixels) / 1e6 / std::max(report.encode_seconds, 1e-9);
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string line_of(const EncodePlan& plan, const FilePair& file, const EncodeReport& report) {
  std::string line = file.output == kStandardStream ? "standard output" : file.output;
  const FormatRow& format = plan.codec->row();
  const std::string kind = format.payload == PayloadKind::kBlocks
                               ? block_size_name(plan.codec->block_of(plan.settings))
                               : (report.channels == 1 ? "grey" : "colour");
  line += formatted(": %ux%u, %s %s, %zu bytes (%.*f bits per pixel)", report.width, report.height,
                    std::string(format.name).c_str(), kind.c_str(), report.file_bytes,
                    format.payload == PayloadKind::kBlocks ? 2 : 3, bits_per_pixel(report));
  line += format.payload == PayloadKind::kBlocks
              ? formatted(", %.1f MP/s", megapixels_per_second(report))
              : formatted(", %.2f s", report.encode_seconds);
  if (report.metrics) {
    line += formatted(", PSNR %.2f dB (RGB), SSIM %.4f", report.metrics->psnr_rgb,
                      report.metrics->ssim);
  }
  if (report.angular_error) {
    line += formatted(", normals off by %.2f degrees (mean)", report.angular_error->mean_degrees);
  }
  return line;
}

std::string note_of(const EncodePlan& plan, const FilePair& file, const EncodeReport& report) {
  return report.alpha_dropped
             ? "note: " + input_display_name(file.input) + " has transparent pixels, and " +
                   std::string(texture_format_name(plan.codec->format())) + " dropped its alpha"
             : "";
}

}  // namespace

Json encode_json(const EncodePlan& plan, const FilePair& file, const FileEncodeReport& made) {
  const EncodeReport& report = made.encode;
  const FormatRow& format = plan.codec->row();
  Json object = {{"input", file.input},
                 {"output", file.output},
                 {"width", report.width},
                 {"height", report.height}};
  if (format.payload == PayloadKind::kBlocks) {
    object["levels"] = report.level_count;
    object["format"] = format.name;
    object["block"] = block_size_name(plan.codec->block_of(plan.settings));
    object["preset"] = preset_name(plan.settings.preset);
    object["method"] = plan.settings.method;
    object["profile"] = profile_name(plan.settings.profile);
  } else {
    object["channels"] = report.channels;
    object["format"] = format.name;
  }
  object["backend"] = made.backend;
  object["isa"] = made.isa;
  object["threads"] = made.threads;
  object["encode_seconds"] = report.encode_seconds;
  object["mpixels_per_second"] = megapixels_per_second(report);
  object["bytes"] = report.file_bytes;
  object["bpp"] = bits_per_pixel(report);
  object["alpha_dropped"] = report.alpha_dropped;
  if (report.metrics) {
    add_metrics(object, *report.metrics);
  }
  if (report.angular_error) {
    object["angular_error_degrees"] = {{"mean", report.angular_error->mean_degrees},
                                       {"max", report.angular_error->max_degrees}};
  }
  return object;
}

void print_encode_text(const EncodePlan& plan, const FilePair& file, const EncodeReport& report) {
  // Standard output may carry the texture.
  FILE* out = file.output == kStandardStream ? stderr : stdout;
  std::fprintf(out, "%s\n", line_of(plan, file, report).c_str());
  if (const std::string note = note_of(plan, file, report); !note.empty()) {
    std::fprintf(stderr, "%s\n", note.c_str());
  }
}

void add_ranks(Json& object, const FileOutcome<FileEncodeReport>& outcome) {
  const FileEncodeReport& report = *outcome.report;
  if (!report.ranks.empty()) {
    Json ranks = Json::array();
    for (const RankWork& work : report.ranks) {
      ranks.push_back({{"units", work.units},
                       {"mpixels", static_cast<double>(work.pixels) / 1e6},
                       {"busy_seconds", work.busy_seconds}});
    }
    object["ranks"] = std::move(ranks);
    object["messages"] = report.messages;
    object["control_seconds"] = report.control_seconds;
  }
  object["rank"] = outcome.rank;
}

}  // namespace tessera::cli
