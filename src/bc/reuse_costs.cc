// Compiles the loops over earlier blocks for every instruction set. They are plain: each step is
// one arithmetic operation on every element, so compilers make vectors of them, and the results do
// not depend on how long those are.
#include "bc/reuse_costs.h"

#include <cstdint>

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "bc/reuse_costs.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "spmd/target-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

TESSERA_INLINE int32_t make_cost(float cost, float scale, size_t index) {
  constexpr float kMost = (1 << 21) - 1;
  float level = cost * scale;
  level = level < 0 ? 0 : level;
  level = level > kMost ? kMost : level;
  return (static_cast<int32_t>(level) << kCostIndexBits) | static_cast<int32_t>(index);
}

void cost_selectors_on_target(const SelectorCosts& given, size_t count,
                              int32_t* TESSERA_RESTRICT out) {
  const SelectorCosts s = given;
  const float *const a = s.earlier.a, *const b = s.earlier.b, *const c = s.earlier.c;
  const float *const second0 = s.earlier.second0, *const second1 = s.earlier.second1,
                     *const second2 = s.earlier.second2;
  const float* const bits = s.bits;
  for (size_t i = 0; i < count; ++i) {
    const float x0 = second0[i], x1 = second1[i], x2 = second2[i];
    const float y0 = s.total[0] - x0, y1 = s.total[1] - x1, y2 = s.total[2] - x2;
    const float yy = s.weight[0] * y0 * y0 + s.weight[1] * y1 * y1 + s.weight[2] * y2 * y2;
    const float xy = s.weight[0] * x0 * y0 + s.weight[1] * x1 * y1 + s.weight[2] * x2 * y2;
    const float xx = s.weight[0] * x0 * x0 + s.weight[1] * x1 * x1 + s.weight[2] * x2 * x2;
    const float cost = s.squares - (a[i] * yy - 2 * b[i] * xy + c[i] * xx) + s.lambda * bits[i];
    out[i] = make_cost(cost, s.scale, i);
  }
}

void cost_whole_on_target(const WholeCosts& given, size_t count, int32_t* TESSERA_RESTRICT out) {
  const WholeCosts s = given;
  for (size_t i = 0; i < count; ++i) {
    const float x0 = s.second0[i], x1 = s.second1[i], x2 = s.second2[i];
    const float cross = s.weight[0] * (s.ends.r0[i] * (s.total[0] - x0) + s.ends.r1[i] * x0) +
                        s.weight[1] * (s.ends.g0[i] * (s.total[1] - x1) + s.ends.g1[i] * x1) +
                        s.weight[2] * (s.ends.b0[i] * (s.total[2] - x2) + s.ends.b1[i] * x2);
    const float cost = s.squares - cross + s.fixed[i] + s.lambda * s.bits[i];
    out[i] = make_cost(cost, s.scale, i);
  }
}

void cost_ends_on_target(const EndCosts& given, size_t count, int32_t* TESSERA_RESTRICT out) {
  const EndCosts s = given;
  for (size_t i = 0; i < count; ++i) {
    const float cross = s.ends.r0[i] * s.first[0] + s.ends.g0[i] * s.first[1] +
                        s.ends.b0[i] * s.first[2] + s.ends.r1[i] * s.second[0] +
                        s.ends.g1[i] * s.second[1] + s.ends.b1[i] * s.second[2];
    const float cost = s.squares + s.c * s.product00[i] + s.b * s.product01[i] +
                       s.a * s.product11[i] - cross + s.lambda * s.bits[i];
    out[i] = make_cost(cost, s.scale, i);
  }
}

int32_t least_cost_on_target(const int32_t* costs, size_t count) {
  int32_t least = INT32_MAX;
  for (size_t i = 0; i < count; ++i) {
    least = costs[i] < least ? costs[i] : least;
  }
  return least;
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
#include "spmd/dispatch.h"

namespace tessera::bc1 {

TESSERA_EXPORT(cost_selectors_on_target);
TESSERA_EXPORT(cost_whole_on_target);
TESSERA_EXPORT(cost_ends_on_target);
TESSERA_EXPORT(least_cost_on_target);

void cost_selectors(const SelectorCosts& given, size_t count, int32_t* out) {
  TESSERA_DISPATCH(cost_selectors_on_target)(given, count, out);
}

void cost_whole(const WholeCosts& given, size_t count, int32_t* out) {
  TESSERA_DISPATCH(cost_whole_on_target)(given, count, out);
}

void cost_ends(const EndCosts& given, size_t count, int32_t* out) {
  TESSERA_DISPATCH(cost_ends_on_target)(given, count, out);
}

int32_t least_cost(const int32_t* costs, size_t count) {
  return TESSERA_DISPATCH(least_cost_on_target)(costs, count);
}

}  // namespace tessera::bc1
#endif  // TESSERA_ONCE
