// Fractal images for the pipeline: whole images in and out, with the work on a backend.
#include "fractal/fractal_codec.h"

#include <algorithm>

#include "fractal/fractal_describe.h"
#include "fractal/fractal_device.h"
#include "fractal/fractal_options.h"
#include "image/convert.h"

namespace tessera {
namespace {

// The backend's device, where it has kernels for fractal images.
fractal::OptionalDevice device_of(Backend& backend) {
  Device* const device = backend.device();
  auto* const kernels = kernels_as<FractalKernels>(device, "fractal");
  if (kernels == nullptr) {
    return {};
  }
  return {kernels->search(backend),
          [device](const Error& error) { return device->give_up(error); }};
}

class FractalEncoder : public Encoder {
 public:
  explicit FractalEncoder(FractalOptions options) : options_(options) {}

  SampleType input_sample() const override { return SampleType::kU8; }
  uint32_t input_channels(const ImageInfo& picture) const override {
    return options_.grey || options_.settings.paper || picture.channels <= 2 ? 1 : 3;
  }
  bool keeps_alpha() const override { return false; }

  Result<LargeBytes> encode_payload(const ImageView& image, const ChosenRate& /*rate*/,
                                    Backend& backend, const RunControl& control) const override {
    if (image.info.slices() != 1) {
      return unsupported_error("fractal images have one slice, not " +
                               std::to_string(image.info.slices()));
    }
    fractal::OptionalDevice device = device_of(backend);
    fractal::EncodeSettings settings = options_.settings;
    settings.device = &device;
    TESSERA_ASSIGN_OR_RETURN(
        const Bytes file, fractal::encode_fractal(image, settings, parallel_on(backend, control)));
    return LargeBytes(file);
  }

 private:
  FractalOptions options_;
};

class FractalCodec : public Codec {
 public:
  const FormatRow& row() const override { return format_row(TextureFormat::kFractal); }
  SharedSettings shared_settings() const override { return {.quality = true}; }
  std::span<const OptionDescriptor> encode_options() const override {
    return fractal_encode_options();
  }
  std::span<const OptionDescriptor> decode_options() const override {
    return fractal_decode_options();
  }

  bool has_kernels_for(std::string_view device_kind) const override {
    return device_kind == "cuda";
  }

  Result<FractalOptions> read_settings(const CodecSettings& settings) const {
    TESSERA_RETURN_IF_ERROR(check_codec_settings(*this, settings));
    return read_fractal_options(settings.options, settings.quality);
  }

  Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings& settings) const override {
    TESSERA_ASSIGN_OR_RETURN(FractalOptions options, read_settings(settings));
    return std::unique_ptr<Encoder>(std::make_unique<FractalEncoder>(options));
  }
  Result<std::unique_ptr<Encoder>> make_shared_encoder(const CodecSettings& settings,
                                                       SharedLoop& loop) const override {
    TESSERA_ASSIGN_OR_RETURN(FractalOptions options, read_settings(settings));
    options.settings.shared = &loop;
    return std::unique_ptr<Encoder>(std::make_unique<FractalEncoder>(options));
  }

  Result<Image> decode_level(const TextureInfo& /*info*/, uint32_t /*level*/, ByteSpan payload,
                             const DecodeOptions& options, Backend& backend,
                             const RunControl& control) const override {
    TESSERA_RETURN_IF_ERROR(check_decode_options(*this, options.options));
    TESSERA_ASSIGN_OR_RETURN(
        Image image, fractal::decode_fractal(payload, read_fractal_decode_options(options.options),
                                             parallel_on(backend, control), "the fractal image"));
    return options.sample == SampleType::kU8 ? std::move(image)
                                             : convert_samples(image.view(), options.sample);
  }

  uint32_t decode_scale(const OptionList& options) const override {
    return read_fractal_decode_options(options).scale;
  }

  Result<Json> describe_image_header(ByteSpan head, const std::string& name) const override {
    return describe_fractal_header(head, name);
  }
  Result<Json> describe_image(const Texture& texture, const std::string& name,
                              const ReadBudget& budget) const override {
    return describe_fractal_image(texture.levels[0], name, budget);
  }
  Result<Json> list_parts(const Texture& texture, const std::string& name) const override {
    return list_fractal_leaves(texture.levels[0], name);
  }
};

const FractalCodec& codec() {
  static const FractalCodec instance;
  return instance;
}

}  // namespace

const Codec& fractal_codec() {
  return codec();
}

fractal::ParallelFor parallel_on(Backend& backend, const RunControl& control) {
  return [&backend, control, done = std::make_shared<double>(0.0)](
             size_t count, size_t grain, double share, const fractal::RangeCall& call) -> Status {
    RunControl part = {{}, control.cancelled, control.limits};
    const double before = *done;
    if (control.progress && share > 0) {
      part.progress = [&](double fraction) {
        control.progress(std::min(before + share * fraction, 1.0));
      };
    }
    *done = before + share;
    return backend.run(
        {count, grain},
        [&](size_t begin, size_t end) -> Status {
          call(begin, end);
          return {};
        },
        part);
  };
}

}  // namespace tessera
