// A list of files on all ranks: setting up, rank 0's executor of files, and the other ranks' side.
#include "cluster/rank_files.h"

#include <filesystem>
#include <thread>

#include "base/guarded.h"
#include "cluster/coordinator.h"
#include "cluster/file_message.h"
#include "cluster/file_queue.h"
#include "cluster/worker.h"
#include "codec/settings_text.h"
#include "files/file.h"

namespace tessera::cluster {
namespace {

Status check_stopped(const RankJob& job) {
  return check_cancelled({{}, job.cancelled, job.limits});
}

// What a rank computes with.
struct RankSetup {
  EncodeList list;
  std::unique_ptr<FileMaker> maker;
  std::shared_ptr<Backend> together;              // all threads at one file or strip
  std::vector<std::shared_ptr<Backend>> workers;  // that, or a backend for each thread
};

// With many files each thread makes one of its own; otherwise all threads work on the same one.
bool has_file_for_every_thread(size_t files, size_t ranks, unsigned threads) {
  constexpr size_t kFilesPerThread = 4;
  return threads > 1 && files >= kFilesPerThread * ranks * threads;
}

Result<RankSetup> set_up(const RankJob& job, const RankGroup& group) {
  RankSetup setup;
  TESSERA_ASSIGN_OR_RETURN(setup.list, job.make_list());
  TESSERA_ASSIGN_OR_RETURN(setup.maker,
                           FileMaker::create(setup.list.jobs, {job.options.unit_rows}));
  const unsigned number = group.rank_on_machine();
  TESSERA_ASSIGN_OR_RETURN(setup.together, job.make_backend(number, std::nullopt));
  const unsigned threads = setup.together->thread_count();
  const bool by_file = job.can_use_backend_per_thread &&
                       has_file_for_every_thread(setup.list.files.size(),
                                                 static_cast<size_t>(group.size()), threads);
  for (unsigned i = 0; by_file && i < threads; ++i) {
    TESSERA_ASSIGN_OR_RETURN(auto backend, job.make_backend(number, 1));
    setup.workers.push_back(std::move(backend));
  }
  if (!by_file) {
    setup.workers = {setup.together};
  }
  if (group.is_root()) {
    TESSERA_RETURN_IF_ERROR(job.prepare_outputs(setup.list));
  }
  return setup;
}

Result<FileEncodeReport> written(const RankJob& job, const FilePair& file, Result<MadeFile> made) {
  if (!made) {
    return made.error();
  }
  TESSERA_RETURN_IF_ERROR(check_stopped(job));
  TESSERA_RETURN_IF_ERROR(write_file(file.output, made->bytes, job.durability));
  return std::move(made->report);
}

// By rank 0. An exception is an error of that file alone.
template <class Make>
Result<FileEncodeReport> make_and_write(const RankJob& job, const FilePair& file,
                                        const Make& make) {
  const auto action = [&]() -> Result<FileEncodeReport> {
    TESSERA_RETURN_IF_ERROR(check_writable(file.output));
    return written(job, file, make());
  };
  return guarded(action, input_display_name(file.input) + ": ");
}

// A file that all ranks make in step. An error that only this rank may have ends all of them.
Result<MadeFile> make_in_step(const RankJob& job, const RankSetup& setup, const FilePair& file,
                              RankGroup& group, const std::vector<Greeting>& greetings) {
  auto made = setup.maker->make_in_step(file, group, greetings, *setup.together,
                                        {{}, job.cancelled, job.limits}, job.report);
  if (!made && (made.error().code == ErrorCode::kInterrupted ||
                made.error().code == ErrorCode::kFailed || !group.check())) {
    job.report(made.error());
    group.abort(static_cast<int>(made.error().code));
  }
  return made;
}

// Which files are made in step: rank 0 tells the others.
Result<std::vector<size_t>> share_list(const std::vector<size_t>& files, size_t count,
                                       RankGroup& group) {
  Bytes bytes;
  ByteWriter writer(bytes);
  for (const size_t index : files) {
    writer.write(static_cast<uint64_t>(index));
  }
  TESSERA_RETURN_IF_ERROR(group.broadcast_sized(bytes, count * sizeof(uint64_t)));
  std::vector<size_t> shared;
  ByteReader reader(bytes);
  while (reader.remaining() > 0) {
    shared.push_back(reader.read<uint64_t>());
    if (!reader.ok() || shared.back() >= count) {
      return invalid_error("rank 0 named a file that is not in the list");
    }
  }
  return shared;
}

// 0 where it cannot be told.
uint64_t size_of(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

std::vector<uint64_t> file_sizes(const std::vector<FilePair>& files,
                                 const std::vector<size_t>& chosen) {
  std::vector<uint64_t> sizes;
  for (const size_t index : chosen) {
    const FilePair& file = files[index];
    uint64_t size = size_of(file.input);
    for (size_t i = 1; i < file.slices.size(); ++i) {
      size += size_of(file.slices[i]);
    }
    sizes.push_back(size);
  }
  return sizes;
}

// How the chosen files are made.
FileSplit split_chosen(const std::vector<FilePair>& files, const std::vector<size_t>& chosen,
                       const FileMaker& maker, size_t ranks, std::optional<uint64_t> split_over) {
  const FileSplit places = split_files(file_sizes(files, chosen), ranks, split_over);
  FileSplit split;
  for (const size_t place : places.shared) {
    const size_t index = chosen[place];
    (maker.can_be_shared(files[index]) ? split.shared : split.whole).push_back(index);
  }
  for (const size_t place : places.whole) {
    split.whole.push_back(chosen[place]);
  }
  return split;
}

// Rank 0's executor: the other ranks are served until all files are made.
class RankFiles : public FileExecutor<FileEncodeReport> {
 public:
  RankFiles(const RankJob& job, RankSetup& setup, RankGroup& group,
            const std::vector<Greeting>& greetings)
      : job_(job),
        setup_(setup),
        group_(group),
        greetings_(greetings),
        coordinator_(group, greetings, job.report) {}

  Status run(const std::vector<FilePair>& files, const std::vector<size_t>& chosen,
             const Done& done) override {
    has_run_ = true;
    FileSplit split =
        split_chosen(files, chosen, *setup_.maker, greetings_.size(), job_.options.split_over);
    if (setup_.maker->is_made_in_step()) {
      make_all_in_step(files, split.shared, done);
      split.shared.clear();
    }
    FileQueue queue(split.whole, files, greetings_.size(), job_.options.gather, job_.cancelled,
                    done);
    queue.set_durability(job_.durability);
    coordinator_.run([&] {
      coordinator_.add_source(queue);  // other ranks need not wait for rank 0 to read a large file
      for (const size_t index : split.shared) {
        if (check_stopped(job_)) {
          make_by_strips(index, files[index], done);
        }
      }
      do {  // again where another rank gives a file back
        make_whole(queue, files);
      } while (wait_for_others(queue));
      coordinator_.remove_source(queue);
      return check_stopped(job_) ? 0 : static_cast<int>(ErrorCode::kInterrupted);
    });
    return check_stopped(job_);
  }

  // After run(): the other ranks end with this exit code.
  void stop(int exit_code) {
    if (!has_run_) {  // they wait for files
      group_.abort(exit_code);
    }
    coordinator_.stop(exit_code);
  }

 private:
  void make_all_in_step(const std::vector<FilePair>& files, const std::vector<size_t>& shared,
                        const Done& done) {
    if (const auto shared_list = share_list(shared, files.size(), group_); !shared_list) {
      job_.report(shared_list.error());
      group_.abort(static_cast<int>(shared_list.error().code));
    }
    for (const size_t index : shared) {
      const FilePair& file = files[index];
      tell(done, index, written(job_, file, make_in_step(job_, setup_, file, group_, greetings_)));
    }
  }

  void make_by_strips(size_t index, const FilePair& file, const Done& done) {
    const auto work = [&](const RunControl& control) {
      tell(done, index, make_and_write(job_, file, [&] {
             return setup_.maker->make_by_strips(file, coordinator_, *setup_.together, control);
           }));
    };
    if (job_.with_progress) {
      job_.with_progress(file, work);
    } else {
      work({{}, job_.cancelled, job_.limits});
    }
  }

  bool wait_for_others(FileQueue& queue) {
    const Coordinator::Waiting waiting(coordinator_);
    return queue.wait();
  }

  void make_whole(FileQueue& queue, const std::vector<FilePair>& files) {
    const auto make_files = [&](Backend& backend) {
      while (const auto index = queue.take_file()) {
        const FilePair& file = files[*index];
        queue.finish(*index, make_and_write(job_, file, [&] {
          return setup_.maker->make(file, backend, {{}, job_.cancelled, job_.limits});
        }));
        coordinator_.look_soon();
      }
    };
    std::vector<std::thread> threads;
    try {
      for (const auto& worker : setup_.workers) {
        threads.emplace_back([&, &backend = *worker] { make_files(backend); });
      }
    } catch (const std::system_error&) {  // those that there are do it, or this one
      if (threads.empty()) {
        make_files(*setup_.workers.front());
      }
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }

  // An interrupted file is none of the outcomes: the whole run is interrupted.
  static void tell(const Done& done, size_t index, Result<FileEncodeReport> report) {
    if (report || report.error().code != ErrorCode::kInterrupted) {
      done({index, 0, std::move(report)});
    }
  }

  const RankJob& job_;
  RankSetup& setup_;
  RankGroup& group_;
  const std::vector<Greeting>& greetings_;
  Coordinator coordinator_;
  bool has_run_ = false;
};

// The other ranks' side of a whole file. Its number is checked; the rest is as on one machine.
Status make_whole_file(const RankJob& job, const std::vector<FilePair>& files,
                       const FileMaker& maker, const UnitHeader& header, Backend& backend,
                       const RunControl& control, Bytes& output) {
  if (header.fields[0] >= files.size() || header.output_bytes != kAnySize) {
    return invalid_error("a rank was sent a file that is not in the list");
  }
  const bool gather = job.options.gather;
  const FilePair& file = files[header.fields[0]];
  if (!gather) {
    TESSERA_RETURN_IF_ERROR(check_writable(file.output));
  }
  RunControl limited = control;
  limited.limits = job.limits;
  TESSERA_ASSIGN_OR_RETURN(const MadeFile made, maker.make(file, backend, limited));
  if (!gather) {
    TESSERA_RETURN_IF_ERROR(write_file(file.output, made.bytes, job.durability));
  }
  output = write_file_reply(made, gather);
  return {};
}

int run_root(const RankJob& job, RankSetup& setup, RankGroup& group,
             const std::vector<Greeting>& greetings, const RootRun& root) {
  RankFiles files(job, setup, group, greetings);
  const int exit_code = root(setup.list, files);
  files.stop(exit_code);
  return exit_code;
}

Result<int> run_other(const RankJob& job, const RankSetup& setup, RankGroup& group,
                      const std::vector<Greeting>& greetings) {
  const FileMaker& maker = *setup.maker;
  if (maker.is_made_in_step()) {
    TESSERA_ASSIGN_OR_RETURN(const auto shared, share_list({}, setup.list.files.size(), group));
    for (const size_t index : shared) {
      // The result is rank 0's.
      const auto same_as_rank_0 =
          make_in_step(job, setup, setup.list.files[index], group, greetings);
    }
  }
  const UnitHandler handler = rank_unit_handler(job, setup.list.files, maker);
  std::vector<Backend*> workers;
  for (const auto& worker : setup.workers) {
    workers.push_back(worker.get());
  }
  return serve_units(group, workers, handler, [&](Backend& backend, const RunControl& control) {
    maker.warm_up(backend, control);
  });
}

// All that must be the same on every rank. Folders may hold other files when another rank looks;
// where a rank sees a file is its own affair, and one that it does not see goes back to the queue.
std::vector<std::string> words_of(const RankJob& job, const EncodeList& list) {
  std::vector<std::string> words = job.words;
  for (const FilePair& file : list.files) {
    const size_t name = file.input.find_last_of('/') + 1;  // 0 where there is no folder
    words.insert(words.end(), {file.input.substr(name), file.output, std::to_string(file.job),
                               std::to_string(file.slices.size())});
  }
  for (const EncodeJob& encode : list.jobs) {
    words.push_back(settings_text(encode));
  }
  return words;
}

// An error is this rank's alone; all ranks must end.
Result<int> run_rank(RankGroup& group, const RankJob& job, const RootRun& root) {
  auto setup = guarded([&] { return set_up(job, group); });
  Greeting own;
  own.fingerprint = fingerprint_of(job.words);
  if (setup) {
    own.fingerprint = fingerprint_of(words_of(job, setup->list));
    own.workers = static_cast<uint32_t>(setup->workers.size());
    own.threads = setup->together->thread_count();
  } else {
    own.setup = setup.error();
  }
  TESSERA_ASSIGN_OR_RETURN(const auto greetings, group.agree(own));
  if (const Status agreed = check_greetings(greetings); !agreed) {
    job.report(agreed.error());
    return static_cast<int>(agreed.error().code);
  }
  return group.is_root() ? Result<int>(run_root(job, *setup, group, greetings, root))
                         : run_other(job, *setup, group, greetings);
}

}  // namespace

UnitHandler rank_unit_handler(const RankJob& job, const std::vector<FilePair>& files,
                              const FileMaker& maker) {
  return [&](const UnitHeader& header, ByteSpan input, Backend& backend, const RunControl& control,
             Bytes& output) -> Status {
    return header.kind == kFileKind
               ? make_whole_file(job, files, maker, header, backend, control, output)
               : maker.compute_strip(header, input, backend, control, output);
  };
}

int encode_on_ranks(RankGroup& group, const RankJob& job, const RootRun& root) {
  // An exception that left this function would make the other ranks wait for this one.
  const auto exit_code = guarded([&] { return run_rank(group, job, root); });
  if (!exit_code) {
    job.report(exit_code.error());
    group.abort(static_cast<int>(exit_code.error().code));
  }
  return *exit_code;
}

}  // namespace tessera::cluster
