// Rank 0's conversation with the other ranks: units go out, replies come back. One call of step()
// handles everything that is there and returns; it neither waits nor starts threads.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "cluster/rank_group.h"
#include "cluster/requests.h"
#include "cluster/unit_message.h"

namespace tessera::cluster {

struct UnitOutcome {
  int rank = 0;
  Status status;
  Bytes reply;  // the output of a unit whose output may have any size
  double busy_seconds = 0;
};

// A piece of work for another rank.
struct Unit {
  uint32_t kind = 0;
  std::array<uint64_t, 6> fields = {};
  ByteSpan input;                                 // sent from where it is
  uint64_t output_bytes = kAnySize;               // that the reply must have
  uint64_t most_output_bytes = kMaxMessageBytes;  // of a reply of any size
  std::span<uint8_t> output;  // where such a reply is received; empty: into the outcome
  // Called by the thread that talks to the transport, once input and output are no longer in use.
  std::function<void(UnitOutcome)> done;
};

class UnitDispatch {
 public:
  // `greetings` of all ranks must outlive the object.
  UnitDispatch(RankGroup& group, const std::vector<Greeting>& greetings);
  ~UnitDispatch();
  UnitDispatch(const UnitDispatch&) = delete;
  UnitDispatch& operator=(const UnitDispatch&) = delete;

  // Before the first step.
  Status begin();

  // A unit for that rank, if there is one.
  using TakeUnit = std::function<std::optional<Unit>(int rank)>;
  // Handles what has arrived, and gives units to ranks that have room for them. Returns whether
  // something happened. An error means that the conversation cannot go on.
  Result<bool> step(const TakeUnit& take);

  // No rank has a unit.
  bool is_idle() const { return given_.empty(); }
  bool has_large_message() const { return requests_.has_large(); }
  // The computing time of the last unit that was answered.
  std::chrono::nanoseconds unit_time() const { return unit_time_; }
  uint64_t units_answered() const { return replies_; }
  uint64_t messages() const { return requests_.messages_sent() + 2 * replies_; }

  // Tells all ranks to stop with this exit code. Call finish_stop() until it returns true: all of
  // them have been told.
  Status begin_stop(int exit_code);
  Result<bool> finish_stop();

 private:
  struct Given;  // a unit that another rank has

  Result<bool> hand_out(const TakeUnit& take);
  Status give(int rank, Unit unit);
  Status expect_reply();
  Status on_reply_header(int rank, size_t bytes);
  Status check_reply(const Given& given, const ReplyHeader& header) const;
  Status receive_reply_data(Given& given);
  Status settle(uint64_t id);

  RankGroup& group_;
  const std::vector<Greeting>& greetings_;
  Requests requests_;
  Bytes reply_header_ = Bytes(kReplyHeaderBytes);
  Bytes stop_header_;
  std::map<uint64_t, Given> given_;
  std::vector<unsigned> in_flight_;  // units, by rank
  uint64_t next_id_ = 0;
  uint64_t replies_ = 0;
  std::chrono::nanoseconds unit_time_;
};

}  // namespace tessera::cluster
