// A list of rules that were kept or not.
#include "containers/container_rules.h"

#include <utility>

namespace tessera {

bool RuleList::check(const std::string& rule, bool is_kept, const std::string& found) {
  results_.push_back({rule, is_kept ? RuleResult::Outcome::kKept : RuleResult::Outcome::kBroken,
                      is_kept ? "" : found});
  return is_kept;
}

void RuleList::skip(const std::string& rule, const std::string& why) {
  results_.push_back({rule, RuleResult::Outcome::kNotChecked, why});
}

}  // namespace tessera
