// Files in and out around the pipeline.
#include "files/pipeline.h"

#include <algorithm>
#include <filesystem>

#include "files/any_image.h"
#include "files/content_hash.h"
#include "files/encode_by_rows.h"
#include "files/file.h"
#include "files/output_index.h"
#include "files/volume_slices.h"
#include "image/mipmap.h"
#include "image/raw_pixels.h"

namespace tessera {
namespace {

Result<Image> read_picture(const EncodeJob& job, const std::string& path, const RunControl& control,
                           uint64_t& source_hash) {
  ReadBudget budget(control.limits, control.cancelled,
                    [&](const MemoryNeed& need) { return encode_memory(job, need); });
  budget.set_reserve(control.reserve);
  const std::string name = input_display_name(path);
  if (job.cube_size) {
    TESSERA_RETURN_IF_ERROR(budget.check_pixels(name, *job.cube_size, *job.cube_size, kCubeFaces));
  }
  if (job.raw) {
    TESSERA_RETURN_IF_ERROR(
        budget.check_pixels(name, job.raw->width, job.raw->height, job.raw->depth));
    TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path, budget));
    source_hash = content_hash(bytes);
    return image_of_raw_pixels(bytes, *job.raw, name);
  }
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path, budget, is_known_file));
  source_hash = content_hash(bytes);
  return decode_image(bytes, name, budget);
}

Result<PictureToEncode> read_one_picture(const EncodeJob& job, const RunControl& control,
                                         uint64_t& source_hash) {
  TESSERA_ASSIGN_OR_RETURN(const Image picture, read_picture(job, job.input, control, source_hash));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  return prepare_picture(picture.view(), job);
}

// The pictures of level 1, 2, …, as the encoder takes them.
Result<std::vector<PreparedImage>> read_own_levels(const EncodeJob& job,
                                                   const PictureToEncode& picture,
                                                   const RunControl& control) {
  const ImageInfo& base = picture.prepared.image.info();
  std::vector<PreparedImage> levels;
  for (const std::string& path : job.mip_files) {
    const auto level = static_cast<uint32_t>(levels.size()) + 1;
    const uint32_t width = mip_extent(base.width, level);
    const uint32_t height = mip_extent(base.height, level);
    uint64_t hash = 0;
    TESSERA_ASSIGN_OR_RETURN(const Image own, read_picture(job, path, control, hash));
    if (level >= mip_level_count(base.width, base.height)) {
      return usage_error(path + ": a texture of " + std::to_string(base.width) + "x" +
                         std::to_string(base.height) + " texels has no level " +
                         std::to_string(level));
    }
    if (own.width() != width || own.height() != height) {
      return invalid_error(path + " has " + std::to_string(own.width()) + "x" +
                           std::to_string(own.height()) + " pixels, and level " +
                           std::to_string(level) + " has " + std::to_string(width) + "x" +
                           std::to_string(height));
    }
    TESSERA_ASSIGN_OR_RETURN(PreparedImage prepared,
                             prepare_image(own.view(), picture.plan, *picture.encoder));
    levels.push_back(std::move(prepared));
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  }
  return levels;
}

// With the levels that have pictures of their own.
Result<EncodedFile> encode_read_picture(const EncodeJob& job, const PictureToEncode& picture,
                                        Backend& backend, const RunControl& control) {
  TESSERA_ASSIGN_OR_RETURN(const std::vector<PreparedImage> levels,
                           read_own_levels(job, picture, control));
  return encode_prepared(picture.prepared, picture.plan, *picture.encoder, backend, control,
                         levels);
}

Result<MadeFile> transcode_to_memory(const EncodeJob& job, Backend& backend,
                                     const RunControl& control) {
  ReadBudget budget(control.limits, control.cancelled,
                    [&](const MemoryNeed& need) { return encode_memory(job, need); });
  budget.set_reserve(control.reserve);
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(job.input, budget, is_known_file));
  const std::string name = input_display_name(job.input);
  if (detect_image_file_type(bytes)) {
    return invalid_error(name + " is a picture, not a compressed texture");
  }
  TESSERA_ASSIGN_OR_RETURN(EncodedFile encoded,
                           transcode_texture(bytes, name, job, backend, control, budget));
  return made_file(std::move(encoded), backend, content_hash(bytes));
}

// An error that is about the picture names its file.
Error about_input(const Error& error, const EncodeJob& job) {
  const bool is_about_picture = error.code == ErrorCode::kUnsupported ||
                                error.code == ErrorCode::kInvalid ||
                                (error.code == ErrorCode::kFailed && job.goals.any());
  const std::string name = input_display_name(job.input);
  return is_about_picture && error.message.find(name) == std::string::npos
             ? Error{error.code, name + ": " + error.message}
             : error;
}

// "out/volume.png" and "_007" become "out/volume_007.png".
std::string name_with(const std::string& output, const std::string& ending) {
  const std::filesystem::path path(output);
  return (path.parent_path() / (path.stem().string() + ending + path.extension().string()))
      .string();
}

// The files of a level; one, or one for each slice.
std::vector<std::string> level_outputs(const DecodeJob& job, const TextureInfo& texture,
                                       uint32_t level) {
  const std::string of_level = job.every_level ? level_name(job.output, level) : job.output;
  if (!job.every_slice) {
    return {of_level};
  }
  std::vector<std::string> outputs;
  const auto count = static_cast<uint32_t>(slice_count(texture, level));
  for (uint32_t slice = 0; slice < count; ++slice) {
    outputs.push_back(slice_name(of_level, slice, count));
  }
  return outputs;
}

