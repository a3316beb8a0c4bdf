// The modules leave out .ktx files of version 1: their levels cannot be put into them, or taken out
// of them, one by one as those of the others.
#include <string_view>

#include "containers/ktx_file.h"

namespace tessera {
namespace {

Error absent() {
  return unsupported_error(".ktx files are for the command; here are .ktx2 files");
}

}  // namespace

bool is_ktx_file(ByteSpan bytes) {
  constexpr std::string_view kIdentifier = "\xABKTX 11\xBB\r\n\x1A\n";
  return bytes.size() >= kIdentifier.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()), kIdentifier.size()) ==
             kIdentifier;
}

Result<TextureIndex> read_ktx_index(ByteSpan /*head*/, uint64_t /*file_bytes*/,
                                    const std::string& /*name*/) {
  return absent();
}

Result<LargeBytes> write_ktx_file(const Texture& /*texture*/,
                                  const std::vector<TextureKey>& /*keys*/) {
  return absent();
}

}  // namespace tessera
