// The worker threads of a rank: each computes one unit at a time, with a backend of its own.
#include "cluster/worker_threads.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "base/guarded.h"

namespace tessera::cluster {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostSentSentence = 1000;  // bytes of an error that are sent

}  // namespace

WorkerThreads::WorkerThreads(const std::vector<Backend*>& backends, const UnitHandler& handler,
                             const WorkerStart& start)
    : handler_(handler), start_(start) {
  try {
    for (Backend* backend : backends) {
      threads_.emplace_back([this, backend] { work(*backend); });
    }
  } catch (const std::system_error&) {
    if (threads_.empty()) {  // some do what all were to do; none cannot
      throw;
    }
  }
}

WorkerThreads::~WorkerThreads() {
  stop();
}

void WorkerThreads::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ready_.clear();
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

void WorkerThreads::compute(UnitSlot* slot) {
  const std::lock_guard lock(mutex_);
  ready_.push_back(slot);
  begin_.notify_one();
}

std::deque<UnitSlot*> WorkerThreads::finished(std::chrono::microseconds patience) {
  std::unique_lock lock(mutex_);
  end_.wait_for(lock, patience, [this] { return !finished_.empty(); });
  return std::exchange(finished_, {});
}

void WorkerThreads::work(Backend& backend) {
  if (start_) {
    // What goes wrong here will go wrong with the first unit, too, and is reported then.
    const Status ignored = guarded([&]() -> Status {
      start_(backend, {{}, &stopping_});
      return {};
    });
  }
  while (true) {
    UnitSlot* slot = nullptr;
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [this] { return stopping_ || !ready_.empty(); });
      if (stopping_) {
        return;
      }
      slot = ready_.front();
      ready_.pop_front();
    }
    compute_now(backend, *slot);
    const std::lock_guard lock(mutex_);
    finished_.push_back(slot);
    end_.notify_one();
  }
}

void WorkerThreads::compute_now(Backend& backend, UnitSlot& slot) const {
  const auto start = Clock::now();
  ReplyHeader reply;
  reply.id = slot.header.id;
  const Status status = call_handler(backend, slot);
  slot.failed = !status;
  if (!status) {
    const std::string& text = status.error().message;
    slot.sentence.assign(text.begin(), text.begin() + static_cast<ptrdiff_t>(std::min(
                                                          text.size(), kMostSentSentence)));
    reply.code = static_cast<uint32_t>(status.error().code);
  }
  reply.bytes = status ? slot.output.size() : slot.sentence.size();
  slot.busy = Clock::now() - start;
  reply.busy_nanoseconds = static_cast<uint64_t>(slot.busy.count());
  slot.reply_header = write_reply_header(reply);
}

Status WorkerThreads::call_handler(Backend& backend, UnitSlot& slot) const {
  TESSERA_RETURN_IF_ERROR(guarded([&] {
    return handler_(slot.header, slot.input, backend, {{}, &stopping_}, slot.output);
  }));
  const std::string size = std::to_string(slot.output.size());
  if (slot.output.size() > kMaxMessageBytes) {
    return unsupported_error("a result of " + size + " bytes is too large for a message");
  }
  const uint64_t expected = slot.header.output_bytes;
  if (expected != kAnySize && slot.output.size() != expected) {
    return invalid_error("a unit has " + size + " bytes of output, and rank 0 expects " +
                         std::to_string(expected));
  }
  return {};
}

}  // namespace tessera::cluster
