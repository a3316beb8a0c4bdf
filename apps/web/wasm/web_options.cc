// Reads options of JavaScript.
#include "web_options.h"

#include <algorithm>

#include "api/encode_plan.h"
#include "codec/registry.h"
#include "tessera/tessera.h"

namespace tessera::web {

WebOptions::WebOptions(const char* text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const size_t equals = line.find('=');
    if (equals != std::string_view::npos) {
      options_.push_back(
          {std::string(line.substr(0, equals)), std::string(line.substr(equals + 1))});
    }
  }
}

std::optional<std::string> WebOptions::take(std::string_view key) {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const OptionValue& option) { return option.key == key; });
  if (found == options_.end()) {
    return std::nullopt;
  }
  std::string value = std::move(found->value);
  options_.erase(found);
  return value;
}

bool WebOptions::take_flag(std::string_view key) {
  return take(key).value_or("") == "1";
}

Result<EncodePlan> read_web_plan(const char* text) {
  WebOptions options(text);
  const auto format = options.take("format");
  const auto block = options.take("block");
  const auto preset = options.take("preset");
  const auto profile = options.take("profile");
  const auto swizzle = options.take("swizzle");
  const auto container = options.take("container");
  const auto use = options.take("as");
  const auto pointer = [](const std::optional<std::string>& value) {
    return value ? value->c_str() : nullptr;
  };
  tessera_encode_options given = TESSERA_ENCODE_OPTIONS_INIT;
  given.format = pointer(format);
  given.block = pointer(block);
  given.preset = pointer(preset);
  given.profile = pointer(profile);
  given.swizzle = pointer(swizzle);
  given.container = pointer(container);
  given.use = pointer(use);
  given.mips = options.take_flag("mips") ? 1 : 0;
  given.linear = options.take_flag("linear") ? 1 : 0;
  given.normal_map = options.take_flag("normal") ? 1 : 0;
  const bool tells_settings = !options.take_flag("unknown-settings");
  std::vector<tessera_option> named;
  for (const OptionValue& option : options.others()) {
    if (option.key == "rdo" || option.key == "rdo-size" || api::is_goal_option(option.key)) {
      return unsupported_error("--" + option.key + " is not part of this module");
    }
    named.push_back({option.key.c_str(), option.value.c_str()});
  }
  given.options = named.data();
  given.option_count = named.size();
  TESSERA_ASSIGN_OR_RETURN(EncodePlan plan, api::read_encode_plan(&given));
  if (plan.container == ContainerType::kKtx) {  // levels could not be put into it one by one
    return unsupported_error(".ktx files are for the command; here are .ktx2 files");
  }
  if (plan.group != PictureGroup::kNone || plan.edits.any()) {
    return unsupported_error("arrays, cube maps and changes of pictures are made by the command");
  }
  plan = plan_for_picture(plan, {});  // pictures of JavaScript are sRGB
  if (!tells_settings) {
    plan.container_options.made_with.clear();
  }
  return plan;
}

Result<DecodeOptions> read_web_decode_options(WebOptions& options) {
  DecodeOptions result;
  if (const auto profile = options.take("profile")) {
    result.profile = parse_profile(*profile);
    if (!result.profile) {
      return usage_error("'" + *profile + "' is not a profile (ldr, srgb, hdr)");
    }
  }
  result.options = options.others();
  TESSERA_RETURN_IF_ERROR(check_decode_options_of_any(result.options));
  return result;
}

}  // namespace tessera::web
