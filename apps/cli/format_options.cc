// Turns the library's lists of options into options of the command.
#include "format_options.h"

#include <string>
#include <utility>

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

CLI::Option* add_format_option(CLI::App& command, const OptionInfo& info,
                               std::vector<Option>& options) {
  const std::string name = "--" + info.key;
  if (info.kind == TESSERA_OPTION_FLAG) {
    return command.add_flag_callback(
        name,
        [&options, key = info.key] {
          options.push_back({key, "1"});
        },
        info.help);
  }
  // Ranges and names are the library's to check: it does so for all who call it.
  CLI::Option* added = command.add_option_function<std::string>(
      name,
      [&options, key = info.key](const std::string& value) {
        options.push_back({key, value});
      },
      info.help);
  return added->type_name(value_name_of(info))->check(not_empty());
}

// The list of a command's options, which CLI11 shows to classes that are derived from its own.
class OptionsOf : private CLI::App {
 public:
  static std::vector<CLI::Option_p>& list(CLI::App& command) {
    return command.*(&OptionsOf::options_);
  }
};

}  // namespace

// CLI11 compares the names of a new option with those of all before it, which took a fiftieth of
// the time of a small picture. The library lists each option once (test_command.py looks for others
// of the same name), so those before it are out of sight meanwhile.
void add_format_options(CLI::App& command, const std::vector<OptionInfo>& infos,
                        std::vector<Option>& options) {
  std::vector<CLI::Option_p>& list = OptionsOf::list(command);
  std::vector<CLI::Option_p> before = std::exchange(list, {});
  for (const OptionInfo& info : infos) {
    add_format_option(command, info, options)->group(group_of(info));
    before.push_back(std::move(list.back()));
    list.clear();
  }
  list = std::move(before);
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
          "A text that a .ktx2 file keeps for programs and people, shown by info; may be given "
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
