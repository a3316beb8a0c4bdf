// Reads levels from where the index of a file says that they are.
#include "containers/stored_level.h"

#include "containers/zstd_level.h"

namespace tessera {

Result<LevelBytes> read_stored_level(ByteSpan file, const StoredLevel& level, uint64_t offset,
                                     uint64_t length, const std::string& name,
                                     const ReadBudget& budget) {
  const ByteSpan stored =
      file.subspan(static_cast<size_t>(level.offset), static_cast<size_t>(level.length));
  if (!level.is_zstd) {
    return LevelBytes(stored.subspan(static_cast<size_t>(offset), static_cast<size_t>(length)));
  }
  TESSERA_ASSIGN_OR_RETURN(LargeBytes made,
                           zstd_decompress(stored, {level.bytes, offset, length}, name, budget));
  return LevelBytes(std::move(made));
}

Result<Texture> read_all_levels(ByteSpan file, const TextureIndex& index, const std::string& name,
                                const ReadBudget& budget) {
  uint64_t total = 0;
  for (const StoredLevel& level : index.levels) {
    total += level.bytes;  // each is at most a quarter of the one before, or as long as the file
  }
  TESSERA_RETURN_IF_ERROR(budget.check_memory(name, {.file = file.size(), .picture = total}));
  Texture texture;
  texture.info = index.info;
  texture.made_with = index.made_with;
  for (const StoredLevel& level : index.levels) {
    TESSERA_ASSIGN_OR_RETURN(LevelBytes bytes,
                             read_stored_level(file, level, 0, level.bytes, name, budget));
    texture.levels.push_back(std::move(bytes).take());
  }
  return texture;
}

}  // namespace tessera
