// Rank 0's side of the work: units go to the ranks that have room for them, replies come back.
//
// Every rank has two units a lane in flight, so that it computes one while the other travels: its
// greeting asks for them, and each reply asks for one more. Faster ranks reply sooner and so get
// more. Rank 0 computes too: the work itself runs on a thread of its own (`job`), which takes units
// from the same sources without messages, while the thread that made the session looks after the
// messages and sleeps in between.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "exec/mpi/mpi_session.h"
#include "exec/mpi/unit_message.h"

namespace tessera::mpi {

struct UnitOutcome {
  int rank = 0;
  Status status;
  Bytes reply;  // of units whose output may have any size
  double busy_seconds = 0;
};

// A piece of work for another rank.
struct Unit {
  uint32_t kind = 0;
  std::array<uint64_t, 6> fields = {};
  ByteSpan input;                    // sent from where it is
  uint64_t output_bytes = kAnySize;  // that the reply must have
  std::span<uint8_t> output;         // where such a reply is received; empty: into the outcome
  // Called by the thread that talks to MPI, once input and output are no longer in use.
  std::function<void(UnitOutcome)> done;
};

// Where units come from. take() is called by the thread that talks to MPI.
class UnitSource {
 public:
  virtual ~UnitSource() = default;
  virtual std::optional<Unit> take(int rank) = 0;
};

class Coordinator {
 public:
  // `report` prints the sentence of an error that ends everything.
  Coordinator(MpiSession& session, std::vector<Greeting> ranks,
              std::function<void(const Error&)> report);
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  int ranks() const { return static_cast<int>(greetings_.size()); }
  const Greeting& greeting(int rank) const { return greetings_[static_cast<size_t>(rank)]; }
  unsigned total_threads() const { return mpi::total_threads(greetings_); }

  // From any thread. Earlier sources are asked first.
  void add_source(UnitSource& source);
  void remove_source(UnitSource& source);

  // From threads of the job, after a piece of work: answers of others are likely to be there, too.
  void look_soon();

  // While the job waits for others and does not compute: messages are looked for all the time.
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

  // Runs `job` on a thread and serves the other ranks until it has returned and every unit is
  // answered; then they are told to stop and end with its exit code, which is returned. When it
  // throws, all ranks end at once; what sources and units use must live as long as this call.
  int run(const std::function<int()>& job);

  // Prints the error and ends all ranks. For threads of the job that cannot go on; never returns.
  [[noreturn]] void give_up(const Error& error);

  // What serving took.
  struct Costs {
    uint64_t units = 0;          // sent to other ranks
    uint64_t messages = 0;       // sent and received
    double control_seconds = 0;  // of one core
  };
  // By the job, any time.
  Costs costs() const;

 private:
  struct Link;
  struct Given;
  void serve(const int& exit_code);
  Result<bool> step();
  Result<bool> hand_out();
  Status give(int rank, Unit unit);
  Status expect_reply();
  Status on_reply_header(int rank, size_t bytes);
  Status settle(uint64_t id);
  void end_with(const Error& error);
  void on_interrupt(const Error& error, const int& exit_code);
  void stop_ranks(int exit_code);
  void set_waiting(bool waiting);
  void pause();

  MpiSession& session_;
  std::vector<Greeting> greetings_;
  std::function<void(const Error&)> report_;
  std::unique_ptr<Link> link_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool woken_ = false;
  bool job_done_ = false;
  bool waiting_ = false;  // the job, for other ranks
  std::optional<Error> fatal_;
  std::vector<UnitSource*> sources_;
  Costs costs_;
};

}  // namespace tessera::mpi
