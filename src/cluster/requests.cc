// Messages that are under way, each with what is to be done when it is complete.
#include "cluster/requests.h"

#include <array>
#include <cassert>
#include <string>
#include <vector>

#include "cluster/unit_message.h"

namespace tessera::cluster {

Error transport_error(const Transport& transport, const char* what, int code) {
  char text[512] = {};
  transport.describe(code, text, sizeof text);
  return failed_error(std::string("MPI failed while ") + what + ": " + text);
}

void Requests::add(uint64_t ticket, size_t bytes, bool is_send, OnComplete on_complete) {
  constexpr size_t kLarge = size_t{1} << 18;  // bytes; more than networks take at once
  const bool is_large = bytes >= kLarge;
  waiters_[ticket] = {std::move(on_complete), is_large, is_send};
  large_ += is_large ? 1 : 0;
  sends_ += is_send ? 1 : 0;
}

Status Requests::send(ByteSpan bytes, int rank, Tag tag, OnComplete on_complete) {
  assert(bytes.size() <= kMaxMessageBytes);
  uint64_t ticket = 0;
  if (const int code = transport_.send(bytes.data(), bytes.size(), rank, tag, &ticket); code != 0) {
    return transport_error(transport_, "sending", code);
  }
  ++messages_sent_;
  add(ticket, bytes.size(), /*is_send=*/true, std::move(on_complete));
  return {};
}

Status Requests::receive(std::span<uint8_t> bytes, int source, Tag tag, OnComplete on_complete) {
  assert(bytes.size() <= kMaxMessageBytes);
  uint64_t ticket = 0;
  if (const int code = transport_.receive(bytes.data(), bytes.size(), source, tag, &ticket);
      code != 0) {
    return transport_error(transport_, "receiving", code);
  }
  add(ticket, bytes.size(), /*is_send=*/false, std::move(on_complete));
  return {};
}

Result<bool> Requests::poll() {
  if (waiters_.empty()) {
    return false;
  }
  std::array<Completion, 32> completions;
  size_t count = 0;
  if (const int code = transport_.poll(completions.data(), completions.size(), &count); code != 0) {
    return transport_error(transport_, "exchanging messages", code);
  }
  for (size_t i = 0; i < count; ++i) {
    auto waiter = waiters_.extract(completions[i].ticket);
    if (waiter.empty()) {
      continue;  // it was given up
    }
    large_ -= waiter.mapped().is_large ? 1 : 0;
    sends_ -= waiter.mapped().is_send ? 1 : 0;
    // May begin new messages.
    TESSERA_RETURN_IF_ERROR(
        waiter.mapped().on_complete({completions[i].source, completions[i].bytes}));
  }
  return count > 0;
}

void Requests::cancel_all() {
  for (const auto& [ticket, waiter] : waiters_) {
    transport_.cancel(ticket);
  }
  waiters_.clear();
  large_ = 0;
  sends_ = 0;
}

}  // namespace tessera::cluster
