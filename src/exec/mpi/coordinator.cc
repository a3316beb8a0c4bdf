#include "exec/mpi/coordinator.h"

#include <time.h>

#include <algorithm>
#include <map>
#include <thread>

#include "base/guarded.h"
#include "exec/mpi/mpi_state.h"
#include "exec/mpi/shared_images.h"

namespace tessera::mpi {
namespace {

// Units in flight a lane: one is computed while the other travels.
constexpr unsigned kUnitsPerLane = 2;
// A sentence from another rank is not longer.
constexpr uint64_t kMaxSentence = 4096;

double thread_seconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

// A unit that another rank has.
struct Coordinator::Given {
  int rank = 0;
  Unit unit;
  Bytes header;
  unsigned messages_under_way = 0;
  bool is_shared = false;  // the input is not sent
  bool answered = false;
  ReplyHeader reply_header;
  Bytes reply;  // or the sentence of an error
};

struct Coordinator::Link {
  explicit Link(MPI_Comm comm) : requests(comm) {}

  Requests requests;
  Pace pace = pace_of_units(kUsualUnit);
  Pace idle_pace = kIdlePace;
  Bytes reply_header = Bytes(kReplyHeaderBytes);
  std::map<uint64_t, Given> given;
  std::vector<unsigned> in_flight;  // by rank
  uint64_t next_id = 0;
  uint64_t replies = 0;
};

Coordinator::Coordinator(MpiSession& session, std::vector<Greeting> ranks,
                         std::function<void(const Error&)> report)
    : session_(session),
      greetings_(std::move(ranks)),
      report_(std::move(report)),
      link_(std::make_unique<Link>(session.state().world)) {
  link_->in_flight.resize(greetings_.size());
}

Coordinator::~Coordinator() = default;

void Coordinator::add_source(UnitSource& source) {
  const std::lock_guard lock(mutex_);
  sources_.push_back(&source);
  woken_ = true;
  changed_.notify_all();
}

void Coordinator::remove_source(UnitSource& source) {
  const std::lock_guard lock(mutex_);
  std::erase(sources_, &source);
}

void Coordinator::look_soon() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_all();
}

void Coordinator::set_waiting(bool waiting) {
  const std::lock_guard lock(mutex_);
  waiting_ = waiting;
  woken_ = true;
  changed_.notify_all();
}

Coordinator::Costs Coordinator::costs() const {
  const std::lock_guard lock(mutex_);
  return costs_;
}

void Coordinator::give_up(const Error& error) {
  {
    const std::lock_guard lock(mutex_);
    fatal_ = error;
    woken_ = true;
    changed_.notify_all();
  }
  while (true) {  // the other thread ends the process
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

int Coordinator::run(const std::function<int()>& job) {
  int exit_code = 0;
  std::thread worker([&] {
    const auto code = guarded([&]() -> Result<int> { return job(); });
    const std::lock_guard lock(mutex_);
    if (code) {
      exit_code = *code;
    } else {
      fatal_ = code.error();
    }
    job_done_ = true;
    woken_ = true;
    changed_.notify_all();
  });
  const Status served = guarded([&]() -> Status {
    serve(exit_code);
    return {};
  });
  if (!served) {
    end_with(served.error());
  }
  worker.join();
  stop_ranks(exit_code);
  job_done_ = false;
  return exit_code;
}

void Coordinator::serve(const int& exit_code) {
  const double start = thread_seconds();
  if (const Status begun = greetings_.size() > 1 ? expect_reply() : Status(); !begun) {
    end_with(begun.error());
  }
  while (true) {
    const auto progress = step();
    if (!progress) {
      end_with(progress.error());
    }
    bool finished = false;
    {
      const std::lock_guard lock(mutex_);
      finished = job_done_ && link_->given.empty();
      costs_.units = link_->replies;
      costs_.messages = link_->requests.messages() + 2 * link_->replies;
      costs_.control_seconds = thread_seconds() - start;
    }
    if (finished) {
      return;
    }
    if (const Status status = session_.check(); !status) {
      on_interrupt(status.error(), exit_code);
      return;
    }
    if (*progress) {
      link_->pace.reset();
      link_->idle_pace.reset();
    } else {
      pause();
    }
  }
}

// Something was complete, or something was begun.
Result<bool> Coordinator::step() {
  {
    const std::lock_guard lock(mutex_);
    if (fatal_) {
      return *fatal_;
    }
  }
  TESSERA_ASSIGN_OR_RETURN(const bool arrived, link_->requests.poll());
  TESSERA_ASSIGN_OR_RETURN(const bool given, hand_out());
  return arrived || given;
}

void Coordinator::pause() {
  std::unique_lock lock(mutex_);
  auto longest = waiting_ ? link_->idle_pace.next() : link_->pace.next();
  if (link_->requests.has_large()) {
    longest = std::min(longest, kTransferPause);
  }
  if (changed_.wait_for(lock, longest, [this] { return woken_; })) {
    woken_ = false;
    link_->pace.reset();
    link_->idle_pace.reset();
  }
}

// Ranks with nothing at hand come before those that have one unit waiting already.
Result<bool> Coordinator::hand_out() {
  bool any = false;
  unsigned most = 0;
  for (const Greeting& greeting : greetings_) {
    most = std::max(most, greeting.lanes * kUnitsPerLane);
  }
  for (unsigned level = 0; level < most; ++level) {
    for (int rank = 1; rank < ranks(); ++rank) {
      const unsigned has = link_->in_flight[static_cast<size_t>(rank)];
      if (has != level || has >= greeting(rank).lanes * kUnitsPerLane) {
        continue;
      }
      std::optional<Unit> unit;
      {
        const std::lock_guard lock(mutex_);
        for (size_t i = 0; i < sources_.size() && !unit; ++i) {
          unit = sources_[i]->take(rank);
        }
      }
      if (!unit) {
        continue;  // there may be one for others
      }
      TESSERA_RETURN_IF_ERROR(give(rank, std::move(*unit)));
      any = true;
    }
  }
  return any;
}

Status Coordinator::give(int rank, Unit unit) {
  const uint64_t id = link_->next_id++;
  Given& given = link_->given[id];
  given.rank = rank;
  given.unit = std::move(unit);
  UnitHeader header;
  header.kind = given.unit.kind;
  header.id = id;
  header.input_bytes = given.unit.input.size();
  header.output_bytes = given.unit.output_bytes;
  header.fields = given.unit.fields;
  if (session_.state().shares_memory[static_cast<size_t>(rank)] != 0) {
    header.shared = SharedImages::instance().find(given.unit.input).value_or(SharedPlace());
  }
  given.is_shared = header.shared.file != 0;
  given.header = write_unit_header(header);
  ++link_->in_flight[static_cast<size_t>(rank)];
  const auto sent = [this, id](const Requests::Arrival&) -> Status {
    --link_->given.at(id).messages_under_way;
    return settle(id);
  };
  ++given.messages_under_way;
  TESSERA_RETURN_IF_ERROR(link_->requests.send(given.header, rank, kUnitTag, sent));
  if (!given.unit.input.empty() && !given.is_shared) {
    ++given.messages_under_way;
    TESSERA_RETURN_IF_ERROR(link_->requests.send(given.unit.input, rank, kInputTag, sent));
  }
  return {};
}

Status Coordinator::expect_reply() {
  return link_->requests.receive(link_->reply_header, MPI_ANY_SOURCE, kReplyTag,
                                 [this](const Requests::Arrival& arrival) -> Status {
                                   return on_reply_header(arrival.source, arrival.bytes);
                                 });
}

Status Coordinator::on_reply_header(int rank, size_t bytes) {
  const std::string name = "rank " + std::to_string(rank);
  const auto header = parse_reply_header(ByteSpan(link_->reply_header).first(bytes));
  if (!header) {
    return Error{header.error().code, name + ": " + header.error().message};
  }
  ++link_->replies;
  auto found = link_->given.find(header->id);
  if (header->id == kNoUnit && header->code != 0) {
    const auto code = static_cast<ErrorCode>(header->code);
    return Error{code, name + (code == ErrorCode::kFailed ? " has not enough memory"
                                                          : " was sent what it cannot read")};
  }
  if (found == link_->given.end() || found->second.rank != rank || found->second.answered) {
    return invalid_error(name + " replied to a unit that it does not have");
  }
  Given& given = found->second;
  bool fits = header->bytes <= kMaxSentence;
  if (header->unseen) {
    fits = given.is_shared;
  } else if (header->code == 0) {
    fits = given.unit.output_bytes == kAnySize || header->bytes == given.unit.output_bytes;
  }
  if (!fits) {
    return invalid_error(name + " replied with " + std::to_string(header->bytes) +
                         " bytes, which its unit does not have");
  }
  given.answered = true;
  link_->pace = pace_of_units(std::chrono::nanoseconds(header->busy_nanoseconds));
  --link_->in_flight[static_cast<size_t>(rank)];  // it has room for the next one already
  given.reply_header = *header;
  if (header->bytes > 0) {
    std::span<uint8_t> place;
    if (header->code == 0 && !given.unit.output.empty()) {
      place = given.unit.output;
    } else {
      given.reply.resize(header->bytes);
      place = given.reply;
    }
    ++given.messages_under_way;
    TESSERA_RETURN_IF_ERROR(link_->requests.receive(
        place, rank, kReplyDataTag,
        [this, name, id = header->id](const Requests::Arrival& arrival) -> Status {
          Given& one = link_->given.at(id);
          if (arrival.bytes != one.reply_header.bytes) {
            return invalid_error(name + " sent fewer bytes than it had said");
          }
          --one.messages_under_way;
          return settle(id);
        }));
  }
  TESSERA_RETURN_IF_ERROR(settle(header->id));
  return expect_reply();
}

// Tells the unit's owner once nothing of it is under way.
Status Coordinator::settle(uint64_t id) {
  const auto found = link_->given.find(id);
  Given& given = found->second;
  if (!given.answered || given.messages_under_way > 0) {
    return {};
  }
  if (given.reply_header.unseen) {  // from now on, that rank is sent what it needs
    const int rank = given.rank;
    session_.state().shares_memory[static_cast<size_t>(rank)] = 0;
    Unit unit = std::move(given.unit);
    link_->given.erase(found);
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
  link_->given.erase(found);
  done(std::move(outcome));
  return {};
}

void Coordinator::end_with(const Error& error) {
  report_(error);
  session_.abort(static_cast<int>(error.code));
}

// The job notices the signal as well and may just be finishing: it gets a moment to end by itself.
void Coordinator::on_interrupt(const Error& error, const int& exit_code) {
  constexpr auto kMoment = std::chrono::milliseconds(300);
  bool ended = false;
  int code = 0;
  {
    std::unique_lock lock(mutex_);
    ended = changed_.wait_for(lock, kMoment, [this] { return job_done_; });
    code = exit_code;
  }
  if (!ended) {
    end_with(error);
  }
  if (code != 0) {  // it has said why
    session_.abort(code);
  }
  MpiSession::end_soon(code);
}

void Coordinator::stop_ranks(int exit_code) {
  UnitHeader stop;
  stop.kind = kStopKind;
  stop.fields[0] = static_cast<uint64_t>(exit_code);
  const Bytes header = write_unit_header(stop);
  link_->requests.cancel_all();
  for (int rank = 1; rank < ranks(); ++rank) {
    const Status sent = link_->requests.send(header, rank, kUnitTag,
                                             [](const Requests::Arrival&) { return Status(); });
    if (!sent) {
      end_with(sent.error());
    }
  }
  Pace pace = kIdlePace;
  while (!link_->requests.empty()) {
    if (const auto polled = link_->requests.poll(); !polled) {
      end_with(polled.error());
    }
    if (!session_.check()) {  // the work is done, and nobody is left to hear of it
      session_.abort(exit_code);
    }
    std::this_thread::sleep_for(pace.next());
  }
}

}  // namespace tessera::mpi
