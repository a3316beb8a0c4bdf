// Reads files of rules and makes encoders of what they say.
#include "rules.h"

#include <filesystem>
#include <utility>

#include "settings.h"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;

Error invalid(const std::string& where, const std::string& what) {
  return {ErrorCode::kInvalid, where + ": " + what};
}

// Files of rules are found by themselves beside pictures, so they are hostile like these.
Result<std::string> read_text(const std::string& path) {
  constexpr size_t kLongest = size_t{256} << 10;  // bytes
  Control control = {{}, &stop(), {}};
  control.limits.max_file = kLongest;
  const auto bytes = read_bytes(path, control);
  if (!bytes) {
    return bytes.error().code == ErrorCode::kFailed
               ? invalid(path, "a file of rules has at most 256 KiB")
               : bytes.error();
  }
  return std::string(bytes->text());
}

// What is deeper is left out while it is read: copies of values call themselves for each level.
Result<Json> parse_json(const std::string& text, const std::string& path) {
  bool is_too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t, Json&) {
    is_too_deep = is_too_deep || depth > kDeepestRules;
    return depth <= kDeepestRules;
  };
  Json json = Json::parse(text, keep, false, true);
  if (is_too_deep) {
    return invalid(path, kTooDeep);
  }
  return json.is_discarded() ? Result<Json>(invalid(path, "it is not valid JSON"))
                             : Result<Json>(std::move(json));
}

Result<Json> parse(const std::string& text, const std::string& path) {
  if (path.ends_with(".json")) {
    return parse_json(text, path);
  }
#ifdef TESSERA_HAVE_TOML
  return parse_toml(text, path);
#else
  return Error{ErrorCode::kUnsupported,
               path + " cannot be read: this build knows no TOML; write the rules as " +
                   std::string(kJsonRules)};
#endif
}

Result<std::vector<std::string>> read_patterns(const Json& value, const std::string& where) {
  std::vector<std::string> patterns;
  const Json list = value.is_array() ? value : Json::array({value});
  for (const Json& one : list) {
    if (!one.is_string() || one.get<std::string>().empty()) {
      return invalid(where, "'files' is a pattern, or a list of patterns");
    }
    patterns.push_back(one);
  }
  if (patterns.empty()) {
    return invalid(where, "'files' names no pattern");
  }
  return patterns;
}

// The settings of a table; `files` is not one of them.
Result<RuleSettings> read_settings(const Json& table, const std::string& where) {
  RuleSettings rule;
  rule.where = where;
  if (!table.is_object()) {
    return invalid(where, "it is not a table of settings");
  }
  if (table.contains("preset") && table.contains("quality")) {
    return Error{ErrorCode::kUsage, where + ": preset and quality exclude each other"};
  }
  EncodeOptions checked;
  for (const auto& [key, value] : table.items()) {
    if (key == "files") {
      continue;
    }
    if (value.is_object() || value.is_array() || value.is_null()) {
      return invalid(where, "'" + key + "' needs a text, a number, true or false");
    }
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (const Status known = set_by_name(key, text, checked); !known) {
      return Error{known.error().code, where + ": " + known.error().message};
    }
    rule.settings.push_back({key, text});
  }
  return rule;
}

// Where rules of an input lie.
std::string folder_of(const std::string& input) {
  std::error_code ignored;
  return fs::is_directory(input, ignored) ? input : fs::path(input).parent_path().string();
}

}  // namespace

Result<RuleFile> read_rules(const std::string& path) {
  const auto text = read_text(path);
  if (!text) {
    return text.error();
  }
  const auto json = parse(*text, path);
  if (!json) {
    return json.error();
  }
  RuleFile file;
  file.path = path;
  if (!json->is_object()) {
    return invalid(path, "it holds no tables");
  }
  for (const auto& [key, value] : json->items()) {
    if (key != "defaults" && key != "rules") {
      return invalid(path, "'" + key + "' is neither 'defaults' nor 'rules'");
    }
  }
  const Json defaults = json->value("defaults", Json::object());
  if (defaults.is_object() && defaults.contains("files")) {
    return invalid(path + ", defaults", "they are for all files; 'files' belongs to rules");
  }
  auto usual = read_settings(defaults, path + ", defaults");
  if (!usual) {
    return usual.error();
  }
  file.rules.push_back(std::move(*usual));
  const Json rules = json->value("rules", Json::array());
  if (!rules.is_array()) {
    return invalid(path, "'rules' is a list of tables, [[rules]]");
  }
  for (size_t i = 0; i < rules.size(); ++i) {
    const std::string where = path + ", rule " + std::to_string(i + 1);
    auto rule = read_settings(rules[i], where);
    if (!rule) {
      return rule.error();
    }
    auto patterns = read_patterns(rules[i].value("files", Json()), where);
    if (!patterns) {
      return patterns.error();
    }
    rule->patterns = std::move(*patterns);
    file.rules.push_back(std::move(*rule));
  }
  return file;
}

