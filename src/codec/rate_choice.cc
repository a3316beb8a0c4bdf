// Tries numbers of --rdo on parts of a picture.
#include "codec/rate_choice.h"

#include <cmath>
#include <vector>

namespace tessera {

Result<ChosenRate> choose_rate(const RateSearch& search, size_t parts, const BitsOfPart& bits,
                               Backend& backend, const RunControl& control) {
  const RunControl quiet = {{}, control.cancelled, control.limits};
  const auto bits_of_all = [&](float number) -> Result<double> {
    std::vector<double> own(parts);
    const auto count_range = [&](size_t begin, size_t end) -> Status {
      for (size_t i = begin; i < end; ++i) {
        TESSERA_ASSIGN_OR_RETURN(own[i], bits(i, number));
      }
      return {};
    };
    TESSERA_RETURN_IF_ERROR(backend.run({parts, 1}, count_range, quiet));
    double sum = 0;
    for (const double one : own) {
      sum += one;
    }
    return sum;
  };
  TESSERA_ASSIGN_OR_RETURN(const double all, bits_of_all(search.almost_none));
  const double wanted = all * double{search.size};
  ChosenRate chosen;
  chosen.is_reached = false;
  float low = search.lowest, factor = std::sqrt(search.highest / search.lowest);
  for (unsigned i = 0; i < search.steps; ++i) {
    TESSERA_ASSIGN_OR_RETURN(const double own, bits_of_all(low * factor));
    const bool is_enough = own <= wanted;
    low = is_enough ? low : low * factor;
    factor = std::sqrt(factor);
    if (is_enough || !chosen.is_reached) {
      chosen.left = all > 0 ? static_cast<float>(own / all) : 1.0F;
    }
    chosen.is_reached |= is_enough;
    if (control.progress) {
      control.progress((i + 1.0) / search.steps);
    }
  }
  chosen.number = low * factor;
  return chosen;
}

}  // namespace tessera
