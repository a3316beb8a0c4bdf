// The split for all eight isometries. Transposing a block maps the rotation orbit of (x, y) to that
// of (y, x) and reverses its direction. So the components z, y, p, q of rotation_split.h are
// combined once more, as sums and differences of an orbit (unprimed) and its mirror image (primed):
//   z± = z ± z',  y± = y ± y',  p± = p ± p',  q± = q ± q'
// and with the sums over all pairs of orbits
//   Z± = Σ z±·z±,  Y± = Σ y±·y±,
//   X1 = Σ p+·p+ + q−·q−,  X2 = Σ p−·p− + q+·q+,
//   X3 = Σ qa−·pb− − pa+·qb+,  X4 = Σ qa+·pb+ − pa−·qb−    (a domain, b range)
// eight times the dot product with the domain turned by r quarters is
//   r = 0, 2: (Z+ + Z−) + (Y+ + Y−) ± 2(X1 + X2),   r = 1, 3: (Z+ + Z−) − (Y+ + Y−) ± 2(X3 + X4)
// and transposed first, then turned by r,
//   r = 0, 2: (Z+ − Z−) + (Y+ − Y−) ± 2(X1 − X2),   r = 1, 3: (Z+ − Z−) − (Y+ − Y−) ± 2(X3 − X4):
// 1.5 multiplications a sample for all eight. Orbits on the diagonal are their own mirror image and
// need only Z+, Y+ and p·p, q·q, p·q, q·p.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::fractal {

// Words of two 16-bit values for blocks of kSide samples per side (4 or 8).
template <uint32_t kSide>
struct DihedralLayout {
  static constexpr size_t kHalf = kSide / 2;
  static constexpr size_t kPairs = kHalf * (kHalf - 1) / 2;
  static constexpr size_t kPlus = (kPairs + kHalf + 1) / 2;  // words of z+ (and of y+)
  static constexpr size_t kMinus = (kPairs + 1) / 2;         // words of z− (and of y−)
  static constexpr size_t kTurning = kPairs + kHalf / 2;     // entries of p and q
  static constexpr size_t kDomainWords = 2 * (kPlus + kMinus) + 2 * kTurning;
  static constexpr size_t kRangeWords = 2 * (kPlus + kMinus) + 4 * kTurning;
};

struct SplitOrbit {
  int z = 0;
  int y = 0;
  int p = 0;
  int q = 0;
};

// Both packings of a block: what its words are as a domain and as a range.
template <uint32_t kSide>
class DihedralSplit {
 public:
  using Layout = DihedralLayout<kSide>;
  using Word = std::array<int16_t, 2>;
  std::array<Word, Layout::kDomainWords> domain{};
  std::array<Word, Layout::kRangeWords> range{};

  // `samples`: kSide·kSide values without their mean.
  explicit DihedralSplit(const int* samples) {
    size_t plus = 0;
    size_t minus = 0;
    size_t turning = 0;
    for (uint32_t y = 0; y < Layout::kHalf; ++y) {
      for (uint32_t x = y + 1; x < Layout::kHalf; ++x) {
        add_pair(orbit(samples, x, y), orbit(samples, y, x), plus++, minus++, turning++);
      }
    }
    for (uint32_t i = 0; i < Layout::kHalf; i += 2) {
      add_diagonal(orbit(samples, i, i), orbit(samples, i + 1, i + 1), plus, turning++);
      plus += 2;
    }
  }

 private:
  static SplitOrbit orbit(const int* samples, uint32_t x, uint32_t y) {
    constexpr uint32_t kLast = kSide - 1;
    const int v0 = samples[y * kSide + x];
    const int v1 = samples[x * kSide + kLast - y];
    const int v2 = samples[(kLast - y) * kSide + kLast - x];
    const int v3 = samples[(kLast - x) * kSide + y];
    return {v0 + v1 + v2 + v3, v0 - v1 + v2 - v3, v0 - v2, v1 - v3};
  }

  // Value number i of the one-dimensional part that begins at word `first`.
  void put(size_t first, size_t i, int domain_value, int range_value) {
    domain[first + i / 2][i % 2] = static_cast<int16_t>(domain_value);
    range[first + i / 2][i % 2] = static_cast<int16_t>(range_value);
  }

  static Word word(int low, int high) {
    return {static_cast<int16_t>(low), static_cast<int16_t>(high)};
  }

  void put_turning(size_t i, Word domain1, Word domain2, Word x1, Word x3, Word x2, Word x4) {
    constexpr size_t kFirst = 2 * (Layout::kPlus + Layout::kMinus);
    domain[kFirst + 2 * i] = domain1;
    domain[kFirst + 2 * i + 1] = domain2;
    range[kFirst + 4 * i] = x1;
    range[kFirst + 4 * i + 1] = x3;
    range[kFirst + 4 * i + 2] = x2;
    range[kFirst + 4 * i + 3] = x4;
  }

  void add_pair(const SplitOrbit& a, const SplitOrbit& b, size_t plus, size_t minus,
                size_t turning) {
    put(0, plus, a.z + b.z, a.z + b.z);
    put(Layout::kPlus, minus, a.z - b.z, a.z - b.z);
    put(Layout::kPlus + Layout::kMinus, plus, a.y + b.y, a.y + b.y);
    put(2 * Layout::kPlus + Layout::kMinus, minus, a.y - b.y, a.y - b.y);
    const int pp = a.p + b.p;
    const int pm = a.p - b.p;
    const int qp = a.q + b.q;
    const int qm = a.q - b.q;
    put_turning(turning, word(pp, qm), word(pm, qp), word(pp, qm), word(-qp, pm), word(pm, qp),
                word(-qm, pp));
  }

  void add_diagonal(const SplitOrbit& a, const SplitOrbit& b, size_t plus, size_t turning) {
    put(0, plus, a.z, 2 * a.z);
    put(0, plus + 1, b.z, 2 * b.z);
    put(Layout::kPlus + Layout::kMinus, plus, a.y, 2 * a.y);
    put(Layout::kPlus + Layout::kMinus, plus + 1, b.y, 2 * b.y);
    put_turning(turning, word(a.p, b.p), word(a.q, b.q), word(2 * a.p, 2 * b.p),
                word(-2 * a.q, -2 * b.q), word(2 * a.q, 2 * b.q), word(2 * a.p, 2 * b.p));
  }
};

}  // namespace tessera::fractal
