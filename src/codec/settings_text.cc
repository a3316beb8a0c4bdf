// Writes the settings of a plan as options of the command.
#include "codec/settings_text.h"

#include <string_view>

namespace tessera {
namespace {

std::string swizzle_text(const Swizzle& swizzle) {
  constexpr std::string_view kNames = "rgba01";  // in the order of Component
  std::string text;
  for (const Component component : swizzle.components) {
    text += kNames[static_cast<size_t>(component)];
  }
  return text;
}

}  // namespace

std::string settings_text(const EncodePlan& plan) {
  std::string text = "--format " + std::string(plan.codec->name());
  const auto add = [&](const std::string& key, const std::string& value) {
    text += " --" + key + (value.empty() ? "" : " " + value);
  };
  const CodecSettings& settings = plan.settings;
  if (plan.codec->row().payload == PayloadKind::kBlocks) {
    add("block", block_size_name(plan.codec->block_of(settings)));
  }
  if (settings.quality) {
    add("quality", number_text(double{*settings.quality}));
  } else {
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
  if (plan.mips) {
    add("mips", "");
  }
  return text;
}

}  // namespace tessera
