// Options as JavaScript gives them: a text with a line "key=value" for each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/options.h"
#include "codec/pipeline.h"

namespace tessera::web {

class WebOptions {
 public:
  explicit WebOptions(const char* text);

  // The value of a key, which is then known and no longer in others().
  std::optional<std::string> take(std::string_view key);
  bool take_flag(std::string_view key);
  const OptionList& others() const { return options_; }

 private:
  OptionList options_;
};

// The plan of encoding that the options ask for, checked as the command checks its own.
Result<EncodePlan> read_web_plan(const char* text);

// What is left after the caller has taken its own options.
Result<DecodeOptions> read_web_decode_options(WebOptions& options);

}  // namespace tessera::web
