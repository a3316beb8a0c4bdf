// What a call of the module leaves for JavaScript: a status, a text, and bytes. JavaScript reads
// them from memory before the next call.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "api/errors.h"
#include "base/bytes.h"
#include "base/json.h"
#include "base/result.h"
#include "image/image.h"

// A function that JavaScript can call.
#define TESSERA_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace tessera::web {

// The result of the last call that made one. There is one thread in an instance.
struct Reply {
  std::string text;
  LargeBytes bytes;
  Image image;  // its rows follow each other without a gap
};
Reply& reply();

tessera_error& last_error();

void reply_with(const Json& json);
// Gives the image four 8-bit channels and takes out the padding of its rows.
Status reply_with_pixels(Image image);

// Empties the reply, runs the action and keeps its error. Returns the status as a number.
template <class Action>
int32_t serve(Action&& action) {
  reply() = {};
  return static_cast<int32_t>(api::call(&last_error(), std::forward<Action>(action)));
}

}  // namespace tessera::web
