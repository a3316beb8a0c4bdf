// Turns the library's lists of options into options of the command.
#include "format_options.h"

#include <string>

namespace tessera::cli {
namespace {

// "For astc, bc1"
std::string group_of(const OptionInfo& info) {
  std::string group = "For ";
  for (const char c : info.formats) {
    group += c;
    group += c == ',' ? " " : "";
  }
  return group;
}

std::string value_name_of(const OptionInfo& info) {
  if (!info.value_name.empty()) {
    return info.value_name;
  }
  return info.kind == TESSERA_OPTION_TEXT || info.kind == TESSERA_OPTION_CHOICE ? "NAME" : "N";
}

}  // namespace

void add_format_options(CLI::App& command, const std::vector<OptionInfo>& infos,
                        std::vector<Option>& options) {
  for (const OptionInfo& info : infos) {
    const std::string name = "--" + info.key;
    CLI::Option* added = nullptr;
    if (info.kind == TESSERA_OPTION_FLAG) {
      added = command.add_flag_callback(
          name,
          [&options, key = info.key] {
            options.push_back({key, "1"});
          },
          info.help);
    } else {
      // Ranges and names are the library's to check: it does so for all who call it.
      added = command.add_option_function<std::string>(
          name,
          [&options, key = info.key](const std::string& value) {
            options.push_back({key, value});
          },
          info.help);
      added->type_name(value_name_of(info))->check(not_empty());
    }
    added->group(group_of(info));
  }
}

void add_key_option(CLI::App& command, std::vector<Option>& keys) {
  const CLI::Validator is_pair(
      [](const std::string& text) {
        const size_t equals = text.find('=');
        return equals == 0 || equals == std::string::npos ? "needs NAME=VALUE" : std::string();
      },
      "");
  command
      .add_option_function<std::vector<std::string>>(
          "--key",
          [&keys](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const size_t equals = text.find('=');
              keys.push_back({text.substr(0, equals), text.substr(equals + 1)});
            }
          },
          "A text that a .ktx2 or .ktx file keeps for programs and people, shown by info; may be "
          "given "
          "several times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->check(is_pair);
}

CLI::Validator not_empty() {
  return {[](const std::string& value) { return value.empty() ? "needs a value" : std::string(); },
          ""};
}

}  // namespace tessera::cli
