#include "codec/pipeline.h"

#include <chrono>

#include "base/file.h"
#include "codec/load.h"
#include "containers/zstd_level.h"
#include "image/convert.h"
#include "image/mipmap.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Status check_cancelled(const RunControl& control) {
  if (control.cancelled != nullptr && control.cancelled->load()) {
    return Error{ErrorCode::kInterrupted, "interrupted"};
  }
  return {};
}

Result<Image> load_source(const EncodeJob& job) {
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(job.input));
  TESSERA_ASSIGN_OR_RETURN(Image image, decode_image(bytes, input_display_name(job.input)));
  if (job.linear) {
    image.set_color_space(ColorSpace::kLinear);
  }
  return image;
}

// The progress of one level, as a part of the progress of all.
RunControl control_of_level(const RunControl& control, double done_before, double share) {
  RunControl level = control;
  if (control.progress) {
    level.progress = [&control, done_before, share](double fraction) {
      control.progress(done_before + share * fraction);
    };
  }
  return level;
}

// The one slice that a picture file can hold.
Result<ImageView> choose_slice(const ImageView& image, const DecodeJob& job) {
  const uint32_t count = image.info.slices();
  if (!job.slice && count > 1) {
    return usage_error(input_display_name(job.input) + " has " + std::to_string(count) +
                       " slices, and a picture holds one: choose it with --slice");
  }
  const uint32_t slice = job.slice.value_or(0);
  if (slice >= count) {
    return usage_error(input_display_name(job.input) + " has no slice " + std::to_string(slice) +
                       ": it has " + std::to_string(count));
  }
  ImageView chosen = image;
  chosen.data += slice * image.slice_stride;
  chosen.info.depth = 1;
  chosen.info.layers = 1;
  return chosen;
}

// Decodes what was encoded and compares it.
Status measure(const EncodedTexture& encoded, const ImageView& prepared, const EncodeJob& job,
               Backend& backend, const RunControl& control, EncodeReport& report) {
  const TextureInfo& info = encoded.texture.info;
  const RunControl quiet = {{}, control.cancelled};
  DecodeOptions options;
  options.unorm8 = job.settings.astc.unorm8;
  TESSERA_ASSIGN_OR_RETURN(options.bc1_rounding, parse_bc1_decoder(job.settings.bc1.decoder));
  TESSERA_ASSIGN_OR_RETURN(
      const Image decoded,
      job.codec->decode_level(info, 0, encoded.texture.levels[0], options, backend, quiet));
  TESSERA_ASSIGN_OR_RETURN(report.metrics, compute_metrics(prepared, decoded.view(),
                                                           {info.block.width, info.block.height}));
  if (job.normal_map) {
    TESSERA_ASSIGN_OR_RETURN(report.angular_error, angular_error(prepared, decoded.view()));
  }
  return {};
}

}  // namespace

Result<Image> prepare_image(const ImageView& source, const Swizzle& swizzle,
                            const Encoder& encoder) {
  TESSERA_ASSIGN_OR_RETURN(Image image, swizzle.is_identity()
                                            ? convert_channels(source, encoder.input_channels())
                                            : apply_swizzle(source, swizzle));
  if (image.info().channels != encoder.input_channels()) {
    TESSERA_ASSIGN_OR_RETURN(image, convert_channels(image.view(), encoder.input_channels()));
  }
  if (image.info().sample != encoder.input_sample()) {
    TESSERA_ASSIGN_OR_RETURN(image, convert_samples(image.view(), encoder.input_sample()));
  }
  return image;
}

Result<EncodedTexture> encode_levels(const std::vector<ImageView>& levels, const Codec& codec,
                                     const CodecSettings& settings, const Encoder& encoder,
                                     Backend& backend, const RunControl& control) {
  EncodedTexture encoded;
  TextureInfo& info = encoded.texture.info;
  info.format = codec.format();
  info.block = settings.block;
  info.srgb = settings.profile == Profile::kSrgb;
  info.width = levels[0].info.width;
  info.height = levels[0].info.height;
  info.depth = levels[0].info.depth;
  info.layers = levels[0].info.layers;
  uint64_t total_pixels = 0;
  for (const ImageView& level : levels) {
    total_pixels += level.info.pixel_count();
  }
  const auto start = Clock::now();
  double done = 0;
  for (const ImageView& level : levels) {
    const double share =
        static_cast<double>(level.info.pixel_count()) / static_cast<double>(total_pixels);
    LargeBytes& payload = encoded.texture.levels.emplace_back(encoder.output_bytes(level.info));
    TESSERA_RETURN_IF_ERROR(
        encoder.encode(level, backend, control_of_level(control, done, share), payload));
    done += share;
  }
  encoded.encode_seconds = seconds_since(start);
  return encoded;
}

