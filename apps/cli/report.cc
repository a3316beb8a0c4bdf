// tessera report: one page that shows what settings make of pictures.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "backend_options.h"
#include "client.h"
#include "commands.h"
#include "format_options.h"
#include "limit_options.h"
#include "picture_list.h"
#include "settings.h"
#include "shown_pixels.h"

namespace tessera::cli {

extern const char* const kReportPage;  // report_page.html

namespace {

constexpr const char* kReportFooter =
    R"(The page is one file that needs no network. Examples:
  tessera report assets/ -o report.html
  tessera report photo.png -o report.html --setting block=6x6,preset=fast --setting block=6x6,preset=thorough
  tessera report assets/ -o report.html --include '*_n.png' --setting format=astc,block=5x5,as=normal)";

struct ReportCommand {
  std::vector<std::string> inputs;
  std::string output;
  std::vector<std::string> settings;
  PictureChoice choice;
  uint32_t view = 1024;  // pixels of a side that are shown
  BackendOptions backend;
  Limits limits;
  bool quiet = false;
};

struct Setting {
  std::string name;
  Encoder encoder;
};

// "block=6x6,preset=fast".
Result<EncodeOptions> read_setting(const std::string& text) {
  EncodeOptions options;
  options.metrics = true;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const std::string value = equals == std::string::npos ? "true" : part.substr(equals + 1);
    if (const Status set = set_by_name(name, value, options); !set) {
      return Error{set.error().code, "--setting " + text + ": " + set.error().message};
    }
    begin = end + 1;
  }
  if (options.format.empty() && options.container.empty()) {
    options.format = "astc";
  }
  return options;
}

Result<std::vector<Setting>> make_settings(const ReportCommand& command) {
  const std::vector<std::string> usual = {"format=astc,block=4x4", "format=astc,block=6x6",
                                          "format=astc,block=8x8", "format=bc1"};
  std::vector<Setting> settings;
  for (const std::string& text : command.settings.empty() ? usual : command.settings) {
    const auto options = read_setting(text);
    if (!options) {
      return options.error();
    }
    auto encoder = Encoder::create(*options);
    if (!encoder) {
      return Error{encoder.error().code, "--setting " + text + ": " + encoder.error().message};
    }
    settings.push_back({text, std::move(*encoder)});
  }
  return settings;
}

// One picture with one setting.
struct Encoded {
  Bytes file;
  EncodeReport report;
  EncoderInfo info;
  Picture decoded;
};

Result<Encoded> encode_one(const Image& image, const Setting& setting, const Context& context,
                           const Control& control) {
  EncodeReport report = TESSERA_ENCODE_REPORT_INIT;
  auto file = setting.encoder.encode(image, &context, control, &report);
  if (!file) {
    return file.error();
  }
  auto decoded = decode(file->span(), {}, &context, control);
  if (!decoded) {
    return decoded.error();
  }
  return Encoded{std::move(*file), report, setting.encoder.info(), std::move(*decoded)};
}

// Of a large picture, the part around a block.
Window window_around(const Image& image, const Encoded& encoded, uint32_t most) {
  const auto side = [most](uint32_t extent, uint32_t center) {
    const uint32_t size = std::min(extent, most);
    const uint32_t begin = center > size / 2 ? center - size / 2 : 0;
    return std::pair(std::min(begin, extent - size), size);
  };
  const Metrics& metrics = encoded.report.metrics;
  const uint32_t block_width = std::max(1U, encoded.info.block_width);
  const uint32_t block_height = std::max(1U, encoded.info.block_height);
  const auto [x, width] = side(image.width, metrics.worst_block_x * block_width);
  const auto [y, height] = side(image.height, metrics.worst_block_y * block_height);
  return {x, y, width, height};
}

Result<std::string> png_text(const Image& image, const Window& window) {
  const ShownPixels pixels = shown_pixels(image, window);
  const auto file = write_to_memory("png", pixels.image());
  if (!file) {
    return file.error();
  }
  return base64(file->span());
}

Json worst_block_json(const Encoded& encoded) {
  // Comparisons without blocks of the format take such of 4x4.
  const uint32_t width = encoded.info.block_bytes > 0 ? encoded.info.block_width : 4;
  const uint32_t height = encoded.info.block_bytes > 0 ? encoded.info.block_height : 4;
  const Metrics& metrics = encoded.report.metrics;
  return {{"left", metrics.worst_block_x * width},
          {"top", metrics.worst_block_y * height},
          {"width", width},
          {"height", height},
          {"psnr_rgb", metrics.worst_block_psnr_rgb}};
}

Result<Json> entry_json(const Image& image, const Encoded& encoded, const Window& window) {
  const EncodeReport& report = encoded.report;
  const double pixels = static_cast<double>(image.width) * image.height;
  auto result = png_text(encoded.decoded.image(), window);
  if (!result) {
    return result.error();
  }
  Json entry;
  add_metrics(entry, report.metrics);
  entry["worst_block"] = worst_block_json(encoded);
  entry["bytes"] = report.file_bytes;
  entry["bpp"] = 8.0 * static_cast<double>(report.file_bytes) / pixels;
  entry["mpixels_per_second"] =
      static_cast<double>(report.encoded_pixels) / 1e6 / std::max(report.encode_seconds, 1e-9);
  entry["result"] = std::move(*result);
  if (const auto map = map_blocks(encoded.file.span())) {
    Json legend = Json::parse(map->legend.text());
    Json kinds = std::move(legend["kinds"]);
    legend["legend"] = std::move(kinds);
    legend["kinds"] = base64(map->kinds.span());
    entry["map"] = std::move(legend);
  }
  return entry;
}

