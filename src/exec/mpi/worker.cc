#include "exec/mpi/worker.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <new>
#include <thread>

#include "base/guarded.h"
#include "exec/mpi/mpi_state.h"
#include "exec/mpi/shared_images.h"

namespace tessera::mpi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxSentence = 1000;

// A unit on its way through this rank. Its buffers serve later units again.
struct Slot {
  UnitHeader header;
  Bytes received;  // or the input is in rank 0's memory
  ByteSpan input;
  Bytes output;
  Bytes reply_header;
  bool failed = false;
  Bytes sentence;  // of the failure
  std::chrono::nanoseconds busy{0};
  unsigned sends_under_way = 0;
};

// Lanes take units from `ready` and put them into `finished`.
class Lanes {
 public:
  Lanes(const std::vector<Backend*>& backends, const UnitHandler& handler, const LaneStart& start)
      : handler_(handler), start_(start) {
    for (Backend* backend : backends) {
      threads_.emplace_back([this, &lane = *backend] { work(lane); });
    }
  }
  ~Lanes() {
    stopping_ = true;
    {
      const std::lock_guard lock(mutex_);
      ready_.clear();
    }
    begin_.notify_all();
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  void start(Slot* slot) {
    const std::lock_guard lock(mutex_);
    ready_.push_back(slot);
    begin_.notify_one();
  }

  // What has been finished, waiting for it for at most that long.
  std::deque<Slot*> finished(std::chrono::microseconds patience) {
    std::unique_lock lock(mutex_);
    end_.wait_for(lock, patience, [this] { return !finished_.empty(); });
    return std::exchange(finished_, {});
  }

 private:
  void work(Backend& backend) {
    if (start_) {
      // What is wrong will be wrong with the first unit, too, and is told then.
      const Status ignored = guarded([&]() -> Status {
        start_(backend, {{}, &stopping_});
        return {};
      });
    }
    while (true) {
      Slot* slot = nullptr;
      {
        std::unique_lock lock(mutex_);
        begin_.wait(lock, [this] { return stopping_ || !ready_.empty(); });
        if (stopping_) {
          return;
        }
        slot = ready_.front();
        ready_.pop_front();
      }
      compute(backend, *slot);
      const std::lock_guard lock(mutex_);
      finished_.push_back(slot);
      end_.notify_one();
    }
  }

  void compute(Backend& backend, Slot& slot) const {
    const auto start = Clock::now();
    ReplyHeader reply;
    reply.id = slot.header.id;
    Status status = call_handler(backend, slot);
    if (status && slot.header.output_bytes != kAnySize &&
        slot.output.size() != slot.header.output_bytes) {
      status = invalid_error("a unit has " + std::to_string(slot.output.size()) +
                             " bytes of output where rank 0 expects " +
                             std::to_string(slot.header.output_bytes));
    }
    slot.failed = !status;
    if (!status) {
      const std::string& text = status.error().message;
      slot.sentence.assign(
          text.begin(), text.begin() + static_cast<ptrdiff_t>(std::min(text.size(), kMaxSentence)));
      reply.code = static_cast<uint32_t>(status.error().code);
    }
    reply.bytes = status ? slot.output.size() : slot.sentence.size();
    slot.busy = Clock::now() - start;
    reply.busy_nanoseconds = static_cast<uint64_t>(slot.busy.count());
    slot.reply_header = write_reply_header(reply);
  }

  Status call_handler(Backend& backend, Slot& slot) const {
    TESSERA_RETURN_IF_ERROR(guarded([&] {
      return handler_(slot.header, slot.input, backend, {{}, &stopping_}, slot.output);
    }));
    if (slot.output.size() > kMaxMessageBytes) {
      return unsupported_error("a result of " + std::to_string(slot.output.size()) +
                               " bytes is too large for a message");
    }
    return {};
  }

  const UnitHandler& handler_;
  const LaneStart& start_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable end_;
  std::deque<Slot*> ready_;
  std::deque<Slot*> finished_;
  std::vector<std::thread> threads_;
};

class Server {
 public:
  Server(MpiSession& session, Lanes& lanes)
      : session_(session),
        lanes_(lanes),
        requests_(session.state().world),
        views_(session.state().probe.process) {}

