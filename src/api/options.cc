// The list of options by name in the C interface, made of what the formats publish.
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "api/encode_plan.h"
#include "api/errors.h"
#include "codec/registry.h"

namespace tessera::api {
namespace {

// One option with its strings as C has them.
struct ListedOption {
  std::string key;
  std::string formats;
  std::string help;
  std::string choices;
  std::string value_name;
  OptionDescriptor descriptor;
};

class OptionTable {
 public:
  void add(const OptionDescriptor& descriptor, const std::string& formats) {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const auto& option) {
      return option.key == descriptor.key;
    });
    if (found != options_.end()) {
      found->formats += (found->formats.empty() ? "" : ",") + formats;
      return;
    }
    ListedOption option;
    option.key = descriptor.key;
    option.formats = formats;
    option.help = descriptor.help;
    option.value_name = descriptor.value_name;
    for (const std::string_view choice : descriptor.choices) {
      option.choices += (option.choices.empty() ? "" : ",") + std::string(choice);
    }
    option.descriptor = descriptor;
    options_.push_back(std::move(option));
  }

  const ListedOption* at(size_t index) const {
    return index < options_.size() ? &options_[index] : nullptr;
  }

 private:
  std::vector<ListedOption> options_;
};

// The formats that a common option means something to; options of containers belong to all.
bool is_known_to(const Codec& codec, std::string_view key) {
  const SharedSettings shared = codec.shared_settings();
  if (key == "method") {
    return shared.method;
  }
  if (key == "quality") {
    return shared.quality;
  }
  if (key == "channel-weights") {
    return shared.channel_weights;
  }
  if (is_goal_option(key)) {
    return codec.row().has_several_blocks();
  }
  return codec.row().payload == PayloadKind::kBlocks;
}

OptionTable make_encode_table() {
  OptionTable table;
  for (const OptionDescriptor& descriptor : common_encode_options()) {
    for (const Codec* codec : all_codecs()) {
      if (is_known_to(*codec, descriptor.key)) {
        table.add(descriptor, std::string(codec->name()));
      }
    }
  }
  for (const Codec* codec : all_codecs()) {
    for (const OptionDescriptor& descriptor : codec->encode_options()) {
      table.add(descriptor, std::string(codec->name()));
    }
  }
  return table;
}

OptionTable make_decode_table() {
  OptionTable table;
  for (const Codec* codec : all_codecs()) {
    for (const OptionDescriptor& descriptor : codec->decode_options()) {
      table.add(descriptor, std::string(codec->name()));
    }
  }
  return table;
}

// Made at the first call and never changed.
const OptionTable& table_of(bool decoding) {
  static const OptionTable encode_table = make_encode_table();
  static const OptionTable decode_table = make_decode_table();
  return decoding ? decode_table : encode_table;
}

tessera_option_kind to_c(OptionKind kind) {
  switch (kind) {
    case OptionKind::kFlag:
      return TESSERA_OPTION_FLAG;
    case OptionKind::kWhole:
      return TESSERA_OPTION_INTEGER;
    case OptionKind::kNumber:
      return TESSERA_OPTION_NUMBER;
    case OptionKind::kText:
      return TESSERA_OPTION_TEXT;
    case OptionKind::kChoice:
      break;
  }
  return TESSERA_OPTION_CHOICE;
}

}  // namespace
}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_option_at(int decoding, size_t index, tessera_option_info* info,
                                 tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(info, "info"));
    const ListedOption* const option = table_of(decoding != 0).at(index);
    if (option == nullptr) {
      return usage_error("there is no option number " + std::to_string(index));
    }
    tessera_option_info result = {};
    result.key = option->key.c_str();
    result.formats = option->formats.c_str();
    result.help = option->help.c_str();
    result.kind = to_c(option->descriptor.kind);
    result.least = option->descriptor.least;
    result.most = option->descriptor.most;
    result.above_least = option->descriptor.above_least ? 1 : 0;
    result.choices = option->choices.c_str();
    result.value_name = option->value_name.c_str();
    return write_result(result, info, "tessera_option_info");
  });
}
