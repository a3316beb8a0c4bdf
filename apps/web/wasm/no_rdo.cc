// The modules leave out what makes textures smaller for byte compressors: browsers have to load
// what it takes. Requests for it are refused before they come here (web_options.cc).
#include "astc/repeat_codec.h"
#include "bc/optimise_rate.h"

namespace tessera {

Result<std::unique_ptr<Encoder>> make_repeating_encoder(std::unique_ptr<BlockEncoder> /*encoder*/,
                                                        BlockSize /*block*/,
                                                        astc::DecodeMode /*mode*/,
                                                        RepeatAmount /*amount*/,
                                                        const astc::RepeatSettings& /*errors*/) {
  return unsupported_error("--rdo is not part of this module");
}

namespace bc1 {

uint32_t rows_optimised_together(uint32_t /*blocks_across*/) {
  return 1;
}

double optimise_rate(const ImageView& /*image*/, uint32_t /*slice*/, uint32_t /*first_row*/,
                     uint32_t /*end_row*/, const Settings& /*settings*/, float /*lambda*/,
                     std::span<uint8_t> /*blocks*/) {
  return 0;
}

}  // namespace bc1
}  // namespace tessera
