// tessera info: what a file is.
#include <cstdio>
#include <memory>

#include "base/file.h"
#include "commands.h"
#include "containers/texture_file.h"
#include "exec/opencl/opencl_session.h"
#include "imageio/image_file.h"
#include "info_blocks.h"
#include "info_fractal.h"
#include "report_json.h"
#include "session.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  tessera info photo.dds
  tessera info photo.png texture.astc --json
  tessera info texture.astc --blocks
  tessera info texture.astc --block 12,7
  tessera info --devices)";

struct InfoOptions {
  std::vector<std::string> files;
  bool blocks = false;
  std::string block;
  bool json = false;
  bool devices = false;
};

Json picture_json(const ImageInfo& info, ImageFileType type) {
  return {{"kind", "picture"},         {"type", image_file_type_name(type)},
          {"width", info.width},       {"height", info.height},
          {"channels", info.channels}, {"samples", sample_type_name(info.sample)}};
}

Result<Json> describe(const std::string& path, const InfoOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path));
  const std::string name = input_display_name(path);
  Json object = {{"file", path}, {"bytes", bytes.size()}};
  if (const auto container = detect_container_type(bytes)) {
    TESSERA_ASSIGN_OR_RETURN(const Texture texture, read_texture(bytes, name));
    if (format_row(texture.info.format).payload == PayloadKind::kWholeImage) {
      if (options.blocks || !options.block.empty()) {
        return usage_error(name + " is a fractal image; only textures have blocks to explain");
      }
      TESSERA_ASSIGN_OR_RETURN(const Json description, describe_fractal(bytes, name));
      object.update(description);
      return object;
    }
    object["kind"] = "texture";
    object["type"] = container_type_name(*container).substr(1);
    object.update(texture_json(texture.info, texture.levels.size()));
    if (options.blocks) {
      TESSERA_ASSIGN_OR_RETURN(object["blocks"], block_statistics_json(texture, name));
    }
    if (!options.block.empty()) {
      TESSERA_ASSIGN_OR_RETURN(object["block_at"], block_json(texture, options.block, name));
    }
    return object;
  }
  if (options.blocks || !options.block.empty()) {
    return usage_error(name + " is no texture, so it has no blocks");
  }
  TESSERA_ASSIGN_OR_RETURN(const Image image, decode_image(bytes, name));
  object.update(picture_json(image.info(), *detect_image_file_type(bytes)));
  return object;
}

void print_text(const Json& object) {
  if (object["kind"] == "fractal") {
    print_fractal(object);
    return;
  }
  std::printf("%s: %s %s, %ux%u", object["file"].get<std::string>().c_str(),
              object["type"].get<std::string>().c_str(), object["kind"].get<std::string>().c_str(),
              object["width"].get<uint32_t>(), object["height"].get<uint32_t>());
  if (object["kind"] == "texture") {
    std::printf(", %s %s%s%s, %zu mip level%s", object["format"].get<std::string>().c_str(),
                object["block"].get<std::string>().c_str(), object["srgb"] ? " sRGB" : "",
                object["hdr"] ? " HDR" : "", object["levels"].get<size_t>(),
                object["levels"] == 1 ? "" : "s");
  } else {
    std::printf(", %u channel%s, %s", object["channels"].get<uint32_t>(),
                object["channels"] == 1 ? "" : "s", object["samples"].get<std::string>().c_str());
  }
  std::printf(", %zu bytes\n", object["bytes"].get<size_t>());
  if (object.contains("blocks")) {
    print_block_statistics(object["blocks"]);
  }
  if (object.contains("block_at")) {
    print_block(object["block_at"]);
  }
}

int list_devices(bool json) {
  const auto devices = list_opencl_devices();
  if (!devices) {
    return report_error(devices.error());
  }
  Json list = Json::array();
  for (const OpenClDeviceInfo& device : *devices) {
    list.push_back({{"number", list.size()},
                    {"name", device.name},
                    {"platform", device.platform},
                    {"version", device.version},
                    {"gpu", device.is_gpu},
                    {"compute_units", device.compute_units},
                    {"memory_bytes", device.memory_bytes}});
    if (!json) {
      std::printf("%zu: %s (%s, %s), %s, %u compute units, %.1f GiB\n", list.size() - 1,
                  device.name.c_str(), device.platform.c_str(), device.version.c_str(),
                  device.is_gpu ? "GPU" : "not a GPU", device.compute_units,
                  static_cast<double>(device.memory_bytes) / (1u << 30));
    }
  }
  if (json) {
    print_json(list);
  }
  return 0;
}

int run_info(const InfoOptions& options) {
  if (options.devices) {
    return list_devices(options.json);
  }
  if (options.files.empty()) {
    return report_error(usage_error("FILE is required (see --help)"));
  }
  Json results = Json::array();
  int exit_code = 0;
  for (const std::string& file : options.files) {
    auto description = describe(file, options);
    if (!description) {
      const int code = report_error(description.error());
      exit_code = exit_code == 0 ? code : exit_code;
      continue;
    }
    if (!options.json) {
      print_text(*description);
    }
    results.push_back(std::move(*description));
  }
  if (options.json && options.files.size() > 1) {
    print_json(results);
  } else if (options.json && exit_code == 0) {
    print_json(results.front());
  }
  return exit_code;
}

}  // namespace

void add_info_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Tell what files are");
  command->footer(kFooter);
  command->add_option("FILE", options->files, "Pictures or textures; - for standard input");
  command->add_flag("--devices", options->devices, "List the OpenCL devices instead of files");
  command->add_flag("--blocks", options->blocks, "ASTC: count modes, grids, ranges, partitions");
  command->add_option("--block", options->block, "ASTC: explain the block at X,Y (in blocks)");
  command->add_flag("--json", options->json,
                    "Print the result as JSON (an array for several files)");
  command->callback([options, &exit_code] { exit_code = run_info(*options); });
}

}  // namespace tessera::cli
