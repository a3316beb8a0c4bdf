// The key/value data of .ktx2 and .ktx files: texts for programs and people.
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

// What keys say about a texture's sides: two or three letters, as .ktx2 files have them; "" where
// they do not say it, or nothing that the format defines.
std::string orientation_of(const std::vector<TextureKey>& keys);
bool is_upside_down(const std::vector<TextureKey>& keys);

// The keys of a file: `keys`, and what `orientation` says about the texture's sides, unless a key
// says it; "" says nothing.
std::vector<TextureKey> keys_with_orientation(const TextureInfo& info,
                                              const std::vector<TextureKey>& keys,
                                              const std::string& orientation);

// `first` and what is only in `second`, sorted by their names.
std::vector<TextureKey> merged_keys(const std::vector<TextureKey>& first,
                                    const std::vector<TextureKey>& second);

struct FileKeys {
  std::vector<TextureKey> keys;  // but for those of the writer
  std::string made_with;         // the writer's parameters, as shown
};
// More texts than this (pairs that the format does not define) are refused: a pair of eight bytes
// would stand for some hundred bytes of names, values and rules.
inline constexpr size_t kMostKeyPairs = 4096;
// And more bytes of all pairs: several copies of them are held.
inline constexpr size_t kMostKeyBytes = size_t{1} << 20;
Status check_key_limits(size_t pairs, uint64_t bytes, const std::string& name);
// `name` is used in messages.
Result<FileKeys> read_ktx2_keys(ByteSpan bytes, const std::string& name);
// Of a .ktx file: numbers may have the other byte order. What it says about its sides comes in the
// letters of .ktx2 files.
Result<FileKeys> read_ktx_keys(ByteSpan bytes, bool is_swapped, const std::string& name);

// The same with the texts as they are in the file.
Result<FileKeys> read_stored_ktx_keys(ByteSpan bytes, bool is_swapped, const std::string& name);
// The sides that a stored KTXorientation of a .ktx file names, in letters; "" where it is no such
// text.
std::string letters_of_ktx_orientation(const TextureKey& key);

// All that a file says: the writer's name, its parameters ("": not said), and `keys`. Sorted, as
// the specification asks. Fails where the limits above would keep it from being read.
Result<Bytes> make_ktx2_keys(const std::vector<TextureKey>& keys, const std::string& made_with);
// The texts of a .ktx file, whose version of the format names no writer.
Result<Bytes> make_ktx_keys(const std::vector<TextureKey>& keys);

}  // namespace tessera
