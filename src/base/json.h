// A small JSON value for descriptions of files and builds: made and written, never read.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tessera {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;  // in the order of adding

  Json() : value_(Object()) {}
  Json(bool value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T value) : value_(static_cast<int64_t>(value)) {}  // NOLINT
  Json(double value) : value_(value) {}                                                    // NOLINT
  Json(std::string_view text) : value_(std::string(text)) {}                               // NOLINT
  Json(const std::string& text) : value_(text) {}                                          // NOLINT
  Json(const char* text) : Json(std::string_view(text)) {}                                 // NOLINT
  Json(Array values) : value_(std::move(values)) {}                                        // NOLINT
  static Json object(std::initializer_list<std::pair<std::string, Json>> members);

  // Of objects: adds a member, or replaces the one of that name.
  void set(std::string_view key, Json value);
  // Of objects: sets all members of another.
  void update(const Json& other);
  // Of arrays.
  void push_back(Json value);

  // Indented by two spaces. Bytes of texts that are not UTF-8 become U+FFFD.
  std::string text() const;

 private:
  void write(std::string& out, size_t indent) const;

  std::variant<bool, int64_t, double, std::string, Array, Object> value_;
};

}  // namespace tessera
