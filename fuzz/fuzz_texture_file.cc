// Any bytes as a texture file: reading must end in a texture that is as large as it says, or in an
// error, with no more memory and time than promised; and what was read must be written back to the
// same meaning.
#include <cstdint>
#include <cstdlib>

#include "containers/container_rules.h"
#include "containers/texture_file.h"
#include "measured.h"

namespace {

using namespace tessera;

constexpr size_t kMaxInflation = 32768;         // Zstandard's; other files hold their levels as is
constexpr size_t kMaxRoundTripBytes = 1 << 20;  // more would only slow the search down

void check_round_trip(const Texture& texture, ContainerType type, const ContainerOptions& options) {
  const auto written = write_texture(texture, type, options);
  if (!written) {
    if (type == ContainerType::kKtx2) {
      std::abort();  // holds whatever can be read from it
    }
    return;
  }
  const auto again = read_texture(*written, "output");
  if (!again || again->info != texture.info || again->levels != texture.levels) {
    std::abort();
  }
}

Result<Texture> read_measured(ByteSpan bytes) {
  const fuzz::Measured measured(bytes.size());
  return read_texture(bytes, "input", measured.budget());
}

// Goes through all rules, whatever is wrong with the file.
void check_rules(ByteSpan bytes) {
  const fuzz::Measured measured(bytes.size());
  const RuleList ktx2 = check_ktx2_rules(bytes, measured.budget());
  const RuleList dds = check_dds_rules(bytes);
  if (ktx2.results().empty() || dds.results().empty()) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ByteSpan bytes(data, size);
  check_rules(bytes);
  const auto texture = read_measured(bytes);
  if (!texture) {
    return 0;
  }
  const ContainerType type = *detect_container_type(bytes);
  size_t total = 0;
  for (uint32_t level = 0; level < texture->levels.size(); ++level) {
    if (format_row(texture->info.format).payload == PayloadKind::kBlocks &&
        texture->levels[level].size() != level_bytes(texture->info, level).value()) {
      std::abort();
    }
    total += texture->levels[level].size();
  }
  if (total > size * (type == ContainerType::kKtx2 ? kMaxInflation : 1)) {
    std::abort();
  }
  if (total > kMaxRoundTripBytes) {
    return 0;
  }
  check_round_trip(*texture, type, {});
  if (type == ContainerType::kKtx2 && have_zstd()) {
    ContainerOptions options;
    options.zstd = true;
    options.zstd_level = 1;
    check_round_trip(*texture, type, options);
  }
  return 0;
}
