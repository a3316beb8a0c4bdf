// Where domains lie relative to their range, as a class and a number within the class. Class 0 is
// the domain centred on the range (moved inside the plane); class k > 0 has the positions at a
// Chebyshev distance of 2^(k−1)…2^k−1 from it, near ones all, far ones on a grid of every second
// sample. Only positions inside the plane are counted.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tessera::fractal {

inline constexpr uint32_t kRingCount = 11;  // classes 0…10: distances below 1024
inline constexpr uint32_t kFirstCoarseRing = 6;

constexpr int32_t ring_stride_log2(uint32_t ring) {
  return ring < kFirstCoarseRing ? 0 : 1;
}
constexpr int32_t ring_stride(uint32_t ring) {
  return 1 << ring_stride_log2(ring);
}

constexpr uint32_t ring_of_distance(int32_t distance) {
#ifdef __CUDA_ARCH__
  return static_cast<uint32_t>(32 - __clz(distance));
#else
  uint32_t ring = 0;
  for (; distance > 0; distance >>= 1) {
    ++ring;
  }
  return ring;
#endif
}

struct DomainPlace {
  int32_t x = 0;
  int32_t y = 0;
};

// All possible upper left corners of domains: 0…max_x, 0…max_y.
struct DomainField {
  int32_t max_x = 0;
  int32_t max_y = 0;

  bool usable() const { return max_x >= 0 && max_y >= 0; }
};

// Of domains with the given side in a half-resolution plane.
constexpr DomainField domain_field(uint32_t half_width, uint32_t half_height, uint32_t side) {
  return {static_cast<int32_t>(half_width) - static_cast<int32_t>(side),
          static_cast<int32_t>(half_height) - static_cast<int32_t>(side)};
}

// By value: devices do better without references.
constexpr int32_t clamp_place(int32_t place, int32_t last) {
  return place < 0 ? 0 : place > last ? last : place;
}

constexpr DomainPlace home_place(uint32_t x, uint32_t y, uint32_t side, const DomainField& field) {
  const auto shift = static_cast<int32_t>(side / 4);
  return {clamp_place(static_cast<int32_t>(x / 2) - shift, field.max_x),
          clamp_place(static_cast<int32_t>(y / 2) - shift, field.max_y)};
}

constexpr uint32_t ring_of(const DomainPlace& place, const DomainPlace& home) {
  const int32_t dx = place.x > home.x ? place.x - home.x : home.x - place.x;
  const int32_t dy = place.y > home.y ? place.y - home.y : home.y - place.y;
  return ring_of_distance(dx > dy ? dx : dy);
}

// The grid points of one ring, row by row.
class Ring {
 public:
  Ring(uint32_t ring, const DomainPlace& home, const DomainField& field)
      : shift_(ring_stride_log2(ring)) {
    const int32_t outer = ring == 0 ? 0 : (1 << ring) - 1;
    const int32_t inner = ring == 0 ? -1 : (1 << (ring - 1)) - 1;
    columns_ = span(home.x, outer, field.max_x);
    rows_ = span(home.y, outer, field.max_y);
    if (inner >= 0) {
      hole_columns_ = span(home.x, inner, field.max_x);
      hole_rows_ = span(home.y, inner, field.max_y);
    }
  }

  uint32_t count() const {
    return static_cast<uint32_t>(columns_.count() * rows_.count() -
                                 hole_columns_.count() * hole_rows_.count());
  }

  uint32_t index_of(const DomainPlace& place) const {
    const int32_t column = place.x >> shift_;
    const int32_t row = place.y >> shift_;
    const int32_t rows_of_hole = std::clamp(row - hole_rows_.first, 0, hole_rows_.count());
    int32_t index = (row - rows_.first) * columns_.count() + column - columns_.first -
                    rows_of_hole * hole_columns_.count();
    if (row >= hole_rows_.first && row < hole_rows_.end && column >= hole_columns_.end) {
      index -= hole_columns_.count();
    }
    return static_cast<uint32_t>(index);
  }

  DomainPlace place_of(uint32_t index) const {
    auto rest = static_cast<int32_t>(index);
    const int32_t above = (std::min(hole_rows_.first, rows_.end) - rows_.first) * columns_.count();
    if (hole_rows_.count() == 0 || hole_columns_.count() == 0 || rest < above) {
      return at(rest);
    }
    rest -= above;
    const int32_t left = hole_columns_.first - columns_.first;
    const int32_t around = columns_.count() - hole_columns_.count();
    if (rest < around * hole_rows_.count()) {
      const int32_t row = hole_rows_.first + rest / around;
      const int32_t column = rest % around;
      return {(columns_.first + column + (column >= left ? hole_columns_.count() : 0)) << shift_,
              row << shift_};
    }
    rest -= around * hole_rows_.count();
    return at(rest + (hole_rows_.end - rows_.first) * columns_.count());
  }

 private:
  struct Span {
    int32_t first = 0;
    int32_t end = 0;
    int32_t count() const { return end > first ? end - first : 0; }
  };

  Span span(int32_t centre, int32_t reach, int32_t last) const {
    const int32_t low = std::max(centre - reach, 0);
    const int32_t high = std::min(centre + reach, last);
    return {(low + (1 << shift_) - 1) >> shift_, (high >> shift_) + 1};
  }
  DomainPlace at(int32_t index) const {
    return {(columns_.first + index % columns_.count()) << shift_,
            (rows_.first + index / columns_.count()) << shift_};
  }

  int32_t shift_;  // positions are multiples of 2^shift_
  Span columns_;
  Span rows_;
  Span hole_columns_;
  Span hole_rows_;
};

}  // namespace tessera::fractal
