// The side of the ranks that are given units: receive, compute, reply.
#include "cluster/worker.h"

#include <algorithm>
#include <new>
#include <thread>

#include "base/guarded.h"
#include "cluster/pace.h"

namespace tessera::cluster {

UnitServer::UnitServer(RankGroup& group, WorkerThreads& threads)
    : group_(group),
      threads_(threads),
      requests_(group.transport()),
      views_(group.root_process()) {}

Result<int> UnitServer::serve() {
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
    for (UnitSlot* slot : threads_.finished(pause)) {
      busy = pace_of_units(slot->busy);
      TESSERA_RETURN_IF_ERROR(reply(*slot));
      --computing_;
      active = true;
    }
    if (active) {
      busy.reset();
      idle.reset();
    }
    TESSERA_RETURN_IF_ERROR(group_.check());
  }
  while (requests_.has_sends()) {  // replies that rank 0 has received already
    TESSERA_ASSIGN_OR_RETURN(const bool active, requests_.poll());
    TESSERA_RETURN_IF_ERROR(group_.check());
    if (!active) {
      std::this_thread::sleep_for(idle.next());
    }
  }
  requests_.cancel_all();  // an input that was announced and never sent
  return exit_code_;
}

Status UnitServer::expect_unit() {
  return requests_.receive(header_, 0, kUnitTag, [this](const Requests::Arrival& arrival) {
    return on_unit(arrival.bytes);
  });
}

Status UnitServer::on_unit(size_t bytes) {
  const auto header = parse_unit_header(ByteSpan(header_).first(bytes));
  if (!header) {
    return refuse(header.error());
  }
  if (header->kind == kStopKind) {
    stop_ = true;
    exit_code_ = static_cast<int>(header->fields[0] & 0x7F);
    return {};
  }
  UnitSlot& slot = free_slot();
  slot.header = *header;
  return header->shared.file != 0 ? use_shared_input(slot) : receive_input(slot);
}

Status UnitServer::use_shared_input(UnitSlot& slot) {
  const auto input = views_.view(slot.header.shared, slot.header.input_bytes);
  if (input) {
    slot.input = *input;
    compute(slot);
    return expect_unit();
  }
  if (input.error().code == ErrorCode::kInvalid) {
    return refuse(input.error());
  }
  TESSERA_RETURN_IF_ERROR(ask_for_input(slot));
  return expect_unit();
}

Status UnitServer::receive_input(UnitSlot& slot) {
  try {
    slot.received.resize(slot.header.input_bytes);
    slot.input = slot.received;
  } catch (const std::bad_alloc&) {
    return refuse(failed_error("not enough memory"));
  }
  if (slot.input.empty()) {
    compute(slot);
    return expect_unit();
  }
  TESSERA_RETURN_IF_ERROR(requests_.receive(
      slot.received, 0, kInputTag, [this, &slot](const Requests::Arrival& arrival) -> Status {
        if (arrival.bytes != slot.input.size()) {
          return refuse(invalid_error("rank 0 sent fewer bytes than it had announced"));
        }
        compute(slot);
        return {};
      }));
  return expect_unit();
}

void UnitServer::compute(UnitSlot& slot) {
  ++computing_;
  threads_.compute(&slot);
}

// Rank 0 sends the unit again, with its input in a message.
Status UnitServer::ask_for_input(UnitSlot& slot) {
  ReplyHeader header;
  header.id = slot.header.id;
  header.unseen = true;
  slot.reply_header = write_reply_header(header);
  slot.failed = false;
  slot.output.clear();
  return reply(slot);
}

// The conversation cannot go on: rank 0 is told, and ends everything.
Status UnitServer::refuse(const Error& error) {
  UnitSlot& slot = free_slot();
  slot.output.clear();
  ReplyHeader header;
  header.id = kNoUnit;
  header.code = static_cast<uint32_t>(error.code);
  slot.reply_header = write_reply_header(header);
  slot.sends_under_way = 1;
  return requests_.send(slot.reply_header, 0, kReplyTag,
                        [](const Requests::Arrival&) { return Status(); });
}

Status UnitServer::reply(UnitSlot& slot) {
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

UnitSlot& UnitServer::free_slot() {
  if (free_.empty()) {
    return slots_.emplace_back();
  }
  UnitSlot& slot = *free_.back();
  free_.pop_back();
  return slot;
}

int serve_units(RankGroup& group, const std::vector<Backend*>& backends, const UnitHandler& handler,
                const WorkerStart& start) {
  WorkerThreads threads(backends, handler, start);
  UnitServer server(group, threads);
  const auto exit_code = guarded([&] { return server.serve(); });
  if (!exit_code) {  // at once: threads may be in the middle of a unit
    group.abort(static_cast<int>(exit_code.error().code));
  }
  return *exit_code;
}

}  // namespace tessera::cluster
