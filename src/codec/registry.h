// The formats of this build: one line of the list for each.
#pragma once

#include <span>
#include <string_view>

#include "codec/codec.h"

namespace tessera {

// In the order of the format table.
std::span<const Codec* const> all_codecs();

// kUsage for a name that means nothing.
Result<const Codec*> find_codec(std::string_view name);
const Codec& codec_of(TextureFormat format);

// Options of decoding before the format of the file is known: fails for a key that no format knows,
// and for a value that fits no format that knows the key.
Status check_decode_options_of_any(const OptionList& options);

}  // namespace tessera
