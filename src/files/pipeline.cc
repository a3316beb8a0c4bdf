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

Result<Image> read_picture(const EncodeJob& job, const RunControl& control) {
  const ReadBudget budget(control.limits, control.cancelled,
                          [&](uint64_t pixels) { return encode_memory(job, pixels); });
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(job.input, budget, is_known_file));
  return decode_image(bytes, input_display_name(job.input), budget);
}

Result<EncodedFile> transcode_to_memory(const EncodeJob& job, Backend& backend,
                                        const RunControl& control) {
  const ReadBudget budget(control.limits, control.cancelled,
                          [&](uint64_t pixels) { return encode_memory(job, pixels); });
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(job.input, budget, is_known_file));
  const std::string name = input_display_name(job.input);
  if (detect_image_file_type(bytes)) {
    return invalid_error(name + " is a picture, not a compressed texture");
  }
  return transcode_texture(bytes, name, job, backend, control, budget);
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
  TESSERA_RETURN_IF_ERROR(write_file(job.output, encoded.bytes, job.durability));
  return encoded.report;
}

Result<EncodedFile> encode_to_memory(const EncodeJob& job, Backend& backend,
                                     const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
  if (job.source) {
    return transcode_to_memory(job, backend, control);
  }
  TESSERA_ASSIGN_OR_RETURN(const auto encoder, job.codec->make_encoder(job.settings));
  TESSERA_ASSIGN_OR_RETURN(const PreparedImage prepared, read_prepared(job, *encoder, control));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  auto encoded = encode_prepared(prepared, job, *encoder, backend, control);
  if (!encoded) {
    return about_input(encoded.error(), job);
  }
  return encoded;
}

Result<PreparedImage> read_prepared(const EncodeJob& job, const Encoder& encoder,
                                    const RunControl& control) {
  TESSERA_ASSIGN_OR_RETURN(const Image picture, read_picture(job, control));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  return prepare_image(picture.view(), job, encoder);
}

Result<DecodeReport> decode_file(const DecodeJob& job, Backend& backend,
                                 const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_writable(job.output));
  // The picture file that is made.
  const auto job_memory = [&](uint64_t pixels) {
    return pixels * 5 * sample_bytes(job.options.sample);
  };
  const ReadBudget budget(control.limits, control.cancelled, job_memory);
  TESSERA_ASSIGN_OR_RETURN(const AnyImage any,
                           read_any_image(job.input, {job.level, job.slice, true}, job.options,
                                          backend, control, budget));
  if (!any.texture) {
    return invalid_error(input_display_name(job.input) + " is a picture, not a compressed texture");
  }
  DecodeReport report;
  report.decode_seconds = any.decode_seconds;
  report.image = any.image.info();
  report.texture = *any.texture;
  report.container = any.container;
  report.level_count = any.level_count;
  const auto file = encode_image(any.image.view(), job.type);
  if (!file) {
    return Error{file.error().code, job.output + ": " + file.error().message};
  }
  report.file_bytes = file->size();
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  TESSERA_RETURN_IF_ERROR(write_file(job.output, *file, job.durability));
  return report;
}

Status write_decoding_steps(const std::string& input, const DecodeOptions& options,
                            const std::string& folder, Backend& backend,
                            const RunControl& control) {
  const std::string name = input_display_name(input);
  const ReadBudget budget(control.limits, control.cancelled);
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(input, budget, is_known_file));
  TESSERA_ASSIGN_OR_RETURN(const fractal::TsfFile file, fractal::read_tsf(bytes, name));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return io_error("the folder " + folder + " cannot be made: " + error.message());
  }
  const fractal::DecodeSettings settings = read_fractal_decode_options(options.options);
  const uint32_t last = settings.iterations.value_or(file.header.iterations);
  const RunControl quiet = {{}, control.cancelled, control.limits};
  for (uint32_t pass = 0; pass <= last; ++pass) {
    DecodeOptions step_options = options;
    step_options.options.push_back({"iterations", std::to_string(pass)});
    TESSERA_ASSIGN_OR_RETURN(const DecodedTexture decoded,
                             decode_texture(bytes, name, {}, step_options, backend, quiet, budget));
    TESSERA_ASSIGN_OR_RETURN(const Bytes picture,
                             encode_image(decoded.image.view(), ImageFileType::kPng));
    char step[32];
    std::snprintf(step, sizeof step, "step%02u.png", pass);
    TESSERA_RETURN_IF_ERROR(write_file((std::filesystem::path(folder) / step).string(), picture));
  }
  return {};
}

}  // namespace tessera
