// Going through a list of files. Who makes them is an executor's business: this machine, one file
// after the other, or the ranks of a cluster. The outcomes come in the order of the inputs, the
// other files follow after one that fails, and the first failure is the result.
#pragma once

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

namespace tessera {

// What became of one file of a list.
template <class Report>
struct FileOutcome {
  size_t index = 0;  // in the list
  int rank = 0;      // that made the file
  Result<Report> report;
};

template <class Report>
class FileExecutor {
 public:
  // May be called in any order and from any thread, by several at once.
  using Done = std::function<void(FileOutcome<Report>)>;

  virtual ~FileExecutor() = default;

  // Makes all files and calls `done` once for each. kInterrupted when it was asked to stop: then
  // `done` is not called for the files that were not finished.
  virtual Status run(const std::vector<FilePair>& files, const Done& done) = 0;
};

// One file after the other, on this machine.
template <class Report>
class LocalFiles : public FileExecutor<Report> {
 public:
  using Make = std::function<Result<Report>(const FilePair& file)>;

  explicit LocalFiles(Make make) : make_(std::move(make)) {}

  Status run(const std::vector<FilePair>& files,
             const typename FileExecutor<Report>::Done& done) override {
    for (size_t i = 0; i < files.size(); ++i) {
      Result<Report> report =
          guarded([&] { return make_(files[i]); }, input_display_name(files[i].input) + ": ");
      if (!report && report.error().code == ErrorCode::kInterrupted) {
        return report.error();
      }
      done({i, 0, std::move(report)});
    }
    return {};
  }

 private:
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

  // Of those that have been told.
  Status first_failure() const { return first_failure_ ? Status(*first_failure_) : Status(); }

 private:
  std::mutex mutex_;
  std::map<size_t, FileOutcome<Report>> waiting_;  // of those alone that are before their turn
  size_t next_ = 0;
  Tell tell_;
  std::optional<Error> first_failure_;
};

// Makes all files and calls `tell` for each of them, in the order of the list, as soon as the
// outcomes of all files before it are known. Returns the first failure in that order, which `tell`
// has been given; or kInterrupted, which it has not.
template <class Report>
Status run_files(const std::vector<FilePair>& files, FileExecutor<Report>& executor,
                 typename OutcomeOrder<Report>::Tell tell) {
  OutcomeOrder<Report> order(std::move(tell));
  TESSERA_RETURN_IF_ERROR(executor.run(
      files, [&order](FileOutcome<Report> outcome) { order.add(std::move(outcome)); }));
  return order.first_failure();
}

}  // namespace tessera