// Adds a picture with all settings to the page's data.
Status add_picture(const std::string& path, const std::vector<Setting>& settings,
                   const ReportCommand& command, const Context& context, Json& data) {
  const Control control = {{}, &stop(), command.limits};
  const auto picture = read(path, {}, &context, control);
  if (!picture) {
    return picture.error();
  }
  const Image image = picture->image();
  Window window;
  Json entries = Json::array();
  for (size_t i = 0; i < settings.size(); ++i) {
    const auto encoded = encode_one(image, settings[i], context, control);
    if (!encoded) {
      return Error{encoded.error().code,
                   path + " with " + settings[i].name + ": " + encoded.error().message};
    }
    if (i == 0) {
      window = window_around(image, *encoded, command.view);
    }
    auto entry = entry_json(image, *encoded, window);
    if (!entry) {
      return entry.error();
    }
    (*entry)["picture"] = data["pictures"].size();
    (*entry)["setting"] = i;
    entries.push_back(std::move(*entry));
  }
  auto original = png_text(image, window);
  if (!original) {
    return original.error();
  }
  data["pictures"].push_back(
      {{"name", path},
       {"width", image.width},
       {"height", image.height},
       {"x", window.x},
       {"y", window.y},
       {"view_width", window.width},
       {"view_height", window.height},
       {"is_part", window.width < image.width || window.height < image.height},
       {"original", std::move(*original)}});
  for (Json& entry : entries) {
    data["entries"].push_back(std::move(entry));
  }
  return {};
}

std::string page_text(const Json& data) {
  std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  // Nothing in the data may look like the end of the script that it is in.
  for (size_t at = text.find("</"); at != std::string::npos; at = text.find("</", at + 3)) {
    text.replace(at, 2, "<\\/");
  }
  std::string page = kReportPage;
  constexpr std::string_view kPlace = "@DATA@";
  return page.replace(page.find(kPlace), kPlace.size(), text);
}

int run_report(const ReportCommand& command) {
  const auto settings = make_settings(command);
  if (!settings) {
    return report_error(settings.error());
  }
  const auto paths = list_pictures(command.inputs, command.choice);
  if (!paths) {
    return report_error(paths.error());
  }
  const auto context = make_context(command.backend);
  if (!context) {
    return report_error(context.error());
  }
  Json data = {{"version", version()},          {"backend", context->backend()},
               {"threads", context->threads()}, {"settings", Json::array()},
               {"pictures", Json::array()},     {"entries", Json::array()}};
  for (const Setting& setting : *settings) {
    data["settings"].push_back(setting.name);
  }
  int exit_code = 0;
  Progress progress("report", command.quiet);
  const auto advance = progress.callback();
  for (size_t i = 0; i < paths->size(); ++i) {
    if (const Status status = check_interrupted(); !status) {
      return report_error(status.error());
    }
    const Status added = add_picture((*paths)[i], *settings, command, *context, data);
    if (!added) {
      const int code = report_error(added.error());
      exit_code = exit_code == 0 ? code : exit_code;
    }
    if (advance) {
      advance(static_cast<double>(i + 1) / static_cast<double>(paths->size()));
    }
  }
  if (data["pictures"].empty()) {
    return exit_code;
  }
  const std::string page = page_text(data);
  const Status written =
      write_bytes(command.output, {reinterpret_cast<const uint8_t*>(page.data()), page.size()});
  if (!written) {
    return report_error(written.error());
  }
  if (!command.quiet && command.output != kStandardStream) {
    std::printf("%s: %zu pictures, %zu settings, %zu bytes\n", command.output.c_str(),
                data["pictures"].size(), settings->size(), page.size());
  }
  return exit_code;
}

}  // namespace

void add_report_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<ReportCommand>();
  command.footer(kReportFooter);
  command
      .add_option("IN", options->inputs,
                  "Pictures (" + build_names("pictures") + "), folders of them, or @NAME")
      ->required();
  command.add_option("-o,--output", options->output, "The page to write, such as report.html")
      ->required()
      ->check(not_empty());
  command
      .add_option("--setting", options->settings,
                  "What pictures are made into, such as format=astc,block=6x6,preset=fast: options "
                  "of encode without their dashes. May be given several times (default: astc at "
                  "4x4, 6x6 and 8x8, and bc1)")
      ->type_name("NAME=VALUE,...")
      ->allow_extra_args(false)
      ->check(not_empty());
  command.add_option("--include", options->choice.include, "Take only what the pattern means")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  command.add_option("--exclude", options->choice.exclude, "Leave out what the pattern means")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  command
      .add_option("--view", options->view,
                  "Of larger pictures, show so many pixels of a side, around the worst block; all "
                  "are measured as a whole")
      ->check(CLI::Range(16U, 16384U))
      ->capture_default_str();
  add_backend_options(command, options->backend);
  add_limit_options(command, options->limits);
  command.add_flag("-q,--quiet", options->quiet, "Print nothing but errors");
  command.callback([options, &exit_code] { exit_code = run_report(*options); });
}

}  // namespace tessera::cli
