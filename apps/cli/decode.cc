// tessera decode: textures and fractal images back to pictures.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "client.h"
#include "commands.h"
#include "decode_options.h"
#include "file_list.h"
#include "format_options.h"

namespace tessera::cli {
namespace {

constexpr const char* kDecodeFooter = R"(Examples:
  tessera decode photo.dds -o photo.png
  tessera decode photo.dds -o small.png --level 3
  tessera decode texture.astc -o texture.png --profile srgb
  tessera decode sky.ktx2 -o sky.exr
  tessera decode photo.tsf -o large.png --scale 2
  tessera decode a.dds b.dds -o pictures/ --as tga
  tessera decode textures/ -o pictures/ --exclude '*_n.*'
  tessera decode volume.astc -o slices/ --all-slices
  tessera decode sky.ktx2 -o faces/ --all-levels --all-slices
  tessera decode - -o - --as ppm < photo.dds > photo.ppm)";

struct DecodeCommand {
  FileListOptions files;
  DecodeOptions decode;
  std::string as = "png";
  std::optional<uint32_t> slice;
  bool all_slices = false;
  bool all_levels = false;
  std::string samples;
  std::string steps;  // a folder
};

// Files of integers get 8 bits unless 16 are asked for, files of floats what they hold.
Result<Sample> choose_sample(const DecodeCommand& command, bool unnamed) {
  static constexpr std::array<std::pair<const char*, Sample>, 4> kNames = {
      {{"8-bit", Sample::kU8},
       {"16-bit", Sample::kU16},
       {"half", Sample::kF16},
       {"float", Sample::kF32}}};
  if (command.samples.empty()) {
    std::string name = unnamed ? "." + command.as : command.files.output;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.ends_with(".hdr")   ? Sample::kF32
           : name.ends_with(".exr") ? Sample::kF16
                                    : Sample::kU8;
  }
  for (const auto& [name, sample] : kNames) {
    if (command.samples == name) {
      return sample;
    }
  }
  return usage_error("'" + command.samples + "' is no sample type (8-bit, 16-bit, half, float)");
}

// The rows of a file come as they lie there, whatever it says about them.
std::string upside_down_note(const FileReport& report, bool yflip) {
  return report.source->upside_down == 0 || yflip
             ? ""
             : "note: " + input_display_name(report.input) +
                   " says that its first row is the lowest (KTXorientation ru), and is decoded as "
                   "it lies there; --yflip turns it";
}

// The files that were written: "a.png", or "a_000.png to a_005.png".
std::string outputs_text(const FileReport& report) {
  if (report.slice_count == 0) {
    return report.output;
  }
  const std::string first = report.slices[0];
  const std::string last = report.slices[report.slice_count - 1];
  return first == last ? first : first + " to " + last;
}

FileText describe_result(const FileReport& report, const DecodeOptions& options) {
  const FileInfo& source = *report.source;
  const bool has_blocks = source.block_width > 0;
  FileText text;
  text.json = {{"input", report.input},
               {"output", report.output},
               {"width", report.width},
               {"height", report.height},
               {"channels", report.channels}};
  if (has_blocks && options.level == kEveryLevel) {
    text.json["levels"] = source.levels;
  } else if (has_blocks) {
    text.json["level"] = options.level;
  }
  text.json["format"] = source.format;
  if (has_blocks) {
    text.json["block"] = block_name(source.block_width, source.block_height, source.block_depth);
  }
  if (report.slice_count > 0) {
    text.json["output"] = report.slices[0];
    text.json["outputs"] =
        std::vector<std::string>(report.slices, report.slices + report.slice_count);
  }
  if (const std::string note = upside_down_note(report, options.yflip); !note.empty()) {
    text.notes = {note};
  }
  text.json["upside_down"] = (source.upside_down != 0) != options.yflip;
  text.json["decode_seconds"] = report.decode_seconds;
  text.json["bytes"] = report.file_bytes;
  if (report.output != std::string(kStandardStream)) {
    text.line = outputs_text(report) + ": " + std::to_string(report.width) + "x" +
                std::to_string(report.height) + ", " + std::to_string(report.file_bytes) + " bytes";
  }
  return text;
}

// How many passes decoding takes: as the options say, or as the file does.
Result<uint32_t> count_passes(const std::string& input, const std::vector<Option>& options,
                              const Control& control) {
  for (const Option& option : options) {
    if (option.key == "iterations") {
      return static_cast<uint32_t>(std::stoul(option.value));  // it has been used to decode
    }
  }
  const auto description = describe_file(input, {}, control);
  if (!description) {
    return description.error();
  }
  return Json::parse(description->text()).value("iterations", 0u);
}

// The picture after each pass of decoding a fractal image, from none on.
Status write_steps(const DecodeCommand& command, const Context& context) {
  const std::string& input = command.files.inputs.front();
  const Control control = {{}, &stop(), command.files.limits};
  const auto passes = count_passes(input, command.decode.options, control);
  if (!passes) {
    return passes.error();
  }
  std::error_code error;
  std::filesystem::create_directories(command.steps, error);
  if (error) {
    return Error{ErrorCode::kIo,
                 "the folder " + command.steps + " cannot be made: " + error.message()};
  }
  for (uint32_t pass = 0; pass <= *passes; ++pass) {
    DecodeOptions options = command.decode;
    options.sample = Sample::kU8;
    options.options.push_back({"iterations", std::to_string(pass)});  // the last one counts
    const auto picture = read(input, options, &context, control);
    if (!picture) {
      return picture.error();
    }
    char name[32];
    std::snprintf(name, sizeof name, "step%02u.png", pass);
    const auto written =
        write((std::filesystem::path(command.steps) / name).string(), picture->image());
    if (!written) {
      return written.error();
    }
  }
  return {};
}

Status check_options(const DecodeCommand& command) {
  if (const Status possible = check_file_list(command.files); !possible) {
    return possible.error();
  }
  if (command.decode.level == kEveryLevel) {  // to the library, all of them
    return usage_error(input_display_name(command.files.inputs.front()) + " has no mip level " +
                       std::to_string(kEveryLevel));
  }
  const auto& inputs = command.files.inputs;
  if (!command.steps.empty() && (inputs.size() != 1 || inputs.front() == kStandardStream)) {
    return usage_error("--steps needs one input that is a file");
  }
  return {};
}

std::optional<uint32_t> chosen_slice(const DecodeCommand& command) {
  return command.all_slices ? kEverySlice : command.slice;
}

int run_decode(DecodeCommand& command) {
  if (const Status possible = check_options(command); !possible) {
    return report_error(possible.error());
  }
  const bool unnamed = is_unnamed_output(command.files);
  command.as.erase(0, command.as.starts_with('.') ? 1 : 0);  // ".png" means what "png" means
  const auto sample = choose_sample(command, unnamed);
  if (!sample) {
    return report_failed_list(command.files, sample.error());
  }
  command.decode.sample = *sample;
  if (command.all_levels) {
    command.decode.level = kEveryLevel;
  }
  const auto context = make_context(command.files.backend);
  if (!context) {
    return report_failed_list(command.files, context.error());
  }
  FileResults results(command.files, context->rank_count(), [&](const FileReport& report) {
    return describe_result(report, command.decode);
  });
  const int exit_code = results.finish(
      decode_files(command.files.inputs, command.files.output, unnamed ? command.as : "",
                   command.decode, chosen_slice(command), &*context, results.calls()));
  if (exit_code != 0 || command.steps.empty()) {
    return exit_code;
  }
  const Status steps = write_steps(command, *context);
  return steps ? 0 : report_error(steps.error());
}

}  // namespace

