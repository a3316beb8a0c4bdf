// TOML files by toml11, as JSON.
#include <sstream>
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

}  // namespace

Result<Json> parse_toml(const std::string& text, const std::string& path) {
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
