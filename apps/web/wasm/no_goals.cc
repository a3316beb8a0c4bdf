// The modules leave out the search for settings that reach a goal: browsers have to load what it
// takes.
#include "codec/goal_rules.h"
#include "codec/goal_search.h"

namespace tessera {

// web_options.cc refuses their options.
Result<EncodeGoals> read_goals(const OptionReader& /*reader*/) {
  return EncodeGoals();
}

Status check_goals(const EncodePlan& /*plan*/) {
  return {};
}

std::string goals_text(const EncodeGoals& /*goals*/) {
  return {};
}

Result<EncodedFile> encode_for_goals(const std::vector<ImageView>& /*levels*/,
                                     bool /*alpha_dropped*/, const EncodePlan& /*plan*/,
                                     Backend& /*backend*/, const RunControl& /*control*/) {
  return EncodedFile();  // no plan has goals
}

}  // namespace tessera
