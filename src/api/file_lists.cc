// Lists of files, one after the other, in the C interface.
#include <functional>
#include <string>
#include <vector>

#include "api/context.h"
#include "api/decode.h"
#include "api/encode.h"
#include "api/errors.h"
#include "api/reports.h"
#include "codec/pipeline.h"
#include "containers/texture_file.h"
#include "files/file_plan.h"
#include "files/pipeline.h"
#include "imageio/image_file.h"
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

bool is_stopped(const tessera_files_options& options) {
  return options.stop != nullptr && options.stop->requested.load();
}

// The control of one file: the caller's for it, and the stop of the whole list.
Result<RunControl> control_of(const tessera_files_options& options, const std::string& input) {
  const tessera_control* const given =
      options.begin != nullptr ? options.begin(options.user, input.c_str()) : nullptr;
  TESSERA_ASSIGN_OR_RETURN(RunControl control, read_control(given));
  if (control.cancelled == nullptr && options.stop != nullptr) {
    control.cancelled = &options.stop->requested;
  }
  return control;
}

// Does one file and fills in what is known when it has ended well.
using FileAction = std::function<Status(const FilePair& pair, const RunControl& control,
                                        tessera_file_report& report)>;

// Goes on after a file that fails; the first failure is the result.
Status run_files(const std::vector<FilePair>& pairs, const tessera_files_options& options,
                 const Backend& backend, const FileAction& action) {
  const std::string isa = active_isa();
  Status first;
  for (const FilePair& pair : pairs) {
    if (is_stopped(options)) {
      return first ? Status(Error{ErrorCode::kInterrupted, "interrupted"}) : first;
    }
    tessera_file_report report = {};
    report.struct_size = sizeof report;
    report.input = pair.input.c_str();
    report.output = pair.output.c_str();
    report.message = "";
    const Status status = [&]() -> Status {
      TESSERA_ASSIGN_OR_RETURN(const RunControl control, control_of(options, pair.input));
      return action(pair, control, report);
    }();
    report.backend = backend.name().data();
    report.threads = backend.thread_count();
    report.isa = isa.c_str();
    if (!status) {
      report.status = static_cast<tessera_status>(status.error().code);
      report.message = status.error().message.c_str();
    }
    if (options.done != nullptr) {
      options.done(options.user, &report);
    }
    first = first ? status : first;
    if (!status && status.error().code == ErrorCode::kInterrupted) {
      return first;
    }
  }
  return first;
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

Status decode_one(const DecodeJob& job, Backend& backend, const RunControl& control,
                  tessera_file_info& info, tessera_file_report& report) {
  TESSERA_ASSIGN_OR_RETURN(const DecodeReport done, decode_file(job, backend, control));
  info = texture_info(done.texture, format_row(done.texture.format).default_container, 1);
  report.source = &info;
  report.width = done.image.width;
  report.height = done.image.height;
  report.channels = done.image.channels;
  report.file_bytes = done.file_bytes;
  report.decode_seconds = done.decode_seconds;
  return {};
}

}  // namespace
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
    TESSERA_RETURN_IF_ERROR(check_has_kernels(context, *encoder->plan.codec));
    EncodeJob job;
    static_cast<EncodePlan&>(job) = encoder->plan;
    TESSERA_ASSIGN_OR_RETURN(job.container,
                             container_for(*encoder, output, is_unnamed_output(list, output)));
    TESSERA_RETURN_IF_ERROR(check_encode_plan(job));
    TESSERA_ASSIGN_OR_RETURN(const auto pairs,
                             plan_outputs(list, output, container_type_name(job.container)));
    CallPlace place(context);
    tessera_encode_report made = {};
    return run_files(pairs, chosen, place.backend(),
                     [&](const FilePair& pair, const RunControl& control,
                         tessera_file_report& report) -> Status {
                       job.input = pair.input;
                       job.output = pair.output;
                       TESSERA_ASSIGN_OR_RETURN(const EncodeReport done,
                                                encode_file(job, place.backend(), control));
                       made = to_c(done);
                       report.encode = &made;
                       report.file_bytes = done.file_bytes;
                       return {};
                     });
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
    TESSERA_ASSIGN_OR_RETURN(const DecodeChoice choice, read_decode_options(decode_options));
    if (slice < -1 || slice > int64_t{UINT32_MAX}) {
      return usage_error("there is no slice " + std::to_string(slice));
    }
    DecodeJob job;
    const std::string type_name = text_or(type, "png");
    TESSERA_ASSIGN_OR_RETURN(job.type,
                             picture_type_for(output, type_name, is_unnamed_output(list, output)));
    job.level = choice.level;
    job.options = choice.options;
    job.options.sample = sample_for(choice.options.sample, job.type);
    if (slice >= 0) {
      job.slice = static_cast<uint32_t>(slice);
    }
    TESSERA_ASSIGN_OR_RETURN(const auto pairs, plan_outputs(list, output, "." + type_name));
    CallPlace place(context);
    tessera_file_info info = {};
    return run_files(pairs, chosen, place.backend(),
                     [&](const FilePair& pair, const RunControl& control,
                         tessera_file_report& report) -> Status {
                       job.input = pair.input;
                       job.output = pair.output;
                       return decode_one(job, place.backend(), control, info, report);
                     });
  });
}
