// tessera report: one page that shows what settings make of pictures.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "backend_options.h"
#include "client.h"
#include "commands.h"
#include "format_options.h"
#include "limit_options.h"
#include "picture_list.h"
#include "report_entry.h"
#include "report_rivals.h"
#include "settings.h"
#include "shown_pixels.h"

namespace tessera::cli {

extern const char* const kReportPage;  // report_page.html

namespace {

constexpr const char* kReportFooter =
    R"(The page is one file that needs no network. Examples:
  tessera report assets/ -o report.html
  tessera report photo.png -o report.html --setting block=6x6,preset=fast --setting block=6x6,preset=thorough
  tessera report assets/ -o report.html --rivals
  tessera report assets/ -o report.html --include '*_n.png' --setting format=astc,block=5x5,as=normal)";

struct ReportCommand {
  std::vector<std::string> inputs;
  std::string output;
  std::vector<std::string> settings;
  PictureChoice choice;
  uint32_t view = 1024;  // pixels of a side that are shown
  BackendOptions backend;
  Limits limits;
  bool rivals = false;
  double rival_seconds = 60;  // for one picture
  bool quiet = false;
};

struct Setting {
  std::string name;
  Encoder encoder;
  bool is_plain;  // a format, a block size, a preset and a profile: what rivals know, too
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
    const bool is_plain = !options->normal_map && !options->mips && options->swizzle.empty() &&
                          options->use.empty() && options->options.empty();
    settings.push_back({text, std::move(*encoder), is_plain});
  }
  return settings;
}

// One picture with one setting.
Result<ReportEntry> encode_one(const Image& image, const Setting& setting, const Context& context,
                               const Control& control) {
  EncodeReport report = TESSERA_ENCODE_REPORT_INIT;
  const auto file = setting.encoder.encode(image, &context, control, &report);
  if (!file) {
    return file.error();
  }
  auto decoded = decode(file->span(), {}, &context, control);
  if (!decoded) {
    return decoded.error();
  }
  const EncoderInfo info = setting.encoder.info();
  // Comparisons without blocks of the format take such of 4x4.
  const Extent block =
      info.block_bytes > 0 ? Extent{info.block_width, info.block_height} : Extent{4, 4};
  return ReportEntry{
      {file->data(), file->data() + file->size()},
      report.metrics,
      block,
      static_cast<double>(report.encoded_pixels) / 1e6 / std::max(report.encode_seconds, 1e-9),
      std::move(*decoded)};
}

// Of a large picture, the part around a block.
Window window_around(const Image& image, const ReportEntry& entry, uint32_t most) {
  const auto side = [most](uint32_t extent, uint32_t center) {
    const uint32_t size = std::min(extent, most);
    const uint32_t begin = center > size / 2 ? center - size / 2 : 0;
    return std::pair(std::min(begin, extent - size), size);
  };
  const Metrics& metrics = entry.metrics;
  const auto [x, width] = side(image.width, metrics.worst_block_x * entry.block.width);
  const auto [y, height] = side(image.height, metrics.worst_block_y * entry.block.height);
  return {x, y, width, height};
}

// What all pictures have in common.
struct Work {
  const ReportCommand& command;
  const Context& context;
  std::vector<Setting> settings;
  std::vector<RivalSetting> rivals;
  Json data;                // of the page
  uint64_t file_bytes = 0;  // of all pictures so far
  uint64_t page_bytes = 0;  // that they may take as parts of the page
};

// Adds a result to `entries`; the first one decides what is shown of a large picture.
Status add_entry(const Image& image, const ReportEntry& made, size_t setting, const Work& work,
                 Window& window, Json& entries) {
  if (entries.empty()) {
    window = window_around(image, made, work.command.view);
  }
  auto entry = entry_json(image, made, window);
  if (!entry) {
    return entry.error();
  }
  (*entry)["picture"] = work.data["pictures"].size();
  (*entry)["setting"] = setting;
  entries.push_back(std::move(*entry));
  return {};
}

// A rival that fails is left out, and the page tells it.
Status add_rivals(const std::string& path, const Image& image, Work& work, Window& window,
                  Json& entries) {
  const ReportCommand& command = work.command;
  for (size_t i = 0; i < work.rivals.size(); ++i) {
    const auto made = encode_by_rival(image, work.rivals[i], work.context, command.rival_seconds);
    if (!made && made.error().code == ErrorCode::kInterrupted) {
      return made.error();
    }
    if (!made) {
      const std::string note = path + " with " + work.rivals[i].name + ": " + made.error().message;
      std::fprintf(stderr, "tessera: %s\n", note.c_str());
      work.data["notes"].push_back(note);
      continue;
    }
    const size_t setting = work.settings.size() + i;
    if (Status added = add_entry(image, *made, setting, work, window, entries); !added) {
      return added;
    }
  }
  return {};
}

// Before a picture is encoded: what that takes for a pixel, and for what is shown of it the
// pictures of all settings, as files and as texts of the page.
Status check_room(const std::string& path, const Image& image, const FileInfo& info, Work& work) {
  constexpr uint64_t kEncoding = 24, kShown = 16;  // bytes of a pixel
  const uint64_t view = work.command.view;
  const uint64_t shown =
      std::min<uint64_t>(image.width, view) * std::min<uint64_t>(image.height, view);
  const uint64_t pixels = uint64_t{image.width} * image.height * image.slices();
  const uint64_t entries = work.settings.size() + work.rivals.size() + 1;
  Limits limits = work.command.limits;
  limits.caller_files = work.file_bytes += info.file_bytes;
  limits.caller_bytes = work.page_bytes;
  work.page_bytes += kShown * shown * entries;
  return check_memory(limits, path,
                      3 * memory_of(image) + kEncoding * pixels + kShown * shown * entries);
}