  Result<int> serve() {
    TESSERA_RETURN_IF_ERROR(expect_unit());
    Pace busy = pace_of_units(kUsualUnit);
    Pace idle = kIdlePace;
    while (!stop_) {
      TESSERA_ASSIGN_OR_RETURN(bool active, requests_.poll());
      auto pause = computing_ > 0 ? busy.next() : idle.next();
      if (requests_.has_large()) {
        pause = std::min(pause, kTransferPause);
      }
      if (active) {
        pause = {};
      }
      for (Slot* slot : lanes_.finished(pause)) {
        busy = pace_of_units(slot->busy);
        TESSERA_RETURN_IF_ERROR(reply(*slot));
        --computing_;
        active = true;
      }
      if (active) {
        busy.reset();
        idle.reset();
      }
      TESSERA_RETURN_IF_ERROR(session_.check());
    }
    while (!requests_.empty()) {  // replies that rank 0 has received already
      TESSERA_ASSIGN_OR_RETURN(const bool active, requests_.poll());
      TESSERA_RETURN_IF_ERROR(session_.check());
      if (!active) {
        std::this_thread::sleep_for(idle.next());
      }
    }
    return exit_code_;
  }

 private:
  Status expect_unit() {
    return requests_.receive(header_, 0, kUnitTag, [this](const Requests::Arrival& arrival) {
      return on_unit(arrival.bytes);
    });
  }

  Status on_unit(size_t bytes) {
    const auto header = parse_unit_header(ByteSpan(header_).first(bytes));
    if (!header) {
      return refuse(header.error());
    }
    if (header->kind == kStopKind) {
      stop_ = true;
      exit_code_ = static_cast<int>(header->fields[0] & 0x7F);
      return {};
    }
    Slot& slot = free_slot();
    slot.header = *header;
    if (header->shared.file != 0) {
      const auto input = views_.view(header->shared, header->input_bytes);
      if (!input && input.error().code == ErrorCode::kInvalid) {
        return refuse(input.error());
      }
      if (!input) {
        TESSERA_RETURN_IF_ERROR(ask_for_input(slot));
        return expect_unit();
      }
      slot.input = *input;
      start(slot);
      return expect_unit();
    }
    try {
      slot.received.resize(header->input_bytes);
      slot.input = slot.received;
    } catch (const std::bad_alloc&) {
      return refuse(failed_error("not enough memory"));
    }
    if (slot.input.empty()) {
      start(slot);
      return expect_unit();
    }
    TESSERA_RETURN_IF_ERROR(requests_.receive(
        slot.received, 0, kInputTag, [this, &slot](const Requests::Arrival& arrival) -> Status {
          if (arrival.bytes != slot.input.size()) {
            return refuse(invalid_error("rank 0 sent fewer bytes than it had said"));
          }
          start(slot);
          return {};
        }));
    return expect_unit();
  }

  void start(Slot& slot) {
    ++computing_;
    lanes_.start(&slot);
  }

  Status ask_for_input(Slot& slot) {
    ReplyHeader reply;
    reply.id = slot.header.id;
    reply.unseen = true;
    slot.reply_header = write_reply_header(reply);
    slot.failed = false;
    slot.output.clear();
    return this->reply(slot);
  }

  // The conversation cannot go on: rank 0 is told, and ends everything.
  Status refuse(const Error& error) {
    Slot& slot = free_slot();
    slot.output.clear();
    ReplyHeader reply;
    reply.id = kNoUnit;
    reply.code = static_cast<uint32_t>(error.code);
    slot.reply_header = write_reply_header(reply);
    slot.sends_under_way = 1;
    return requests_.send(slot.reply_header, 0, kReplyTag,
                          [](const Requests::Arrival&) { return Status(); });
  }

  Status reply(Slot& slot) {
    const auto sent = [this, &slot](const Requests::Arrival&) -> Status {
      if (--slot.sends_under_way == 0) {
        free_.push_back(&slot);
      }
      return {};
    };
    const Bytes& data = slot.failed ? slot.sentence : slot.output;
    slot.sends_under_way = data.empty() ? 1 : 2;
    TESSERA_RETURN_IF_ERROR(requests_.send(slot.reply_header, 0, kReplyTag, sent));
    return data.empty() ? Status() : requests_.send(data, 0, kReplyDataTag, sent);
  }

  Slot& free_slot() {
    if (free_.empty()) {
      return slots_.emplace_back();
    }
    Slot& slot = *free_.back();
    free_.pop_back();
    return slot;
  }

  MpiSession& session_;
  Lanes& lanes_;
  Requests requests_;
  SharedViews views_;
  Bytes header_ = Bytes(kUnitHeaderBytes);
  std::list<Slot> slots_;
  std::vector<Slot*> free_;
  size_t computing_ = 0;  // units with the lanes
  bool stop_ = false;
  int exit_code_ = 0;
};

}  // namespace

int serve_units(MpiSession& session, const std::vector<Backend*>& lanes, const UnitHandler& handler,
                const LaneStart& start) {
  Lanes workers(lanes, handler, start);
  Server server(session, workers);
  const auto exit_code = guarded([&] { return server.serve(); });
  if (!exit_code) {  // at once: lanes may be in the middle of a unit
    session.abort(static_cast<int>(exit_code.error().code));
  }
  return *exit_code;
}

}  // namespace tessera::mpi
