// How lists of option descriptors are written: a call per option.
#pragma once

#include <span>
#include <string_view>

#include "codec/options.h"

namespace tessera::option {

// What browsers have to load goes without sentences that nobody reads there.
#ifdef TESSERA_WITHOUT_HELP
inline constexpr bool kHasHelp = false;
#else
inline constexpr bool kHasHelp = true;
#endif

constexpr OptionDescriptor flag(std::string_view key, std::string_view help) {
  OptionDescriptor option;
  option.key = key;
  option.help = kHasHelp ? help : std::string_view();
  return option;
}

constexpr OptionDescriptor text(std::string_view key, std::string_view value_name,
                                std::string_view help) {
  OptionDescriptor option = flag(key, help);
  option.kind = OptionKind::kText;
  option.value_name = value_name;
  return option;
}

// Whole numbers, or any (`kind`).
constexpr OptionDescriptor number(std::string_view key, OptionKind kind, double least, double most,
                                  std::string_view help) {
  OptionDescriptor option = text(key, "N", help);
  option.kind = kind;
  option.least = least;
  option.most = most;
  return option;
}

constexpr OptionDescriptor choice(std::string_view key, std::span<const std::string_view> choices,
                                  std::string_view what_choices_are, std::string_view help) {
  OptionDescriptor option = text(key, "NAME", help);
  option.kind = OptionKind::kChoice;
  option.choices = choices;
  option.what_choices_are = what_choices_are;
  return option;
}

}  // namespace tessera::option
