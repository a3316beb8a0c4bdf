// Our own encoders as contenders of the benchmark.
#include "tessera_contender.h"

#include <chrono>
#include <utility>

#include "codec/pipeline.h"

namespace tessera::bench {
namespace {

class TesseraContender : public Contender {
 public:
  TesseraContender(const Codec& codec, CodecSettings settings,
                   std::unique_ptr<BlockEncoder> encoder, Backend& backend)
      : codec_(codec),
        settings_(std::move(settings)),
        encoder_(std::move(encoder)),
        backend_(backend) {}

  std::string codec() const override { return "tessera"; }
  std::string setting() const override {
    std::string name =
        settings_.method.empty() ? std::string(preset_name(settings_.preset)) : settings_.method;
    for (const char* key : {"partitions", "endpoints"}) {
      for (const OptionValue& option : settings_.options) {
        name += option.key == key ? " " + option.value : "";
      }
    }
    return name;
  }
  size_t payload_bytes() const override { return payload_.size(); }

  Result<double> encode(const BenchImage& image) override {
    if (prepared_name_ != image.name) {
      TESSERA_ASSIGN_OR_RETURN(prepared_, prepare_image(image.rgba.view(), {}, *encoder_));
      prepared_name_ = image.name;
    }
    payload_.resize(encoder_->output_bytes(prepared_.image.info()));
    const auto start = std::chrono::steady_clock::now();
    TESSERA_RETURN_IF_ERROR(encoder_->encode(prepared_.image.view(), backend_, {}, payload_));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  Result<Image> decode(const BenchImage& image) override {
    TextureInfo info;
    info.format = codec_.format();
    info.block = codec_.block_of(settings_);
    info.width = image.rgba.width();
    info.height = image.rgba.height();
    return codec_.decode_level(info, 0, payload_, {}, backend_, {});
  }

 private:
  const Codec& codec_;
  CodecSettings settings_;
  std::unique_ptr<BlockEncoder> encoder_;
  Backend& backend_;
  std::string prepared_name_;
  PreparedImage prepared_;
  Bytes payload_;
};

}  // namespace

Result<std::unique_ptr<Contender>> make_tessera_contender(const Codec& codec,
                                                          const CodecSettings& settings,
                                                          Backend& backend) {
  TESSERA_ASSIGN_OR_RETURN(auto encoder, make_block_encoder(codec, settings));
  return std::unique_ptr<Contender>(
      std::make_unique<TesseraContender>(codec, settings, std::move(encoder), backend));
}

}  // namespace tessera::bench
