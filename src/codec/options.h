// Options of codecs as data: a codec publishes what it knows, and takes key/value strings. Faces
// (the command, the C interface, Python) show and pass on what they find, and name no option.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tessera {

// Six digits at most, the same in every locale.
std::string number_text(double value);

enum class OptionKind : uint8_t {
  kFlag,    // on when it is given; "", "1" or "true", or "0" or "false"
  kWhole,   // a whole number
  kNumber,  // a number
  kText,
  kChoice,  // one of some names
};

struct OptionDescriptor {
  std::string_view key;  // the command's long option without its dashes: "lspiro-steps"
  OptionKind kind = OptionKind::kFlag;
  double least = 0;  // of numbers
  double most = 0;
  bool above_least = false;  // the least value itself is not allowed
  std::span<const std::string_view> choices;
  std::string_view what_choices_are;  // for messages: "a decode mode"
  std::string_view value_name;        // for help: "N"
  std::string_view help;              // a sentence without its full stop
};

struct OptionValue {
  std::string key;
  std::string value;
};
using OptionList = std::vector<OptionValue>;

// What a list says, checked against descriptors. The last value of a key counts.
class OptionReader {
 public:
  OptionReader(const OptionList& list, std::span<const OptionDescriptor> descriptors)
      : list_(list), descriptors_(descriptors) {}

  // Whether every value of the list fits its descriptor. Keys without one are not looked at.
  Status check() const;

  // After check(): the value, or nothing where it is not given. `key` must have a descriptor.
  bool flag(std::string_view key) const;
  std::optional<uint32_t> whole(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  // The position among the descriptor's choices.
  std::optional<size_t> choice(std::string_view key) const;

 private:
  const std::string* find(std::string_view key) const;

  const OptionList& list_;
  std::span<const OptionDescriptor> descriptors_;
};

const OptionDescriptor* find_option(std::span<const OptionDescriptor> descriptors,
                                    std::string_view key);

// The part of a list that has descriptors.
OptionList known_options(const OptionList& list, std::span<const OptionDescriptor> descriptors);

}  // namespace tessera
