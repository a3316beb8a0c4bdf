// Rank 0's side of the work: units go to the ranks that have room for them, replies come back.
//
// Every rank has two units in flight for each of its worker threads, so that it computes one while
// the other travels; each reply makes room for one more. Faster ranks reply sooner and so get more
// units. Rank 0 computes, too: the work itself runs on a thread of its own (the job), which takes
// units from the same sources without messages, while the thread that made the group of ranks looks
// after the messages and sleeps in between.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "base/result.h"
#include "cluster/pace.h"
#include "cluster/rank_group.h"
#include "cluster/unit_dispatch.h"
#include "cluster/unit_message.h"

namespace tessera::cluster {

// Where units come from. take() is called by the thread that talks to the transport.
class UnitSource {
 public:
  virtual ~UnitSource() = default;
  virtual std::optional<Unit> take(int rank) = 0;
};

class Coordinator {
 public:
  // `report` prints the sentence of an error that ends everything.
  Coordinator(RankGroup& group, std::vector<Greeting> ranks,
              std::function<void(const Error&)> report);
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  int ranks() const { return static_cast<int>(greetings_.size()); }
  const Greeting& greeting(int rank) const { return greetings_[static_cast<size_t>(rank)]; }
  unsigned total_threads() const { return cluster::total_threads(greetings_); }

  // From any thread. Earlier sources are asked first.
  void add_source(UnitSource& source);
  void remove_source(UnitSource& source);

  // For threads of the job, after a piece of work: replies of other ranks are likely to be there.
  void look_soon();

  // While the job waits for others and does not compute, messages are looked for all the time.
  class Waiting {
   public:
    explicit Waiting(Coordinator& coordinator) : coordinator_(coordinator) {
      coordinator_.set_waiting(true);
    }
    ~Waiting() { coordinator_.set_waiting(false); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    Coordinator& coordinator_;
  };

  // Runs `job` on a thread and serves the other ranks until the job has returned and every unit is
  // answered. Returns what the job returns: 0, or the exit code of a job that was interrupted or
  // failed. When the job throws, all ranks end at once. Whatever sources and units use must live as
  // long as this call.
  int run(const std::function<int()>& job);

  // After run(): tells the other ranks to stop and to end with this exit code.
  void stop(int exit_code);

  // Prints the error and ends all ranks. For threads of the job that cannot go on; never returns.
  [[noreturn]] void give_up(const Error& error);

  // What serving the other ranks took.
  struct Costs {
    uint64_t units = 0;          // sent to other ranks
    uint64_t messages = 0;       // sent and received
    double control_seconds = 0;  // of one core
  };
  // May be called by the job at any time.
  Costs costs() const;

 private:
  void serve(const int& exit_code);
  Result<bool> step();
  std::optional<Unit> take_unit(int rank);
  void end_with(const Error& error);
  void on_interrupt(const Error& error, const int& exit_code);
  void set_waiting(bool waiting);
  void wake();
  void pause();

  RankGroup& group_;
  const std::vector<Greeting> greetings_;
  const std::function<void(const Error&)> report_;
  UnitDispatch dispatch_;
  Pace pace_ = pace_of_units(kUsualUnit);
  Pace idle_pace_ = kIdlePace;
  uint64_t units_seen_ = 0;  // answered units that the pace follows

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool woken_ = false;
  bool job_done_ = false;
  bool waiting_ = false;  // the job waits for other ranks
  std::optional<Error> fatal_;
  std::vector<UnitSource*> sources_;
  Costs costs_;
};

}  // namespace tessera::cluster
