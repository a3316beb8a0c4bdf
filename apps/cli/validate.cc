// tessera validate: which rules of its container a texture keeps.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client.h"
#include "commands.h"
#include "limit_options.h"

namespace tessera::cli {
namespace {

constexpr const char* kValidateFooter = R"(The exit code is 3 where a rule is broken. Examples:
  tessera validate texture.ktx2
  tessera validate *.dds --json
  tessera validate texture.ktx2 --all)";

struct ValidateCommand {
  std::vector<std::string> inputs;
  Limits limits;
  bool json = false;
  bool all = false;
  bool quiet = false;
};

void print_rules(const Json& file, bool all) {
  size_t kept = 0;
  size_t broken = 0;
  size_t unchecked = 0;
  for (const Json& rule : file["rules"]) {
    const std::string outcome = rule["outcome"];
    ++(outcome == "kept" ? kept : outcome == "broken" ? broken : unchecked);
  }
  std::printf("%s: %s, %zu rules kept, %zu broken, %zu not checked\n",
              printable(file["file"].get<std::string>()).c_str(),
              file["valid"].get<bool>() ? "valid" : "not valid", kept, broken, unchecked);
  for (const Json& rule : file["rules"]) {
    const std::string outcome = rule["outcome"];
    const std::string found = printable(rule.value("found", ""));
    if (all || outcome == "broken") {
      std::printf("  %s: %s%s%s\n", outcome.c_str(),
                  printable(rule["rule"].get<std::string>()).c_str(),
                  found.empty() ? "" : "; found: ", found.c_str());
    }
  }
}

int run_validate(const ValidateCommand& command) {
  Json files = Json::array();
  const auto keep = [&](Json result) {
    if (command.json) {  // else nothing grows with the number of files
      files.push_back(std::move(result));
    }
  };
  std::optional<int> first_failure;
  const auto fail = [&](int code) { first_failure = first_failure.value_or(code); };
  for (const std::string& input : command.inputs) {
    const auto text = validate_file(input, {{}, &stop(), command.limits});
    if (!text) {
      keep(failure_of(input, text.error()));
      fail(report_error(text.error()));
      if (text.error().code == ErrorCode::kInterrupted) {
        break;
      }
      continue;
    }
    const Json file = Json::parse(text->text());
    if (!file["valid"].get<bool>()) {
      fail(static_cast<int>(ErrorCode::kInvalid));
    }
    if (!command.json && !command.quiet) {
      print_rules(file, command.all);
    }
    keep(file);
  }
  if (command.json) {
    print_json(files);
  }
  return first_failure.value_or(0);
}

}  // namespace

void add_validate_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<ValidateCommand>();
  command.footer(kValidateFooter);
  command.add_option("IN", options->inputs, "Textures (.ktx2, .ktx, .dds); - for standard input")
      ->required();
  command.add_flag("--all", options->all, "Tell the rules that are kept, too");
  command.add_flag("--json", options->json, "Print the results as JSON: an array");
  command.add_flag("-q,--quiet", options->quiet, "Print nothing but errors");
  add_limit_options(command, options->limits);
  command.callback([options, &exit_code] { exit_code = run_validate(*options); });
}

}  // namespace tessera::cli
