// The rules that a .ktx2, .ktx or .dds file has to keep, one by one: for people who want to know
// all that is wrong with a file. Readers stop at the first thing that they cannot do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/read_budget.h"

namespace tessera {

struct RuleResult {
  enum class Outcome : uint8_t { kKept, kBroken, kNotChecked };
  std::string rule;
  Outcome outcome = Outcome::kKept;
  std::string found;  // what is wrong, or why it was not checked
};

class RuleList {
 public:
  // `found` is told where the rule is not kept.
  bool check(const std::string& rule, bool is_kept, const std::string& found = "");
  void skip(const std::string& rule, const std::string& why);
  const std::vector<RuleResult>& results() const { return results_; }

 private:
  std::vector<RuleResult> results_;
};

// Rules of the KTX File Format Specification 2.0. Levels that are compressed with Zstandard are
// unpacked as far as the budget goes.
RuleList check_ktx2_rules(ByteSpan bytes, const ReadBudget& budget = {});
// Rules of the KTX File Format Specification 1.
RuleList check_ktx_rules(ByteSpan bytes);
// Rules of Microsoft's programming guide for DDS.
RuleList check_dds_rules(ByteSpan bytes);

}  // namespace tessera