Status check_encode_settings(const EncodeJob& job) {
  TESSERA_RETURN_IF_ERROR(check_container(job.container, job.codec->format(), job.mips));
  if (job.container_options.zstd && job.container != ContainerType::kKtx2) {
    return usage_error("only .ktx2 files are compressed with zstd");
  }
  if (job.container_options.zstd && !have_zstd()) {
    return unsupported_error("this build has no zstd");
  }
  TESSERA_RETURN_IF_ERROR(job.codec->make_encoder(job.settings));
  return {};
}

Result<EncodeReport> encode_file(const EncodeJob& job, Backend& backend,
                                 const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_encode_settings(job));
  TESSERA_RETURN_IF_ERROR(check_writable(job.output));
  TESSERA_ASSIGN_OR_RETURN(const EncodedFile encoded, encode_to_memory(job, backend, control));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  TESSERA_RETURN_IF_ERROR(write_file(job.output, encoded.bytes));
  return encoded.report;
}

Result<EncodedFile> encode_to_memory(const EncodeJob& job, Backend& backend,
                                     const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_encode_settings(job));
  TESSERA_ASSIGN_OR_RETURN(const auto encoder, job.codec->make_encoder(job.settings));
  TESSERA_ASSIGN_OR_RETURN(const Image source, load_source(job));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));

  TESSERA_ASSIGN_OR_RETURN(const Image prepared,
                           prepare_image(source.view(), job.swizzle, *encoder));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<Image> mips,
                           make_mip_levels(prepared.view(), job.mips ? UINT32_MAX : 1));
  std::vector<ImageView> levels = {prepared.view()};
  for (const Image& mip : mips) {
    levels.push_back(mip.view());
  }
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));

  TESSERA_ASSIGN_OR_RETURN(
      const EncodedTexture encoded,
      encode_levels(levels, *job.codec, job.settings, *encoder, backend, control));

  EncodedFile result;
  EncodeReport& report = result.report;
  report.width = source.width();
  report.height = source.height();
  report.level_count = levels.size();
  report.encode_seconds = encoded.encode_seconds;
  report.alpha_dropped = !encoder->keeps_alpha() && !is_opaque(prepared.view());
  for (const ImageView& level : levels) {
    report.encoded_pixels += level.info.pixel_count();
  }
  if (job.metrics) {
    TESSERA_RETURN_IF_ERROR(measure(encoded, prepared.view(), job, backend, control, report));
  }
  TESSERA_ASSIGN_OR_RETURN(result.bytes,
                           write_texture(encoded.texture, job.container, job.container_options));
  report.file_bytes = result.bytes.size();
  return result;
}

Result<DecodeReport> decode_file(const DecodeJob& job, Backend& backend,
                                 const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_writable(job.output));
  TESSERA_ASSIGN_OR_RETURN(const LoadedImage loaded,
                           load_any_image(job.input, job.level, job.options, backend, control));
  DecodeReport report;
  report.decode_seconds = loaded.decode_seconds;
  report.image = loaded.image.info();
  report.fractal = loaded.fractal;
  if (!loaded.texture && !loaded.fractal) {
    return invalid_error(input_display_name(job.input) + " is a picture, not a compressed texture");
  }
  report.texture = loaded.texture.value_or(TextureInfo());
  TESSERA_ASSIGN_OR_RETURN(const ImageView picture, choose_slice(loaded.image.view(), job));
  const auto file = encode_image(picture, job.type);
  if (!file) {
    return Error{file.error().code, job.output + ": " + file.error().message};
  }
  report.file_bytes = file->size();
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  TESSERA_RETURN_IF_ERROR(write_file(job.output, *file));
  return report;
}

}  // namespace tessera
