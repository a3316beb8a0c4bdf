// Every floating-point number is a whole number times a power of two, so it has finitely many
// decimal digits: they are found by multiplication alone, and compared as texts.
#include "base/exact_decimal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/bits.h"

namespace tessera {
namespace {

// 0.d₁d₂d₃… · 10^point; neither the first digit nor the last is zero. Zero has no digits.
struct Decimal {
  std::string digits;
  int point = 0;

  bool operator==(const Decimal&) const = default;
  bool operator<(const Decimal& other) const {
    if (digits.empty() || other.digits.empty()) {
      return digits.empty() && !other.digits.empty();
    }
    return point != other.point ? point < other.point : digits < other.digits;
  }
};

Decimal without_outer_zeros(std::string digits, int point) {
  const size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) {
    return {};
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  digits.erase(0, first);
  return {std::move(digits), point - static_cast<int>(first)};
}

// A whole number as groups of nine decimal digits, the lowest first.
class WholeNumber {
 public:
  explicit WholeNumber(uint64_t value) {
    for (; value > 0; value /= kGroup) {
      groups_.push_back(static_cast<uint32_t>(value % kGroup));
    }
  }

  // By factor^power, where factor^step is the largest power below 2³².
  void multiply(uint32_t factor, int power, int step) {
    while (power > 0) {
      uint32_t product = 1;
      for (int i = 0; i < std::min(power, step); ++i) {
        product *= factor;
      }
      multiply(product);
      power -= step;
    }
  }

  std::string digits() const {
    std::string text;
    for (size_t i = groups_.size(); i-- > 0;) {
      const std::string group = std::to_string(groups_[i]);
      text.append(kGroupDigits - group.size(), '0');
      text += group;
    }
    return text;
  }

 private:
  static constexpr uint32_t kGroup = 1'000'000'000;
  static constexpr size_t kGroupDigits = 9;

  void multiply(uint32_t factor) {
    uint64_t carry = 0;
    for (uint32_t& group : groups_) {
      carry += uint64_t{group} * factor;
      group = static_cast<uint32_t>(carry % kGroup);
      carry /= kGroup;
    }
    for (; carry > 0; carry /= kGroup) {
      groups_.push_back(static_cast<uint32_t>(carry % kGroup));
    }
  }

  std::vector<uint32_t> groups_;
};

// whole · 2^exponent. With a negative exponent it is whole · 5^−exponent / 10^−exponent.
Decimal decimal_of(uint64_t whole, int exponent) {
  WholeNumber number(whole);
  number.multiply(2, exponent, 31);
  number.multiply(5, -exponent, 13);
  std::string digits = number.digits();
  const int length = static_cast<int>(digits.size());
  return without_outer_zeros(std::move(digits), length + std::min(exponent, 0));
}

// The bits of a non-negative number taken apart. The bits of infinity become the number that would
// follow the largest.
struct Parts {
  uint64_t whole;
  int exponent;

