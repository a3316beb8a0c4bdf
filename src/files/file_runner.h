// Going through a list of files. Who makes them is an executor's business: the threads of this
// machine, or the ranks of a cluster. Outputs that are as they would come out anyway are kept. The
// outcomes come in the order of the inputs, the other files follow after one that fails, and the
// first failure is the result.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "files/file.h"
#include "files/file_plan.h"
#include "files/output_index.h"
#include "files/thread_crew.h"

namespace tessera {

enum class FileFate : uint8_t {
  kMade,       // or it failed
  kUnchanged,  // it was there already
  kPlanned,    // it would be made, and nothing is written in this run
};

// What became of one file of a list.
template <class Report>
struct FileOutcome {
  size_t index = 0;  // in the list
  int rank = 0;      // that made the file
  Result<Report> report;
  FileFate fate = FileFate::kMade;
};

template <class Report>
class FileExecutor {
 public:
  // May be called in any order and from any thread, by several at once.
  using Done = std::function<void(FileOutcome<Report>)>;

  virtual ~FileExecutor() = default;

  // Makes the files that have the numbers `chosen` and calls `done` once for each. kInterrupted
  // when it was asked to stop: then `done` is not called for the files that were not finished.
  virtual Status run(const std::vector<FilePair>& files, const std::vector<size_t>& chosen,
                     const Done& done) = 0;
};

// Who makes a file, and when.
struct FileTurn {
  unsigned member = 0;    // the number of the thread, from 0 on
  size_t files_left = 0;  // that no thread has taken yet
};

// On this machine: some threads, each of which takes the next file.
template <class Report>
class LocalFiles : public FileExecutor<Report> {
 public:
  using Make = std::function<Result<Report>(const FilePair& file, const FileTurn& turn)>;

  LocalFiles(unsigned threads, Make make) : threads_(threads), make_(std::move(make)) {}

  Status run(const std::vector<FilePair>& files, const std::vector<size_t>& chosen,
             const typename FileExecutor<Report>::Done& done) override {
    std::atomic<size_t> next = 0;
    std::atomic<bool> is_stopped = false;
    std::mutex mutex;
    std::optional<Error> interruption;
    const auto work = [&](unsigned member) {
      for (size_t i = next++; i < chosen.size() && !is_stopped; i = next++) {
        const FilePair& file = files[chosen[i]];
        Result<Report> report = guarded(
            [&] {
              return make_(file, {member, chosen.size() - i - 1});
            },
            input_display_name(file.input) + ": ");
        if (!report && report.error().code == ErrorCode::kInterrupted) {
          const std::lock_guard lock(mutex);
          interruption = report.error();
          is_stopped = true;
          return;
        }
        done({chosen[i], 0, std::move(report)});
      }
    };
    run_on_crew(static_cast<unsigned>(std::min<size_t>(threads_, chosen.size())), work);
    return interruption ? Status(*interruption) : Status();
  }

 private:
  unsigned threads_;
  Make make_;
};

// Puts outcomes into the order of the inputs.
template <class Report>
class OutcomeOrder {
 public:
  using Tell = std::function<void(const FileOutcome<Report>&)>;

  explicit OutcomeOrder(Tell tell) : tell_(std::move(tell)) {}

  // From any thread. Calls `tell`, one call at a time, for every outcome that is next in order.
  void add(FileOutcome<Report> outcome) {
    const std::lock_guard lock(mutex_);
    assert(outcome.index >= next_);
    const size_t index = outcome.index;
    waiting_.emplace(index, std::move(outcome));
    while (!waiting_.empty() && waiting_.begin()->first == next_) {
      const FileOutcome<Report> told = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++next_;
      if (!told.report && !first_failure_) {
        first_failure_ = told.report.error();
      }
      tell_(told);
    }
  }

  // Those that were not next in order, when no others will come.
  void tell_rest() {
    const std::lock_guard lock(mutex_);
    for (const auto& [index, outcome] : waiting_) {
      tell_(outcome);
    }
    waiting_.clear();
  }

  // Of those that have been told.
  Status first_failure() const { return first_failure_ ? Status(*first_failure_) : Status(); }

 private:
  std::mutex mutex_;
  std::map<size_t, FileOutcome<Report>> waiting_;  // of those alone that are before their turn
  size_t next_ = 0;
  Tell tell_;
  std::optional<Error> first_failure_;
};

// What a run does about outputs that are there.
struct KeepingOutputs {
  OutputIndex* index = nullptr;   // nullptr: nothing is known about outputs, and nothing noted
  bool force = false;             // all files are made
  bool dry_run = false;           // nothing is made
  unsigned threads = 1;           // that look at files
  std::vector<std::string> jobs;  // the settings of each job, as FilePair::job counts them
  const std::atomic<bool>* cancelled = nullptr;
};

// The numbers of the files that have to be made.
std::vector<size_t> files_to_make(const std::vector<FilePair>& files,
                                  const KeepingOutputs& keeping);

// Makes all files and calls `tell` for each of them, in the order of the list, as soon as the
// outcomes of all files before it are known, or the run has ended early. Returns the first failure
// in that order, which `tell` has been given; or what ended the run, such as kInterrupted, which it
// has not.
template <class Report>
Status run_files(const std::vector<FilePair>& files, FileExecutor<Report>& executor,
                 typename OutcomeOrder<Report>::Tell tell, const KeepingOutputs& keeping = {}) {
  OutcomeOrder<Report> order(std::move(tell));
  const std::vector<size_t> chosen = files_to_make(files, keeping);
  for (size_t i = 0, next = 0; i < files.size(); ++i) {
    const bool is_chosen = next < chosen.size() && chosen[next] == i;
    next += is_chosen ? 1 : 0;
    if (keeping.dry_run || !is_chosen) {
      order.add({i, 0, Report(), is_chosen ? FileFate::kPlanned : FileFate::kUnchanged});
    }
  }
  const auto done = [&](FileOutcome<Report> outcome) {
    if (outcome.report && keeping.index != nullptr) {
      const FilePair& file = files[outcome.index];
      keeping.index->add(file, keeping.jobs[file.job], outcome.report->stamp);
    }
    order.add(std::move(outcome));
  };
  Status ran = executor.run(files, keeping.dry_run ? std::vector<size_t>() : chosen, done);
  if (!ran) {
    order.tell_rest();
    return ran;
  }
  return order.first_failure();
}

}  // namespace tessera
