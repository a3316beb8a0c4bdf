#include "mpi_batch.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "base/file.h"
#include "base/guarded.h"
#include "cluster/rank_group.h"
#include "mpi_file_queue.h"
#include "session.h"
#include "version.h"

namespace tessera::cli {
namespace {

using Clock = std::chrono::steady_clock;

// What a rank computes with.
struct RankSetup {
  MpiFormat format;
  std::shared_ptr<Backend> together;              // all threads at one file or strip
  std::vector<std::shared_ptr<Backend>> workers;  // that, or each thread at a file of its own
  std::vector<FilePair> pairs;                    // rank 0
};

// With many files each thread makes one of its own; otherwise all threads work at the same one.
bool has_file_for_every_thread(const BatchOptions& options, size_t ranks, unsigned threads) {
  constexpr size_t kFilesPerThread = 4;
  return threads > 1 && options.inputs.size() >= kFilesPerThread * ranks * threads;
}

Result<RankSetup> set_up(const BatchOptions& options, const MpiOptions& mpi_options,
                         const std::function<Result<MpiFormat>()>& make_format,
                         const cluster::RankGroup& session) {
  if (options.json && options.output == kStandardStream) {
    return usage_error("--json and the file cannot both go to standard output");
  }
  RankSetup setup;
  TESSERA_ASSIGN_OR_RETURN(setup.format, make_format());
  BackendChoice choice = options.backend;
  choice.name = mpi_options.rank_backend.empty() ? "cpu" : mpi_options.rank_backend;
  if (choice.name == "mpi" || choice.name == "auto" || choice.name == "threads") {
    return usage_error("a rank computes with cpu or opencl, not with " + choice.name);
  }
  choice.gpu = session.rank_on_machine();
  TESSERA_ASSIGN_OR_RETURN(setup.together, make_backend(choice));
  const unsigned threads = setup.together->thread_count();
  const bool by_file =
      choice.name == "cpu" &&
      has_file_for_every_thread(options, static_cast<size_t>(session.size()), threads);
  choice.threads = 1;
  for (unsigned worker = 0; by_file && worker < threads; ++worker) {
    TESSERA_ASSIGN_OR_RETURN(auto backend, make_backend(choice));
    setup.workers.push_back(std::move(backend));
  }
  if (!by_file) {
    setup.workers = {setup.together};
  }
  if (session.is_root()) {
    TESSERA_ASSIGN_OR_RETURN(setup.pairs,
                             plan_outputs(options.inputs, options.output, setup.format.extension));
  }
  return setup;
}

// The other ranks' side of a file as a unit: which one is checked, the rest is as on one machine.
Status make_whole_file(const BatchOptions& options, const MpiOptions& mpi_options,
                       const MpiFormat& format, const cluster::UnitHeader& header, Backend& backend,
                       const RunControl& control, Bytes& output) {
  if (header.fields[0] >= options.inputs.size() || header.output_bytes != cluster::kAnySize) {
    return invalid_error("a rank was sent a file that is not in the list");
  }
  const std::string& input = options.inputs[header.fields[0]];
  const FilePair pair = {input, output_in_folder(input, options.output, format.extension)};
  if (!mpi_options.gather) {
    TESSERA_RETURN_IF_ERROR(check_writable(pair.output));
  }
  TESSERA_ASSIGN_OR_RETURN(const MadeFile file, format.make(pair, backend, control));
  if (!mpi_options.gather) {
    TESSERA_RETURN_IF_ERROR(write_file(pair.output, file.bytes));
  }
  output = write_file_reply(file, mpi_options.gather);
  return {};
}

Result<MadeFile> written(const FilePair& pair, Result<MadeFile> file) {
  if (file) {
    TESSERA_RETURN_IF_ERROR(check_interrupted());
    TESSERA_RETURN_IF_ERROR(write_file(pair.output, file->bytes));
  }
  return file;
}

// By rank 0. What `make` throws is an error of that file alone.
template <class Make>
Result<MadeFile> make_and_write(const FilePair& pair, const Make& make) {
  const auto action = [&]() -> Result<MadeFile> {
    TESSERA_RETURN_IF_ERROR(check_writable(pair.output));
    return written(pair, make());
  };
  return guarded(action, input_display_name(pair.input) + ": ");
}

std::vector<uint64_t> file_sizes(const std::vector<FilePair>& pairs) {
  std::vector<uint64_t> sizes;
  for (const FilePair& pair : pairs) {
    std::error_code error;
    const auto size = std::filesystem::file_size(pair.input, error);
    sizes.push_back(error ? 0 : size);
  }
  return sizes;
}

// Rank 0's part of the work, on its own thread.
class RootJob {
 public:
  RootJob(const BatchOptions& options, const MpiOptions& mpi_options, RankSetup& setup,
          cluster::Coordinator& coordinator, FilePlan plan, FileOutcomes& outcomes)
      : options_(options),
        setup_(setup),
        coordinator_(coordinator),
        outcomes_(outcomes),
        shared_(std::move(plan.shared)),
        queue_(std::move(plan.whole), setup.pairs, mpi_options.gather, outcomes) {}

