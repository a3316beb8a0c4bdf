// The modules leave out what makes textures smaller for byte compressors: browsers have to load
// what it takes. Requests for it are refused before they come here (web_options.cc).
#include "astc/repeat_codec.h"
#include "bc/bc1_rate_codec.h"

namespace tessera {

Result<std::unique_ptr<Encoder>> make_repeating_encoder(std::unique_ptr<BlockEncoder> /*encoder*/,
                                                        BlockSize /*block*/,
                                                        astc::DecodeMode /*mode*/,
                                                        RepeatAmount /*amount*/,
                                                        const astc::RepeatSettings& /*errors*/) {
  return unsupported_error("--rdo is not part of this module");
}

Result<ChosenRate> choose_bc1_rate(const ImageView& /*largest*/, const bc1::Settings& /*settings*/,
                                   Backend& /*backend*/, const RunControl& /*control*/) {
  return unsupported_error("--rdo-size is not part of this module");
}

Status optimise_bc1_blocks(const ImageView& /*image*/, const bc1::Settings& /*settings*/,
                           float /*lambda*/, Backend& /*backend*/, const RunControl& /*control*/,
                           std::span<uint8_t> /*blocks*/) {
  return unsupported_error("--rdo is not part of this module");
}

}  // namespace tessera
