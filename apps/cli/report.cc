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
#include "report_settings.h"
#include "rules.h"
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
  RuleOptions rules;
  uint32_t view = 1024;  // pixels of a side that are shown
  BackendOptions backend;
  Limits limits;
  bool rivals = false;
  double rival_seconds = 60;  // for one picture
  bool quiet = false;
};

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
  std::vector<ReportSetting> settings;
  std::vector<RivalSetting> rivals;
  size_t without_rival = 0;  // results that rivals could not stand beside
  Json data;                 // of the page
  uint64_t file_bytes = 0;   // of all pictures so far
  uint64_t page_bytes = 0;   // that they take as parts of the page, see page_bytes_of()
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

// What could not be made is left out, and the page tells it. Fails when all is to stop.
Status note_failure(const std::string& path, const std::string& setting, const Error& error,
                    Work& work) {
  if (error.code == ErrorCode::kInterrupted) {
    return error;
  }
  const std::string note = path + " with " + setting + ": " + error.message;
  std::fprintf(stderr, "tessera: %s\n", printable(note).c_str());
  work.data["notes"].push_back(note);
  return {};
}

// The rules of a picture may ask for what rivals do not know, or for another preset.
bool is_comparable(const RivalSetting& rival, const PictureSetting& setting) {
  const EncoderInfo info = setting.encoder.info();
  return setting.is_plain && std::string(info.format) == "astc" && info.preset == rival.preset &&
         !std::string(info.profile).starts_with("hdr") &&
         block_name(info.block_width, info.block_height, info.block_depth) == rival.block &&
         (std::string(info.profile) == "srgb") == rival.is_srgb;
}

Status add_rivals(const ListedPicture& picture, const Image& image, Work& work, Window& window,
                  Json& entries) {
  for (size_t i = 0; i < work.rivals.size(); ++i) {
    const RivalSetting& rival = work.rivals[i];
    const auto beside = work.settings[rival.beside].choose(picture);
    if (!beside || !is_comparable(rival, **beside)) {
      ++work.without_rival;
      continue;
    }
    const auto made = encode_by_rival(image, rival, work.context, work.command.rival_seconds);
    Status added = made ? add_entry(image, *made, work.settings.size() + i, work, window, entries)
                        : note_failure(picture.path, rival.name, made.error(), work);
    if (!added) {
      return added;
    }
  }
  return {};
}

// With all settings. Fails, with the code of the first failure, where all of them fail.
Status add_settings(const ListedPicture& picture, const Image& image, const Control& control,
                    Work& work, Window& window, Json& entries) {
  ErrorCode first_failure = ErrorCode::kFailed;
  bool has_failed = false;
  for (size_t i = 0; i < work.settings.size(); ++i) {
    const auto setting = work.settings[i].choose(picture);
    const auto made = setting ? encode_for_report(image, **setting, work.context, control)
                              : Result<ReportEntry>(setting.error());
    if (!made && !has_failed) {
      first_failure = made.error().code;
      has_failed = true;
    }
    Status added = made ? add_entry(image, *made, i, work, window, entries)
                        : note_failure(picture.path, work.settings[i].name(), made.error(), work);
    if (!added) {
      return added;
    }
  }
  return entries.empty()
             ? Status(Error{first_failure, picture.path + ": no setting makes a texture of it"})
             : Status();
}

uint64_t bytes_of_texts(const Json& data) {
  if (data.is_string()) {
    return data.get_ref<const std::string&>().size();
  }
  uint64_t bytes = 0;
  if (data.is_structured()) {
    for (const Json& part : data) {
      bytes += bytes_of_texts(part);
    }
  }
  return bytes;
}

// What a part of the data takes until the page is written: it is copied into a text, that into
// the page, and both may be longer while they grow.
uint64_t page_bytes_of(const Json& data) {
  constexpr uint64_t kCopies = 4;
  return kCopies * bytes_of_texts(data);
}

// Before a picture is encoded: what that takes for a pixel, and for what is shown of it the
// pictures of all settings, as files and as texts of the page.
Status check_room(const std::string& path, const Image& image, const FileInfo& info, Work& work) {
  constexpr uint64_t kEncoding = 24, kShown = 16;  // bytes of a pixel
  const uint64_t view = work.command.view;
  const uint64_t shown =
      std::min<uint64_t>(image.width, view) * std::min<uint64_t>(image.height, view);
  const uint64_t pixels = uint64_t{image.width} * image.height * image.slices();
  // Each may have an original of its own.
  const uint64_t entries = 2 * work.settings.size() + work.rivals.size() + 1;
  Limits limits = work.command.limits;
  limits.caller_files = work.file_bytes + info.file_bytes;
  limits.caller_bytes = work.page_bytes;
  return check_memory(limits, path,
                      3 * memory_of(image) + kEncoding * pixels + kShown * shown * entries);
}

