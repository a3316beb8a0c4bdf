// Rank 0's conversation with the other ranks: units go out, replies come back.
#include "cluster/unit_dispatch.h"

#include <algorithm>
#include <string>

#include "cluster/pace.h"
#include "cluster/shared_images.h"

namespace tessera::cluster {
namespace {

// Units in flight for each worker thread of a rank: one is computed while the other travels.
constexpr unsigned kUnitsPerWorker = 2;
// Bytes of an error sentence from another rank, at most.
constexpr uint64_t kMaxReplySentence = 4096;

std::string rank_name(int rank) {
  return "rank " + std::to_string(rank);
}

}  // namespace

struct UnitDispatch::Given {
  int rank = 0;
  Unit unit;
  Bytes header;
  unsigned messages_under_way = 0;
  bool is_shared = false;  // the rank reads the input in rank 0's memory
  bool answered = false;
  ReplyHeader reply_header;
  Bytes reply;  // or the sentence of an error
};

UnitDispatch::UnitDispatch(RankGroup& group, const std::vector<Greeting>& greetings)
    : group_(group),
      greetings_(greetings),
      requests_(group.transport()),
      in_flight_(greetings.size()),
      unit_time_(kUsualUnit) {}

UnitDispatch::~UnitDispatch() = default;

Status UnitDispatch::begin() {
  return greetings_.size() > 1 ? expect_reply() : Status();
}

Result<bool> UnitDispatch::step(const TakeUnit& take) {
  TESSERA_ASSIGN_OR_RETURN(const bool arrived, requests_.poll());
  TESSERA_ASSIGN_OR_RETURN(const bool given, hand_out(take));
  return arrived || given;
}

// Ranks without a unit come before ranks that have one waiting already.
Result<bool> UnitDispatch::hand_out(const TakeUnit& take) {
  bool any = false;
  unsigned most = 0;
  for (const Greeting& greeting : greetings_) {
    most = std::max(most, greeting.workers * kUnitsPerWorker);
  }
  for (unsigned count = 0; count < most; ++count) {
    for (size_t rank = 1; rank < greetings_.size(); ++rank) {
      if (in_flight_[rank] != count || count >= greetings_[rank].workers * kUnitsPerWorker) {
        continue;
      }
      if (auto unit = take(static_cast<int>(rank))) {  // if not, there may be one for others
        TESSERA_RETURN_IF_ERROR(give(static_cast<int>(rank), std::move(*unit)));
        any = true;
      }
    }
  }
  return any;
}

Status UnitDispatch::give(int rank, Unit unit) {
  const uint64_t id = next_id_++;
  Given& given = given_[id];
  given.rank = rank;
  given.unit = std::move(unit);
  UnitHeader header;
  header.kind = given.unit.kind;
  header.id = id;
  header.input_bytes = given.unit.input.size();
  header.output_bytes = given.unit.output_bytes;
  header.fields = given.unit.fields;
  if (group_.can_see_images(rank)) {
    header.shared = SharedImages::instance().find(given.unit.input).value_or(SharedPlace());
  }
  given.is_shared = header.shared.file != 0;
  given.header = write_unit_header(header);
  ++in_flight_[static_cast<size_t>(rank)];
  const auto sent = [this, id](const Requests::Arrival&) -> Status {
    --given_.at(id).messages_under_way;
    return settle(id);
  };
  ++given.messages_under_way;
  TESSERA_RETURN_IF_ERROR(requests_.send(given.header, rank, kUnitTag, sent));
  if (!given.unit.input.empty() && !given.is_shared) {
    ++given.messages_under_way;
    TESSERA_RETURN_IF_ERROR(requests_.send(given.unit.input, rank, kInputTag, sent));
  }
  return {};
}

Status UnitDispatch::expect_reply() {
  return requests_.receive(reply_header_, kAnyRank, kReplyTag,
                           [this](const Requests::Arrival& arrival) -> Status {
                             return on_reply_header(arrival.source, arrival.bytes);
                           });
}

Status UnitDispatch::on_reply_header(int rank, size_t bytes) {
  const auto header = parse_reply_header(ByteSpan(reply_header_).first(bytes));
  if (!header) {
    return Error{header.error().code, rank_name(rank) + ": " + header.error().message};
  }
  ++replies_;
  if (header->id == kNoUnit && header->code != 0) {
    const auto code = static_cast<ErrorCode>(header->code);
    return Error{code, rank_name(rank) + (code == ErrorCode::kFailed
                                              ? " has not enough memory"
                                              : " was sent a message that it cannot read")};
  }
  const auto found = given_.find(header->id);
  if (found == given_.end() || found->second.rank != rank || found->second.answered) {
    return invalid_error(rank_name(rank) + " replied to a unit that it does not have");
  }
  Given& given = found->second;
  TESSERA_RETURN_IF_ERROR(check_reply(given, *header));
  given.answered = true;
  given.reply_header = *header;
  unit_time_ = std::chrono::nanoseconds(header->busy_nanoseconds);
  --in_flight_[static_cast<size_t>(rank)];  // it has room for the next unit already
  if (header->bytes > 0) {
    TESSERA_RETURN_IF_ERROR(receive_reply_data(given));
  }
  TESSERA_RETURN_IF_ERROR(settle(header->id));
  return expect_reply();
}

Status UnitDispatch::check_reply(const Given& given, const ReplyHeader& header) const {
  bool fits = header.bytes <= kMaxReplySentence;
  if (header.unseen) {
    fits = given.is_shared;
  } else if (header.code == 0) {
    fits = given.unit.output_bytes == kAnySize ? header.bytes <= given.unit.most_output_bytes
                                               : header.bytes == given.unit.output_bytes;
  }
  if (!fits) {
    return invalid_error(rank_name(given.rank) + " replied with " + std::to_string(header.bytes) +
                         " bytes, which its unit does not have");
  }
  return {};
}

// Blocks are received where they belong, anything else into the outcome.
Status UnitDispatch::receive_reply_data(Given& given) {
  const uint64_t id = given.reply_header.id;
  std::span<uint8_t> place = given.unit.output;
  if (given.reply_header.code != 0 || place.empty()) {
    given.reply.resize(given.reply_header.bytes);
    place = given.reply;
  }
  ++given.messages_under_way;
  return requests_.receive(
      place, given.rank, kReplyDataTag, [this, id](const Requests::Arrival& arrival) -> Status {
        Given& one = given_.at(id);
        if (arrival.bytes != one.reply_header.bytes) {
          return invalid_error(rank_name(one.rank) + " sent fewer bytes than it had announced");
        }
        --one.messages_under_way;
        return settle(id);
      });
}

// Tells the unit's owner once nothing of it is under way.
Status UnitDispatch::settle(uint64_t id) {
  const auto found = given_.find(id);
  Given& given = found->second;
  if (!given.answered || given.messages_under_way > 0) {
    return {};
  }
  if (given.reply_header.unseen) {  // from now on that rank gets its input in messages
    const int rank = given.rank;
    group_.set_cannot_see_images(rank);
    Unit unit = std::move(given.unit);
    given_.erase(found);
    return give(rank, std::move(unit));
  }
  UnitOutcome outcome;
  outcome.rank = given.rank;
  outcome.busy_seconds = 1e-9 * static_cast<double>(given.reply_header.busy_nanoseconds);
  if (given.reply_header.code != 0) {
    outcome.status = Error{static_cast<ErrorCode>(given.reply_header.code),
                           std::string(given.reply.begin(), given.reply.end())};
  } else {
    outcome.reply = std::move(given.reply);
  }
  const auto done = std::move(given.unit.done);
  given_.erase(found);
  done(std::move(outcome));
  return {};
}

Status UnitDispatch::begin_stop(int exit_code) {
  UnitHeader stop;
  stop.kind = kStopKind;
  stop.fields[0] = static_cast<uint64_t>(exit_code);
  stop_header_ = write_unit_header(stop);
  requests_.cancel_all();
  for (size_t rank = 1; rank < greetings_.size(); ++rank) {
    TESSERA_RETURN_IF_ERROR(requests_.send(stop_header_, static_cast<int>(rank), kUnitTag,
                                           [](const Requests::Arrival&) { return Status(); }));
  }
  return {};
}

Result<bool> UnitDispatch::finish_stop() {
  TESSERA_RETURN_IF_ERROR(requests_.poll());
  return requests_.empty();
}

}  // namespace tessera::cluster