// Before the first of several files is written.
Status check_outputs(const DecodeJob& job, const AnyImage& decoded) {
  const TextureInfo& texture = *decoded.texture;
  const uint32_t first = job.every_level ? 0 : job.level;
  const size_t end = job.every_level ? decoded.level_count : size_t{first} + 1;
  for (uint32_t level = first; level < end; ++level) {
    const uint64_t slices = slice_count(texture, level);
    if (job.every_level && job.slice && *job.slice >= slices) {
      return usage_error(input_display_name(job.input) + " has " + std::to_string(slices) +
                         " slices in level " + std::to_string(level) + ", so slice " +
                         std::to_string(*job.slice) + " is not in all levels");
    }
    if (job.index == nullptr) {
      continue;
    }
    for (const std::string& output : level_outputs(job, texture, level)) {
      TESSERA_RETURN_IF_ERROR(job.index->check_may_replace({job.input, output}));
    }
  }
  return {};
}

// Writes a level, each slice to a file of its own where the job says so.
Status write_level(const DecodeJob& job, uint32_t level, const AnyImage& decoded,
                   const RunControl& control, DecodeReport& report) {
  if (report.file_bytes == 0) {  // the first one
    report.image = decoded.image.info();
    report.texture = *decoded.texture;
    report.container = decoded.container;
    report.level_count = decoded.level_count;
    if (job.makes_several()) {
      TESSERA_RETURN_IF_ERROR(check_outputs(job, decoded));
    }
  }
  report.decode_seconds += decoded.decode_seconds;
  uint32_t slice = 0;
  for (const std::string& output : level_outputs(job, *decoded.texture, level)) {
    const auto file = encode_image(slice_view(decoded.image.view(), slice++), job.type);
    if (!file) {
      return Error{file.error().code, output + ": " + file.error().message};
    }
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
    TESSERA_RETURN_IF_ERROR(write_file(output, *file, job.durability));
    report.file_bytes += file->size();
    const FileStamp stamp = {report.source_hash, content_hash(*file), file->size()};
    if (job.makes_several()) {
      report.files.push_back({output, stamp});
      if (job.made) {
        job.made(report.files.back());
      }
    } else {
      report.stamp = stamp;
    }
  }
  return {};
}

}  // namespace

MadeFile made_file(EncodedFile encoded, const Backend& backend, uint64_t source_hash) {
  MadeFile file;
  file.bytes = std::move(encoded.bytes);
  file.report.encode = encoded.report;
  file.report.backend = backend.name();
  file.report.threads = backend.thread_count();
  file.report.stamp = {source_hash, content_hash(file.bytes), file.bytes.size()};
  return file;
}

Result<FileEncodeReport> encode_file(const EncodeJob& job, Backend& backend,
                                     const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
  TESSERA_RETURN_IF_ERROR(check_writable(job.output));
  TESSERA_ASSIGN_OR_RETURN(MadeFile made, encode_to_memory(job, backend, control));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  TESSERA_RETURN_IF_ERROR(write_file(job.output, made.bytes, job.durability));
  return std::move(made.report);
}

Result<MadeFile> encode_to_memory(const EncodeJob& job, Backend& backend,
                                  const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
  if (job.source) {
    return transcode_to_memory(job, backend, control);
  }
  auto made_by_rows = encode_by_rows(job, backend, control);
  if (!made_by_rows) {
    return about_input(made_by_rows.error(), job);
  }
  if (*made_by_rows) {
    return std::move(**made_by_rows);
  }
  uint64_t source_hash = 0;
  const auto picture = job.slices.empty() ? read_one_picture(job, control, source_hash)
                                          : read_slices(job, control, source_hash);
  if (!picture) {
    return about_input(picture.error(), job);
  }
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  auto encoded = encode_read_picture(job, *picture, backend, control);
  if (!encoded) {
    return about_input(encoded.error(), job);
  }
  return made_file(std::move(*encoded), backend, source_hash);
}

Result<PreparedImage> read_prepared(const EncodeJob& job, const Encoder& encoder,
                                    const RunControl& control, uint64_t& source_hash) {
  TESSERA_ASSIGN_OR_RETURN(const Image picture, read_picture(job, job.input, control, source_hash));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  return prepare_image(picture.view(), job, encoder);
}

std::string slice_name(const std::string& output, uint32_t slice, uint32_t count) {
  constexpr size_t kFewestDigits = 3;
  const size_t digits = std::max(kFewestDigits, std::to_string(count - 1).size());
  const std::string number = std::to_string(slice);
  return name_with(output,
                   "_" + std::string(digits - std::min(digits, number.size()), '0') + number);
}

std::string level_name(const std::string& output, uint32_t level) {
  return name_with(output, "_L" + std::to_string(level));
}

Result<DecodeReport> decode_file(const DecodeJob& job, Backend& backend,
                                 const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_writable(job.output));
  // The picture file that is made.
  const auto job_memory = [&](const MemoryNeed& need) {
    return need.pixels * 5 * sample_bytes(job.options.sample);
  };
  ReadBudget budget(control.limits, control.cancelled, job_memory);
  budget.set_reserve(control.reserve);
  const std::string name = input_display_name(job.input);
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(job.input, budget, is_known_file));
  DecodeReport report;
  report.source_hash = content_hash(bytes);
  uint32_t level = job.every_level ? 0 : job.level;
  do {
    TESSERA_ASSIGN_OR_RETURN(const AnyImage decoded,
                             decode_any_image(bytes, name, {level, job.slice, !job.every_slice},
                                              job.options, backend, control, budget));
    if (!decoded.texture) {
      return invalid_error(name + " is a picture, not a compressed texture");
    }
    TESSERA_RETURN_IF_ERROR(write_level(job, level, decoded, control, report));
  } while (job.every_level && ++level < report.level_count);
  return report;
}

}  // namespace tessera
