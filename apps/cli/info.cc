// tessera info: what files are, and which devices there are.
#include <cstdio>
#include <memory>

#include "client.h"
#include "commands.h"
#include "info_text.h"
#include "limit_options.h"

namespace tessera::cli {
namespace {

constexpr const char* kInfoFooter = R"(Examples:
  tessera info photo.dds
  tessera info photo.png texture.astc --json
  tessera info upload.png --verify --untrusted
  tessera info texture.astc --blocks
  tessera info texture.astc --block 12,7
  tessera info --devices)";

struct InfoCommand {
  std::vector<std::string> files;
  bool verify = false;
  bool blocks = false;
  std::string block;
  Limits limits;
  bool json = false;
  bool devices = false;
};

Result<Json> describe_input(const std::string& path, const InfoCommand& command) {
  const auto description = describe_file(path, {command.verify, command.blocks, command.block},
                                         Control{{}, &stop(), command.limits});
  if (!description) {
    return description.error();
  }
  return Json::parse(description->text());
}

int list_devices(bool json) {
  const auto found = devices();
  if (!found) {
    return report_error(found.error());
  }
  Json list = Json::array();
  for (const Device& device : *found) {
    if (!json) {
      std::printf("%s %u: %s (%s, %s), %s, %u compute units, %.1f GiB\n", device.backend.c_str(),
                  device.number, device.name.c_str(), device.platform.c_str(),
                  device.version.c_str(), device.is_gpu ? "GPU" : "not a GPU", device.compute_units,
                  static_cast<double>(device.memory_bytes) / (1u << 30));
    }
    list.push_back({{"backend", device.backend},
                    {"number", device.number},
                    {"name", device.name},
                    {"platform", device.platform},
                    {"version", device.version},
                    {"gpu", device.is_gpu},
                    {"compute_units", device.compute_units},
                    {"memory_bytes", device.memory_bytes}});
  }
  if (json) {
    print_json(list);
  }
  return 0;
}

int run_info(const InfoCommand& command) {
  if (command.devices) {
    return list_devices(command.json);
  }
  if (command.files.empty()) {
    return report_error(usage_error("FILE is required (see --help)"));
  }
  Json results = Json::array();
  int exit_code = 0;
  for (const std::string& file : command.files) {
    const auto description = describe_input(file, command);
    if (!description) {
      results.push_back(failure_of(file, description.error()));
      const int code = report_error(description.error());
      exit_code = exit_code == 0 ? code : exit_code;
      if (description.error().code == ErrorCode::kInterrupted) {
        break;
      }
      continue;
    }
    if (command.json) {  // else nothing grows with the number of files
      results.push_back(*description);
    } else {
      print_description(*description, command.files.size() == 1);
    }
  }
  if (command.json && command.files.size() > 1) {
    print_json(results);
  } else if (command.json) {
    print_json(results.front());
  }
  return exit_code;
}

}  // namespace

void add_info_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<InfoCommand>();
  command.footer(kInfoFooter);
  command.add_option("FILE", options->files,
                     "Pictures, textures or fractal images; - for standard input");
  command.add_flag("--devices", options->devices,
                   "List the CUDA and OpenCL devices instead of files");
  command.add_flag(
      "--verify", options->verify,
      "Read and unpack all of each file, not the header alone; of fractal images, tell "
      "the leaves");
  command.add_flag("--blocks", options->blocks, "ASTC: count modes, grids, ranges, partitions");
  command.add_option("--block", options->block, "ASTC: explain the block at X,Y (in blocks)");
  command.add_flag("--json", options->json,
                   "Print the result as JSON (an array for several files)");
  add_limit_options(command, options->limits);
  command.callback([options, &exit_code] { exit_code = run_info(*options); });
}

}  // namespace tessera::cli
