// Reads levels from where the index of a file says that they are.
#include "containers/stored_level.h"

#include <algorithm>

#include "containers/zstd_level.h"

namespace tessera {
namespace {

// Of a level whose layers lie apart: the bytes of one of them, or of several, put together.
LevelBytes read_layers(ByteSpan file, const StoredLevel& level, uint64_t offset, uint64_t length) {
  const auto part = [&](uint64_t at, uint64_t most) {
    const uint64_t within = at % level.length;
    const uint64_t place = level.offset + at / level.length * level.layer_stride + within;
    return file.subspan(static_cast<size_t>(place),
                        static_cast<size_t>(std::min(most, level.length - within)));
  };
  const ByteSpan first = part(offset, length);
  if (first.size() == length) {
    return LevelBytes(first);
  }
  LargeBytes made;
  made.reserve(static_cast<size_t>(length));
  while (made.size() < length) {
    const ByteSpan next = part(offset + made.size(), length - made.size());
    made.append(next);
  }
  return LevelBytes(std::move(made));
}

}  // namespace

Result<LevelBytes> read_stored_level(ByteSpan file, const StoredLevel& level, uint64_t offset,
                                     uint64_t length, const std::string& name,
                                     const ReadBudget& budget, const MemoryNeed& held) {
  if (level.layer_stride != 0) {
    return read_layers(file, level, offset, length);
  }
  const ByteSpan stored =
      file.subspan(static_cast<size_t>(level.offset), static_cast<size_t>(level.length));
  if (!level.is_zstd) {
    return LevelBytes(stored.subspan(static_cast<size_t>(offset), static_cast<size_t>(length)));
  }
  TESSERA_ASSIGN_OR_RETURN(
      LargeBytes made, zstd_decompress(stored, {level.bytes, offset, length}, name, budget, held));
  return LevelBytes(std::move(made));
}

uint64_t growing_memory(const StoredLevel& level, uint64_t length) {
  return level.is_zstd ? zstd_growing_memory(level.length, length) : 0;
}

Result<Texture> read_all_levels(ByteSpan file, const TextureIndex& index, const std::string& name,
                                const ReadBudget& budget, uint64_t made) {
  MemoryNeed need = {.file = file.size(), .picture = 0, .scratch = 0};
  for (const StoredLevel& level : index.levels) {
    need.picture += level.bytes;  // each is at most a quarter of the one before, or of the file
    need.scratch = std::max(need.scratch, growing_memory(level, level.bytes));
  }
  need.scratch += made;
  TESSERA_RETURN_IF_ERROR(budget.check_memory(name, need));
  Texture texture;
  texture.info = index.info;
  texture.made_with = index.made_with;
  texture.keys = index.keys;
  for (const StoredLevel& level : index.levels) {
    TESSERA_ASSIGN_OR_RETURN(LevelBytes bytes,
                             read_stored_level(file, level, 0, level.bytes, name, budget, need));
    texture.levels.push_back(std::move(bytes).take());
  }
  return texture;
}

}  // namespace tessera
