// Reading, checking and writing key/value data of .ktx2 and .ktx files.
#include "containers/ktx2_keys.h"

#include <algorithm>
#include <map>

#include "base/block_size.h"
#include "base/utf8.h"
#include "containers/ktx2_error.h"
#include "containers/ktx_header.h"

namespace tessera {
namespace {

constexpr std::string_view kWriterKey = "KTXwriter";
constexpr std::string_view kWriterValue = "tessera " TESSERA_VERSION;
constexpr std::string_view kParametersKey = "KTXwriterScParams";

// Texts end with a zero byte; other values are bytes.
std::string ended(std::string_view text) {
  return std::string(text) + '\0';
}

bool is_made_of(std::string_view text, std::string_view letters) {
  return text.find_first_not_of(letters) == std::string_view::npos;
}

bool is_orientation(std::string_view text) {
  constexpr std::string_view kLetters[] = {"rl", "du", "oi"};
  for (size_t i = 0; i < text.size(); ++i) {
    if (i >= std::size(kLetters) || kLetters[i].find(text[i]) == std::string_view::npos) {
      return false;
    }
  }
  return text.size() >= 2;
}

Status check_own_key(const std::string& name, const std::string& text) {
  const auto must_be = [&](bool is_right, const std::string& what) {
    return is_right ? Status() : usage_error(name + " is " + what + ", not '" + text + "'");
  };
  if (name == kOrientationKey) {
    return must_be(is_orientation(text), "two or three letters: r or l, d or u, o or i");
  }
  if (name == "KTXswizzle") {
    return must_be(text.size() == 4 && is_made_of(text, "rgba01"), "four of r g b a 0 1");
  }
  if (name == "KTXastcDecodeMode") {
    return must_be(text == "rgb9e5" || text == "unorm8", "rgb9e5 or unorm8");
  }
  return usage_error("keys that begin with KTX are the format's own; of those, KTXorientation, " +
                     std::string("KTXswizzle and KTXastcDecodeMode can be given, not ") + name);
}

// .ktx files name the axis of each letter, in capitals: "S=r,T=d,R=i".
constexpr std::string_view kKtxAxes = "STR";

std::string ktx_orientation(std::string_view letters) {
  std::string text;
  for (size_t i = 0; i < letters.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::string{kKtxAxes[i], '=', letters[i]};
  }
  return text;
}

// What people have written, not what the format defines, such as KTXorientation.
bool is_text(std::string_view key) {
  return !key.starts_with("KTX");
}

Result<Bytes> write_pairs(const std::vector<TextureKey>& keys) {
  size_t texts = 0;
  Bytes bytes;
  ByteWriter writer(bytes);
  for (const TextureKey& key : keys) {
    texts += is_text(key.name) ? 1 : 0;
    std::string pair = ended(key.name) + key.value;
    const auto length = static_cast<uint32_t>(pair.size());
    pair.resize(static_cast<size_t>(divide_round_up(length, 4) * 4));
    writer.write(length);
    for (const char c : pair) {
      writer.write(static_cast<uint8_t>(c));
    }
  }
  TESSERA_RETURN_IF_ERROR(check_key_limits(texts, bytes.size(), "the file"));
  return bytes;
}

// What kind of file pairs are read from.
struct PairSource {
  const std::string& name;
  bool is_swapped = false;
  Error (*invalid)(const std::string& name, const std::string& what) = nullptr;
};

// Pairs follow each other up to the end: a length, a key ended by a zero, a value, padding up to a
// multiple of four bytes.
Result<FileKeys> read_pairs(ByteSpan bytes, const PairSource& source) {
  TESSERA_RETURN_IF_ERROR(check_key_limits(0, bytes.size(), source.name));
  FileKeys result;
  size_t texts = 0;
  while (!bytes.empty()) {
    ByteReader reader(bytes);
    const auto stored = reader.read<uint32_t>();
    const uint32_t length = source.is_swapped ? ktx::swapped_bytes(stored) : stored;
    if (!reader.ok() || length > reader.remaining()) {
      return source.invalid(source.name, "its key/value data ends within a pair");
    }
    const std::string_view pair(reinterpret_cast<const char*>(bytes.data()) + 4, length);
    const size_t end = pair.find('\0');
    if (end == 0 || end == std::string_view::npos) {
      return source.invalid(source.name, "its key/value data has a pair without a key");
    }
    const std::string_view key = pair.substr(0, end);
    const std::string_view value = pair.substr(end + 1);
    if (key == kParametersKey) {
      result.made_with = shown_value(value);
    } else if (key != kWriterKey) {
      result.keys.push_back({std::string(key), std::string(value)});
      texts += is_text(key) ? 1 : 0;
      TESSERA_RETURN_IF_ERROR(check_key_limits(texts, 0, source.name));
    }
    const uint64_t padded = divide_round_up(uint64_t{4} + length, 4) * 4;
    bytes = bytes.subspan(static_cast<size_t>(std::min<uint64_t>(padded, bytes.size())));
  }
  return result;
}

}  // namespace

Result<TextureKey> make_texture_key(const std::string& name, const std::string& text) {
  if (name.empty() || !is_utf8(name) || name.starts_with("\xEF\xBB\xBF") || !is_utf8(text)) {
    return usage_error("a key is NAME=VALUE in UTF-8, not '" + name + "=" + text + "'");
  }
  if (name.starts_with("KTX") || name.starts_with("ktx")) {
    TESSERA_RETURN_IF_ERROR(check_own_key(name, text));
  }
  return TextureKey{name, ended(text)};
}

std::string shown_value(std::string_view value) {
  constexpr size_t kMostBytes = 1000;
  value = value.substr(0, value.find('\0'));
  size_t length = std::min(value.size(), kMostBytes);
  while (length > 0 && length < value.size() && static_cast<uint8_t>(value[length]) >> 6 == 2) {
    --length;  // within a character
  }
  value = value.substr(0, length);
  const bool has_letters = is_utf8(value);
  std::string text;
  for (size_t i = 0; i < value.size(); ++i) {
    const auto byte = static_cast<uint8_t>(value[i]);
    const bool is_control =
        byte < 0x20 || byte == 0x7F || (byte == 0xC2 && static_cast<uint8_t>(value[i + 1]) < 0xA0);
    if (byte < 0x80 || !has_letters) {
      text += is_control || byte >= 0x80 ? '?' : value[i];
    } else if (is_control) {
      text += '?';
      ++i;  // it has two bytes
    } else {
      text += value[i];
    }
  }
  return text;
}

std::string orientation_of(const std::vector<TextureKey>& keys) {
  for (const TextureKey& key : keys) {
    if (key.name == kOrientationKey) {
      const std::string letters = shown_value(key.value);
      return is_orientation(letters) ? letters : "";
    }
  }
  return "";
}

bool is_upside_down(const std::vector<TextureKey>& keys) {
  const std::string letters = orientation_of(keys);
  return letters.size() > 1 && letters[1] == 'u';
}

std::vector<TextureKey> keys_with_orientation(const TextureInfo& info,
                                              const std::vector<TextureKey>& keys,
                                              const std::string& orientation) {
  if (orientation.empty()) {
    return keys;
  }
  const bool is_volume = info.depth > 1 || info.block.depth > 1;
  const std::string sides = (orientation + "i").substr(0, is_volume ? 3 : 2);
  return merged_keys(keys, {{std::string(kOrientationKey), ended(sides)}});
}

std::vector<TextureKey> merged_keys(const std::vector<TextureKey>& first,
                                    const std::vector<TextureKey>& second) {
  std::map<std::string, std::string> values;
  for (const auto* keys : {&first, &second}) {
    for (const TextureKey& key : *keys) {
      values.emplace(key.name, key.value);  // what is there stays
    }
  }
  std::vector<TextureKey> merged;
  merged.reserve(values.size());
  for (const auto& [name, value] : values) {
    merged.push_back({name, value});
  }
  return merged;
}

Status check_key_limits(size_t pairs, uint64_t bytes, const std::string& name) {
  if (pairs <= kMostKeyPairs && bytes <= kMostKeyBytes) {
    return {};
  }
  static_assert(kMostKeyPairs == 4096 && kMostKeyBytes == 1048576);
  return unsupported_error(name +
                           " has more than 4096 pairs or 1048576 bytes of key/value data, which "
                           "is the limit");
}

Result<FileKeys> read_ktx2_keys(ByteSpan bytes, const std::string& name) {
  return read_pairs(bytes, {name, false, invalid_ktx2});
}

Result<FileKeys> read_stored_ktx_keys(ByteSpan bytes, bool is_swapped, const std::string& name) {
  return read_pairs(bytes, {name, is_swapped, ktx::invalid});
}

std::string letters_of_ktx_orientation(const TextureKey& key) {
  const std::string text = shown_value(key.value);
  std::string letters;
  for (size_t at = 2; at < text.size() && letters.size() < kKtxAxes.size(); at += 4) {
    letters += text[at];
  }
  return is_orientation(letters) && ktx_orientation(letters) == text ? letters : "";
}

Result<FileKeys> read_ktx_keys(ByteSpan bytes, bool is_swapped, const std::string& name) {
  TESSERA_ASSIGN_OR_RETURN(FileKeys found, read_stored_ktx_keys(bytes, is_swapped, name));
  for (TextureKey& key : found.keys) {
    if (key.name == kOrientationKey) {
      const std::string letters = letters_of_ktx_orientation(key);
      key.value = letters.empty() ? key.value : ended(letters);
    }
  }
  return found;
}

Result<Bytes> make_ktx2_keys(const std::vector<TextureKey>& keys, const std::string& made_with) {
  std::vector<TextureKey> own = {{std::string(kWriterKey), ended(kWriterValue)}};
  if (!made_with.empty()) {
    own.push_back({std::string(kParametersKey), ended(made_with)});
  }
  return write_pairs(merged_keys(own, keys));
}

Result<Bytes> make_ktx_keys(const std::vector<TextureKey>& keys) {
  std::vector<TextureKey> stored = merged_keys(keys, {});
  const std::string letters = orientation_of(keys);
  for (TextureKey& key : stored) {
    if (key.name == kOrientationKey && !letters.empty()) {
      key.value = ended(ktx_orientation(letters));
    }
  }
  return write_pairs(stored);
}

}  // namespace tessera
