// Writing JSON texts.
#include "base/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/exact_decimal.h"
#include "base/utf8.h"

namespace tessera {
namespace {

void write_control_character(std::string& out, char character) {
  constexpr std::string_view kNamed = "\b\t\n\f\r";
  constexpr std::string_view kNames = "btnfr";
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (const size_t index = kNamed.find(character); index != std::string_view::npos) {
    out += '\\';
    out += kNames[index];
    return;
  }
  const auto code = static_cast<unsigned char>(character);
  out += "\\u00";
  out += kDigits[code >> 4];
  out += kDigits[code & 15];
}

void write_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const size_t count = utf8_bytes(text);
    const char first = text.front();
    if (count == 0) {
      out += "\xEF\xBF\xBD";
    } else if (first == '"' || first == '\\') {
      out += '\\';
      out += first;
    } else if (static_cast<unsigned char>(first) < 0x20) {
      write_control_character(out, first);
    } else {
      out += text.substr(0, count);
    }
    text.remove_prefix(std::max<size_t>(count, 1));
  }
  out += '"';
}

// The fewest digits that are read as the same number.
std::string shortest_text(double value) {
#ifdef __cpp_lib_to_chars
  char digits[32];
  const char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return {digits, static_cast<size_t>(end - digits)};
#else  // libc++ before version 14
  return exact_shortest_text(value);
#endif
}

void write_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  const std::string text = shortest_text(value);
  out += text;
  if (text.find_first_of(".e") == std::string::npos) {
    out += ".0";
  }
}

void write_line_start(std::string& out, size_t indent) {
  out += '\n';
  out.append(indent, ' ');
}

}  // namespace

Json Json::object(std::initializer_list<std::pair<std::string, Json>> members) {
  Json result;
  std::get<Object>(result.value_).assign(members.begin(), members.end());
  return result;
}

void Json::set(std::string_view key, Json value) {
  Object& members = std::get<Object>(value_);
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const auto& member) { return member.first == key; });
  if (found != members.end()) {
    found->second = std::move(value);
  } else {
    members.emplace_back(std::string(key), std::move(value));
  }
}

void Json::update(const Json& other) {
  for (const auto& [key, value] : std::get<Object>(other.value_)) {
    set(key, value);
  }
}

void Json::push_back(Json value) {
  std::get<Array>(value_).push_back(std::move(value));
}

std::string Json::text() const {
  std::string out;
  write(out, 0);
  return out;
}

void Json::write(std::string& out, size_t indent) const {
  constexpr size_t kStep = 2;
  if (const auto* const flag = std::get_if<bool>(&value_)) {
    out += *flag ? "true" : "false";
  } else if (const auto* const integer = std::get_if<int64_t>(&value_)) {
    out += std::to_string(*integer);
  } else if (const auto* const number = std::get_if<double>(&value_)) {
    write_number(out, *number);
  } else if (const auto* const text = std::get_if<std::string>(&value_)) {
    write_string(out, *text);
  } else if (const auto* const values = std::get_if<Array>(&value_)) {
    out += '[';
    for (size_t i = 0; i < values->size(); ++i) {
      out += i > 0 ? "," : "";
      write_line_start(out, indent + kStep);
      (*values)[i].write(out, indent + kStep);
    }
    if (!values->empty()) {
      write_line_start(out, indent);
    }
    out += ']';
  } else if (const auto* const members = std::get_if<Object>(&value_)) {
    out += '{';
    for (size_t i = 0; i < members->size(); ++i) {
      out += i > 0 ? "," : "";
      write_line_start(out, indent + kStep);
      write_string(out, (*members)[i].first);
      out += ": ";
      (*members)[i].second.write(out, indent + kStep);
    }
    if (!members->empty()) {
      write_line_start(out, indent);
    }
    out += '}';
  }
}

}  // namespace tessera
