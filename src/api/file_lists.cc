// Lists of files, one after the other, in the C interface.
#include "api/file_lists.h"

#include <string>
#include <vector>

#include "api/context.h"
#include "api/decode.h"
#include "api/encode.h"
#include "api/errors.h"
#include "api/limits.h"
#include "api/ranks.h"
#include "api/reports.h"
#include "containers/texture_file.h"
#include "files/pictures/image_file.h"
#include "spmd/isa.h"

namespace tessera::api {
namespace {

Result<std::vector<std::string>> read_inputs(const char* const* inputs, size_t count) {
  if (inputs == nullptr || count == 0) {
    return usage_error("there are no inputs");
  }
  std::vector<std::string> list;
  for (size_t i = 0; i < count; ++i) {
    TESSERA_RETURN_IF_ERROR(check_not_null(inputs[i], "an input"));
    list.emplace_back(inputs[i]);
  }
  return list;
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

// What is told about a file, whatever was done to it.
tessera_file_report begin_report(const FilePair& file) {
  tessera_file_report report = {};
  report.struct_size = sizeof report;
  report.input = file.input.c_str();
  report.output = file.output.c_str();
  report.message = "";
  return report;
}

void set_failure(const Error& error, tessera_file_report& report) {
  report.status = static_cast<tessera_status>(error.code);
  report.message = error.message.c_str();
}

void tell_encoded(const FilePair& file, const FileOutcome<FileEncodeReport>& outcome,
                  const tessera_files_options& options) {
  tessera_file_report report = begin_report(file);
  report.rank = static_cast<uint32_t>(outcome.rank);
  tessera_encode_report encode = {};
  std::vector<tessera_rank_work> ranks;
  if (outcome.report) {
    const FileEncodeReport& made = *outcome.report;
    encode = to_c(made.encode);
    report.encode = &encode;
    report.file_bytes = made.encode.file_bytes;
    report.backend = made.backend.c_str();
    report.threads = made.threads;
    report.isa = made.isa.c_str();
    for (const RankWork& work : made.ranks) {
      ranks.push_back({work.units, work.pixels, work.busy_seconds});
    }
    report.ranks = ranks.empty() ? nullptr : ranks.data();
    report.rank_count = ranks.size();
    report.messages = made.messages;
    report.control_seconds = made.control_seconds;
  } else {
    set_failure(outcome.report.error(), report);
  }
  options.done(options.user, &report);
}

// A decoded file, and where that was done.
struct FileDecodeReport {
  DecodeReport decode;
  std::string backend;
  unsigned threads = 1;
};

void tell_decoded(const FilePair& file, const FileOutcome<FileDecodeReport>& outcome,
                  const tessera_files_options& options) {
  tessera_file_report report = begin_report(file);
  tessera_file_info source = {};
  const std::string isa = active_isa();
  if (outcome.report) {
    const DecodeReport& made = outcome.report->decode;
    source = texture_info(made.texture, made.container, made.level_count);
    report.source = &source;
    report.width = made.image.width;
    report.height = made.image.height;
    report.channels = made.image.channels;
    report.file_bytes = made.file_bytes;
    report.decode_seconds = made.decode_seconds;
    report.backend = outcome.report->backend.c_str();
    report.threads = outcome.report->threads;
    report.isa = isa.c_str();
  } else {
    set_failure(outcome.report.error(), report);
  }
  options.done(options.user, &report);
}

Result<DecodeJob> make_decode_job(const tessera_decode_options* options, int64_t slice,
                                  const std::vector<std::string>& inputs, const std::string& output,
                                  const std::string& type) {
  TESSERA_ASSIGN_OR_RETURN(const DecodeChoice choice, read_decode_options(options));
  if (slice < -1 || slice > int64_t{UINT32_MAX}) {
    return usage_error("there is no slice " + std::to_string(slice));
  }
  DecodeJob job;
  TESSERA_ASSIGN_OR_RETURN(job.type,
                           picture_type_for(output, type, is_unnamed_output(inputs, output)));
  job.level = choice.level;
  job.options = choice.options;
  job.options.sample = sample_for(choice.options.sample, job.type);
  if (slice >= 0) {
    job.slice = static_cast<uint32_t>(slice);
  }
  return job;
}

}  // namespace

WriteDurability durability_of(const tessera_files_options& options) {
  return options.sync != 0 ? WriteDurability::kSynced : WriteDurability::kUsual;
}

Result<RunControl> control_of(const tessera_files_options& options, const std::string& input) {
  const tessera_control* const given =
      options.begin != nullptr ? options.begin(options.user, input.c_str()) : nullptr;
  TESSERA_ASSIGN_OR_RETURN(RunControl control, read_control(given));
  if (given == nullptr || given->struct_size < sizeof *given || given->limits == nullptr) {
    TESSERA_ASSIGN_OR_RETURN(control.limits, read_limits(options.limits));
  }
  if (control.cancelled == nullptr && options.stop != nullptr) {
    control.cancelled = &options.stop->requested;
  }
  return control;
}

Result<EncodeJob> make_encode_job(const tessera_encoder& encoder,
                                  const std::vector<std::string>& inputs,
                                  const std::string& output) {
  EncodeJob job;
  static_cast<EncodePlan&>(job) = encoder.plan;
  TESSERA_ASSIGN_OR_RETURN(job.container,
                           container_for(encoder, output, is_unnamed_output(inputs, output)));
  TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
  return job;
}

Status run_encode_files(const std::vector<FilePair>& files,
                        FileExecutor<FileEncodeReport>& executor,
                        const tessera_files_options& options) {
  return run_files<FileEncodeReport>(files, executor,
                                     [&](const FileOutcome<FileEncodeReport>& outcome) {
                                       if (options.done != nullptr) {
                                         tell_encoded(files[outcome.index], outcome, options);
                                       }
                                     });
}

}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_encode_files(const tessera_encoder* encoder, tessera_context* context,
                                    const char* const* inputs, size_t input_count,
                                    const char* output, const tessera_files_options* options,
                                    tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(encoder, "encoder"));
    TESSERA_RETURN_IF_ERROR(check_not_null(output, "output"));
    TESSERA_ASSIGN_OR_RETURN(const auto chosen, read_options(options, "tessera_files_options"));
    TESSERA_ASSIGN_OR_RETURN(const auto list, read_inputs(inputs, input_count));
    if (context != nullptr && context->ranks != nullptr) {
      return context->ranks->encode_files(*encoder, list, output, chosen);
    }
    TESSERA_RETURN_IF_ERROR(check_has_kernels(context, *encoder->plan.codec));
    TESSERA_ASSIGN_OR_RETURN(EncodeJob job, make_encode_job(*encoder, list, output));
    job.durability = durability_of(chosen);
    TESSERA_ASSIGN_OR_RETURN(const auto files,
                             plan_outputs(list, output, container_type_name(job.container)));
    CallPlace place(context);
    LocalFiles<FileEncodeReport> executor([&](const FilePair& file) -> Result<FileEncodeReport> {
      job.input = file.input;
      job.output = file.output;
      TESSERA_ASSIGN_OR_RETURN(const RunControl control, control_of(chosen, file.input));
      TESSERA_RETURN_IF_ERROR(check_cancelled(control));
      FileEncodeReport report;
      TESSERA_ASSIGN_OR_RETURN(report.encode, encode_file(job, place.backend(), control));
      report.backend = place.backend().name();
      report.threads = place.backend().thread_count();
      report.isa = active_isa();
      return report;
    });
    return run_encode_files(files, executor, chosen);
  });
}

