// Measures the core's peak rates of float and integer arithmetic.
#include "peak_rate.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "thread_clock.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "peak_rate.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "spmd/lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bench::TESSERA_TARGET {

namespace lanes = ::tessera::TESSERA_TARGET;

// a·b + c with one rounding, where the target has an instruction for it. Kernels have no such
// operation, because the last bit would not be the same everywhere.
TESSERA_INLINE lanes::F32 fused_multiply_add(lanes::F32 a, lanes::F32 b, lanes::F32 c) {
#ifdef TESSERA_SCALAR_LANES
  return a * b + c;
#else
  return {lanes::hn::MulAdd(a.raw, b.raw, c.raw)};
#endif
}

// Twelve sums hide the latency of two units; returns the number of multiply-adds.
double spin_floats(size_t rounds, float* sink) {
  using lanes::F32;
  const F32 a = lanes::all_lanes_f32(0.999f + sink[0]);
  const F32 b = lanes::all_lanes_f32(0.001f + sink[1]);
  // Sums that start alike would be formed once.
  const auto start = [&](float value)
                         TESSERA_LAMBDA { return lanes::all_lanes_f32(value + sink[0]); };
  F32 s0 = start(0), s1 = start(1), s2 = start(2), s3 = start(3), s4 = start(4), s5 = start(5),
      s6 = start(6), s7 = start(7), s8 = start(8), s9 = start(9), s10 = start(10), s11 = start(11);
  for (size_t i = 0; i < rounds; ++i) {
    s0 = fused_multiply_add(s0, a, b);
    s1 = fused_multiply_add(s1, a, b);
    s2 = fused_multiply_add(s2, a, b);
    s3 = fused_multiply_add(s3, a, b);
    s4 = fused_multiply_add(s4, a, b);
    s5 = fused_multiply_add(s5, a, b);
    s6 = fused_multiply_add(s6, a, b);
    s7 = fused_multiply_add(s7, a, b);
    s8 = fused_multiply_add(s8, a, b);
    s9 = fused_multiply_add(s9, a, b);
    s10 = fused_multiply_add(s10, a, b);
    s11 = fused_multiply_add(s11, a, b);
  }
  const F32 total = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11;
  sink[2] = lanes::first_lane(total);
  return 12.0 * static_cast<double>(rounds) * static_cast<double>(lanes::lane_count());
}

double spin_integers(size_t rounds, float* sink) {
  using lanes::I32;
  const auto a = lanes::all_lanes_i16x2(static_cast<int16_t>(sink[0] + 3));
  const auto b = lanes::all_lanes_i16x2(static_cast<int16_t>(sink[1] + 5));
  const auto start = [&](int32_t value) TESSERA_LAMBDA {
    return lanes::all_lanes(value + static_cast<int32_t>(sink[0]));
  };
  I32 s0 = start(0), s1 = start(1), s2 = start(2), s3 = start(3), s4 = start(4), s5 = start(5),
      s6 = start(6), s7 = start(7), s8 = start(8), s9 = start(9), s10 = start(10), s11 = start(11);
  // The second factor changes, so that no compiler may form the product once.
  lanes::I16x2 c = b;
  for (size_t i = 0; i < rounds; ++i) {
    s0 = lanes::accumulate_pairs(s0, a, c);
    s1 = lanes::accumulate_pairs(s1, a, c);
    s2 = lanes::accumulate_pairs(s2, a, c);
    s3 = lanes::accumulate_pairs(s3, a, c);
    s4 = lanes::accumulate_pairs(s4, b, c);
    s5 = lanes::accumulate_pairs(s5, b, c);
    s6 = lanes::accumulate_pairs(s6, b, c);
    s7 = lanes::accumulate_pairs(s7, b, c);
    s8 = lanes::accumulate_pairs(s8, a, c);
    s9 = lanes::accumulate_pairs(s9, b, c);
    s10 = lanes::accumulate_pairs(s10, a, c);
    s11 = lanes::accumulate_pairs(s11, b, c);
    c = c + a;
  }
  const I32 total = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11;
  sink[2] = static_cast<float>(lanes::first_lane(total));
  return 24.0 * static_cast<double>(rounds) * static_cast<double>(lanes::lane_count());
}

}  // namespace tessera::bench::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::bench {
namespace {

TESSERA_EXPORT(spin_floats);
TESSERA_EXPORT(spin_integers);

using Clock = ThreadClock;

double seconds_since(Clock::time_point start) {
  return Clock::now() - start;
}

// The best of some runs: others' load only ever slows down. Long enough that the clock's own jumps
// do not show.
template <typename Run>
double best_rate(const Run& run) {
  double best = 0;
  for (int i = 0; i < 4; ++i) {
    const auto start = Clock::now();
    const double work = run();
    best = std::max(best, work / seconds_since(start));
  }
  return best;
}

}  // namespace

PeakRates measure_peak_rates() {
  float sink[3] = {0, 0, 0};
  PeakRates rates;
  constexpr size_t kRounds = 6000000;
  rates.float_multiply_adds =
      best_rate([&] { return TESSERA_DISPATCH(spin_floats)(kRounds, sink); });
  rates.int16_multiply_adds =
      best_rate([&] { return TESSERA_DISPATCH(spin_integers)(kRounds, sink); });
  // Much more than the caches hold.
  std::vector<uint64_t> memory(size_t{16} << 20, 1);
  volatile uint64_t total = 0;
  for (int i = 0; i < 4; ++i) {
    const auto start = Clock::now();
    uint64_t sums[8] = {};
    for (size_t k = 0; k < memory.size(); k += 8) {
      for (size_t j = 0; j < 8; ++j) {
        sums[j] += memory[k + j];
      }
    }
    total = total + sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
    const double bytes = static_cast<double>(memory.size()) * sizeof(uint64_t);
    rates.bytes = std::max(rates.bytes, bytes / seconds_since(start));
  }
  return rates;
}

}  // namespace tessera::bench
#endif  // TESSERA_ONCE