  // Half way to the next number.
  Decimal middle() const { return decimal_of(2 * whole + 1, exponent - 1); }
};

template <class Float>
struct Layout;
template <>
struct Layout<double> {
  using Bits = uint64_t;
  static constexpr int kFractionBits = 52;
  static constexpr int kLeastExponent = -1074;
  static constexpr Bits kInfinity = uint64_t{0x7FF} << kFractionBits;
};
template <>
struct Layout<float> {
  using Bits = uint32_t;
  static constexpr int kFractionBits = 23;
  static constexpr int kLeastExponent = -149;
  static constexpr Bits kInfinity = uint32_t{0xFF} << kFractionBits;
};

template <class Float>
Parts parts_of(typename Layout<Float>::Bits bits) {
  constexpr int kFractionBits = Layout<Float>::kFractionBits;
  const uint64_t fraction = bits & ((uint64_t{1} << kFractionBits) - 1);
  const int stored = static_cast<int>(bits >> kFractionBits);
  return stored == 0 ? Parts{fraction, Layout<Float>::kLeastExponent}
                     : Parts{fraction | (uint64_t{1} << kFractionBits),
                             stored - 1 + Layout<Float>::kLeastExponent};
}

Decimal read_decimal(std::string_view text) {
  constexpr int kMostExponent = 100'000;  // texts are shorter, so nothing beyond it is a number
  const size_t end = text.find_first_of("eE");
  int exponent = 0;
  if (end != std::string_view::npos) {
    const bool is_negative = text[end + 1] == '-';
    for (const char digit : text.substr(end + 1)) {
      if (digit >= '0' && digit <= '9') {
        exponent = std::min(exponent * 10 + (digit - '0'), kMostExponent);
      }
    }
    exponent = is_negative ? -exponent : exponent;
  }
  std::string digits(text.substr(0, end));
  const size_t point = std::min(digits.find('.'), digits.size());
  digits.erase(point, point < digits.size() ? 1 : 0);
  return without_outer_zeros(std::move(digits), static_cast<int>(point) + exponent);
}

// Numbers are in the order of their bits, so the last one that is not above the text is found by
// halving.
template <class Float>
std::optional<Float> nearest(std::string_view text) {
  using Bits = typename Layout<Float>::Bits;
  const Decimal wanted = read_decimal(text);
  Bits low = 0, high = Layout<Float>::kInfinity;
  const auto is_above = [&](Bits bits) {
    const Parts parts = parts_of<Float>(bits);
    return wanted < decimal_of(parts.whole, parts.exponent);
  };
  if (!is_above(high)) {
    return std::nullopt;
  }
  while (high - low > 1) {
    const Bits middle = low + (high - low) / 2;
    (is_above(middle) ? high : low) = middle;
  }
  const Decimal middle = parts_of<Float>(low).middle();
  const bool is_odd = low % 2 != 0;
  const Bits result = middle < wanted || (middle == wanted && is_odd) ? high : low;
  const bool is_lost = result == 0 && !wanted.digits.empty();
  return result == Layout<Float>::kInfinity || is_lost ? std::nullopt
                                                       : std::optional(bit_cast<Float>(result));
}

// To the nearest, and to an even digit where two are equally near.
Decimal rounded(const Decimal& value, size_t most_digits) {
  if (value.digits.size() <= most_digits) {
    return value;
  }
  std::string digits = "0" + value.digits.substr(0, most_digits);  // for what is carried
  const std::string_view rest = std::string_view(value.digits).substr(most_digits);
  if (rest > "5" || (rest == "5" && (digits.back() - '0') % 2 != 0)) {
    size_t i = digits.size() - 1;
    for (; digits[i] == '9'; --i) {
      digits[i] = '0';
    }
    ++digits[i];
  }
  return without_outer_zeros(std::move(digits), value.point + 1);
}

// Numbers with an exponent below −4, or of as many digits as are allowed, are written with it.
std::string written(const Decimal& value, size_t most_digits) {
  constexpr int kLeastPlain = -4;
  if (value.digits.empty()) {
    return "0";
  }
  const int exponent = value.point - 1;
  std::string text = value.digits;
  if (exponent < kLeastPlain || exponent >= static_cast<int>(most_digits)) {
    if (text.size() > 1) {
      text.insert(1, ".");
    }
    const std::string digits = std::to_string(std::abs(exponent));
    return text + (exponent < 0 ? "e-" : "e+") + (digits.size() < 2 ? "0" : "") + digits;
  }
  if (value.point <= 0) {
    return "0." + std::string(static_cast<size_t>(-value.point), '0') + text;
  }
  const auto point = static_cast<size_t>(value.point);
  if (point < text.size()) {
    return text.insert(point, ".");
  }
  return text.append(point - text.size(), '0');
}

std::string sign_of(double value) {
  return std::signbit(value) ? "-" : "";
}

}  // namespace

std::optional<double> exact_double(std::string_view text) {
  return nearest<double>(text);
}

std::optional<float> exact_float(std::string_view text) {
  return nearest<float>(text);
}

std::string exact_text(double value, size_t most_digits) {
  if (!std::isfinite(value)) {
    return sign_of(value) + (std::isnan(value) ? "nan" : "inf");
  }
  const Parts parts = parts_of<double>(bit_cast<uint64_t>(std::fabs(value)));
  return sign_of(value) +
         written(rounded(decimal_of(parts.whole, parts.exponent), most_digits), most_digits);
}

std::string exact_shortest_text(double value) {
  constexpr size_t kMostDigits = 17;  // that a number needs
  const auto bits = bit_cast<uint64_t>(std::fabs(value));
  const Parts parts = parts_of<double>(bits);
  const Decimal all = decimal_of(parts.whole, parts.exponent);
  if (all.digits.empty()) {
    return sign_of(value) + "0";
  }
  const Decimal below = parts_of<double>(bits - 1).middle(), above = parts.middle();
  const bool takes_middles = bits % 2 == 0;
  for (size_t count = 1; count < kMostDigits; ++count) {
    const Decimal trial = rounded(all, count);
    if ((below < trial && trial < above) || (takes_middles && (trial == below || trial == above))) {
      return sign_of(value) + written(trial, count);
    }
  }
  return sign_of(value) + written(rounded(all, kMostDigits), kMostDigits);
}

}  // namespace tessera
