// Runs the astcenc command and reads its times from what it prints.
#include "astcenc_command.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "temporary_folder.h"

namespace tessera::bench {
namespace {

// With the number behind a label such as "Coding time:".
AstcencRun timed_run(const std::vector<std::string>& arguments, const std::string& label,
                     std::chrono::milliseconds limit) {
  const ProgramRun run = run_program(arguments, limit);
  if (run.end != ProgramEnd::kDone) {
    return {run.end, run.problem, 0};
  }
  const size_t at = run.output.find(label);
  if (at == std::string::npos) {
    return {ProgramEnd::kFailed, "astcenc printed no '" + label + "'", 0};
  }
  return {run.end, "", std::strtod(run.output.c_str() + at + label.size(), nullptr)};
}

AstcencRun failed(const char* problem) {
  return {ProgramEnd::kFailed, problem, 0};
}

}  // namespace

std::string astcenc_quality(std::string_view preset) {
  return preset == "realtime" ? "-fastest" : "-" + std::string(preset);
}

AstcencRun astcenc_encode(const std::string& picture, const std::string& astc_file,
                          const AstcencSettings& settings) {
  return timed_run({"astcenc", settings.is_srgb ? "-cs" : "-cl", picture, astc_file, settings.block,
                    settings.quality, "-j", std::to_string(settings.threads)},
                   "Coding time:", settings.limit);
}

AstcencRun astcenc_decode(const std::string& astc_file, const std::string& picture) {
  return timed_run({"astcenc", "-dl", astc_file, picture, "-j", "1"}, "Decoding time:", kNoLimit);
}

AstcencRun astcenc_encode_png(std::span<const uint8_t> png, const AstcencSettings& settings,
                              std::vector<uint8_t>& astc) {
  remove_abandoned_folders();
  const TemporaryFolder folder;
  if (!folder.ok()) {
    return failed("cannot make a folder for the files of astcenc");
  }
  const std::string source = folder.file("in.png");
  const std::string target = folder.file("out.astc");
  std::ofstream file(source, std::ios::binary);
  file.write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
  file.close();
  if (!file) {
    return failed("cannot write a picture for astcenc");
  }
  AstcencRun run = astcenc_encode(source, target, settings);
  if (run.end == ProgramEnd::kDone) {
    std::error_code error;
    const auto size = std::filesystem::file_size(target, error);
    astc.resize(error ? 0 : size);
    std::ifstream made(target, std::ios::binary);
    if (!made.read(reinterpret_cast<char*>(astc.data()),
                   static_cast<std::streamsize>(astc.size()))) {
      return failed("cannot read what astcenc has written");
    }
  }
  return run;
}

std::string astcenc_version() {
  constexpr std::chrono::milliseconds kLimit(5000);
  const ProgramRun run = run_program({"astcenc", "-version"}, kLimit);
  const std::string name = "astcenc v";
  const size_t at = run.output.find(name);
  if (run.end != ProgramEnd::kDone || at == std::string::npos) {
    return "";
  }
  const size_t begin = at + name.size();
  return run.output.substr(begin, run.output.find_first_not_of("0123456789.", begin) - begin);
}

}  // namespace tessera::bench
