// Chooses the target that kernels run on: the best that the processor has, or the one asked for.
#include "spmd/isa.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>

#include "spmd/dispatch.h"
#include "spmd/processor.h"
#include "spmd/target_list.h"
#ifndef TESSERA_SCALAR_LANES
#include "hwy/targets.h"
#endif

namespace tessera {
namespace {

constexpr int kNotChosen = -1;
std::atomic<int> chosen{kNotChosen};

const char* baseline_name() {
#ifdef TESSERA_SCALAR_LANES
  return "SCALAR";
#else
  return hwy::TargetName(HWY_STATIC_TARGET);
#endif
}

// AVX3_DL has no name of its own: it is AVX3 with one more instruction, which few kernels use.
const char* name_of(Target target) {
  if (TESSERA_HAS_AVX3 && target <= Target::kAvx3) {
    return "AVX3";
  }
  return TESSERA_HAS_AVX2 && target <= Target::kAvx2 ? "AVX2" : baseline_name();
}

Target best_target() {
  if (processor_runs_avx3_dl()) {
    return Target::kAvx3Dl;
  }
  if (processor_runs_avx3()) {
    return Target::kAvx3;
  }
  return processor_runs_avx2() ? Target::kAvx2 : Target::kBaseline;
}

// Targets that have a name, that this build contains and that this machine can run, best first.
std::vector<Target> runnable_targets() {
  std::vector<Target> targets;
  if (TESSERA_HAS_AVX3 && processor_runs_avx3()) {
    targets.push_back(Target::kAvx3);
  }
  if (TESSERA_HAS_AVX2 && processor_runs_avx2()) {
    targets.push_back(Target::kAvx2);
  }
  targets.push_back(Target::kBaseline);
  return targets;
}

std::string to_upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

}  // namespace

Target chosen_target() {
  int target = chosen.load(std::memory_order_relaxed);
  if (target == kNotChosen) {
    // Another thread may have chosen in the meantime: then its choice is read into `target`.
    const int best = static_cast<int>(best_target());
    target = chosen.compare_exchange_strong(target, best) ? best : target;
  }
  return static_cast<Target>(target);
}

std::string active_isa() {
  return name_of(chosen_target());
}

std::vector<std::string> available_isas() {
  std::vector<std::string> names;
  for (const Target target : runnable_targets()) {
    names.emplace_back(name_of(target));
  }
  return names;
}

Status restrict_isa(std::string_view name) {
  if (name.empty()) {
    chosen.store(kNotChosen);
    return {};
  }
  const std::string wanted = to_upper(name);
  std::string known;
  for (const Target target : runnable_targets()) {
    if (wanted == to_upper(name_of(target))) {
      chosen.store(static_cast<int>(target));
      return {};
    }
    known += (known.empty() ? "" : ", ") + std::string(name_of(target));
  }
  return usage_error("the instruction set '" + std::string(name) +
                     "' is not available here (there are: " + known + ")");
}

Status check_processor() {
  return processor_runs_baseline()
             ? Status()
             : unsupported_error(std::string("this build needs a processor with ") +
                                 baseline_name());
}

Status restrict_isa_from_environment() {
  const char* wanted = std::getenv("TESSERA_ISA");
  return wanted == nullptr ? Status() : restrict_isa(wanted);
}

}  // namespace tessera
