// What is made of what: inputs, folders, patterns, and the encoder of each file.
#include "api/list_plan.h"

#include <algorithm>
#include <filesystem>

#include "api/decode.h"
#include "api/errors.h"
#include "api/limits.h"
#include "codec/settings_text.h"
#include "containers/ktx2_keys.h"
#include "containers/texture_file.h"
#include "files/path_pattern.h"
#include "files/pictures/image_file.h"

namespace tessera::api {
namespace {

Result<std::vector<std::string>> read_texts(const char* const* texts, size_t count,
                                            const char* what) {
  std::vector<std::string> list;
  for (size_t i = 0; i < count; ++i) {
    TESSERA_RETURN_IF_ERROR(check_not_null(texts, what));
    TESSERA_RETURN_IF_ERROR(check_not_null(texts[i], what));
    list.emplace_back(texts[i]);
  }
  return list;
}

Result<SourceList> find_all(const std::vector<std::string>& inputs, const std::string& output,
                            bool are_textures, const tessera_files_options& options) {
  SourceRequest request;
  TESSERA_ASSIGN_OR_RETURN(request.include,
                           read_texts(options.include, options.include_count, "include"));
  TESSERA_ASSIGN_OR_RETURN(request.exclude,
                           read_texts(options.exclude, options.exclude_count, "exclude"));
  request.extensions = are_textures ? container_extensions() : picture_extensions();
  request.kind = are_textures ? "textures" : "pictures";
  request.skip_folder = output;
  TESSERA_ASSIGN_OR_RETURN(const Limits limits, read_limits(options.limits));
  request.most_list_bytes = limits.max_table;
  request.cancelled = options.stop != nullptr ? &options.stop->requested : nullptr;
  return find_sources(inputs, request);
}

// The name of an output chooses the container, unless the caller has named one.
Result<ContainerType> container_for(const tessera_encoder& encoder, const std::string& output,
                                    bool is_unnamed) {
  const auto told = is_unnamed ? std::nullopt : container_type_of_name(output);
  if (encoder.container_was_named || is_unnamed) {
    if (told && *told != encoder.plan.container) {
      return usage_error("the name " + output + " is not that of a " +
                         std::string(container_type_name(encoder.plan.container)) + " file");
    }
    return encoder.plan.container;
  }
  if (!told) {
    return usage_error("the name " + output + " has no extension that tells a container (" +
                       all_container_names() + ")");
  }
  return *told;
}

Result<EncodeJob> make_encode_job(const tessera_encoder& encoder, const std::string& output,
                                  bool is_unnamed, const tessera_files_options& options) {
  EncodeJob job;
  static_cast<EncodePlan&>(job) = encoder.plan;
  job.durability = options.sync != 0 ? WriteDurability::kSynced : WriteDurability::kUsual;
  TESSERA_ASSIGN_OR_RETURN(job.container, container_for(encoder, output, is_unnamed));
  TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
  return job;
}

// All sources are the slices of one texture.
Result<EncodeList> plan_slices(const tessera_encoder& encoder, const SourceList& sources,
                               const std::string& output, const tessera_files_options& options,
                               std::vector<const tessera_encoder*>& encoders) {
  EncodeList list;
  TESSERA_ASSIGN_OR_RETURN(FilePair pair, pair_slices(sources, output, encoder.plan.group));
  list.files.push_back(std::move(pair));
  TESSERA_ASSIGN_OR_RETURN(
      EncodeJob job, make_encode_job(encoder, output, is_unnamed_output({}, output), options));
  list.jobs.push_back(std::move(job));
  encoders = {&encoder};
  return list;
}

// Which of the jobs a file is made with; a new one where its encoder has none yet.
Result<size_t> job_of(const SourceFile& source, const SourceList& sources,
                      const std::string& output, const tessera_files_options& options,
                      EncodeList& list, std::vector<const tessera_encoder*>& encoders) {
  const tessera_encoder* chosen = nullptr;
  tessera_error error = {};
  const tessera_status status =
      options.choose != nullptr
          ? options.choose(options.user, source.path.c_str(), source.name.c_str(), &chosen, &error)
          : TESSERA_OK;
  if (status != TESSERA_OK) {
    return Error{static_cast<ErrorCode>(status), error.message};
  }
  if (chosen == nullptr) {
    return size_t{0};
  }
  const auto found = std::find(encoders.begin(), encoders.end(), chosen);
  if (found != encoders.end()) {
    return static_cast<size_t>(found - encoders.begin());
  }
  TESSERA_ASSIGN_OR_RETURN(
      EncodeJob job, make_encode_job(*chosen, output, is_unnamed_output(sources, output), options));
  if (job.source.has_value() != list.jobs.front().source.has_value()) {
    return usage_error("the encoders of a list must all transcode, or none of them");
  }
  list.jobs.push_back(std::move(job));
  encoders.push_back(chosen);
  return list.jobs.size() - 1;
}

// A named file tells its type; folders and standard output take `type`.
Result<ImageFileType> picture_type_for(const std::string& output, const std::string& type,
                                       bool is_unnamed) {
  if (const auto found = writable_type_of_name(is_unnamed ? "x." + type : output)) {
    return *found;
  }
  return usage_error(is_unnamed
                         ? "'" + type + "' cannot be written (png, ppm, pgm, tga, exr, hdr can)"
                         : "the name " + output +
                               " has no extension that can be written (.png, .ppm, .pgm, "
                               ".tga)");
}

// Files of floats hold nothing else.
SampleType sample_for(SampleType asked, ImageFileType type) {
  const bool is_integer = asked == SampleType::kU8 || asked == SampleType::kU16;
  if (is_integer && type == ImageFileType::kExr) {
    return SampleType::kF16;
  }
  return is_integer && type == ImageFileType::kHdr ? SampleType::kF32 : asked;
}

Result<DecodeJob> make_decode_job(const tessera_decode_options* options, int64_t slice,
                                  const SourceList& sources, const std::string& output,
                                  const std::string& type) {
  TESSERA_ASSIGN_OR_RETURN(const DecodeRequest request, read_decode_options(options));
  if (slice < TESSERA_EVERY_SLICE || slice > int64_t{UINT32_MAX}) {
    return usage_error("there is no slice " + std::to_string(slice));
  }
  DecodeJob job;
  TESSERA_ASSIGN_OR_RETURN(job.type,
                           picture_type_for(output, type, is_unnamed_output(sources, output)));
  job.every_level = request.level == TESSERA_EVERY_LEVEL;
  job.level = job.every_level ? 0 : request.level;
  job.options = request.options;
  job.options.sample = sample_for(request.options.sample, job.type);
  if (slice >= 0) {
    job.slice = static_cast<uint32_t>(slice);
  }
  job.every_slice = slice == TESSERA_EVERY_SLICE;
  if (job.makes_several() && output == kStandardStream) {
    return usage_error("standard output takes one picture, not all " +
                       std::string(job.every_slice ? "slices" : "levels"));
  }
  return job;
}

// All that decides what the bytes of an output are, besides its source.
std::string settings_of(const EncodeJob& job) {
  const ContainerOptions& container = job.container_options;
  std::string text = "tessera " + std::string(tessera_version()) + " encode " + settings_text(job) +
                     " --container " + std::string(container_type_name(job.container));
  text += container.zstd ? " --zstd-level " + std::to_string(container.zstd_level) : "";
  text += container.dds_header == DdsHeader::kDx10 ? " --dx10" : "";
  for (const TextureKey& key : container.keys) {
    text += " --key " + key.name + "=" + shown_value(key.value);
  }
  if (job.raw) {
    const ImageInfo& raw = *job.raw;
    text += " --size " + std::to_string(raw.width) + "x" + std::to_string(raw.height) + "x" +
            std::to_string(raw.depth) + " --channels " + std::to_string(raw.channels) +
            " --samples " + std::string(sample_type_name(raw.sample));
  }
  if (job.source) {
    text += " transcode";
    text += job.source->keep_profile ? " --keep-profile" : "";
    text += job.source->keep_payload ? " --keep-payload" : "";
    text += job.source->profile
                ? " --source-profile " + std::string(profile_name(*job.source->profile))
                : "";
  }
  return text;
}

std::string settings_of(const DecodeJob& job) {
  std::string text = "tessera " + std::string(tessera_version()) + " decode --as " +
                     std::string(image_file_type_name(job.type)) + " --level " +
                     std::to_string(job.level) + " --samples " +
                     std::string(sample_type_name(job.options.sample));
  text += job.options.is_normal_map ? " --normal" : "";
  text += job.options.yflip ? " --yflip" : "";
  text += job.slice ? " --slice " + std::to_string(*job.slice) : "";
  text += job.every_slice ? " --all-slices" : "";
  text += job.every_level ? " --all-levels" : "";
  text +=
      job.options.profile ? " --profile " + std::string(profile_name(*job.options.profile)) : "";
  for (const OptionValue& option : job.options.options) {
    text += " --" + option.key + " " + option.value;
  }
  return text;
}

KeepingOutputs keeping(const std::string& folder, const tessera_files_options& options,
                       std::optional<OutputIndex>& index) {
  KeepingOutputs keeping;
  const auto limits = read_limits(options.limits);  // which were right for the inputs
  if (options.update != 0 && !folder.empty() && limits) {
    keeping.index = &index.emplace(folder, limits->max_table);
  }
  keeping.force = options.force != 0;
  keeping.dry_run = options.dry_run != 0;
  keeping.cancelled = options.stop != nullptr ? &options.stop->requested : nullptr;
  return keeping;
}

}  // namespace

Result<std::vector<std::string>> read_inputs(const char* const* inputs, size_t count) {
  if (inputs == nullptr || count == 0) {
    return usage_error("there are no inputs");
  }
  return read_texts(inputs, count, "an input");
}

Result<EncodeList> plan_encode_list(const tessera_encoder& encoder,
                                    const std::vector<std::string>& inputs,
                                    const std::string& output, const tessera_files_options& options,
                                    std::vector<const tessera_encoder*>& encoders) {
  TESSERA_ASSIGN_OR_RETURN(const SourceList sources,
                           find_all(inputs, output, encoder.plan.source.has_value(), options));
  // One picture may be a cube map by itself.
  const bool is_whole = encoder.plan.group == PictureGroup::kCube && sources.files.size() == 1;
  if (encoder.plan.group != PictureGroup::kNone && !is_whole) {
    return plan_slices(encoder, sources, output, options, encoders);
  }
  TESSERA_RETURN_IF_ERROR(check_folder_name(sources, output, [](const std::string& name) {
    return container_type_of_name(name).has_value();
  }));
  EncodeList list;
  list.folder = is_folder_output(sources, output) ? output : "";
  if (!encoder.plan.mip_files.empty() && (sources.files.size() != 1 || !list.folder.empty())) {
    return usage_error("files of mip levels belong to one picture and one texture");
  }
  encoders = {&encoder};
  TESSERA_ASSIGN_OR_RETURN(
      EncodeJob job, make_encode_job(encoder, output, is_unnamed_output(sources, output), options));
  list.jobs.push_back(std::move(job));
  std::vector<size_t> jobs;
  for (const SourceFile& source : sources.files) {
    TESSERA_ASSIGN_OR_RETURN(const size_t chosen,
                             job_of(source, sources, output, options, list, encoders));
    jobs.push_back(chosen);
  }
  TESSERA_ASSIGN_OR_RETURN(list.files, pair_outputs(sources, output, [&](size_t index) {
                             return container_type_name(list.jobs[jobs[index]].container);
                           }));
  for (size_t i = 0; i < list.files.size(); ++i) {
    list.files[i].job = jobs[i];
  }
  return list;
}

Result<DecodeList> plan_decode_list(const std::vector<std::string>& inputs,
                                    const std::string& output, const std::string& type,
                                    const tessera_decode_options* decode_options, int64_t slice,
                                    const tessera_files_options& options) {
  TESSERA_ASSIGN_OR_RETURN(const SourceList sources, find_all(inputs, output, true, options));
  TESSERA_RETURN_IF_ERROR(check_folder_name(sources, output, [](const std::string& name) {
    return writable_type_of_name(name).has_value();
  }));
  DecodeList list;
  TESSERA_ASSIGN_OR_RETURN(list.job, make_decode_job(decode_options, slice, sources, output, type));
  list.job.durability = options.sync != 0 ? WriteDurability::kSynced : WriteDurability::kUsual;
  const std::string extension = "." + type;
  TESSERA_ASSIGN_OR_RETURN(
      list.files,
      pair_outputs(sources, output, [&](size_t) -> std::string_view { return extension; }));
  list.folder = is_folder_output(sources, output) ? output : "";
  return list;
}

Status check_keeps_pictures(const DecodeList& list, const tessera_files_options& options) {
  // The names of levels and slices are known when a file is decoded.
  if (options.update == 0 || options.force != 0 || list.folder.empty() ||
      list.job.makes_several() ||
      std::none_of(list.files.begin(), list.files.end(), OutputIndex::is_beside_input)) {
    return {};
  }
  TESSERA_ASSIGN_OR_RETURN(const Limits limits, read_limits(options.limits));
  const OutputIndex made(list.folder, limits.max_table);
  for (const FilePair& file : list.files) {
    TESSERA_RETURN_IF_ERROR(made.check_may_replace(file));
  }
  return {};
}

Status prepare_list(const std::vector<FilePair>& files, const std::string& folder,
                    const tessera_files_options& options) {
  TESSERA_RETURN_IF_ERROR(prepare_outputs(
      files, folder, options.dry_run != 0 ? MissingFolders::kLeave : MissingFolders::kMake));
  if (options.listed != nullptr) {
    options.listed(options.user, files.size());
  }
  return {};
}

KeepingOutputs keeping_outputs(const EncodeList& list, const tessera_files_options& options,
                               std::optional<OutputIndex>& index) {
  KeepingOutputs result = keeping(list.folder, options, index);
  for (const EncodeJob& job : list.jobs) {
    result.jobs.push_back(settings_of(job));
    result.force |= job.metrics;  // which are measured with the work
  }
  return result;
}

KeepingOutputs keeping_outputs(const DecodeList& list, const tessera_files_options& options,
                               std::optional<OutputIndex>& index) {
  KeepingOutputs result = keeping(list.folder, options, index);
  result.jobs = {settings_of(list.job)};
  return result;
}

}  // namespace tessera::api

int tessera_matches(const char* pattern, const char* path) {
  return pattern != nullptr && path != nullptr && tessera::matches_path(pattern, path) ? 1 : 0;
}