// Adds a picture with all settings to the page's data.
Status add_picture(const std::string& path, Work& work) {
  const Control control = {{}, &stop(), work.command.limits};
  FileInfo info = {};
  info.struct_size = sizeof info;
  const auto picture = read(path, {}, &work.context, control, &info);
  if (!picture) {
    return picture.error();
  }
  const Image image = picture->image();
  if (Status possible = check_room(path, image, info, work); !possible) {
    return possible;
  }
  Window window;
  Json entries = Json::array();
  for (size_t i = 0; i < work.settings.size(); ++i) {
    const Setting& setting = work.settings[i];
    const auto made = encode_one(image, setting, work.context, control);
    if (!made) {
      return Error{made.error().code, path + " with " + setting.name + ": " + made.error().message};
    }
    if (Status added = add_entry(image, *made, i, work, window, entries); !added) {
      return added;
    }
  }
  if (Status added = add_rivals(path, image, work, window, entries); !added) {
    return added;
  }
  auto original = png_text(image, window);
  if (!original) {
    return original.error();
  }
  work.data["pictures"].push_back(
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
    work.data["entries"].push_back(std::move(entry));
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

// The rivals that stand beside the settings, where they are asked for.
Result<std::vector<RivalSetting>> choose_rivals(const ReportCommand& command,
                                                const std::vector<Setting>& settings) {
  std::vector<KnownSetting> known;
  for (size_t i = 0; i < settings.size(); ++i) {
    if (settings[i].is_plain) {
      known.push_back({settings[i].encoder.info(), i});
    }
  }
  return command.rivals ? rivals_beside(known) : std::vector<RivalSetting>();
}

Json first_data(const Work& work) {
  Json data = {{"version", version()},
               {"backend", work.context.backend()},
               {"threads", work.context.threads()},
               {"settings", Json::array()},
               {"rivals", Json::array()},
               {"notes", Json::array()},
               {"pictures", Json::array()},
               {"entries", Json::array()}};
  for (const Setting& setting : work.settings) {
    data["settings"].push_back(setting.name);
  }
  for (const RivalSetting& rival : work.rivals) {
    data["rivals"].push_back({{"setting", data["settings"].size()},
                              {"beside", rival.beside},
                              {"program", rival.program},
                              {"version", rival.version},
                              {"command", rival.command}});
    data["settings"].push_back(rival.name);
  }
  if (work.command.rivals && work.rivals.empty()) {
    data["notes"].push_back("no rival can be run: none is installed, or none knows the settings");
  }
  return data;
}

// The exit code of the first picture that failed, or 0; an error when all is to stop.
Result<int> add_pictures(const std::vector<std::string>& paths, Work& work) {
  int exit_code = 0;
  Progress progress("report", work.command.quiet);
  const auto advance = progress.callback();
  for (size_t i = 0; i < paths.size(); ++i) {
    if (const Status status = check_interrupted(); !status) {
      return status.error();
    }
    if (const Status added = add_picture(paths[i], work); !added) {
      if (added.error().code == ErrorCode::kInterrupted) {
        return added.error();
      }
      const int code = report_error(added.error());
      exit_code = exit_code == 0 ? code : exit_code;
    }
    if (advance) {
      advance(static_cast<double>(i + 1) / static_cast<double>(paths.size()));
    }
  }
  return exit_code;
}

int write_page(const Work& work) {
  const ReportCommand& command = work.command;
  const std::string page = page_text(work.data);
  const Status written =
      write_bytes(command.output, {reinterpret_cast<const uint8_t*>(page.data()), page.size()});
  if (!written) {
    return report_error(written.error());
  }
  if (!command.quiet && command.output != kStandardStream) {
    std::printf("%s: %zu pictures, %zu settings, %zu bytes\n", command.output.c_str(),
                work.data["pictures"].size(), work.data["settings"].size(), page.size());
  }
  return 0;
}

int run_report(const ReportCommand& command) {
  auto settings = make_settings(command);
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
  auto rivals = choose_rivals(command, *settings);
  if (!rivals) {
    return report_error(rivals.error());
  }
  Work work = {command, *context, std::move(*settings), std::move(*rivals), {}};
  work.data = first_data(work);
  const auto exit_code = add_pictures(*paths, work);
  if (!exit_code) {
    return report_error(exit_code.error());
  }
  if (work.data["pictures"].empty()) {
    return *exit_code;
  }
  const int code = write_page(work);
  return *exit_code == 0 ? code : *exit_code;
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
  command.add_flag("--rivals", options->rivals,
                   "Run the encoders of others that are installed (astcenc) beside each setting of "
                   "ASTC, at its block size and preset");
  command
      .add_option("--rival-seconds", options->rival_seconds,
                  "Leave out a rival that takes longer for a picture")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str();
  add_backend_options(command, options->backend);
  add_limit_options(command, options->limits);
  command.add_flag("-q,--quiet", options->quiet, "Print nothing but errors");
  command.callback([options, &exit_code] { exit_code = run_report(*options); });
}

}  // namespace tessera::cli