// Adds a picture with all settings to the page's data.
Status add_picture(const ListedPicture& listed, Work& work) {
  const Control control = {{}, &stop(), work.command.limits};
  FileInfo info = {};
  info.struct_size = sizeof info;
  const auto picture = read(listed.path, {}, &work.context, control, &info);
  if (!picture) {
    return picture.error();
  }
  const Image image = picture->image();
  if (Status possible = check_room(listed.path, image, info, work); !possible) {
    return possible;
  }
  Window window;
  Json entries = Json::array();
  if (Status added = add_settings(listed, image, control, work, window, entries); !added) {
    return added;
  }
  if (Status added = add_rivals(listed, image, work, window, entries); !added) {
    return added;
  }
  auto original = png_text(image, window);
  if (!original) {
    return original.error();
  }
  work.data["pictures"].push_back(
      {{"name", listed.path},
       {"width", image.width},
       {"height", image.height},
       {"x", window.x},
       {"y", window.y},
       {"view_width", window.width},
       {"view_height", window.height},
       {"is_part", window.width < image.width || window.height < image.height},
       {"transparent", has_transparent_pixels(image)},
       {"original", std::move(*original)}});
  work.file_bytes += info.file_bytes;
  work.page_bytes += page_bytes_of(work.data["pictures"].back()) + page_bytes_of(entries);
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
std::vector<RivalSetting> choose_rivals(const ReportCommand& command,
                                        const std::vector<ReportSetting>& settings) {
  std::vector<KnownSetting> known;
  for (size_t i = 0; i < settings.size(); ++i) {
    const PictureSetting* const usual = settings[i].usual();
    if (usual != nullptr && usual->is_plain) {
      known.push_back({usual->encoder.info(), i});
    }
  }
  return command.rivals ? rivals_beside(known) : std::vector<RivalSetting>();
}

Json first_data(const Work& work) {
  Json data = {{"version", version()},
               {"backend", work.context.backend()},
               {"threads", work.context.threads()},
               {"settings", Json::array()},
               {"rules", Json::array()},
               {"rivals", Json::array()},
               {"notes", Json::array()},
               {"pictures", Json::array()},
               {"entries", Json::array()}};
  for (const ReportSetting& setting : work.settings) {
    data["settings"].push_back(setting.name());
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
Result<int> add_pictures(const std::vector<ListedPicture>& paths, Work& work) {
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
  if (work.without_rival > 0) {
    work.data["notes"].push_back(
        "rivals were not run for " + std::to_string(work.without_rival) +
        " results: rules ask for what they do not know (--no-rules leaves them out)");
  }
  return exit_code;
}

// People wonder where settings come from.
void tell_rules(Work& work) {
  for (const std::string& path : work.settings.front().read_files()) {
    work.data["rules"].push_back(path);
    if (!work.command.quiet) {
      std::fprintf(stderr, "note: settings come from %s\n", printable(path).c_str());
    }
  }
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
  if (const Status open = check_output_stream(command.output); !open) {
    return report_error(open.error());
  }
  auto settings = make_report_settings(command.settings, command.rules, command.inputs);
  if (!settings) {
    return report_error(settings.error());
  }
  const auto paths = list_named_pictures(command.inputs, command.choice, command.limits);
  if (!paths) {
    return report_error(paths.error());
  }
  const auto context = make_context(command.backend);
  if (!context) {
    return report_error(context.error());
  }
  auto rivals = choose_rivals(command, *settings);
  Work work = {command, *context, std::move(*settings), std::move(rivals)};
  work.data = first_data(work);
  const auto exit_code = add_pictures(*paths, work);
  if (!exit_code) {
    return report_error(exit_code.error());
  }
  tell_rules(work);
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
  CLI::Option* const no_rules =
      command.add_flag("--no-rules", options->rules.none,
                       "Do not look for tessera.toml or tessera.json beside the inputs");
  command
      .add_option("--rules", options->rules.path,
                  "A file of rules for some of the pictures, as for encode; what a setting says "
                  "comes first (default: tessera.toml or tessera.json beside the inputs)")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes(no_rules);
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
