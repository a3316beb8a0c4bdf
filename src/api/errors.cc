// Errors of the C interface: a status and one sentence of limited length.
#include "api/errors.h"

namespace tessera::api {

void copy_text(std::string_view text, std::span<char> out) noexcept {
  size_t length = text.size();
  if (length >= out.size()) {
    length = out.size() - 1;
    const auto is_inside_character = [&](size_t at) {
      return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    while (length > 0 && is_inside_character(length)) {
      --length;
    }
  }
  std::memcpy(out.data(), text.data(), length);
  out[length] = '\0';
}

tessera_status set_error(tessera_error* error, tessera_status status,
                         const char* message) noexcept {
  if (error != nullptr) {
    error->status = status;
    copy_text(message, error->message);
  }
  return status;
}

tessera_status set_ok(tessera_error* error) noexcept {
  return set_error(error, TESSERA_OK, "");
}

Status check_not_null(const void* argument, const char* name) {
  return argument != nullptr ? Status() : usage_error(std::string(name) + " is NULL");
}

}  // namespace tessera::api

const char* tessera_version(void) {
  return TESSERA_VERSION;
}
