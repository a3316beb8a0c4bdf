// Zstandard on the levels of .ktx2 files, where the build has libzstd. How small a level gets
// depends on the library's version; what comes back does not.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace tessera {

inline constexpr int kMinZstdLevel = 1;
inline constexpr int kMaxZstdLevel = 22;
inline constexpr int kDefaultZstdLevel = 5;

bool have_zstd();

Result<Bytes> zstd_compress(ByteSpan bytes, int level);

// Fails unless exactly `expected_bytes` come out. That number is a claim: no more memory is taken
// than 64 bytes for each one of `compressed` plus 64 KiB before it is known to be true.
Result<LargeBytes> zstd_decompress(ByteSpan compressed, uint64_t expected_bytes,
                                   const std::string& name);

}  // namespace tessera
