// tessera init: writes a file of rules for a folder, from what is in it.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "client.h"
#include "commands.h"
#include "picture_list.h"
#include "rules.h"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInitFooter = R"(The file is tessera.toml in that folder. Examples:
  tessera init assets/
  tessera encode assets/ -o out/)";

struct InitCommand {
  std::string folder = ".";
  bool force = false;
  bool quiet = false;
};

// What names usually tell about a picture. Capital letters are written as a choice: patterns know
// them apart.
struct Convention {
  const char* title;
  std::vector<const char*> patterns;
  const char* settings;
};

const std::vector<Convention>& conventions() {
  static const std::vector<Convention> all = {
      // What the types of files say comes first: names that say more win.
      {"light of high dynamic range", {"*.exr", "*.hdr", "*.EXR", "*.HDR"}, "as = \"hdr\""},
      {"normal maps",
       {"*_n.*", "*_N.*", "*_nrm.*", "*_norm.*", "*_Norm.*", "*[nN]ormal*.*"},
       "as = \"normal\""},
      {"one value in each channel (occlusion, roughness, metalness)",
       {"*_orm.*", "*_ORM.*", "*_rma.*", "*_mra.*", "*_arm.*"},
       "as = \"packed\""},
      {"masks: one value, in red",
       {"*_mask.*", "*_ao.*", "*_rough.*", "*_roughness.*", "*_metal.*", "*_metallic.*",
        "*_height.*"},
       "as = \"mask\""},
      {"interface: sharp edges, so a small block",
       {"**/ui/**", "**/UI/**", "**/icons/**", "**/fonts/**"},
       "as = \"ui\"\nblock = \"4x4\"\nmips = false"},
      {"cut-outs and decals", {"*_cutout.*", "*_decal.*", "*_alpha.*"}, "as = \"alpha\""},
  };
  return all;
}

// The names of the pictures in the folder and in all folders in it.
Result<std::vector<std::string>> list_names(const std::string& folder) {
  auto paths = list_pictures({folder});
  if (!paths) {
    return paths.error();
  }
  for (std::string& path : *paths) {
    path = fs::path(path).lexically_relative(folder).generic_string();
  }
  return paths;
}

std::string rule_text(const Convention& convention, const std::vector<std::string>& names) {
  std::string patterns;
  std::vector<bool> is_meant(names.size(), false);
  for (const char* pattern : convention.patterns) {
    bool means_any = false;
    for (size_t i = 0; i < names.size(); ++i) {
      const bool means = matches(pattern, names[i]);
      is_meant[i] = is_meant[i] || means;
      means_any |= means;
    }
    if (means_any) {
      patterns += (patterns.empty() ? "\"" : ", \"") + std::string(pattern) + "\"";
    }
  }
  if (patterns.empty()) {
    return "";
  }
  const auto count = std::count(is_meant.begin(), is_meant.end(), true);
  return "# " + std::string(convention.title) + "; " + std::to_string(count) +
         (count == 1 ? " file" : " files") + "\n[[rules]]\nfiles = [" + patterns + "]\n" +
         convention.settings + "\n\n";
}

std::string rules_text(const std::vector<std::string>& names) {
  std::string text = "# How the " + std::to_string(names.size()) +
                     R"( pictures of this folder become textures: tessera encode THIS_FOLDER -o OUT/
# Settings have the names of the command's options (tessera encode --help), without the dashes.
# What the command line says wins over this file, later rules win over earlier ones.

[defaults]
container = "ktx2"   # ktx2, dds, astc, ktx or tsf
format = "astc"      # astc, bc1 or fractal
block = "6x6"        # 4x4 is the best, 12x12 the smallest
preset = "medium"    # realtime, fast, medium, thorough or exhaustive
mips = true
zstd = true          # .ktx2 files only
as = "color"         # color, alpha, normal, mask, packed, hdr or ui

)";
  std::string rules;
  for (const Convention& convention : conventions()) {
    rules += rule_text(convention, names);
  }
  if (rules.empty()) {
    rules =
        R"(# No name tells what a picture is for. A rule looks like this; in patterns * stands for any
# characters, ** for any folders, and a pattern without a slash means files in every folder.
# [[rules]]
# files = ["*_n.png", "normals/**"]
# as = "normal"
)";
  }
  return text + rules;
}

int run_init(const InitCommand& command) {
  std::error_code ignored;
  if (!fs::is_directory(command.folder, ignored)) {
    return report_error({ErrorCode::kIo, command.folder + " is no folder"});
  }
  for (const char* name : {kTomlRules, kJsonRules}) {
    const std::string there = (fs::path(command.folder) / name).string();
    if (fs::exists(there, ignored) && !command.force) {
      return report_error(usage_error(there + " exists (--force replaces it)"));
    }
  }
  const auto names = list_names(command.folder);
  if (!names) {
    return report_error(names.error());
  }
  const std::string path = (fs::path(command.folder) / kTomlRules).string();
  const std::string text = rules_text(*names);
  const auto* const data = reinterpret_cast<const uint8_t*>(text.data());
  if (const Status written = write_bytes(path, {data, text.size()}); !written) {
    return report_error(written.error());
  }
  if (!command.quiet) {
    std::printf("%s: rules for %zu pictures\n", path.c_str(), names->size());
  }
  return 0;
}

}  // namespace

void add_init_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<InitCommand>();
  command.footer(kInitFooter);
  command.add_option("FOLDER", options->folder, "The folder of pictures")->capture_default_str();
  command.add_flag("--force", options->force, "Replace a file of rules that is there");
  command.add_flag("-q,--quiet", options->quiet, "Print nothing but errors");
  command.callback([options, &exit_code] { exit_code = run_init(*options); });
}

}  // namespace tessera::cli
