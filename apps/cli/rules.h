// Settings for some of the files of a folder, from a file that lies beside them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "client.h"

namespace tessera::cli {

// The names that a file of rules has where it is found by itself.
inline constexpr const char* kTomlRules = "tessera.toml";
inline constexpr const char* kJsonRules = "tessera.json";

// Of values within each other. Rules need three levels.
inline constexpr int kDeepestRules = 16;
inline constexpr const char* kTooDeep = "its values lie more than 16 levels within each other";

struct RuleSettings {
  std::vector<Option> settings;       // by the names of options
  std::vector<std::string> patterns;  // of names; empty: all files
  std::string where;                  // for messages: "assets/tessera.toml, rule 2"
};

struct RuleFile {
  std::string path;
  std::vector<RuleSettings> rules;  // the defaults first; later ones win
};

// A .json file, or TOML otherwise. One sentence about what is wrong with it.
Result<RuleFile> read_rules(const std::string& path);

// The text of a TOML file as JSON; in builds with toml11.
Result<Json> parse_toml(const std::string& text, const std::string& path);

struct RuleOptions {
  std::string path;   // a file of rules that was named; "": found beside the inputs
  bool none = false;  // there are no rules
};

// The encoder of each file: as the rules say, and the command line where it says something else.
class RuledEncoders {
 public:
  // `given` is what the command line says.
  RuledEncoders(RuleOptions rules, EncodeOptions given);

  // For files that no rule means: what the command line says, and the defaults of the rules of the
  // first input.
  Result<EncodeOptions> options_without_rule(const std::vector<std::string>& inputs);
  // Fails where an option of the command line has no effect. Rules may turn on for some of the
  // files what it is about, so that where there are some nothing is said.
  Status check_has_effect(const std::vector<std::string>& inputs, const EncodeOptions& options,
                          const std::string& container);
  // That encoder, which must outlive this.
  void set_usual(const Encoder& usual, const EncodeOptions& options);

  // Of the file `input` that is called `name` in its folder.
  Result<EncodeOptions> options_of(const std::string& input, const std::string& name);
  Result<const tessera_encoder*> choose(const std::string& input, const std::string& name);

  // The files of rules that were read.
  std::vector<std::string> read_files() const;

 private:
  Result<const RuleFile*> rules_in(const std::string& folder);
  Result<bool> may_have_rules(const std::vector<std::string>& inputs);
  Result<EncodeOptions> options_for(const RuleFile* rules, const std::string* name) const;

  RuleOptions where_;
  EncodeOptions given_;
  std::map<std::string, std::optional<RuleFile>> files_;    // by folder
  std::map<std::string, const tessera_encoder*> encoders_;  // by the text of their options
  std::vector<std::unique_ptr<Encoder>> made_;
};

}  // namespace tessera::cli
