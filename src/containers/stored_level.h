// The bytes of levels, as the index of a file tells where they are.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "containers/texture.h"

namespace tessera {

// A part of a level: bytes of the file itself, or what came out of decompressing it.
class LevelBytes {
 public:
  explicit LevelBytes(ByteSpan in_file) : in_file_(in_file) {}
  explicit LevelBytes(LargeBytes made) : made_(std::move(made)), is_made_(true) {}

  ByteSpan span() const { return is_made_ ? ByteSpan(made_) : in_file_; }
  // To keep longer than the file.
  LargeBytes take() && { return is_made_ ? std::move(made_) : LargeBytes(in_file_); }

 private:
  ByteSpan in_file_;
  LargeBytes made_;
  bool is_made_ = false;
};

// `held` is what the job has in memory beside it, or will have.
// `file` is all of it; `offset` and `length` are in the level as it was before it was compressed.
Result<LevelBytes> read_stored_level(ByteSpan file, const StoredLevel& level, uint64_t offset,
                                     uint64_t length, const std::string& name,
                                     const ReadBudget& budget, const MemoryNeed& held = {});
// What reading so many bytes of a level takes for a moment, besides these.
uint64_t growing_memory(const StoredLevel& level, uint64_t length);

// The index with all that it points to. `made` is what becomes of it, in bytes.
Result<Texture> read_all_levels(ByteSpan file, const TextureIndex& index, const std::string& name,
                                const ReadBudget& budget, uint64_t made = 0);

}  // namespace tessera
