// Lists of files in the C interface: what is told about each, and making them on this machine.
#include "api/file_lists.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/backends.h"
#include "api/context.h"
#include "api/encode.h"
#include "api/errors.h"
#include "api/limits.h"
#include "api/list_plan.h"
#include "api/ranks.h"
#include "api/reports.h"
#include "files/memory_pool.h"
#include "spmd/isa.h"

namespace tessera::api {
namespace {

// What is told about a file, whatever was done to it.
tessera_file_report begin_report(const FilePair& file) {
  tessera_file_report report = {};
  report.struct_size = sizeof report;
  report.input = file.input.c_str();
  report.output = file.output.c_str();
  report.message = "";
  report.backend = "";
  report.isa = "";
  return report;
}

void set_fate(FileFate fate, tessera_file_report& report) {
  std::error_code error;
  const uintmax_t bytes = std::filesystem::file_size(report.output, error);
  report.file_bytes = fate == FileFate::kUnchanged && !error ? bytes : 0;
  report.unchanged = fate == FileFate::kUnchanged ? 1 : 0;
  report.planned = fate == FileFate::kPlanned ? 1 : 0;
}

void set_failure(const Error& error, tessera_file_report& report) {
  report.status = static_cast<tessera_status>(error.code);
  report.message = error.message.c_str();
}

void tell_encoded(const FilePair& file, const FileOutcome<FileEncodeReport>& outcome,
                  const tessera_encoder& encoder, ContainerType container,
                  const tessera_files_options& options) {
  tessera_file_report report = begin_report(file);
  report.encoder = &encoder;
  report.rank = static_cast<uint32_t>(outcome.rank);
  tessera_encode_report encode = {};
  tessera_file_info source = {};
  std::vector<tessera_rank_work> ranks;
  if (outcome.fate != FileFate::kMade) {
    set_fate(outcome.fate, report);
  } else if (outcome.report) {
    const FileEncodeReport& made = *outcome.report;
    encode = to_c(made.encode);
    report.encode = &encode;
    if (made.encode.kept) {
      source = texture_info(*made.encode.kept, container, made.encode.level_count);
      report.source = &source;
    }
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
  FileStamp stamp;
};

void tell_decoded(const FilePair& file, const FileOutcome<FileDecodeReport>& outcome,
                  const tessera_files_options& options) {
  tessera_file_report report = begin_report(file);
  tessera_file_info source = {};
  const std::string isa = active_isa();
  std::vector<const char*> slices;
  if (outcome.fate != FileFate::kMade) {
    set_fate(outcome.fate, report);
  } else if (outcome.report) {
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
    for (const DecodedFile& file_of_slice : made.files) {
      slices.push_back(file_of_slice.name.c_str());
    }
    report.slices = slices.empty() ? nullptr : slices.data();
    report.slice_count = slices.size();
  } else {
    set_failure(outcome.report.error(), report);
  }
  options.done(options.user, &report);
}

// What makes the files of a list on this machine: all threads together, or each a file of its own.
class FilePlace {
 public:
  explicit FilePlace(tessera_context* context) : place_(context) {
    Backend& together = place_.backend();
    if (together.device() != nullptr) {
      at_once_ = std::min(together.thread_count(), kFilesOnDevice);
      return;
    }
    if (together.name() != "cpu") {
      return;  // the caller's threads
    }
    tessera_context_options one = TESSERA_CONTEXT_OPTIONS_INIT;
    one.backend = "cpu";
    one.threads = 1;
    for (unsigned i = 0; i < together.thread_count(); ++i) {
      if (auto backend = make_backend(one)) {
        alone_.push_back(std::move(*backend));
      }
    }
  }

  // How many files are under way at once.
  unsigned threads() const { return std::max(at_once_, static_cast<unsigned>(alone_.size())); }

  // A small file is one thread's business, but near the end, where threads would have none: there
  // and in large files all of them help. So the next large file is read while one is encoded.
  Backend& backend_for(const FilePair& file, const FileTurn& turn) {
    constexpr uintmax_t kSmallBytes = uintmax_t{4} << 20;
    std::error_code error;
    const uintmax_t bytes = std::filesystem::file_size(file.input, error);
    const bool is_alone =
        alone_.size() > 1 && turn.files_left >= alone_.size() && !error && bytes <= kSmallBytes;
    return is_alone ? *alone_[turn.member] : place_.backend();
  }

  // Calls the caller's `begin`. The files that are under way share what one may take of memory;
  // `share` must outlive the control.
  Result<RunControl> begin(const tessera_files_options& options, const FilePair& file,
                           MemoryPool::Share& share) {
    const std::lock_guard lock(mutex_);
    TESSERA_ASSIGN_OR_RETURN(RunControl control, control_of(options, file.input));
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
    control.reserve = [&share, limit = control.limits.max_memory](uint64_t bytes) {
      share.resize(bytes, limit);
    };
    return control;
  }

  MemoryPool& pool() { return pool_; }

  LargeMemory* memory() const { return place_.memory().get(); }

 private:
  // So that some are read and written while others are on the device, which has room for a few.
  static constexpr unsigned kFilesOnDevice = 8;

  CallPlace place_;
  unsigned at_once_ = 1;
  std::vector<std::unique_ptr<Backend>> alone_;  // a backend for each thread
  std::mutex mutex_;
  MemoryPool pool_;
};

Status encode_here(const EncodeList& list, const std::vector<const tessera_encoder*>& encoders,
                   tessera_context* context, const tessera_files_options& options) {
  FilePlace place(context);
  LocalFiles<FileEncodeReport> executor(
      place.threads(), [&](const FilePair& file, const FileTurn& turn) -> Result<FileEncodeReport> {
        const ScopedLargeMemory memory(place.memory());
        EncodeJob job = list.jobs[file.job];
        job.input = file.input;
        job.slices = file.slices;
        job.output = file.output;
        MemoryPool::Share share(place.pool());
        TESSERA_ASSIGN_OR_RETURN(const RunControl control, place.begin(options, file, share));
        TESSERA_ASSIGN_OR_RETURN(FileEncodeReport report,
                                 encode_file(job, place.backend_for(file, turn), control));
        report.isa = active_isa();
        return report;
      });
  return run_encode_files(list, encoders, executor, options, place.threads());
}

Status decode_here(const DecodeList& list, tessera_context* context,
                   const tessera_files_options& options) {
  FilePlace place(context);
  std::optional<OutputIndex> index;
  KeepingOutputs keeping = keeping_outputs(list, options, index);
  keeping.threads = place.threads();
  LocalFiles<FileDecodeReport> executor(
      place.threads(), [&](const FilePair& file, const FileTurn& turn) -> Result<FileDecodeReport> {
        const ScopedLargeMemory memory(place.memory());
        DecodeJob job = list.job;
        job.input = file.input;
        job.output = file.output;
        job.index = options.force == 0 ? keeping.index : nullptr;
        job.made = [&](const DecodedFile& made) {
          if (keeping.index != nullptr) {
            keeping.index->add({file.input, made.name}, keeping.jobs[file.job], made.stamp);
          }
        };
        MemoryPool::Share share(place.pool());
        TESSERA_ASSIGN_OR_RETURN(const RunControl control, place.begin(options, file, share));
        Backend& backend = place.backend_for(file, turn);
        FileDecodeReport report;
        TESSERA_ASSIGN_OR_RETURN(report.decode, decode_file(job, backend, control));
        report.backend = backend.name();
        report.threads = backend.thread_count();
        report.stamp = report.decode.stamp;
        return report;
      });
  return run_files<FileDecodeReport>(
      list.files, executor,
      [&](const FileOutcome<FileDecodeReport>& outcome) {
        if (options.done != nullptr) {
          tell_decoded(list.files[outcome.index], outcome, options);
        }
      },
      keeping);
}

}  // namespace

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

Status run_encode_files(const EncodeList& list, const std::vector<const tessera_encoder*>& encoders,
                        FileExecutor<FileEncodeReport>& executor,
                        const tessera_files_options& options, unsigned threads) {
  std::optional<OutputIndex> index;
  KeepingOutputs keeping = keeping_outputs(list, options, index);
  keeping.threads = threads;
  return run_files<FileEncodeReport>(
      list.files, executor,
      [&](const FileOutcome<FileEncodeReport>& outcome) {
        if (options.done != nullptr) {
          const FilePair& file = list.files[outcome.index];
          tell_encoded(file, outcome, *encoders[file.job], list.jobs[file.job].container, options);
        }
      },
      keeping);
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
    std::vector<const tessera_encoder*> encoders;
    TESSERA_ASSIGN_OR_RETURN(const EncodeList files,
                             plan_encode_list(*encoder, list, output, chosen, encoders));
    for (const EncodeJob& job : files.jobs) {
      TESSERA_RETURN_IF_ERROR(check_has_kernels(context, *job.codec));
    }
    TESSERA_RETURN_IF_ERROR(prepare_list(files.files, files.folder, chosen));
    return encode_here(files, encoders, context, chosen);
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
    TESSERA_ASSIGN_OR_RETURN(
        const DecodeList files,
        plan_decode_list(list, output, text_or(type, "png"), decode_options, slice, chosen));
    TESSERA_RETURN_IF_ERROR(check_keeps_pictures(files, chosen));
    TESSERA_RETURN_IF_ERROR(prepare_list(files.files, files.folder, chosen));
    return decode_here(files, context, chosen);
  });
}
