// A format's encoder on many ranks: rank 0 cuts images into strips of whole block rows, every rank
// encodes strips with its own encoder and backend, and the blocks are those of one machine.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "codec/codec.h"
#include "exec/mpi/coordinator.h"
#include "exec/mpi/worker.h"

namespace tessera {

// The kinds of units of the texture formats.
inline constexpr uint32_t kStripKind = 1;

struct StripOptions {
  uint32_t unit_rows = 0;  // block rows of a strip; 0: by the ranks' threads, less near the end
};

// What a rank has done.
struct RankWork {
  uint64_t units = 0;
  uint64_t pixels = 0;
  double busy_seconds = 0;
};

// For rank 0: encodes as `codec` does, on all ranks of the coordinator.
class DistributedCodec : public Codec {
 public:
  // Both must outlive the codec and its encoders.
  DistributedCodec(const Codec& codec, mpi::Coordinator& coordinator, const StripOptions& options);
  ~DistributedCodec() override;

  TextureFormat format() const override { return codec_.format(); }
  BlockSize default_block() const override { return codec_.default_block(); }
  Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings& settings) const override;
  Result<Image> decode_level(const TextureInfo& info, uint32_t level, ByteSpan payload,
                             const DecodeOptions& options, Backend& backend,
                             const RunControl& control) const override;

  // By rank, of all strips so far.
  std::vector<RankWork> work() const;
  // What serving the ranks took while there were strips.
  mpi::Coordinator::Costs costs() const;

 private:
  struct Ledger;
  const Codec& codec_;
  mpi::Coordinator& coordinator_;
  StripOptions options_;
  std::shared_ptr<Ledger> ledger_;
  friend class DistributedEncoder;
  friend class StripRun;
};

// What the next strip of a rank depends on, in block rows.
struct StripRequest {
  size_t left = 0;  // of the image, for all ranks
  size_t held = 0;  // by that rank
  size_t blocks_across = 1;
  unsigned threads = 1;  // of that rank
  unsigned lanes = 1;
  unsigned all_threads = 1;  // of all ranks
};

// The block rows of the strip: enough for every thread of a lane, and less near the end, so that
// all ranks end together. None if the rank has enough already: what it holds should take it no
// longer than the rest takes the others, or they would wait for it.
size_t strip_rows(const StripRequest& request);

// What a strip's message says of its pixels, checked against the encoder and the message's size.
struct StripShape {
  uint32_t width = 0;
  uint32_t height = 0;
  size_t row_stride = 0;
};
Result<StripShape> read_strip_shape(const mpi::UnitHeader& header, const Encoder& encoder,
                                    const TextureInfo& format);

// Encodes pixels for some milliseconds, so that tables, buffers and kernels that are made at first
// use are there when strips come: every rank has its own, and nothing else to do while rank 0 reads
// the image.
void warm_up(const Encoder& encoder, Backend& backend, const RunControl& control);

// For the other ranks: encodes one strip.
Status encode_strip(const mpi::UnitHeader& header, ByteSpan input, const Encoder& encoder,
                    const TextureInfo& format, Backend& backend, const RunControl& control,
                    Bytes& output);

}  // namespace tessera
