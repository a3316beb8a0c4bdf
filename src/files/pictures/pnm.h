// PPM and PGM: P2, P3 (decimal numbers), P5 and P6 (binary), with any maximum value up to 65535.
// Up to 255 gives 8-bit samples, more gives 16-bit ones, scaled to the full range and rounded.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "files/pictures/row_reader.h"
#include "image/image.h"

namespace tessera {

// Also the relatives that cannot be read (P1, P4, P7), so that they get a sentence of their own.
bool looks_like_pnm(ByteSpan bytes);

Result<Image> decode_pnm(ByteSpan bytes, const std::string& name, const ReadBudget& budget = {});

// What the header of a file of `file_bytes` says that the picture is; `head` is its beginning.
// Fails where the header goes beyond that, too.
Result<ImageInfo> read_pnm_info(ByteSpan head, uint64_t file_bytes, const std::string& name);

// Where the rows of such a file are; kUnsupported for decimal numbers.
Result<StoredRows> find_pnm_rows(ByteSpan head, uint64_t file_bytes, const std::string& name);

// P5 for grey, P6 for colour. Alpha is dropped when every pixel is opaque, refused otherwise.
Result<Bytes> encode_pnm(const ImageView& image);

}  // namespace tessera
