// Writes the settings of a plan as options of the command.
#include "codec/settings_text.h"

#include <string_view>

#include "codec/goal_rules.h"
#include "codec/tone_mapping.h"

namespace tessera {
namespace {

template <class Add>
void add_mip_settings(const EncodePlan& plan, const Add& add) {
  if (plan.mip.filter != MipFilter::kBox) {
    add("mip-filter", plan.mip.filter == MipFilter::kKaiser ? "kaiser" : "lanczos");
  }
  if (plan.mip.edge != MipEdge::kClamp) {
    add("mip-wrap", "wrap");
  }
  if (plan.mip.coverage) {
    add("mip-coverage", number_text(*plan.mip.coverage));
  }
}

template <class Add>
void add_group(const EncodePlan& plan, const Add& add) {
  if (plan.group != PictureGroup::kNone) {
    add(plan.group == PictureGroup::kCube    ? "cube"
        : plan.group == PictureGroup::kArray ? "array"
                                             : "volume",
        "");
  }
  if (plan.cube_size) {
    add("cube-size", std::to_string(*plan.cube_size));
  }
}

// What is done to the picture first.
template <class Add>
void add_changes(const EncodePlan& plan, const Add& add) {
  for (const OptionValue& option :
       plan.tone_map ? tone_map_options(*plan.tone_map) : OptionList()) {
    add(option.key, option.value);
  }
  for (const auto& [name, is_on] :
       {std::pair{"yflip", plan.edits.yflip}, std::pair{"premultiply", plan.edits.premultiply},
        std::pair{"normalize", plan.edits.normalize}}) {
    if (is_on) {
      add(name, "");
    }
  }
}

}  // namespace

std::string settings_text(const EncodePlan& plan) {
  std::string text = "--format " + std::string(plan.codec->name());
  const auto add = [&](const std::string& key, const std::string& value) {
    text += " --" + key + (value.empty() ? "" : " " + value);
  };
  const CodecSettings& settings = plan.settings;
  const EncodeGoals& goals = plan.goals;
  if (goals.any()) {
    text += " " + goals_text(goals);
  }
  const bool block_is_open = goals.any() && goals.block_is_open;
  if (plan.codec->row().payload == PayloadKind::kBlocks && !block_is_open) {
    add("block", block_size_name(plan.codec->block_of(settings)));
  }
  if (settings.quality) {
    add("quality", number_text(double{*settings.quality}));
  } else if (!goals.any() || !goals.preset_is_open) {
    add("preset", std::string(preset_name(settings.preset)));
  }
  if (!settings.method.empty()) {
    add("method", settings.method);
  }
  if (!plan.use.empty()) {
    add("as", plan.use);
  }
  if (settings.profile != Profile::kLdr) {
    add("profile", std::string(profile_name(settings.profile)));
  }
  if (settings.normal_map) {
    add("normal", "");
  }
  if (!plan.swizzle.is_identity()) {
    add("swizzle", swizzle_text(plan.swizzle));
  }
  if (plan.linear) {
    add("linear", "");
  }
  if (!settings.channel_weights.empty()) {
    add("channel-weights", settings.channel_weights);
  }
  for (const OptionValue& option : settings.options) {
    const OptionDescriptor* const known = find_option(plan.codec->encode_options(), option.key);
    const bool is_flag = known != nullptr && known->kind == OptionKind::kFlag;
    add(option.key, is_flag ? "" : option.value);
  }
  add_group(plan, add);
  add_changes(plan, add);
  if (plan.mips) {
    add("mips", "");
    add_mip_settings(plan, add);
  }
  return text;
}

}  // namespace tessera
