// Ranks within one process: a transport whose messages are queues in memory. Tests use it for whole
// runs, with a thread for each rank, or play one side by hand.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "cluster/transport.h"

namespace tessera::cluster {

class MemoryNetwork {
 public:
  explicit MemoryNetwork(int size) : size_(size) {}

  // One for each rank. The network must outlive them.
  std::unique_ptr<Transport> connect(int rank);

  // A rank by hand: sends a message; takes the next one, or waits for it.
  void put(int from, int to, int tag, const Bytes& bytes);
  std::optional<Bytes> take(int from, int to, int tag);
  Bytes wait_for(int from, int to, int tag);

  // The part of a rank by hand in the broadcast or gathering of that number, counted from 0.
  void put_collective(uint64_t number, int rank, const Bytes& bytes);

  // Called after each message that is sent, by the thread that sends it. May send others.
  using Watch = std::function<void(int from, int tag, const Bytes& bytes)>;
  void watch(Watch watch) { watch_ = std::move(watch); }

  int size() const { return size_; }

 private:
  friend class MemoryTransport;
  struct Message {
    int from = 0;
    int to = 0;
    int tag = 0;
    Bytes bytes;
  };
  // A broadcast or a gathering that all ranks take part in.
  struct Collective {
    std::map<int, Bytes> parts;  // by rank
  };
  std::optional<Message> take_locked(int from, int to, int tag);

  const int size_;
  Watch watch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
  std::map<uint64_t, Collective> collectives_;  // by their number in the order of calls
};

}  // namespace tessera::cluster
