// A format's encoder on many ranks, for rank 0.
#include "cluster/distributed_codec.h"

#include <chrono>

#include "base/guarded.h"
#include "codec/wrapped_encoder.h"

namespace tessera::cluster {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class DistributedEncoder : public WrappedEncoder {
 public:
  DistributedEncoder(std::unique_ptr<BlockEncoder> encoder, const TextureInfo& format,
                     Coordinator& coordinator, const StripOptions& options,
                     std::shared_ptr<StripLedger> ledger)
      : WrappedEncoder(std::move(encoder)),
        format_(format),
        coordinator_(coordinator),
        options_(options),
        ledger_(std::move(ledger)) {}

  Status encode_part(const ImageView& image, ImageFacts facts, Backend& backend,
                     const RunControl& control, std::span<uint8_t> out) const override {
    if (coordinator_.ranks() == 1 && options_.unit_rows == 0) {
      return encode_alone(image, facts, backend, control, out);
    }
    StripOptions strips = options_;
    strips.rows_together = rows_together(image.info);
    StripRun run(image, facts, format_, coordinator_, strips, *ledger_, control, out);
    const Coordinator::Costs costs = coordinator_.costs();
    coordinator_.add_source(run);
    // Other ranks work with the run, so an exception must not leave this function: all ranks end.
    Status status = guarded([&] { return encode_strips(run, backend, control); });
    if (!run.is_settled()) {
      coordinator_.give_up(status.error());
    }
    coordinator_.remove_source(run);
    ledger_->add_costs(costs, coordinator_.costs());
    return status;
  }

 private:
  Status encode_alone(const ImageView& image, ImageFacts facts, Backend& backend,
                      const RunControl& control, std::span<uint8_t> out) const {
    const auto start = Clock::now();
    Status status = encoder().encode_part(image, facts, backend, control, out);
    if (status) {
      ledger_->add(0, image.info.pixel_count(), seconds_since(start));
    }
    return status;
  }

  // Takes strips until there are none, and waits for those of other ranks.
  Status encode_strips(StripRun& run, Backend& backend, const RunControl& control) const {
    const RunControl quiet = {{}, control.cancelled, control.limits};
    while (const auto strip = run.take_strip(0)) {
      const auto start = Clock::now();
      const Status encoded = guarded([&] {
        return encoder().encode_part(strip->pixels, run.facts(), backend, quiet,
                                     run.place_of(*strip));
      });
      run.finish(*strip, 0, seconds_since(start), encoded);
      coordinator_.look_soon();
    }
    const Coordinator::Waiting waiting(coordinator_);
    return run.wait();
  }

  TextureInfo format_;
  Coordinator& coordinator_;
  StripOptions options_;
  std::shared_ptr<StripLedger> ledger_;
};

}  // namespace

DistributedCodec::DistributedCodec(const Codec& codec, Coordinator& coordinator,
                                   const StripOptions& options)
    : codec_(codec),
      coordinator_(coordinator),
      options_(options),
      ledger_(std::make_shared<StripLedger>(static_cast<size_t>(coordinator.ranks()))) {}

Result<std::unique_ptr<Encoder>> DistributedCodec::make_encoder(
    const CodecSettings& settings) const {
  TESSERA_ASSIGN_OR_RETURN(auto encoder, make_block_encoder(codec_, settings));
  TextureInfo format;
  format.format = codec_.format();
  format.block = codec_.block_of(settings);
  format.srgb = settings.profile == Profile::kSrgb;
  return std::unique_ptr<Encoder>(std::make_unique<DistributedEncoder>(
      std::move(encoder), format, coordinator_, options_, ledger_));
}

Result<Image> DistributedCodec::decode_level(const TextureInfo& info, uint32_t level,
                                             ByteSpan payload, const DecodeOptions& options,
                                             Backend& backend, const RunControl& control) const {
  return codec_.decode_level(info, level, payload, options, backend, control);
}

}  // namespace tessera::cluster
