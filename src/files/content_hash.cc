// Mixes eight bytes at a time into each of four lanes, which do not wait for each other.
#include "files/content_hash.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "files/descriptor.h"

namespace tessera {
namespace {

constexpr uint64_t kOdd = 0x9E3779B97F4A7C15;   // 2^64 divided by the golden ratio
constexpr uint64_t kOdd2 = 0xD6E8FEB86659FD93;  // another odd number with bits everywhere

constexpr uint64_t scramble(uint64_t value) {
  value = (value ^ value >> 32) * kOdd2;
  value = (value ^ value >> 29) * kOdd;
  return value ^ value >> 32;
}

}  // namespace

void ContentHash::mix(const uint8_t* stripe) {
  for (size_t i = 0; i < kLanes; ++i) {
    uint64_t word = 0;
    std::memcpy(&word, stripe + i * sizeof word, sizeof word);
    lanes_[i] = std::rotl((lanes_[i] ^ word) * kOdd, 29) + word;
  }
}

void ContentHash::add(ByteSpan bytes) {
  const size_t waiting = count_ % kStripe;
  count_ += bytes.size();
  if (waiting > 0) {
    const size_t part = std::min(bytes.size(), kStripe - waiting);
    std::copy_n(bytes.begin(), part, rest_.begin() + static_cast<std::ptrdiff_t>(waiting));
    bytes = bytes.subspan(part);
    if (waiting + part < kStripe) {
      return;
    }
    mix(rest_.data());
  }
  for (; bytes.size() >= kStripe; bytes = bytes.subspan(kStripe)) {
    mix(bytes.data());
  }
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

uint64_t ContentHash::value() const {
  ContentHash end = *this;
  std::fill(end.rest_.begin() + static_cast<std::ptrdiff_t>(count_ % kStripe), end.rest_.end(),
            uint8_t{0});
  end.mix(end.rest_.data());
  uint64_t value = scramble(count_);
  for (const uint64_t lane : end.lanes_) {
    value = scramble(value + lane);
  }
  return value == 0 ? 1 : value;
}

uint64_t content_hash(ByteSpan bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.value();
}

std::optional<uint64_t> file_hash(const std::string& path) {
  constexpr size_t kStep = size_t{1} << 18;  // bytes
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  Bytes bytes(kStep);
  ContentHash hash;
  while (file.is_open()) {
    const ssize_t got = ::read(file.get(), bytes.data(), bytes.size());
    if (got == 0) {
      return hash.value();
    }
    if (got < 0 && errno != EINTR) {
      break;
    }
    hash.add(ByteSpan(bytes).first(static_cast<size_t>(std::max<ssize_t>(got, 0))));
  }
  return std::nullopt;
}

}  // namespace tessera
