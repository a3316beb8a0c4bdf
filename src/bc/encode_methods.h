// Each entry is compiled for every instruction set and chooses one when it runs. See the *-inl.h
// file of the same name. `out` as in encode_rows.
#pragma once

#include <cstdint>
#include <span>

#include "bc/bc1_presets.h"
#include "bc/row_range.h"

namespace tessera::bc1 {

void encode_rows_bounds(const RowRange& range, std::span<uint8_t> out);
void encode_rows_realtime(const RowRange& range, std::span<uint8_t> out);
void encode_rows_fit(const RowRange& range, const Settings& settings, std::span<uint8_t> out);

}  // namespace tessera::bc1
