// tessera convert: the blocks of a texture in another container, as they are.
#include <memory>
#include <string>

#include "client.h"
#include "commands.h"
#include "file_list.h"
#include "format_options.h"
#include "settings.h"

namespace tessera::cli {
namespace {

constexpr const char* kConvertFooter =
    R"(Nothing is decoded or compressed again, so nothing is lost.
A container must be able to hold the format, the mip levels and the layers; .astc files do not say whether they
are sRGB. Examples:
  tessera convert texture.astc -o texture.ktx2 --source-profile srgb
  tessera convert texture.ktx2 -o texture.dds
  tessera convert textures/ -o packed/ --container ktx2 --zstd)";

struct ConvertCommand {
  FileListOptions files;
  EncodeOptions encode;
};

FileText describe_moved(const FileReport& report) {
  const FileInfo& source = *report.source;
  const std::string block = block_name(source.block_width, source.block_height, source.block_depth);
  FileText text;
  text.json = {{"input", report.input},   {"output", report.output},  {"width", source.width},
               {"height", source.height}, {"levels", source.levels},  {"format", source.format},
               {"block", block},          {"srgb", source.srgb != 0}, {"bytes", report.file_bytes}};
  if (source.layers > 1) {
    text.json["layers"] = source.layers;
    text.json["faces"] = source.faces;
  }
  text.line = std::string(report.output) + ": " + std::to_string(source.width) + "x" +
              std::to_string(source.height) + layers_text(source.layers, source.faces) + ", " +
              source.format + " " + block + (source.srgb != 0 ? " sRGB" : "") + ", " +
              std::to_string(report.file_bytes) + " bytes";
  return text;
}

int run_convert(const ConvertCommand& command) {
  const FileListOptions& files = command.files;
  if (const Status possible = check_file_list(files); !possible) {
    return report_error(possible.error());
  }
  EncodeOptions options = command.encode;
  if (options.container.empty()) {
    options.container = named_container(files);
  }
  if (options.container.empty()) {
    return report_failed_list(files, usage_error("say the container with --container (" +
                                                 build_names("containers") + ")"));
  }
  const auto encoder = Encoder::create(options);
  if (!encoder) {
    return report_failed_list(files, encoder.error());
  }
  if (const Status used = check_has_effect(options, options.container); !used) {
    return report_failed_list(files, used.error());
  }
  const auto context = make_context(files.backend);
  if (!context) {
    return report_failed_list(files, context.error());
  }
  FileResults results(files, context->rank_count(), describe_moved);
  const FileCalls calls = results.calls();
  return results.finish(encoder->encode_files(files.inputs, files.output, &*context, calls));
}

bool is_of_containers(const OptionInfo& info) {
  return info.key == "zstd" || info.key == "zstd-level" || info.key == "dx10";
}

}  // namespace

void add_convert_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<ConvertCommand>();
  options->encode.transcode = true;
  options->encode.keep_payload = true;
  command.footer(kConvertFooter);
  command
      .add_option("IN", options->files.inputs,
                  "Textures (" + build_names("containers") +
                      "), folders of them, @NAME for a list of inputs in a file, or - for standard "
                      "input")
      ->required();
  command
      .add_option("-o,--output", options->files.output,
                  "The file to write, a folder, or - for standard output")
      ->required();
  command
      .add_option("--container", options->encode.container,
                  build_names("containers") + " (default: what the output's extension says)")
      ->check(not_empty());
  command
      .add_option("--source-profile", options->encode.source_profile,
                  "What the textures are: ldr, srgb or hdr (default: as the file says; .astc files "
                  "do not say: ldr)")
      ->check(not_empty());
  std::vector<OptionInfo> known = encode_option_list();
  std::erase_if(known, [](const OptionInfo& info) { return !is_of_containers(info); });
  add_format_options(command, known, options->encode.options);
  add_key_option(command, options->encode.keys);
  add_file_list_options(command, options->files);
  command.callback([options, &exit_code] { exit_code = run_convert(*options); });
}

}  // namespace tessera::cli
