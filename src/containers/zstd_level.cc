// Zstandard on levels, or the sentence that this build has none.
#include "containers/zstd_level.h"

#include "containers/ktx2_error.h"

#ifdef TESSERA_HAVE_ZSTD
#include <zstd.h>

#include <memory>
#endif

namespace tessera {

#ifdef TESSERA_HAVE_ZSTD

namespace {

// A block gives at most 128 KiB and takes at least four bytes: three of a header and one to repeat.
constexpr uint64_t kMaxInflation = 32768;

// Claims up to this are believed and the memory is taken at once. Blocks of textures shrink to a
// half or a third; only flat pictures get beyond this.
constexpr uint64_t kBelievedInflation = 64;
constexpr uint64_t kBelievedBytes = 64 * 1024;

struct FreeDecoder {
  void operator()(ZSTD_DCtx* decoder) const { ZSTD_freeDCtx(decoder); }
};

Error damaged(const std::string& name) {
  return invalid_ktx2(name, "the Zstandard data of a level is damaged or of the wrong size");
}

// Decompresses to nowhere: true when exactly `expected_bytes` come out.
Result<bool> gives_exactly(ByteSpan compressed, uint64_t expected_bytes) {
  const std::unique_ptr<ZSTD_DCtx, FreeDecoder> decoder(ZSTD_createDCtx());
  if (decoder == nullptr) {
    return failed_error("not enough memory to decompress a .ktx2 file");
  }
  Bytes scratch(ZSTD_DStreamOutSize());
  ZSTD_inBuffer input = {compressed.data(), compressed.size(), 0};
  uint64_t total = 0;
  size_t status = 1;
  while (total <= expected_bytes) {
    ZSTD_outBuffer output = {scratch.data(), scratch.size(), 0};
    status = ZSTD_decompressStream(decoder.get(), &output, &input);
    if (ZSTD_isError(status) != 0) {
      return false;
    }
    total += output.pos;
    if (input.pos == input.size && (status == 0 || output.pos < output.size)) {
      break;  // a frame and the input are at their ends, or the input ends too early
    }
  }
  return status == 0 && total == expected_bytes;
}

}  // namespace

bool have_zstd() {
  return true;
}

Result<Bytes> zstd_compress(ByteSpan bytes, int level) {
  if (level < kMinZstdLevel || level > kMaxZstdLevel) {
    return usage_error("Zstandard has the levels " + std::to_string(kMinZstdLevel) + " to " +
                       std::to_string(kMaxZstdLevel) + ", not " + std::to_string(level));
  }
  Bytes compressed(ZSTD_compressBound(bytes.size()));
  const size_t size =
      ZSTD_compress(compressed.data(), compressed.size(), bytes.data(), bytes.size(), level);
  if (ZSTD_isError(size) != 0) {
    return failed_error(std::string("cannot compress a level with Zstandard: ") +
                        ZSTD_getErrorName(size));
  }
  compressed.resize(size);
  return compressed;
}

Result<LargeBytes> zstd_decompress(ByteSpan compressed, uint64_t expected_bytes,
                                   const std::string& name) {
  if (expected_bytes / kMaxInflation > compressed.size()) {
    return invalid_ktx2(name, "it claims more bytes than Zstandard could make of it");
  }
  if (expected_bytes > kBelievedBytes + kBelievedInflation * compressed.size()) {
    TESSERA_ASSIGN_OR_RETURN(const bool honest, gives_exactly(compressed, expected_bytes));
    if (!honest) {
      return damaged(name);
    }
  }
  LargeBytes bytes(expected_bytes);
  const size_t size =
      ZSTD_decompress(bytes.data(), bytes.size(), compressed.data(), compressed.size());
  if (ZSTD_isError(size) != 0 || size != expected_bytes) {
    return damaged(name);
  }
  return bytes;
}

#else

bool have_zstd() {
  return false;
}

Result<Bytes> zstd_compress(ByteSpan, int) {
  return unsupported_error(
      "this build cannot compress with Zstandard: it was made without libzstd");
}

Result<LargeBytes> zstd_decompress(ByteSpan, uint64_t, const std::string& name) {
  return unsupported_error(
      name + " is compressed with Zstandard, and this build was made without libzstd");
}

#endif

}  // namespace tessera
