// Adaptive binary range coding. A bit's probability is the mean of a quick and a slow estimate,
// which follow what was coded before. Coders share one interface (bit, uniform), so that the order
// of symbols is written down once for writing, reading and counting.
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.h"

namespace tessera::fractal {

// The probability of a zero, in 1/65536.
class AdaptiveBit {
 public:
  uint32_t probability() const {
    const uint32_t mean = (uint32_t{quick_} + slow_) >> 1;
    return mean < kLowest ? kLowest : (mean > 65536 - kLowest ? 65536 - kLowest : mean);
  }
  void update(bool bit) {
    if (bit) {
      quick_ = static_cast<uint16_t>(quick_ - (quick_ >> 4));
      slow_ = static_cast<uint16_t>(slow_ - (slow_ >> 7));
    } else {
      quick_ = static_cast<uint16_t>(quick_ + ((65535 - quick_) >> 4));
      slow_ = static_cast<uint16_t>(slow_ + ((65535 - slow_) >> 7));
    }
  }

 private:
  static constexpr uint32_t kLowest = 256;
  uint16_t quick_ = 32768;
  uint16_t slow_ = 32768;
};

// So many zeros at the end of a stream are not stored. A reader that needs more of them has met a
// stream that was cut.
inline constexpr size_t kCoderSlack = 8;

class BitWriter {
 public:
  explicit BitWriter(Bytes& out) : out_(out) {}

  void bit(AdaptiveBit& state, bool& value) {
    const auto bound = static_cast<uint32_t>((uint64_t{range_} * state.probability()) >> 16);
    if (value) {
      low_ += bound;
      range_ -= bound;
    } else {
      range_ = bound;
    }
    state.update(value);
    while (range_ < kTop) {
      range_ <<= 8;
      shift_low();
    }
  }
  // One of `count` equally likely values, 1 ≤ count ≤ 2^20.
  void uniform(uint32_t count, uint32_t& value) {
    const uint32_t part = range_ / count;
    low_ += uint64_t{part} * value;
    range_ = part;
    while (range_ < kTop) {
      range_ <<= 8;
      shift_low();
    }
  }
  void finish() {
    for (int i = 0; i < 5; ++i) {
      shift_low();
    }
    for (size_t cut = 0; cut < kCoderSlack && !out_.empty() && out_.back() == 0; ++cut) {
      out_.pop_back();  // the reader sees zeros past the end
    }
  }

 private:
  static constexpr uint32_t kTop = 1u << 24;

  void shift_low() {
    if (low_ < 0xFF000000u || low_ > 0xFFFFFFFFu) {
      const auto carry = static_cast<uint8_t>(low_ >> 32);
      if (started_) {
        out_.push_back(static_cast<uint8_t>(cache_ + carry));
      }
      started_ = true;
      for (; pending_ > 0; --pending_) {
        out_.push_back(static_cast<uint8_t>(0xFF + carry));
      }
      cache_ = static_cast<uint8_t>(low_ >> 24);
    } else {
      ++pending_;
    }
    low_ = (low_ & 0x00FFFFFFu) << 8;
  }

  Bytes& out_;
  uint64_t low_ = 0;
  uint32_t range_ = 0xFFFFFFFFu;
  uint8_t cache_ = 0;
  bool started_ = false;
  uint64_t pending_ = 0;
};

class BitReader {
 public:
  explicit BitReader(ByteSpan bytes) : next_(bytes.data()), end_(bytes.data() + bytes.size()) {
    for (int i = 0; i < 4; ++i) {
      code_ = (code_ << 8) | take();
    }
  }

  void bit(AdaptiveBit& state, bool& value) {
    const auto bound = static_cast<uint32_t>((uint64_t{range_} * state.probability()) >> 16);
    value = code_ >= bound;
    if (value) {
      code_ -= bound;
      range_ -= bound;
    } else {
      range_ = bound;
    }
    state.update(value);
    refill();
  }
  void uniform(uint32_t count, uint32_t& value) {
    const uint32_t part = range_ / count;
    if (count == 2) {  // signs: no need to divide
      value = code_ >= part ? 1 : 0;
    } else {
      value = code_ / part;
      value = value < count ? value : count - 1;
    }
    code_ -= value * part;
    range_ = part;
    refill();
  }
  // Whether more was read than the stream holds, beyond what was cut off as zeros.
  bool overrun() const { return missing_ > kCoderSlack; }

 private:
  static constexpr uint32_t kTop = 1u << 24;

  void refill() {
    while (range_ < kTop) {
      range_ <<= 8;
      code_ = (code_ << 8) | take();
    }
  }
  uint32_t take() {
    if (next_ < end_) {
      return *next_++;
    }
    ++missing_;
    return 0;
  }

  const uint8_t* next_;
  const uint8_t* end_;
  uint32_t code_ = 0;
  uint32_t range_ = 0xFFFFFFFFu;
  size_t missing_ = 0;
};

// Values of up to kBits bits, most significant bit first, each bit in the context of those before.
template <int kBits>
class BitTree {
 public:
  template <typename Coder>
  void code(Coder& coder, uint32_t& value) {
    uint32_t node = 1;
    for (int i = kBits - 1; i >= 0; --i) {
      bool bit = ((value >> i) & 1) != 0;
      coder.bit(bits_[node], bit);
      node = node * 2 + (bit ? 1 : 0);
    }
    value = node - (1u << kBits);
  }

 private:
  std::array<AdaptiveBit, size_t{1} << kBits> bits_;
};

}  // namespace tessera::fractal