void add_decode_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<DecodeCommand>();
  command.footer(kDecodeFooter);
  command
      .add_option(
          "IN", options->files.inputs,
          "Textures or fractal images (" + build_names("containers") +
              "), folders of them, @NAME for a list of inputs in a file, or - for standard input")
      ->required();
  command
      .add_option("-o,--output", options->files.output,
                  "The file to write (.png, .ppm, .pgm, .tga, .exr, .hdr), a folder, or - for "
                  "standard output")
      ->required();
  command.add_option("--as", options->as, "File type in a folder or on standard output")
      ->check(not_empty())
      ->capture_default_str();
  CLI::Option* const level =
      command.add_option("--level", options->decode.level, "Mip level; 0 is the largest")
          ->capture_default_str();
  command
      .add_flag("--all-levels", options->all_levels,
                "All mip levels, each in a file of its own: NAME_L0.png, NAME_L1.png, …; with "
                "--all-slices NAME_L0_000.png, …")
      ->excludes(level);
  CLI::Option* const slice =
      command.add_option("--slice", options->slice, "Slice of an array, a cube map or a volume");
  command
      .add_flag(
          "--all-slices", options->all_slices,
          "All slices of an array, cube map or volume, each in a file of its own: NAME_000.png, "
          "NAME_001.png, …")
      ->excludes(slice);
  command.add_option("--samples", options->samples,
                     "8-bit, 16-bit, half or float (default: what suits the file type)");
  command.add_option("--steps", options->steps,
                     "Fractal images: a folder for the picture after each pass of decoding");
  command.add_flag("--yflip", options->decode.yflip,
                   "Turn the picture upside down, as encode --yflip does");
  add_decode_options(command, options->decode);
  add_file_list_options(command, options->files);
  command.callback([options, &exit_code] { exit_code = run_decode(*options); });
}

}  // namespace tessera::cli
