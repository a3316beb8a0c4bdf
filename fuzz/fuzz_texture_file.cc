// Any bytes as a texture file: reading must end in a texture that is as large as it says, or in an
// error; and what was read must be written back to the same meaning.
#include <cstdint>
#include <cstdlib>

#include "containers/texture_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tessera;
  const ByteSpan bytes(data, size);
  const auto texture = read_texture(bytes, "input");
  if (!texture) {
    return 0;
  }
  size_t total = 0;
  for (uint32_t level = 0; level < texture->levels.size(); ++level) {
    if (texture->levels[level].size() != level_bytes(texture->info, level).value()) {
      std::abort();
    }
    total += texture->levels[level].size();
  }
  if (total > size) {
    std::abort();
  }
  const auto written = write_texture(*texture, *detect_container_type(bytes));
  if (written) {
    const auto again = read_texture(*written, "output");
    if (!again || again->info != texture->info || again->levels != texture->levels) {
      std::abort();
    }
  }
  return 0;
}
