// Lists what a verb takes.
#include "command_list.h"

namespace tessera::cli {
namespace {

Json option_json(const CLI::Option& option) {
  Json names = Json::array();
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  const bool is_flag = option.get_expected_max() == 0;
  return {{"names", names},
          {"value", is_flag ? "" : option.get_type_name()},
          {"default", option.get_default_str()},
          {"required", option.get_required()},
          {"repeatable", option.get_expected_max() > 1},
          {"group", option.get_group()},
          {"help", option.get_description()}};
}

}  // namespace

Json verb_json(const CLI::App& verb) {
  Json positionals = Json::array();
  Json options = Json::array();
  for (const CLI::Option* option : verb.get_options()) {
    Json object = option_json(*option);
    if (option->get_positional()) {
      object["names"] = {option->get_name(true, false)};
      positionals.push_back(std::move(object));
    } else if (!option->get_group().empty()) {
      options.push_back(std::move(object));
    }
  }
  return {{"name", verb.get_name()},
          {"purpose", verb.get_description()},
          {"positionals", positionals},
          {"options", options},
          {"footer", verb.get_footer()}};
}

}  // namespace tessera::cli
