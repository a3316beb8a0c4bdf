// The key/value data of .ktx2 files: texts for programs and people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "containers/texture.h"

namespace tessera {

inline constexpr std::string_view kOrientationKey = "KTXorientation";

// A key and a text of the user's. Fails for names that are none, and for those that begin with KTX,
// which the specification keeps for itself: of its names, the texts KTXorientation, KTXswizzle and
// KTXastcDecodeMode can be given, with the values that it defines.
Result<TextureKey> make_texture_key(const std::string& name, const std::string& text);

// A value of a key without control characters, as files come from anywhere and terminals obey them;
// ASCII where it is no UTF-8, and cut where it is longer than texts for people are.
std::string shown_value(std::string_view value);

// `first` and what is only in `second`, sorted by their names.
std::vector<TextureKey> merged_keys(const std::vector<TextureKey>& first,
                                    const std::vector<TextureKey>& second);

struct Ktx2Keys {
  std::vector<TextureKey> keys;  // but for those of the writer
  std::string made_with;         // the writer's parameters, as shown
};
// More pairs than this are refused: a pair of eight bytes would stand for some hundred bytes of
// names, values and rules.
inline constexpr size_t kMostKtx2Pairs = 4096;
// `name` is used in messages.
Result<Ktx2Keys> read_ktx2_keys(ByteSpan bytes, const std::string& name);

// All that a file says: the writer's name, its parameters ("": not said), and `keys`. Sorted, as
// the specification asks.
Bytes make_ktx2_keys(const std::vector<TextureKey>& keys, const std::string& made_with);

bool is_utf8(std::string_view text);

}  // namespace tessera
