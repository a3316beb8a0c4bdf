// OpenEXR, where the build has its library: half and float, rows or tiles, one part.
#pragma once

#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "files/pictures/row_reader.h"
#include "image/image.h"

namespace tessera {

bool have_openexr();

// Channels R, G, B (and A), or Y (and A); others are left out. Halves when all of them are halves,
// else floats; linear. The image is as large as the file's data window.
Result<Image> decode_exr(ByteSpan bytes, const std::string& name, const ReadBudget& budget = {});

// What the header of a file of `file_bytes` says that the picture is; `head` is its beginning.
// Fails where the header goes beyond that, too.
Result<ImageInfo> read_exr_info(ByteSpan head, uint64_t file_bytes, const std::string& name);

// `head` is the beginning of the file. The source and the budget must live as long as the reader.
Result<std::unique_ptr<RowReader>> read_exr_by_rows(const ByteSource& source, ByteSpan head,
                                                    const std::string& name,
                                                    const ReadBudget& budget);

// Half and float samples, ZIP-compressed, without loss.
Result<Bytes> encode_exr(const ImageView& image);

}  // namespace tessera
