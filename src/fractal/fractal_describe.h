// Fractal images for people: header and leaves, as JSON.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/json.h"
#include "base/read_budget.h"
#include "base/result.h"

namespace tessera {

// `file` is a whole .tsf file. `name` is used in messages.
// Without leaves; `head` is the beginning of the file.
Result<Json> describe_fractal_header(ByteSpan head, const std::string& name);
Result<Json> describe_fractal_image(ByteSpan bytes, const std::string& name,
                                    const ReadBudget& budget);
// An object for each leaf of all planes: where it is, its kind, and where its domain is.
Result<Json> list_fractal_leaves(ByteSpan bytes, const std::string& name);

}  // namespace tessera
