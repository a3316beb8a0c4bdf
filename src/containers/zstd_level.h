// Zstandard on the levels of .ktx2 files, where the build has libzstd. How small a level gets
// depends on the library's version; what comes back does not.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"

namespace tessera {

inline constexpr int kMinZstdLevel = 1;
inline constexpr int kMaxZstdLevel = 22;
inline constexpr int kDefaultZstdLevel = 5;

bool have_zstd();

Result<Bytes> zstd_compress(ByteSpan bytes, int level);
// About how many bytes of memory that takes for so many, with what comes out.
uint64_t zstd_compress_memory(int level, uint64_t bytes);

// The part of a level that is wanted.
struct ZstdPart {
  uint64_t total = 0;   // bytes of the level
  uint64_t offset = 0;  // of the part
  uint64_t length = 0;
};

// Fails unless exactly `total` bytes come out; where a part is wanted, what follows it is not
// looked at. The sizes are claims: no more memory is taken at once than 64 bytes for each one of
// `compressed` plus 64 KiB, and then as much as comes out.
// `held` is what the job has in memory, or will have, beside the library's window.
Result<LargeBytes> zstd_decompress(ByteSpan compressed, const ZstdPart& part,
                                   const std::string& name, const ReadBudget& budget = {},
                                   const MemoryNeed& held = {});
// What is taken for a moment while so many bytes come out of `compressed` ones, besides these.
uint64_t zstd_growing_memory(uint64_t compressed, uint64_t bytes);
inline Result<LargeBytes> zstd_decompress(ByteSpan compressed, uint64_t expected_bytes,
                                          const std::string& name) {
  return zstd_decompress(compressed, ZstdPart{expected_bytes, 0, expected_bytes}, name);
}

}  // namespace tessera
