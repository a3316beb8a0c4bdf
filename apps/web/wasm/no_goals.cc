// The modules leave out the search for settings that reach a goal: browsers have to load what it
// takes.
#include "codec/goal_rules.h"
#include "codec/goal_search.h"

namespace tessera {

Status check_goals(const EncodePlan& plan) {
  return plan.goals.any() ? unsupported_error("targets and limits are not part of this module")
                          : Status();
}

// Any text: what is asked for is refused by check_goals().
Status set_error_limits(const std::string& /*text*/, EncodeGoals& goals) {
  goals.max_error = 0;
  return {};
}

std::string goals_text(const EncodeGoals& /*goals*/) {
  return {};
}

Result<EncodedFile> encode_for_goals(const std::vector<ImageView>& /*levels*/,
                                     bool /*alpha_dropped*/, const EncodePlan& plan,
                                     Backend& /*backend*/, const RunControl& /*control*/) {
  return check_goals(plan).error();
}

}  // namespace tessera
