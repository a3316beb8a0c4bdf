// Sets and merges settings of encoding.
#include "settings.h"

#include <algorithm>
#include <array>
#include <utility>

#include "client.h"
#include "suggestion.h"

namespace tessera::cli {
namespace {

constexpr std::array<std::pair<const char*, std::string EncodeOptions::*>, 7> kTexts = {{
    {"format", &EncodeOptions::format},
    {"container", &EncodeOptions::container},
    {"block", &EncodeOptions::block},
    {"preset", &EncodeOptions::preset},
    {"as", &EncodeOptions::use},
    {"profile", &EncodeOptions::profile},
    {"swizzle", &EncodeOptions::swizzle},
}};

constexpr std::array<std::pair<const char*, bool EncodeOptions::*>, 3> kFlags = {{
    {"mips", &EncodeOptions::mips},
    {"linear", &EncodeOptions::linear},
    {"normal", &EncodeOptions::normal_map},
}};

void remove_option(const std::string& key, EncodeOptions& options) {
  std::erase_if(options.options, [&](const Option& option) { return option.key == key; });
}

void set_option(const Option& option, EncodeOptions& options) {
  remove_option(option.key, options);
  options.options.push_back(option);
  if (option.key == "quality") {
    options.preset.clear();
  }
}

Result<bool> read_flag(const std::string& name, const std::string& value) {
  if (value != "true" && value != "false" && value != "1" && value != "0") {
    return usage_error(name + " is true or false, not '" + value + "'");
  }
  return value == "true" || value == "1";
}

}  // namespace

Status set_by_name(const std::string& name, const std::string& value, EncodeOptions& options) {
  for (const auto& [known, text] : kTexts) {
    if (name == known) {
      options.*text = value;
      if (name == "preset") {
        remove_option("quality", options);
      }
      return {};
    }
  }
  for (const auto& [known, flag] : kFlags) {
    if (name == known) {
      const auto read = read_flag(name, value);
      if (!read) {
        return read.error();
      }
      options.*flag = *read;
      return {};
    }
  }
  const std::vector<OptionInfo> infos = encode_option_list();
  const auto info = std::find_if(infos.begin(), infos.end(),
                                 [&](const OptionInfo& one) { return one.key == name; });
  if (info == infos.end()) {
    return usage_error("'" + name + "' is no setting" + suggestion_for(name, setting_names()));
  }
  if (info->kind != TESSERA_OPTION_FLAG) {
    set_option({name, value}, options);
    return {};
  }
  const auto read = read_flag(name, value);
  if (!read) {
    return read.error();
  }
  remove_option(name, options);
  if (*read) {
    options.options.push_back({name, "1"});
  }
  return {};
}

void set_given(const EncodeOptions& given, EncodeOptions& options) {
  for (const auto& [name, text] : kTexts) {
    if (!(given.*text).empty()) {
      options.*text = given.*text;
    }
  }
  if (!given.preset.empty()) {
    remove_option("quality", options);
  }
  for (const auto& [name, flag] : kFlags) {
    options.*flag = options.*flag || given.*flag;
  }
  for (const Option& option : given.options) {
    set_option(option, options);
  }
  if (!given.preset.empty()) {  // both were given: the library says what is wrong with that
    options.preset = given.preset;
  }
  options.metrics = given.metrics;
  options.mip_files = given.mip_files;
  options.keys = given.keys;
  options.transcode = given.transcode;
  options.source_profile = given.source_profile;
}

std::string text_of(const EncodeOptions& options) {
  std::string text;
  for (const auto& [name, value] : kTexts) {
    text += options.*value + "\n";
  }
  for (const auto& [name, flag] : kFlags) {
    text += options.*flag ? "1" : "0";
  }
  for (const Option& option : options.options) {
    text += "\n" + option.key + "=" + option.value;
  }
  return text;
}

Status check_has_effect(const EncodeOptions& options, const std::string& container) {
  const auto has = [&](const std::string& key) {
    return std::any_of(options.options.begin(), options.options.end(),
                       [&](const Option& option) { return option.key == key; });
  };
  for (const char* key : {"mip-filter", "mip-wrap", "mip-coverage"}) {
    if (has(key) && !options.mips) {
      return usage_error("--" + std::string(key) + " needs --mips");
    }
  }
  if (has("zstd-level") && !has("zstd")) {
    return usage_error("--zstd-level needs --zstd");
  }
  if (has("dx10") && container != "dds") {
    return usage_error("--dx10 is for .dds files, and this one is ." + container);
  }
  return {};
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  names.reserve(std::size(kTexts) + std::size(kFlags));
  for (const auto& [name, text] : kTexts) {
    names.emplace_back(name);
  }
  for (const auto& [name, flag] : kFlags) {
    names.emplace_back(name);
  }
  for (const OptionInfo& info : encode_option_list()) {
    names.push_back(info.key);
  }
  return names;
}

}  // namespace tessera::cli