RuledEncoders::RuledEncoders(RuleOptions rules, EncodeOptions given)
    : where_(std::move(rules)), given_(std::move(given)) {}

Result<const RuleFile*> RuledEncoders::rules_in(const std::string& folder) {
  if (where_.none) {
    return nullptr;
  }
  // "assets" and "assets/" are one folder.
  const std::string key =
      where_.path.empty() ? (fs::path(folder) / "x").lexically_normal().parent_path().string() : "";
  auto found = files_.find(key);
  if (found == files_.end()) {
    found = files_.emplace(key, std::nullopt).first;
    std::string path = where_.path;
    std::error_code ignored;
    for (const char* name : {kTomlRules, kJsonRules}) {
      const std::string beside = (fs::path(folder) / name).string();
      path = path.empty() && fs::is_regular_file(beside, ignored) ? beside : path;
    }
    if (!path.empty()) {
      auto rules = read_rules(path);
      if (!rules) {
        return rules.error();
      }
      found->second = std::move(*rules);
    }
  }
  return found->second ? &*found->second : nullptr;
}

Result<EncodeOptions> RuledEncoders::options_for(const RuleFile* rules,
                                                 const std::string* name) const {
  EncodeOptions options;
  for (size_t i = 0; rules != nullptr && i < rules->rules.size(); ++i) {
    const RuleSettings& rule = rules->rules[i];
    bool is_meant = rule.patterns.empty();
    for (const std::string& pattern : rule.patterns) {
      is_meant = is_meant || (name != nullptr && matches(pattern, *name));
    }
    for (size_t k = 0; is_meant && k < rule.settings.size(); ++k) {
      if (const Status set = set_by_name(rule.settings[k].key, rule.settings[k].value, options);
          !set) {
        return set.error();
      }
    }
  }
  set_given(given_, options);
  // No other format has block sizes to choose from.
  if (options.format.empty() && options.container.empty() && !options.block.empty()) {
    options.format = "astc";
  }
  return options;
}

Result<EncodeOptions> RuledEncoders::options_without_rule(const std::vector<std::string>& inputs) {
  const std::string& first = inputs.front();
  const bool is_path = first != kStandardStream && !first.starts_with('@');
  const auto rules = is_path || !where_.path.empty() ? rules_in(folder_of(first))
                                                     : Result<const RuleFile*>(nullptr);
  if (!rules) {
    return rules.error();
  }
  return options_for(*rules, nullptr);
}

Result<bool> RuledEncoders::may_have_rules(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    const bool is_list = input.starts_with('@');  // rules lie beside what it lists
    const auto rules = is_list || input == kStandardStream ? Result<const RuleFile*>(nullptr)
                                                           : rules_in(folder_of(input));
    if (!rules) {
      return rules.error();
    }
    if (*rules != nullptr || (is_list && !where_.none)) {
      return true;
    }
  }
  return !read_files().empty();
}

Status RuledEncoders::check_has_effect(const std::vector<std::string>& inputs,
                                       const EncodeOptions& options, const std::string& container) {
  Status used = cli::check_has_effect(options, container);
  if (used) {
    return used;
  }
  const auto has_rules = may_have_rules(inputs);
  return !has_rules ? Status(has_rules.error()) : *has_rules ? Status() : used;
}

void RuledEncoders::set_usual(const Encoder& usual, const EncodeOptions& options) {
  encoders_[text_of(options)] = usual.get();
}

Result<EncodeOptions> RuledEncoders::options_of(const std::string& input, const std::string& name) {
  const auto rules = rules_in(input.substr(0, input.size() - name.size()));
  return rules ? options_for(*rules, &name) : rules.error();
}

Result<const tessera_encoder*> RuledEncoders::choose(const std::string& input,
                                                     const std::string& name) {
  if (input == kStandardStream) {
    return nullptr;
  }
  const auto rules = rules_in(input.substr(0, input.size() - name.size()));
  if (!rules) {
    return rules.error();
  }
  const auto options = options_for(*rules, &name);
  if (!options) {
    return options.error();
  }
  const tessera_encoder*& encoder = encoders_[text_of(*options)];
  if (encoder == nullptr) {
    auto made = Encoder::create(*options);
    if (!made) {
      return Error{made.error().code,
                   input + ", as " + (*rules != nullptr ? (*rules)->path : "the command line") +
                       " has it: " + made.error().message};
    }
    made_.push_back(std::make_unique<Encoder>(std::move(*made)));
    encoder = made_.back()->get();
  }
  return encoder;
}

std::vector<std::string> RuledEncoders::read_files() const {
  std::vector<std::string> paths;
  for (const auto& [folder, file] : files_) {
    if (file) {
      paths.push_back(file->path);
    }
  }
  return paths;
}

}  // namespace tessera::cli
