// All methods that measure exactly, in one file: most of what each needs is what they share.
#include "bc/encode_methods.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "bc/encode_fit.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "bc/encode_fit-inl.h"
#include "bc/fit_cluster-inl.h"
#include "bc/fit_lspiro-inl.h"
#include "bc/fit_pair-inl.h"
#include "bc/fit_range-inl.h"
#include "bc/fit_starts-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

struct MethodFitter {
  template <int kSteps>
  TESSERA_INLINE Fit fit(const BlockLanes& block, const Settings& settings) const {
    switch (settings.method) {
      case Method::kRange:
        return fit_range<kSteps>(block, settings);
      case Method::kStarts:
        return fit_starts<kSteps>(block, settings);
      case Method::kCluster:
        return fit_cluster<kSteps>(block, settings);
      case Method::kLspiro:
        return fit_lspiro<kSteps>(block, settings);
      case Method::kBounds:
      case Method::kFarthest:
      case Method::kLuma:
        break;
    }
    return fit_pair<kSteps>(block, settings);
  }
};

void encode_rows_fit_on_target(const RowRange& range, const Settings& settings,
                               std::span<uint8_t> out) {
  encode_rows_fit(range, settings, MethodFitter(), out);
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::bc1 {

TESSERA_EXPORT(encode_rows_fit_on_target);

void encode_rows_fit(const RowRange& range, const Settings& settings, std::span<uint8_t> out) {
  TESSERA_DISPATCH(encode_rows_fit_on_target)(range, settings, out);
}

}  // namespace tessera::bc1
#endif  // TESSERA_ONCE
