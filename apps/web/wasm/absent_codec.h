// A format that the module leaves out: it is known by name, and another module has it.
#pragma once

#include "codec/codec.h"

namespace tessera::web {

class AbsentCodec : public Codec {
 public:
  explicit AbsentCodec(TextureFormat format) : format_(format) {}

  const FormatRow& row() const override { return format_row(format_); }
  SharedSettings shared_settings() const override { return {}; }
  std::span<const OptionDescriptor> encode_options() const override { return {}; }
  std::span<const OptionDescriptor> decode_options() const override { return {}; }
  Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings& /*settings*/) const override {
    return absent();
  }
  Result<Image> decode_level(const TextureInfo& /*info*/, uint32_t /*level*/, ByteSpan /*payload*/,
                             const DecodeOptions& /*options*/, Backend& /*backend*/,
                             const RunControl& /*control*/) const override {
    return absent();
  }

 private:
  Error absent() const {
    return unsupported_error("the format " + std::string(name()) + " is in another module");
  }

  TextureFormat format_;
};

}  // namespace tessera::web
