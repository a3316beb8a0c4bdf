// Files in and out around the pipeline.
#include "files/pipeline.h"

#include <cstdio>
#include <filesystem>

#include "containers/tsf_file.h"
#include "files/any_image.h"
#include "files/file.h"
#include "fractal/fractal_options.h"

namespace tessera {
namespace {

Result<Image> read_picture(const EncodeJob& job) {
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(job.input));
  return decode_image(bytes, input_display_name(job.input));
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

Result<EncodedFile> transcode_to_memory(const EncodeJob& job, Backend& backend,
                                        const RunControl& control) {
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(job.input));
  const std::string name = input_display_name(job.input);
  if (detect_image_file_type(bytes)) {
    return invalid_error(name + " is a picture, not a compressed texture");
  }
  return transcode_texture(bytes, name, job, backend, control);
}

// An error that is about the picture names its file.
Error about_input(const Error& error, const EncodeJob& job) {
  const bool is_about_picture =
      error.code == ErrorCode::kUnsupported || error.code == ErrorCode::kInvalid;
  return is_about_picture ? Error{error.code, input_display_name(job.input) + ": " + error.message}
                          : error;
}

}  // namespace

Result<EncodeReport> encode_file(const EncodeJob& job, Backend& backend,
                                 const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
  TESSERA_RETURN_IF_ERROR(check_writable(job.output));
  TESSERA_ASSIGN_OR_RETURN(const EncodedFile encoded, encode_to_memory(job, backend, control));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  TESSERA_RETURN_IF_ERROR(write_file(job.output, encoded.bytes));
  return encoded.report;
}

Result<EncodedFile> encode_to_memory(const EncodeJob& job, Backend& backend,
                                     const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
  if (job.source) {
    return transcode_to_memory(job, backend, control);
  }
  TESSERA_ASSIGN_OR_RETURN(const auto encoder, job.codec->make_encoder(job.settings));
  TESSERA_ASSIGN_OR_RETURN(const PreparedImage prepared, read_prepared(job, *encoder));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  auto encoded = encode_prepared(prepared, job, *encoder, backend, control);
  if (!encoded) {
    return about_input(encoded.error(), job);
  }
  return encoded;
}

Result<PreparedImage> read_prepared(const EncodeJob& job, const Encoder& encoder) {
  TESSERA_ASSIGN_OR_RETURN(const Image picture, read_picture(job));
  return prepare_image(picture.view(), job, encoder);
}

Result<DecodeReport> decode_file(const DecodeJob& job, Backend& backend,
                                 const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_writable(job.output));
  TESSERA_ASSIGN_OR_RETURN(const AnyImage any,
                           read_any_image(job.input, job.level, job.options, backend, control));
  if (!any.texture) {
    return invalid_error(input_display_name(job.input) + " is a picture, not a compressed texture");
  }
  DecodeReport report;
  report.decode_seconds = any.decode_seconds;
  report.image = any.image.info();
  report.texture = *any.texture;
  report.container = any.container;
  report.level_count = any.level_count;
  TESSERA_ASSIGN_OR_RETURN(const ImageView picture, choose_slice(any.image.view(), job));
  const auto file = encode_image(picture, job.type);
  if (!file) {
    return Error{file.error().code, job.output + ": " + file.error().message};
  }
  report.file_bytes = file->size();
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  TESSERA_RETURN_IF_ERROR(write_file(job.output, *file));
  return report;
}

Status write_decoding_steps(const std::string& input, const DecodeOptions& options,
                            const std::string& folder, Backend& backend,
                            const RunControl& control) {
  const std::string name = input_display_name(input);
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(input));
  TESSERA_ASSIGN_OR_RETURN(const fractal::TsfFile file, fractal::read_tsf(bytes, name));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return io_error("the folder " + folder + " cannot be made: " + error.message());
  }
  const fractal::DecodeSettings settings = read_fractal_decode_options(options.options);
  const uint32_t last = settings.iterations.value_or(file.header.iterations);
  const RunControl quiet = {{}, control.cancelled};
  for (uint32_t pass = 0; pass <= last; ++pass) {
    DecodeOptions step_options = options;
    step_options.options.push_back({"iterations", std::to_string(pass)});
    TESSERA_ASSIGN_OR_RETURN(const DecodedTexture decoded,
                             decode_texture(bytes, name, 0, step_options, backend, quiet));
    TESSERA_ASSIGN_OR_RETURN(const Bytes picture,
                             encode_image(decoded.image.view(), ImageFileType::kPng));
    char step[32];
    std::snprintf(step, sizeof step, "step%02u.png", pass);
    TESSERA_RETURN_IF_ERROR(write_file((std::filesystem::path(folder) / step).string(), picture));
  }
  return {};
}

}  // namespace tessera
