// The ranks of an MPI job behind the C interface: their options, and lists of files.
#include "api/ranks.h"

#include <array>
#include <mutex>
#include <optional>
#include <string_view>

#include "api/backends.h"
#include "api/context.h"
#include "api/encode_plan.h"
#include "api/errors.h"
#include "api/file_lists.h"
#include "api/limits.h"
#include "api/list_plan.h"
#include "cluster/rank_files.h"
#include "cluster/rank_group.h"
#include "codec/options.h"

namespace tessera::api {
namespace {

constexpr std::array<std::string_view, 3> kRankBackends = {"cpu", "opencl", "cuda"};

constexpr OptionDescriptor option(std::string_view key, OptionKind kind, double least = 0,
                                  double most = 0) {
  OptionDescriptor descriptor;
  descriptor.key = key;
  descriptor.kind = kind;
  descriptor.least = least;
  descriptor.most = most;
  return descriptor;
}

constexpr OptionDescriptor rank_backend() {
  OptionDescriptor descriptor = option("rank-backend", OptionKind::kChoice);
  descriptor.choices = kRankBackends;
  descriptor.what_choices_are = "what a rank computes with";
  return descriptor;
}

constexpr std::array kRankOptions = {
    rank_backend(),
    option("unit-rows", OptionKind::kWhole, 1, 1U << 20),
    option("split-over", OptionKind::kNumber, 0, 9e15),  // whole numbers are exact in a double
    option("gather", OptionKind::kFlag),
    option("agreement", OptionKind::kText),
};

// What a context of ranks was made with.
struct RankRequest {
  cluster::RankOptions options;
  std::string backend = "cpu";
  std::string agreement;
  uint32_t threads = 0;
  uint32_t device = 0;  // as in tessera_context_options
};

Result<RankRequest> read_request(const tessera_context_options& given) {
  if (given.parallel_run != nullptr) {
    return usage_error("the caller's threads take the place of a backend or a device");
  }
  TESSERA_ASSIGN_OR_RETURN(const OptionList list,
                           read_option_list(given.options, given.option_count));
  for (const OptionValue& value : list) {
    if (find_option(kRankOptions, value.key) == nullptr) {
      return usage_error("'" + value.key + "' is not an option of the backend mpi");
    }
  }
  const OptionReader reader(list, kRankOptions);
  TESSERA_RETURN_IF_ERROR(reader.check());
  RankRequest request;
  request.backend = kRankBackends[reader.choice("rank-backend").value_or(0)];
  request.options.unit_rows = reader.whole("unit-rows").value_or(0);
  if (const auto bytes = reader.number("split-over")) {
    request.options.split_over = static_cast<uint64_t>(*bytes);
  }
  request.options.gather = reader.flag("gather");
  request.agreement = reader.text("agreement").value_or("");
  request.threads = given.threads;
  request.device = given.device;
  if (request.device != 0 && !is_device_kind(request.backend)) {
    return usage_error("a device needs ranks that compute with cuda or opencl");
  }
  return request;
}

// All that must be the same on every rank, besides the files.
std::vector<std::string> words_of(const tessera_encoder& encoder, const RankRequest& request) {
  std::vector<std::string> words = {encoder.format, encoder.preset, encoder.profile,
                                    encoder.container, encoder.plan.settings.method};
  for (const OptionValue& option : encoder.plan.settings.options) {
    words.insert(words.end(), {option.key, option.value});
  }
  words.insert(words.end(), {request.agreement, tessera_version()});
  return words;
}

// Errors of the whole list: the caller hears of them at once, as the process may end.
class ErrorTeller {
 public:
  ErrorTeller(const cluster::RankGroup& group, const tessera_files_options& options)
      : group_(group), options_(options) {}

  void tell(const Error& found) {
    const std::lock_guard lock(mutex_);
    // Whichever stage notices an interruption first, only the group knows what may be behind it.
    const Status group_state = group_.check();
    const bool is_interruption = found.code == ErrorCode::kInterrupted && !group_state;
    const Error& error = is_interruption ? group_state.error() : found;
    if (!first_) {
      first_ = error;
    }
    if (options_.failed != nullptr) {
      options_.failed(options_.user, static_cast<tessera_status>(error.code),
                      error.message.c_str());
    }
  }
  const std::optional<Error>& first() const { return first_; }

 private:
  const cluster::RankGroup& group_;
  const tessera_files_options& options_;
  std::mutex mutex_;
  std::optional<Error> first_;
};

class MpiRanks : public Ranks {
 public:
  MpiRanks(std::unique_ptr<cluster::RankGroup> group, RankRequest request)
      : group_(std::move(group)), request_(std::move(request)) {}

