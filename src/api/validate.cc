// Files and the rules that they keep, in the C interface.
#include "api/context.h"
#include "api/decode.h"
#include "api/errors.h"
#include "api/handles.h"
#include "base/json.h"
#include "containers/container_rules.h"
#include "containers/ktx2_file.h"
#include "containers/texture_file.h"
#include "files/any_image.h"
#include "files/file.h"

namespace tessera::api {
namespace {

const char* outcome_name(RuleResult::Outcome outcome) {
  switch (outcome) {
    case RuleResult::Outcome::kKept:
      return "kept";
    case RuleResult::Outcome::kBroken:
      return "broken";
    case RuleResult::Outcome::kNotChecked:
      break;
  }
  return "not checked";
}

Json to_json(const RuleList& rules, const std::string& name, ContainerType type) {
  Json list = Json::Array();
  bool is_valid = true;
  for (const RuleResult& result : rules.results()) {
    Json rule = Json::object({{"rule", result.rule}, {"outcome", outcome_name(result.outcome)}});
    if (result.outcome != RuleResult::Outcome::kKept) {
      rule.set("found", result.found);
    }
    is_valid = is_valid && result.outcome != RuleResult::Outcome::kBroken;
    list.push_back(std::move(rule));
  }
  return Json::object({{"file", name},
                       {"type", container_type_name(type).substr(1)},
                       {"valid", is_valid},
                       {"rules", std::move(list)}});
}

}  // namespace
}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_validate_file(const char* path, const tessera_control* control,
                                     tessera_buffer** json, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(json, "json"));
    *json = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(path, "path"));
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    const ReadBudget budget(run.limits, run.cancelled);
    const std::string name = display_name(path);
    TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path, budget, is_known_file));
    const auto type = is_ktx2_file(bytes) ? ContainerType::kKtx2 : detect_container_type(bytes);
    if (type != ContainerType::kKtx2 && type != ContainerType::kKtx &&
        type != ContainerType::kDds) {
      return invalid_error(name + " is no .ktx2, .ktx or .dds file");
    }
    const RuleList rules = *type == ContainerType::kKtx2  ? check_ktx2_rules(bytes, budget)
                           : *type == ContainerType::kKtx ? check_ktx_rules(bytes)
                                                          : check_dds_rules(bytes);
    give_text(to_json(rules, name, *type).text(), json);
    return {};
  });
}
