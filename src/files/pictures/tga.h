// TGA: grey, true colour and colour-mapped, plain or run-length encoded; written plain.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "files/pictures/row_reader.h"
#include "image/image.h"

namespace tessera {

// TGA files have no signature: this asks that every field of the header makes sense. Ask last.
bool looks_like_tga(ByteSpan bytes);

// 1 to 4 channels of 8 bits. The header's number of alpha bits decides whether there is alpha.
Result<Image> decode_tga(ByteSpan bytes, const std::string& name, const ReadBudget& budget = {});

// What the header of a file of `file_bytes` says that the picture is; `head` is its beginning.
// Fails where the header goes beyond that, too.
Result<ImageInfo> read_tga_info(ByteSpan head, uint64_t file_bytes, const std::string& name);

// Where the rows of such a file are; kUnsupported for run lengths, colour maps and pixels of 16
// bits.
Result<StoredRows> find_tga_rows(ByteSpan head, uint64_t file_bytes, const std::string& name);

// 8-bit samples. Grey with alpha is written as RGBA: hardly any program reads the two-channel form.
Result<Bytes> encode_tga(const ImageView& image);

}  // namespace tessera