  int run() {
    coordinator_.add_source(queue_);  // the others need not wait for rank 0 to read a large file
    for (const size_t index : shared_) {
      if (!check_interrupted()) {
        break;
      }
      make_shared(index);
    }
    make_whole();
    {
      const cluster::Coordinator::Waiting waiting(coordinator_);
      queue_.wait();
    }
    coordinator_.remove_source(queue_);
    if (const Status status = check_interrupted(); !status) {
      return report_error(status.error());
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    outcomes_.print_end(seconds, setup_.format.shared_work ? setup_.format.shared_work()
                                                           : std::vector<cluster::RankWork>());
    return outcomes_.exit_code();
  }

 private:
  void make_shared(size_t index) {
    const FilePair& pair = setup_.pairs[index];
    Progress progress(pair.input, options_.quiet);
    auto file = make_and_write(pair, [&] {
      return setup_.format.make_shared(pair, coordinator_, *setup_.together, control_of(progress));
    });
    if (file) {
      file->pixels = 0;  // they are in shared_work()
    }
    outcomes_.add(index, 0, std::move(file));
  }

  void make_whole() {
    std::vector<std::thread> threads;
    for (const auto& backend : setup_.workers) {
      threads.emplace_back([&, &worker = *backend] {
        while (const auto index = queue_.take_file()) {
          const FilePair& pair = setup_.pairs[*index];
          outcomes_.add(*index, 0, make_and_write(pair, [&] {
            return setup_.format.make(pair, worker, {{}, &is_interrupted()});
          }));
          coordinator_.look_soon();
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }

  const BatchOptions& options_;
  RankSetup& setup_;
  cluster::Coordinator& coordinator_;
  FileOutcomes& outcomes_;
  const std::vector<size_t> shared_;
  FileQueue queue_;
  Clock::time_point start_ = Clock::now();
};

// A file that all ranks make in step. What makes one rank stop but not the others ends them all.
Result<MadeFile> make_in_step(const FilePair& pair, const RankSetup& setup,
                              cluster::RankGroup& session,
                              const std::vector<cluster::Greeting>& greetings) {
  auto file =
      setup.format.make_in_step(pair, session, greetings, *setup.together, {{}, &is_interrupted()});
  if (!file && (file.error().code == ErrorCode::kInterrupted ||
                file.error().code == ErrorCode::kFailed || !session.check())) {
    session.abort(report_error(file.error()));
  }
  return file;
}

// Which files are made in step, from rank 0 to all.
Result<std::vector<size_t>> share_list(const std::vector<size_t>& files, size_t inputs,
                                       cluster::RankGroup& session) {
  Bytes bytes;
  ByteWriter writer(bytes);
  for (const size_t index : files) {
    writer.write(static_cast<uint64_t>(index));
  }
  TESSERA_RETURN_IF_ERROR(session.broadcast_sized(bytes, inputs * sizeof(uint64_t)));
  std::vector<size_t> shared;
  ByteReader reader(bytes);
  while (reader.remaining() > 0) {
    shared.push_back(reader.read<uint64_t>());
    if (!reader.ok() || shared.back() >= inputs) {
      return invalid_error("rank 0 named a file that is not in the list");
    }
  }
  return shared;
}

int run_root(const BatchOptions& options, const MpiOptions& mpi_options, RankSetup& setup,
             cluster::RankGroup& session, const std::vector<cluster::Greeting>& greetings) {
  cluster::Coordinator coordinator(session, greetings,
                                   [](const Error& error) { report_error(error); });
  FileOutcomes outcomes(options, setup.pairs, coordinator.ranks());
  FilePlan plan = plan_files(file_sizes(setup.pairs), static_cast<size_t>(session.size()),
                             mpi_options.split_over);
  if (setup.format.make_in_step) {
    if (const auto sent = share_list(plan.shared, setup.pairs.size(), session); !sent) {
      session.abort(report_error(sent.error()));
    }
    for (const size_t index : plan.shared) {
      const FilePair& pair = setup.pairs[index];
      outcomes.add(index, 0, written(pair, make_in_step(pair, setup, session, greetings)));
    }
    plan.shared.clear();
  }
  RootJob job(options, mpi_options, setup, coordinator, std::move(plan), outcomes);
  return coordinator.run([&] { return job.run(); });
}

int run_other(const BatchOptions& options, const MpiOptions& mpi_options, const RankSetup& setup,
              cluster::RankGroup& session, const std::vector<cluster::Greeting>& greetings) {
  if (setup.format.make_in_step) {
    const auto shared = share_list({}, options.inputs.size(), session);
    if (!shared) {
      session.abort(static_cast<int>(shared.error().code));
    }
    for (const size_t index : *shared) {
      const auto same_as_rank_0 =
          make_in_step({options.inputs[index], options.output}, setup, session, greetings);
    }
  }
  const auto handler = [&](const cluster::UnitHeader& header, ByteSpan input, Backend& backend,
                           const RunControl& control, Bytes& output) -> Status {
    return header.kind == kFileKind ? make_whole_file(options, mpi_options, setup.format, header,
                                                      backend, control, output)
                                    : setup.format.unit(header, input, backend, control, output);
  };
  std::vector<Backend*> workers;
  for (const auto& worker : setup.workers) {
    workers.push_back(worker.get());
  }
  return cluster::serve_units(session, workers, handler, setup.format.warm_up);
}

// The exit code, on every rank the same; an error is this rank's alone.
Result<int> run_session(const BatchOptions& options, const MpiOptions& mpi_options,
                        const std::function<Result<MpiFormat>()>& make_format,
                        cluster::RankGroup& session) {
  auto setup = guarded([&] { return set_up(options, mpi_options, make_format, session); });
  cluster::Greeting own;
  std::vector<std::string> words = command_line();
  words.push_back(version_number());
  own.fingerprint = cluster::fingerprint_of(words);
  if (setup) {
    own.workers = static_cast<uint32_t>(setup->workers.size());
    own.threads = setup->together->thread_count();
  } else {
    own.setup = setup.error();
  }
  TESSERA_ASSIGN_OR_RETURN(const auto greetings, session.agree(own));
  if (const Status agreed = cluster::check_greetings(greetings); !agreed) {
    return report_error(agreed.error());
  }
  return session.is_root() ? run_root(options, mpi_options, *setup, session, greetings)
                           : run_other(options, mpi_options, *setup, session, greetings);
}

}  // namespace

int run_mpi_batch(const BatchOptions& options, const MpiOptions& mpi_options,
                  const std::function<Result<MpiFormat>()>& make_format) {
  const auto started = cluster::RankGroup::start_mpi(&is_interrupted());
  if (!started) {
    return report_error(started.error());
  }
  cluster::RankGroup& session = **started;
  speak_as_rank(session.rank(), true);
  // An exception that left would make the other ranks wait for this one.
  const auto code =
      guarded([&] { return run_session(options, mpi_options, make_format, session); });
  if (!code) {
    session.abort(report_error(code.error()));
  }
  return *code;
}

}  // namespace tessera::cli