tessera_status tessera_decode_files(tessera_context* context, const char* const* inputs,
                                    size_t input_count, const char* output, const char* type,
                                    const tessera_decode_options* decode_options, int64_t slice,
                                    const tessera_files_options* options, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(output, "output"));
    TESSERA_ASSIGN_OR_RETURN(const auto chosen, read_options(options, "tessera_files_options"));
    TESSERA_ASSIGN_OR_RETURN(const auto list, read_inputs(inputs, input_count));
    TESSERA_RETURN_IF_ERROR(check_runs_in_memory(context));
    const std::string type_name = text_or(type, "png");
    TESSERA_ASSIGN_OR_RETURN(DecodeJob job,
                             make_decode_job(decode_options, slice, list, output, type_name));
    job.durability = durability_of(chosen);
    TESSERA_ASSIGN_OR_RETURN(const auto files, plan_outputs(list, output, "." + type_name));
    CallPlace place(context);
    LocalFiles<FileDecodeReport> executor([&](const FilePair& file) -> Result<FileDecodeReport> {
      job.input = file.input;
      job.output = file.output;
      TESSERA_ASSIGN_OR_RETURN(const RunControl control, control_of(chosen, file.input));
      TESSERA_RETURN_IF_ERROR(check_cancelled(control));
      FileDecodeReport report;
      TESSERA_ASSIGN_OR_RETURN(report.decode, decode_file(job, place.backend(), control));
      report.backend = place.backend().name();
      report.threads = place.backend().thread_count();
      return report;
    });
    return run_files<FileDecodeReport>(files, executor,
                                       [&](const FileOutcome<FileDecodeReport>& outcome) {
                                         if (chosen.done != nullptr) {
                                           tell_decoded(files[outcome.index], outcome, chosen);
                                         }
                                       });
  });
}
