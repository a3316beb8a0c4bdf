// Messages that are under way, each with what is to be done when it is complete.
#pragma once

#include <functional>
#include <map>
#include <span>

#include "base/bytes.h"
#include "base/result.h"
#include "cluster/transport.h"

namespace tessera::cluster {

// Headers announce the data that follows them with another tag.
enum Tag : int { kUnitTag = 1, kInputTag, kReplyTag, kReplyDataTag };

// `what` completes the sentence "MPI failed while …".
Error transport_error(const Transport& transport, const char* what, int code);

// At most one object has messages under way at a time: poll() takes every completion of the
// transport.
class Requests {
 public:
  struct Arrival {
    int source = 0;    // the sender; 0 if this was a send
    size_t bytes = 0;  // received; 0 if this was a send
  };
  using OnComplete = std::function<Status(const Arrival& arrival)>;

  explicit Requests(Transport& transport) : transport_(transport) {}

  // `bytes` must stay where it is until `on_complete` is called.
  Status send(ByteSpan bytes, int rank, Tag tag, OnComplete on_complete);
  Status receive(std::span<uint8_t> bytes, int source, Tag tag, OnComplete on_complete);

  // Calls `on_complete` of every message that is complete. Returns whether there was one.
  Result<bool> poll();

  bool empty() const { return waiters_.empty(); }
  bool has_sends() const { return sends_ > 0; }
  bool has_large() const { return large_ > 0; }
  uint64_t messages_sent() const { return messages_sent_; }

  // Gives up all messages that are under way.
  void cancel_all();

 private:
  struct Waiter {
    OnComplete on_complete;
    bool is_large = false;
    bool is_send = false;
  };
  void add(uint64_t ticket, size_t bytes, bool is_send, OnComplete on_complete);

  Transport& transport_;
  std::map<uint64_t, Waiter> waiters_;  // by ticket
  size_t large_ = 0;
  size_t sends_ = 0;
  uint64_t messages_sent_ = 0;
};

}  // namespace tessera::cluster
