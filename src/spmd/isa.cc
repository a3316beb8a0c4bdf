#include "spmd/isa.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "spmd/isa.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::HWY_NAMESPACE {

const char* compiled_target_name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace tessera::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(compiled_target_name);

namespace {

// The choice is cached by Highway: refresh it after a change.
void set_targets(int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

std::string to_upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

// Targets of this machine, whatever restriction is in force.
std::vector<int64_t> runnable_targets() {
  const int64_t restricted = hwy::SupportedTargets();
  hwy::SetSupportedTargetsForTest(0);
  std::vector<int64_t> targets = hwy::SupportedAndGeneratedTargets();
  hwy::SetSupportedTargetsForTest(restricted);
  // The baseline always runs, also where the Highway library was built with another fallback.
  if (std::find(targets.begin(), targets.end(), HWY_STATIC_TARGET) == targets.end()) {
    targets.push_back(HWY_STATIC_TARGET);
  }
  return targets;
}

}  // namespace

std::string active_isa() {
  return HWY_DYNAMIC_DISPATCH(compiled_target_name)();
}

std::vector<std::string> available_isas() {
  std::vector<std::string> names;
  for (const int64_t target : runnable_targets()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

Status restrict_isa(std::string_view name) {
  if (name.empty()) {
    set_targets(0);
    return {};
  }
  const std::string wanted = to_upper(name);
  std::string known;
  for (const int64_t target : runnable_targets()) {
    if (wanted == to_upper(hwy::TargetName(target))) {
      set_targets(target);
      return {};
    }
    known += (known.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
  }
  return usage_error("the instruction set '" + std::string(name) +
                     "' is not available here (there are: " + known + ")");
}

Status check_processor() {
#if HWY_ARCH_X86
  if (!__builtin_cpu_supports("sse4.2")) {
    return unsupported_error("this build needs a processor with SSE4.2");
  }
#endif
  return {};
}

Status restrict_isa_from_environment() {
  const char* wanted = std::getenv("TESSERA_ISA");
  return wanted == nullptr ? Status() : restrict_isa(wanted);
}

}  // namespace tessera
#endif  // HWY_ONCE
