// For threads and places where an exception cannot go on to `main`.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/result.h"

namespace tessera {

// What `action` returns, a Status or a Result; what it throws becomes an error, of which `subject`
// is the beginning ("a.png: ").
template <class Action>
auto guarded(Action&& action, const std::string& subject = "")
    -> decltype(std::forward<Action>(action)()) {
  try {
    return std::forward<Action>(action)();
  } catch (const std::bad_alloc&) {
    return failed_error(subject + "not enough memory");
  } catch (const std::exception& exception) {
    return failed_error(subject + "unexpected failure: " + exception.what());
  }
}

}  // namespace tessera
