// Zstandard on levels, or the sentence that this build has none.
#include "containers/zstd_level.h"

#include "containers/ktx2_error.h"

#ifdef TESSERA_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
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

uint64_t believed_bytes(uint64_t compressed) {
  return kBelievedBytes + kBelievedInflation * compressed;
}

constexpr int kMostWindowLog = 27;  // what the library allows without being told

struct FreeDecoder {
  void operator()(ZSTD_DCtx* decoder) const { ZSTD_freeDCtx(decoder); }
};

Error damaged(const std::string& name) {
  return invalid_ktx2(name, "the Zstandard data of a level is damaged or of the wrong size");
}

// The library's window may be as large as the budget allows: a frame of a few bytes can ask for
// 128 MiB.
int most_window_log(const ReadBudget& budget, const MemoryNeed& held) {
  constexpr int kLeast = 17;  // 128 KiB: a block
  const uint64_t left = budget.memory_left(held);
  int log = kMostWindowLog;
  while (log > kLeast && uint64_t{1} << log > left) {
    --log;
  }
  return log;
}

// Takes what comes out of the library, in order, and keeps the part that is wanted.
class PartKeeper {
 public:
  // `believed`: the memory that is taken at once; more is taken as it is filled.
  PartKeeper(const ZstdPart& part, uint64_t believed) : part_(part) {
    kept_.reserve(static_cast<size_t>(std::min(part.length, believed)));
  }

  void take(ByteSpan bytes) {
    const uint64_t begin = std::max(position_, part_.offset);
    const uint64_t end = std::min(position_ + bytes.size(), part_.offset + part_.length);
    if (begin < end) {
      const ByteSpan wanted =
          bytes.subspan(static_cast<size_t>(begin - position_), static_cast<size_t>(end - begin));
      kept_.append(wanted);
    }
    position_ += bytes.size();
  }

  bool has_all() const { return kept_.size() == part_.length; }
  uint64_t position() const { return position_; }
  LargeBytes& kept() { return kept_; }

 private:
  ZstdPart part_;
  uint64_t position_ = 0;
  LargeBytes kept_;
};

Error library_error(size_t code, int window_log, const std::string& name) {
  if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge) {
    if (window_log == kMostWindowLog) {
      return unsupported_error(name + " wants a Zstandard window of more than 128 MiB");
    }
    return failed_error(name +
                        " wants a larger Zstandard window than the limit of memory allows "
                        "(--max-memory lifts it)");
  }
  return ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation
             ? failed_error("not enough memory to decompress " + name)
             : damaged(name);
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

// The tables of the library: three, of four bytes for each place of a window that is as long as the
// bytes, but for what each group of levels has as its largest.
uint64_t zstd_compress_memory(int level, uint64_t bytes) {
  const uint64_t most = uint64_t{1} << (level <= 4 ? 23 : level <= 12 ? 27 : 30);
  return bytes + std::min(16 * bytes + (uint64_t{1} << 20), most);
}

uint64_t zstd_growing_memory(uint64_t compressed, uint64_t bytes) {
  return bytes > believed_bytes(compressed) ? bytes : 0;
}

Result<LargeBytes> zstd_decompress(ByteSpan compressed, const ZstdPart& part,
                                   const std::string& name, const ReadBudget& budget,
                                   const MemoryNeed& held) {
  if (part.total / kMaxInflation > compressed.size()) {
    return invalid_ktx2(name, "it claims more bytes than Zstandard could make of it");
  }
  const std::unique_ptr<ZSTD_DCtx, FreeDecoder> decoder(ZSTD_createDCtx());
  if (decoder == nullptr) {
    return failed_error("not enough memory to decompress " + name);
  }
  MemoryNeed all = held;
  all.file = std::max<uint64_t>(held.file, compressed.size());
  all.picture = std::max(held.picture, part.length);
  const int window_log = most_window_log(budget, all);
  ZSTD_DCtx_setParameter(decoder.get(), ZSTD_d_windowLogMax, window_log);
  PartKeeper keeper(part, believed_bytes(compressed.size()));
  Bytes scratch(ZSTD_DStreamOutSize());
  ZSTD_inBuffer input = {compressed.data(), compressed.size(), 0};
  const bool is_whole = part.length == part.total;
  size_t status = 1;
  while (keeper.position() <= part.total && (is_whole || !keeper.has_all())) {
    TESSERA_RETURN_IF_ERROR(budget.check_time(name));
    ZSTD_outBuffer output = {scratch.data(), scratch.size(), 0};
    status = ZSTD_decompressStream(decoder.get(), &output, &input);
    if (ZSTD_isError(status) != 0) {
      return library_error(status, window_log, name);
    }
    keeper.take(ByteSpan(scratch).first(output.pos));
    if (input.pos == input.size && (status == 0 || output.pos < output.size)) {
      break;  // a frame and the input are at their ends, or the input ends too early
    }
  }
  const bool is_exact = status == 0 && keeper.position() == part.total;
  if (!keeper.has_all() || (is_whole && !is_exact)) {
    return damaged(name);
  }
  return std::move(keeper.kept());
}

#else

bool have_zstd() {
  return false;
}

Result<Bytes> zstd_compress(ByteSpan, int) {
  return unsupported_error(
      "this build cannot compress with Zstandard: it was made without libzstd");
}

uint64_t zstd_compress_memory(int, uint64_t) {
  return 0;
}

uint64_t zstd_growing_memory(uint64_t, uint64_t) {
  return 0;
}

Result<LargeBytes> zstd_decompress(ByteSpan, const ZstdPart&, const std::string& name,
                                   const ReadBudget&, const MemoryNeed&) {
  return unsupported_error(
      name + " is compressed with Zstandard, and this build was made without libzstd");
}

#endif

}  // namespace tessera
