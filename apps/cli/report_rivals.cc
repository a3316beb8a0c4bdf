// Runs the astcenc command for the page of `tessera report`.
#include "report_rivals.h"

#include <algorithm>
#include <cstdio>

#include "astcenc_command.h"
#include "installed_rivals.h"

namespace tessera::cli {
namespace {

RivalSetting setting_beside(const EncoderInfo& info, const std::string& version) {
  RivalSetting rival;
  rival.program = "astcenc";
  rival.version = version;
  rival.block = block_name(info.block_width, info.block_height, info.block_depth);
  rival.preset = info.preset;
  rival.is_srgb = std::string(info.profile) == "srgb";
  const std::string words = rival.block + " " + bench::astcenc_quality(rival.preset);
  rival.name = "astcenc " + version + ", " + words + (rival.is_srgb ? " (-cs)" : "");
  rival.command = std::string("astcenc ") + (rival.is_srgb ? "-cs" : "-cl") + " IN OUT " + words;
  return rival;
}

bool is_known_to_astcenc(const EncoderInfo& info) {
  const std::string profile = info.profile;
  return std::string(info.format) == "astc" && info.block_depth <= 1 && profile != "hdr" &&
         profile != "hdra";
}

ErrorCode code_of(bench::ProgramEnd end) {
  return end == bench::ProgramEnd::kInterrupted ? ErrorCode::kInterrupted : ErrorCode::kFailed;
}

}  // namespace

std::vector<RivalSetting> rivals_beside(const std::vector<KnownSetting>& settings) {
  std::vector<RivalSetting> rivals;
  if (!bench::have_astcenc()) {
    return rivals;
  }
  bench::end_programs_when(is_interrupted());
  const std::string version = bench::astcenc_version();
  for (const auto& [info, index] : settings) {
    RivalSetting rival = setting_beside(info, version);
    rival.beside = index;
    const bool is_new = std::none_of(rivals.begin(), rivals.end(), [&](const RivalSetting& other) {
      return other.name == rival.name;
    });
    if (is_new && is_known_to_astcenc(info)) {
      rivals.push_back(std::move(rival));
    }
  }
  return rivals;
}

Result<ReportEntry> encode_by_rival(const Image& image, const RivalSetting& rival,
                                    const Context& context, double seconds) {
  if (image.sample == Sample::kF16 || image.sample == Sample::kF32) {
    return Error{ErrorCode::kUnsupported, "rivals get pictures with integer samples only"};
  }
  const auto png = write_to_memory("png", image);
  if (!png) {
    return png.error();
  }
  bench::AstcencSettings settings;
  settings.block = rival.block;
  settings.quality = bench::astcenc_quality(rival.preset);
  settings.is_srgb = rival.is_srgb;
  settings.threads = context.threads();
  settings.limit = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
  ReportEntry entry = {{}, {}, *parse_extent(rival.block, 255), 0, Picture(nullptr)};
  const bench::AstcencRun run = bench::astcenc_encode_png(png->span(), settings, entry.file);
  if (run.end != bench::ProgramEnd::kDone) {
    char limit[64];
    std::snprintf(limit, sizeof limit, "it took longer than %g s", seconds);
    const bool is_slow = run.end == bench::ProgramEnd::kTooLong;
    return Error{code_of(run.end), is_slow ? limit : run.problem};
  }
  DecodeOptions options;
  options.profile = rival.is_srgb ? "srgb" : "ldr";
  auto decoded = decode(entry.file, options, &context);
  if (!decoded) {
    return decoded.error();
  }
  entry.decoded = std::move(*decoded);
  const auto metrics = compare(image, entry.decoded.image(), entry.block.width, entry.block.height);
  if (!metrics) {
    return metrics.error();
  }
  entry.metrics = *metrics;
  entry.mpixels_per_second =
      static_cast<double>(image.width) * image.height / 1e6 / std::max(run.seconds, 1e-4);
  return entry;
}

}  // namespace tessera::cli
