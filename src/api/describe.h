// Descriptions of files as JSON, for calls that have bytes and for calls that have paths.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/json.h"
#include "base/read_budget.h"
#include "base/result.h"

namespace tessera::api {

struct DescribeRequest {
  bool statistics = false;
  std::string block;  // empty: none
  bool wants_blocks() const { return statistics || !block.empty(); }
};

// Of a whole file; all that is in it is read. `path` may be null.
Result<Json> describe_bytes(ByteSpan bytes, const char* path, const DescribeRequest& request,
                            const ReadBudget& budget);

// What the header of a file of `file_bytes` says; `head` is its beginning.
Result<Json> describe_head(ByteSpan head, uint64_t file_bytes, const char* path);

}  // namespace tessera::api
