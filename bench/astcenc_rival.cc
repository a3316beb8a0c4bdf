// The astcenc command as a contender of the ASTC benchmark.
#include <filesystem>
#include <utility>

#include "astcenc_seconds.h"
#include "files/file.h"
#include "files/pictures/image_file.h"
#include "rivals.h"
#include "temporary_folder.h"

namespace tessera::bench {
namespace {

class AstcencRival : public Contender {
 public:
  AstcencRival(const BlockSize& block, Preset preset)
      : settings_(astcenc_settings(block, preset)) {}

  std::string codec() const override { return "astcenc"; }
  std::string setting() const override { return settings_.quality.substr(1); }
  size_t payload_bytes() const override { return payload_bytes_; }

  Result<double> encode(const BenchImage& image) override {
    if (source_name_ != image.name) {
      TESSERA_ASSIGN_OR_RETURN(const Bytes png,
                               encode_image(image.rgba.view(), ImageFileType::kPng));
      TESSERA_RETURN_IF_ERROR(write_file(folder_.file("in.png"), png));
      source_name_ = image.name;
    }
    const std::string astc_file = folder_.file("out.astc");
    TESSERA_ASSIGN_OR_RETURN(
        const double seconds,
        seconds_of(astcenc_encode(folder_.file("in.png"), astc_file, settings_)));
    std::error_code error;
    payload_bytes_ = std::filesystem::file_size(astc_file, error) - 16;
    return seconds;
  }

  Result<Image> decode(const BenchImage&) override {
    const std::string picture = folder_.file("out.png");
    TESSERA_RETURN_IF_ERROR(seconds_of(astcenc_decode(folder_.file("out.astc"), picture)));
    TESSERA_ASSIGN_OR_RETURN(const Bytes png, read_file(picture));
    return decode_image(png, "astcenc's output");
  }

 private:
  AstcencSettings settings_;
  TemporaryFolder folder_;
  std::string source_name_;
  size_t payload_bytes_ = 0;
};

}  // namespace

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
