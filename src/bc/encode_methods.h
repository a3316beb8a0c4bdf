// One entry a family of methods; each is compiled for every instruction set and chooses one when it
// runs. See the *-inl.h file of the same name for the method. `out` as in encode_rows.
#pragma once

#include <cstdint>
#include <span>

#include "bc/bc1_presets.h"
#include "bc/row_range.h"

namespace tessera::bc1 {

void encode_rows_bounds(const RowRange& range, std::span<uint8_t> out);
void encode_rows_realtime(const RowRange& range, std::span<uint8_t> out);
void encode_rows_pair(const RowRange& range, const Settings& settings, std::span<uint8_t> out);
void encode_rows_range(const RowRange& range, const Settings& settings, std::span<uint8_t> out);
void encode_rows_starts(const RowRange& range, const Settings& settings, std::span<uint8_t> out);
void encode_rows_cluster(const RowRange& range, const Settings& settings, std::span<uint8_t> out);
void encode_rows_lspiro(const RowRange& range, const Settings& settings, std::span<uint8_t> out);

}  // namespace tessera::bc1
