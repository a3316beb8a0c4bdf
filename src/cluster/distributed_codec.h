// A format's encoder on many ranks: rank 0 cuts images into strips of whole block rows, every rank
// encodes strips with its own encoder and backend, and the blocks are the same as on one machine.
#pragma once

#include <memory>
#include <vector>

#include "cluster/coordinator.h"
#include "cluster/strip_run.h"
#include "codec/codec.h"

namespace tessera::cluster {

// For rank 0: encodes as `codec` does, on all ranks of the coordinator.
class DistributedCodec : public Codec {
 public:
  // Both must outlive the codec and its encoders.
  DistributedCodec(const Codec& codec, Coordinator& coordinator, const StripOptions& options);

  const FormatRow& row() const override { return codec_.row(); }
  SharedSettings shared_settings() const override { return codec_.shared_settings(); }
  std::span<const OptionDescriptor> encode_options() const override {
    return codec_.encode_options();
  }
  std::span<const OptionDescriptor> decode_options() const override {
    return codec_.decode_options();
  }
  bool has_kernels_for(std::string_view device_kind) const override {
    return codec_.has_kernels_for(device_kind);
  }
  Result<std::unique_ptr<Encoder>> make_encoder(const CodecSettings& settings) const override;
  Result<Image> decode_level(const TextureInfo& info, uint32_t level, ByteSpan payload,
                             const DecodeOptions& options, Backend& backend,
                             const RunControl& control) const override;

  // By rank, of all strips so far.
  std::vector<RankWork> work() const { return ledger_->work(); }
  // What serving the ranks took while there were strips.
  Coordinator::Costs costs() const { return ledger_->costs(); }

 private:
  const Codec& codec_;
  Coordinator& coordinator_;
  StripOptions options_;
  std::shared_ptr<StripLedger> ledger_;  // also used by the encoders
};

}  // namespace tessera::cluster
