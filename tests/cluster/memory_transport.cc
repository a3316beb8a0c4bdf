// Ranks within one process: a transport whose messages are queues in memory.
#include "memory_transport.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace tessera::cluster {
namespace {

constexpr int kTooLong = 1;  // the transport's only error: another size than announced

}  // namespace

class MemoryTransport : public Transport {
 public:
  MemoryTransport(MemoryNetwork& network, int rank) : network_(network), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return network_.size(); }
  int rank_on_machine() const override { return rank_; }

  int send(const uint8_t* data, size_t bytes, int rank, int tag, uint64_t* ticket) override {
    network_.put(rank_, rank, tag, Bytes(data, data + bytes));
    *ticket = next_ticket_++;
    complete_.push_back({*ticket, 0, 0});
    return 0;
  }

  int receive(uint8_t* data, size_t bytes, int source, int tag, uint64_t* ticket) override {
    *ticket = next_ticket_++;
    receives_.push_back({*ticket, data, bytes, source, tag});
    return 0;
  }

  int broadcast(uint8_t* data, size_t bytes, uint64_t* ticket) override {
    return join(data, bytes, {data, bytes}, /*only_root=*/true, ticket);
  }

  int gather_from_all(const uint8_t* own, size_t bytes, uint8_t* all, uint64_t* ticket) override {
    return join(all, bytes, {own, bytes}, /*only_root=*/false, ticket);
  }

  int poll(Completion* completions, size_t room, size_t* count) override {
    const std::lock_guard lock(network_.mutex_);
    *count = 0;
    if (const int code = match_receives(); code != 0) {
      return code;
    }
    if (const int code = match_joined(); code != 0) {
      return code;
    }
    while (*count < room && !complete_.empty()) {
      completions[(*count)++] = complete_.front();
      complete_.pop_front();
    }
    return 0;
  }

  void cancel(uint64_t ticket) override {
    std::erase_if(receives_, [&](const Receive& one) { return one.ticket == ticket; });
  }

  void abort(int /*exit_code*/) override {}  // the caller ends the process, and so all ranks

  void describe(int /*error*/, char* text, size_t bytes) const override {
    std::snprintf(text, bytes, "a message is longer than its place");
  }

 private:
  struct Receive {
    uint64_t ticket = 0;
    uint8_t* data = nullptr;
    size_t bytes = 0;
    int source = 0;
    int tag = 0;
  };
  struct Joined {
    uint64_t ticket = 0;
    uint64_t number = 0;
    uint8_t* data = nullptr;
    size_t bytes = 0;
    bool only_root = false;
  };

  int join(uint8_t* data, size_t bytes, ByteSpan own, bool only_root, uint64_t* ticket) {
    const std::lock_guard lock(network_.mutex_);
    *ticket = next_ticket_++;
    const uint64_t number = next_collective_++;
    network_.collectives_[number].parts[rank_] = Bytes(own.begin(), own.end());
    joined_.push_back({*ticket, number, data, bytes, only_root});
    return 0;
  }

  int match_receives() {
    for (auto one = receives_.begin(); one != receives_.end();) {
      const auto message = network_.take_locked(one->source, rank_, one->tag);
      if (!message) {
        ++one;
        continue;
      }
      if (message->bytes.size() > one->bytes) {
        return kTooLong;
      }
      std::copy(message->bytes.begin(), message->bytes.end(), one->data);
      complete_.push_back({one->ticket, message->from, message->bytes.size()});
      one = receives_.erase(one);
    }
    return 0;
  }

  int match_joined() {
    bool fits = true;
    std::erase_if(joined_, [&](const Joined& one) {
      const auto& parts = network_.collectives_[one.number].parts;
      if (!(one.only_root ? parts.contains(0)
                          : parts.size() == static_cast<size_t>(network_.size()))) {
        return false;
      }
      for (const auto& [rank, part] : parts) {
        if (part.size() != one.bytes) {
          fits = false;
        } else if (!one.only_root) {
          std::memcpy(one.data + static_cast<size_t>(rank) * one.bytes, part.data(), one.bytes);
        } else if (rank == 0 && rank_ != 0) {
          std::memcpy(one.data, part.data(), one.bytes);
        }
      }
      complete_.push_back({one.ticket, 0, 0});
      return true;
    });
    return fits ? 0 : kTooLong;
  }

  MemoryNetwork& network_;
  const int rank_;
  uint64_t next_ticket_ = 1;
  uint64_t next_collective_ = 0;
  std::deque<Completion> complete_;
  std::deque<Receive> receives_;  // in the order of calls
  std::deque<Joined> joined_;
};

std::unique_ptr<Transport> MemoryNetwork::connect(int rank) {
  return std::make_unique<MemoryTransport>(*this, rank);
}

void MemoryNetwork::put(int from, int to, int tag, const Bytes& bytes) {
  {
    const std::lock_guard lock(mutex_);
    messages_.push_back({from, to, tag, bytes});
    changed_.notify_all();
  }
  if (watch_) {
    watch_(from, tag, bytes);
  }
}

void MemoryNetwork::put_collective(uint64_t number, int rank, const Bytes& bytes) {
  const std::lock_guard lock(mutex_);
  collectives_[number].parts[rank] = bytes;
}

// The mutex must be held.
std::optional<MemoryNetwork::Message> MemoryNetwork::take_locked(int from, int to, int tag) {
  const auto found = std::find_if(messages_.begin(), messages_.end(), [&](const Message& one) {
    return one.to == to && one.tag == tag && (from == kAnyRank || from == one.from);
  });
  if (found == messages_.end()) {
    return std::nullopt;
  }
  Message message = std::move(*found);
  messages_.erase(found);
  return message;
}

std::optional<Bytes> MemoryNetwork::take(int from, int to, int tag) {
  const std::lock_guard lock(mutex_);
  auto message = take_locked(from, to, tag);
  return message ? std::optional(std::move(message->bytes)) : std::nullopt;
}

Bytes MemoryNetwork::wait_for(int from, int to, int tag) {
  constexpr auto kForever = std::chrono::minutes(4);  // an error instead of a test that hangs
  std::optional<Message> message;
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kForever, [&] {
        message = take_locked(from, to, tag);
        return message.has_value();
      })) {
    throw std::runtime_error("a message does not come");
  }
  return std::move(message->bytes);
}

}  // namespace tessera::cluster