  uint32_t rank() const override { return static_cast<uint32_t>(group_->rank()); }
  uint32_t count() const override { return static_cast<uint32_t>(group_->size()); }
  uint32_t threads() const override {
    return request_.threads != 0 ? request_.threads : all_cores();
  }

  Status encode_files(const tessera_encoder& encoder, const std::vector<std::string>& inputs,
                      const std::string& output, const tessera_files_options& options) override {
    if (encoder.plan.source) {
      return unsupported_error("ranks encode pictures; they do not transcode textures");
    }
    const std::lock_guard lock(mutex_);  // the ranks go through one list at a time
    ErrorTeller teller(*group_, options);
    std::vector<const tessera_encoder*> encoders;
    cluster::RankJob job = make_job(encoder, options, teller);
    job.make_list = [&]() -> Result<EncodeList> {
      TESSERA_ASSIGN_OR_RETURN(EncodeList list,
                               plan_encode_list(encoder, inputs, output, options, encoders));
      for (const EncodeJob& one : list.jobs) {
        TESSERA_RETURN_IF_ERROR(is_device_kind(request_.backend)
                                    ? check_kernels_for(request_.backend, *one.codec)
                                    : Status());
      }
      return list;
    };
    job.prepare_outputs = [&](const EncodeList& list) {
      return prepare_list(list.files, list.folder, options);
    };
    TESSERA_ASSIGN_OR_RETURN(job.limits, read_limits(options.limits));
    job.durability = options.sync != 0 ? WriteDurability::kSynced : WriteDurability::kUsual;
    group_->set_cancelled(job.cancelled);
    Status outcome;
    const auto root = [&](const EncodeList& list, FileExecutor<FileEncodeReport>& executor) {
      outcome = run_encode_files(list, encoders, executor, options, threads());
      // Before other ranks are told to stop: when one ends with an error, the launcher ends all.
      if (!outcome && outcome.error().code == ErrorCode::kInterrupted) {
        teller.tell(outcome.error());
      }
      return outcome ? 0 : static_cast<int>(outcome.error().code);
    };
    const int exit_code = cluster::encode_on_ranks(*group_, job, root);
    group_->set_cancelled(nullptr);
    if (teller.first()) {
      return *teller.first();
    }
    if (outcome && exit_code != 0) {
      return Error{static_cast<ErrorCode>(exit_code), "the first rank has told what is wrong"};
    }
    return outcome;
  }

 private:
  Result<std::shared_ptr<Backend>> make_backend_of_rank(unsigned number, unsigned threads) const {
    tessera_context_options own = TESSERA_CONTEXT_OPTIONS_INIT;
    own.backend = request_.backend.c_str();
    own.threads = threads;
    own.device = request_.device;
    if (is_device_kind(request_.backend) && own.device == 0) {
      TESSERA_ASSIGN_OR_RETURN(const unsigned device, device_of_rank(request_.backend, number));
      own.device = device + 1;
    }
    TESSERA_ASSIGN_OR_RETURN(std::shared_ptr<Backend> backend, make_backend(own));
    return backend;
  }

  cluster::RankJob make_job(const tessera_encoder& encoder, const tessera_files_options& options,
                            ErrorTeller& teller) const {
    cluster::RankJob job;
    job.options = request_.options;
    job.words = words_of(encoder, request_);
    job.make_backend = [this](unsigned number, std::optional<unsigned> threads) {
      return make_backend_of_rank(number, threads.value_or(request_.threads));
    };
    job.can_use_backend_per_thread = request_.backend == "cpu";
    job.cancelled = options.stop != nullptr ? &options.stop->requested : nullptr;
    job.with_progress = [&options](const FilePair& file,
                                   const std::function<void(const RunControl&)>& work) {
      const auto control = control_of(options, file.input);
      work(control ? *control : RunControl());
    };
    job.report = [&teller](const Error& error) { teller.tell(error); };
    return job;
  }

  std::unique_ptr<cluster::RankGroup> group_;
  RankRequest request_;
  std::mutex mutex_;
};

}  // namespace

Result<std::unique_ptr<Ranks>> Ranks::start(const tessera_context_options& options) {
  TESSERA_ASSIGN_OR_RETURN(RankRequest request, read_request(options));
  TESSERA_ASSIGN_OR_RETURN(auto group, cluster::RankGroup::start_mpi(nullptr));
  return std::unique_ptr<Ranks>(std::make_unique<MpiRanks>(std::move(group), std::move(request)));
}

}  // namespace tessera::api
