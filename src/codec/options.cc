// Checking and reading key/value options.
#include "codec/options.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/decimal.h"

namespace tessera {

std::string number_text(double value) {
  return decimal_text(value);
}

namespace {

std::optional<bool> parse_flag(const std::string& text) {
  if (text.empty() || text == "1" || text == "true") {
    return true;
  }
  return text == "0" || text == "false" ? std::optional(false) : std::nullopt;
}

// The whole text.
std::optional<double> parse_number(const std::string& text) {
  std::string_view rest = text;
  const auto value = take_double(rest);
  return rest.empty() ? value : std::nullopt;
}

Status check_number(const OptionDescriptor& option, const std::string& text) {
  const auto value = parse_number(text);
  const bool whole = option.kind == OptionKind::kWhole;
  if (!value || (whole && std::floor(*value) != *value)) {
    return usage_error("'" + text + "' is not a " + (whole ? "whole " : "") + "number for --" +
                       std::string(option.key));
  }
  const bool too_low = option.above_least ? !(*value > option.least) : !(*value >= option.least);
  if (too_low || !(*value <= option.most)) {
    const std::string range =
        option.most < 1e18
            ? number_text(option.least) + " to " + number_text(option.most)
            : (option.above_least ? "above " : "at least ") + number_text(option.least);
    return usage_error("--" + std::string(option.key) + " must be " + range + ", not " + text);
  }
  return {};
}

Status check_choice(const OptionDescriptor& option, const std::string& text) {
  if (std::find(option.choices.begin(), option.choices.end(), text) != option.choices.end()) {
    return {};
  }
  std::string names;
  for (const std::string_view name : option.choices) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return usage_error("'" + text + "' is not " + std::string(option.what_choices_are) + " (" +
                     names + ")");
}

Status check_value(const OptionDescriptor& option, const std::string& text) {
  switch (option.kind) {
    case OptionKind::kFlag:
      return parse_flag(text) ? Status()
                              : Status(usage_error("--" + std::string(option.key) +
                                                   " is on or off, not '" + text + "'"));
    case OptionKind::kWhole:
    case OptionKind::kNumber:
      return check_number(option, text);
    case OptionKind::kChoice:
      return check_choice(option, text);
    case OptionKind::kText:
      break;
  }
  return {};
}

}  // namespace

const OptionDescriptor* find_option(std::span<const OptionDescriptor> descriptors,
                                    std::string_view key) {
  const auto found =
      std::find_if(descriptors.begin(), descriptors.end(),
                   [&](const OptionDescriptor& option) { return option.key == key; });
  return found == descriptors.end() ? nullptr : &*found;
}

OptionList known_options(const OptionList& list, std::span<const OptionDescriptor> descriptors) {
  OptionList known;
  for (const OptionValue& option : list) {
    if (find_option(descriptors, option.key) != nullptr) {
      known.push_back(option);
    }
  }
  return known;
}

Status OptionReader::check() const {
  for (const OptionValue& value : list_) {
    if (const OptionDescriptor* option = find_option(descriptors_, value.key)) {
      TESSERA_RETURN_IF_ERROR(check_value(*option, value.value));
    }
  }
  return {};
}

const std::string* OptionReader::find(std::string_view key) const {
  assert(find_option(descriptors_, key) != nullptr);
  const auto found = std::find_if(list_.rbegin(), list_.rend(),
                                  [&](const OptionValue& value) { return value.key == key; });
  return found == list_.rend() ? nullptr : &found->value;
}

bool OptionReader::flag(std::string_view key) const {
  const std::string* text = find(key);
  return text != nullptr && parse_flag(*text).value_or(false);
}

std::optional<uint32_t> OptionReader::whole(std::string_view key) const {
  const auto value = number(key);
  return value ? std::optional(static_cast<uint32_t>(*value)) : std::nullopt;
}

std::optional<double> OptionReader::number(std::string_view key) const {
  const std::string* text = find(key);
  return text == nullptr ? std::nullopt : parse_number(*text);
}

std::optional<std::string> OptionReader::text(std::string_view key) const {
  const std::string* text = find(key);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<size_t> OptionReader::choice(std::string_view key) const {
  const std::string* text = find(key);
  if (text == nullptr) {
    return std::nullopt;
  }
  const std::span<const std::string_view> choices = find_option(descriptors_, key)->choices;
  return static_cast<size_t>(std::find(choices.begin(), choices.end(), *text) - choices.begin());
}

}  // namespace tessera
