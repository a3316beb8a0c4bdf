// TOML files by toml11, as JSON.
#include <algorithm>
#include <sstream>
#include <string_view>
#include <toml.hpp>

#include "rules.h"

namespace tessera::cli {
namespace {

Json to_json(const toml::value& value) {
  if (value.is_table()) {
    Json object = Json::object();
    for (const auto& [key, one] : value.as_table()) {
      object[key] = to_json(one);
    }
    return object;
  }
  if (value.is_array()) {
    Json array = Json::array();
    for (const toml::value& one : value.as_array()) {
      array.push_back(to_json(one));
    }
    return array;
  }
  if (value.is_boolean()) {
    return value.as_boolean();
  }
  if (value.is_integer()) {
    return value.as_integer();
  }
  if (value.is_floating()) {
    return value.as_floating();
  }
  return value.is_string() ? Json(value.as_string().str) : Json();  // dates are no settings
}

// Looks at a text before the parser does, which calls itself for every bracket within another one
// and takes a time that grows with the square of a line and of a key.
class TomlShape {
 public:
  explicit TomlShape(std::string_view text) : rest_(text) {}

  // What is wrong; "" where nothing is.
  std::string_view check() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '#') {
        skip(std::min(rest_.find('\n'), rest_.size()));
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        take(c);
        skip(1);
      }
      if (depth_ > kDeepestRules || dots_ > kDeepestRules) {
        return kTooDeep;
      }
      if (line_bytes_ > kLongestLine) {
        return "it has a line of more than 8192 bytes";
      }
    }
    return "";
  }

 private:
  static constexpr size_t kLongestLine = 8192;  // bytes

  void take(char c) {
    constexpr std::string_view kOpening = "[{", kClosing = "]}", kBetweenKeys = "=,[]{}\n";
    depth_ += kOpening.find(c) != std::string_view::npos ? 1 : 0;
    depth_ -= depth_ > 0 && kClosing.find(c) != std::string_view::npos ? 1 : 0;
    dots_ = kBetweenKeys.find(c) != std::string_view::npos ? 0 : dots_ + (c == '.' ? 1 : 0);
  }

  void skip(size_t count) {
    const std::string_view skipped = rest_.substr(0, count);
    const size_t last_end = skipped.rfind('\n');
    line_bytes_ = last_end == std::string_view::npos ? line_bytes_ + skipped.size()
                                                     : skipped.size() - last_end;
    rest_.remove_prefix(skipped.size());
  }

  // Up to the quotation mark that ends it, or three of them; one that does not end in its line ends
  // there, as the parser does.
  void skip_string(char mark) {
    const std::string three(3, mark);
    const bool is_long = rest_.starts_with(three);
    const std::string_view end = is_long ? std::string_view(three) : std::string_view(&mark, 1);
    size_t at = end.size();
    while (at < rest_.size() && !rest_.substr(at).starts_with(end) &&
           (is_long || rest_[at] != '\n')) {
      at += rest_[at] == '\\' && mark == '"' ? 2 : 1;
    }
    at = std::min(at, rest_.size());
    skip(at + (rest_.substr(at).starts_with(end) ? end.size() : 0));
    for (int more = 0; is_long && more < 2 && rest_.starts_with(mark); ++more) {
      skip(1);  // the last ones before the end belong to the text
    }
  }

  std::string_view rest_;
  int depth_ = 0;          // brackets that are open
  int dots_ = 0;           // of a key
  size_t line_bytes_ = 0;  // of the line so far
};

}  // namespace

Result<Json> parse_toml(const std::string& text, const std::string& path) {
  if (const std::string_view wrong = TomlShape(text).check(); !wrong.empty()) {
    return Error{ErrorCode::kInvalid, path + ": " + std::string(wrong)};
  }
  try {
    std::istringstream stream(text);
    return to_json(toml::parse(stream, path));
  } catch (const toml::exception& exception) {
    return Error{
        ErrorCode::kInvalid,
        path + ", line " + std::to_string(exception.location().line()) + ": it is not valid TOML"};
  } catch (const std::exception&) {
    return Error{ErrorCode::kInvalid, path + " is not valid TOML"};
  }
}

}  // namespace tessera::cli
