// Our decoder and astcenc's in the decoding benchmark.
#include "decode_contenders.h"

#include <chrono>
#include <utility>

#include "astcenc_seconds.h"
#include "codec/pipeline.h"
#include "containers/texture_file.h"
#include "files/file.h"
#include "files/pictures/image_file.h"
#include "installed_rivals.h"
#include "temporary_folder.h"

namespace tessera::bench {
namespace {

bool astcenc_knows(const Codec& codec) {
  return codec.row().is_held_by(ContainerType::kAstc);
}

// Encodes an image once, so that decoders have something to decode.
class EncodedFile {
 public:
  EncodedFile(const Codec& codec, const Subject& subject, Backend& backend)
      : codec_(codec), subject_(subject), backend_(backend) {}

  std::string path() const { return folder_.file("in.astc"); }
  std::string picture_path() const { return folder_.file("out.png"); }

  // The texture of `image`; made at the first call for it.
  Result<const Texture*> texture(const BenchImage& image) {
    if (name_ != image.name) {
      const bool by_astcenc = astcenc_knows(codec_) && have_astcenc();
      TESSERA_RETURN_IF_ERROR(by_astcenc ? encode_by_astcenc(image) : encode_ourselves(image));
      name_ = image.name;
    }
    return &texture_;
  }

 private:
  Status encode_ourselves(const BenchImage& image) {
    CodecSettings settings;
    settings.block = subject_.block;
    settings.preset = Preset::kRealtime;
    TESSERA_ASSIGN_OR_RETURN(const auto encoder, codec_.make_encoder(settings));
    TESSERA_ASSIGN_OR_RETURN(const PreparedImage prepared,
                             prepare_image(image.rgba.view(), {}, *encoder));
    TESSERA_ASSIGN_OR_RETURN(
        EncodedTexture encoded,
        encode_levels({prepared.image.view()}, codec_, settings, *encoder, backend_, {}));
    texture_ = std::move(encoded.texture);
    return {};
  }

  Status encode_by_astcenc(const BenchImage& image) {
    const std::string picture = folder_.file("in.png");
    TESSERA_ASSIGN_OR_RETURN(const Bytes png, encode_image(image.rgba.view(), ImageFileType::kPng));
    TESSERA_RETURN_IF_ERROR(write_file(picture, png));
    TESSERA_RETURN_IF_ERROR(seconds_of(
        astcenc_encode(picture, path(), astcenc_settings(subject_.block, Preset::kFast))));
    TESSERA_ASSIGN_OR_RETURN(const Bytes file, read_file(path()));
    TESSERA_ASSIGN_OR_RETURN(texture_, read_texture(file, path()));
    return {};
  }

  const Codec& codec_;
  Subject subject_;
  Backend& backend_;
  TemporaryFolder folder_;
  std::string name_;
  Texture texture_;
};

class TesseraDecoder : public Contender {
 public:
  TesseraDecoder(const Codec& codec, std::shared_ptr<EncodedFile> file, Backend& backend)
      : codec_(codec), file_(std::move(file)), backend_(backend) {}

  std::string codec() const override { return "tessera"; }
  std::string setting() const override { return "decode"; }
  size_t payload_bytes() const override { return payload_bytes_; }

  Result<double> encode(const BenchImage& image) override {
    TESSERA_ASSIGN_OR_RETURN(const Texture* texture, file_->texture(image));
    payload_bytes_ = texture->levels[0].size();
    const auto start = std::chrono::steady_clock::now();
    TESSERA_ASSIGN_OR_RETURN(
        decoded_, codec_.decode_level(texture->info, 0, texture->levels[0], {}, backend_, {}));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  Result<Image> decode(const BenchImage&) override { return copy_image(decoded_.view()); }

 private:
  const Codec& codec_;
  std::shared_ptr<EncodedFile> file_;
  Backend& backend_;
  size_t payload_bytes_ = 0;
  Image decoded_;
};

class AstcencDecoder : public Contender {
 public:
  explicit AstcencDecoder(std::shared_ptr<EncodedFile> file) : file_(std::move(file)) {}

  std::string codec() const override { return "astcenc"; }
  std::string setting() const override { return "decode"; }
  size_t payload_bytes() const override { return payload_bytes_; }

  Result<double> encode(const BenchImage& image) override {
    TESSERA_ASSIGN_OR_RETURN(const Texture* texture, file_->texture(image));
    payload_bytes_ = texture->levels[0].size();
    return seconds_of(astcenc_decode(file_->path(), file_->picture_path()));
  }

  Result<Image> decode(const BenchImage&) override {
    TESSERA_ASSIGN_OR_RETURN(const Bytes png, read_file(file_->picture_path()));
    return decode_image(png, "astcenc's output");
  }

 private:
  std::shared_ptr<EncodedFile> file_;
  size_t payload_bytes_ = 0;
};

}  // namespace

Contenders make_decode_contenders(const Codec& codec, const Subject& subject, Backend& backend) {
  auto file = std::make_shared<EncodedFile>(codec, subject, backend);
  Contenders contenders;
  contenders.push_back(std::make_unique<TesseraDecoder>(codec, file, backend));
  if (astcenc_knows(codec) && have_astcenc()) {
    contenders.push_back(std::make_unique<AstcencDecoder>(file));
  }
  return contenders;
}

}  // namespace tessera::bench
