// The astcenc command (Debian: astcenc), run as a process with one thread. Its rate is its own
// "Coding time", without start-up and file reading.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "imageio/image_file.h"
#include "rivals.h"

namespace tessera::bench {
namespace {

namespace fs = std::filesystem;

// A folder that goes away with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "tessera-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) {
      path_ = pattern;
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) {
      fs::remove_all(path_, ignored);
    }
  }
  std::string file(const char* name) const { return (path_ / name).string(); }
  bool ok() const { return !path_.empty(); }

 private:
  fs::path path_;
};

// Runs a command line of our own making and returns what it printed.
Result<std::string> run_command(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return failed_error("cannot start " + command);
  }
  std::string output;
  char buffer[4096];
  while (const size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) {
    output.append(buffer, got);
  }
  if (::pclose(pipe) != 0) {
    return failed_error("this command failed: " + command);
  }
  return output;
}

// The number behind a label such as "Coding time:".
Result<double> number_after(const std::string& text, const std::string& label) {
  const size_t at = text.find(label);
  if (at == std::string::npos) {
    return failed_error("astcenc printed no '" + label + "'");
  }
  return std::strtod(text.c_str() + at + label.size(), nullptr);
}

const char* quality_option(Preset preset) {
  switch (preset) {
    case Preset::kRealtime:
      return "-fastest";
    case Preset::kFast:
      return "-fast";
    case Preset::kMedium:
      return "-medium";
    case Preset::kThorough:
      return "-thorough";
    case Preset::kExhaustive:
      return "-exhaustive";
  }
  return "-medium";
}

class AstcencRival : public Contender {
 public:
  AstcencRival(const BlockSize& block, Preset preset) : block_(block), preset_(preset) {}

  std::string codec() const override { return "astcenc"; }
  std::string setting() const override { return quality_option(preset_) + 1; }
  size_t payload_bytes() const override { return payload_bytes_; }

  Result<double> encode(const BenchImage& image) override {
    if (!folder_.ok()) {
      return io_error("cannot make a temporary folder");
    }
    if (source_name_ != image.name) {
      TESSERA_ASSIGN_OR_RETURN(const Bytes png,
                               encode_image(image.rgba.view(), ImageFileType::kPng));
      TESSERA_RETURN_IF_ERROR(write_file(folder_.file("in.png"), png));
      source_name_ = image.name;
    }
    TESSERA_ASSIGN_OR_RETURN(
        const std::string output,
        run_command("astcenc -cl " + folder_.file("in.png") + " " + folder_.file("out.astc") + " " +
                    block_size_name(block_) + " " + quality_option(preset_) + " -j 1"));
    std::error_code error;
    payload_bytes_ = fs::file_size(folder_.file("out.astc"), error) - 16;
    return number_after(output, "Coding time:");
  }

  Result<Image> decode(const BenchImage&) override {
    TESSERA_RETURN_IF_ERROR(
        run_command("astcenc -dl " + folder_.file("out.astc") + " " + folder_.file("out.png")));
    TESSERA_ASSIGN_OR_RETURN(const Bytes png, read_file(folder_.file("out.png")));
    return decode_image(png, "astcenc's output");
  }

 private:
  BlockSize block_;
  Preset preset_;
  TemporaryFolder folder_;
  std::string source_name_;
  size_t payload_bytes_ = 0;
};

}  // namespace

bool have_astcenc() {
  const char* path = std::getenv("PATH");
  std::string folders = path == nullptr ? "" : path;
  for (size_t begin = 0; begin <= folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    if (::access((folders.substr(begin, end - begin) + "/astcenc").c_str(), X_OK) == 0) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

Contenders make_astcenc_contenders(const Subject& subject, const std::vector<Preset>& presets) {
  Contenders contenders;
  if (subject.format != "astc") {
    return contenders;
  }
  for (const Preset preset : presets) {
    contenders.push_back(std::make_unique<AstcencRival>(subject.block, preset));
  }
  return contenders;
}

}  // namespace tessera::bench
