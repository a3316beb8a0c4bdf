// PNG: every colour type and bit depth. Channels stay as in the file; a palette becomes RGB, and a
// tRNS chunk adds alpha. 16-bit samples stay 16-bit, fewer than 8 bits become 8.
#pragma once

#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "files/pictures/row_reader.h"
#include "image/image.h"

namespace tessera {

bool looks_like_png(ByteSpan bytes);

Result<Image> decode_png(ByteSpan bytes, const std::string& name, const ReadBudget& budget = {});

// What the header of a file of `file_bytes` says that the picture is; `head` is its beginning.
// Fails where the header goes beyond that, too.
Result<ImageInfo> read_png_info(ByteSpan head, uint64_t file_bytes, const std::string& name);

// `head` is the beginning of the file. kUnsupported for interlaced files. The source and the budget
// must live as long as the reader.
Result<std::unique_ptr<RowReader>> read_png_by_rows(const ByteSource& source, ByteSpan head,
                                                    const std::string& name,
                                                    const ReadBudget& budget);

// 8-bit or 16-bit samples, one slice. Set up to be quick rather than small.
Result<Bytes> encode_png(const ImageView& image);

}  // namespace tessera
