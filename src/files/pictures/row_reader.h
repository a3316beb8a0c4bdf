// Pictures that are read some rows at a time, for those that do not fit into memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/read_budget.h"
#include "base/result.h"
#include "files/byte_source.h"
#include "image/image.h"

namespace tessera {

class RowReader {
 public:
  virtual ~RowReader() = default;

  // Of the whole picture.
  virtual const ImageInfo& info() const = 0;
  // The next rows, from the top; the height of `rows` says how many.
  virtual Status read(const MutableImageView& rows) = 0;
  // Goes back to the first row.
  virtual Status rewind() = 0;
  // Of memory, besides the rows that are read.
  virtual uint64_t scratch_bytes() const = 0;
  // So many rows are unpacked together, again each time that some of them are read.
  virtual uint32_t rows_together() const { return 1; }
};

// Rows that lie in a file one after the other, all of the same size.
struct StoredRows {
  ImageInfo info;
  uint64_t offset = 0;     // bytes before the first row that is stored
  uint64_t row_bytes = 0;  // as they are stored
  bool bottom_up = false;
  // Makes a row of pixels of a row as it is stored. Empty: it is one.
  std::function<Status(const uint8_t* stored, uint8_t* row)> unpack;

  uint64_t offset_of(uint32_t y) const {
    return offset + (bottom_up ? info.height - 1 - y : y) * row_bytes;
  }
};

// The rows [first, first + rows.height) of such a picture. `scratch` serves for a row.
Status read_stored_rows(const ByteSource& source, const StoredRows& stored, uint32_t first,
                        const MutableImageView& rows, Bytes& scratch);

// kUnsupported for files whose rows cannot be had one after the other with little memory: all but
// PNG that is not interlaced, binary PPM and PGM, TGA of whole bytes without run lengths, and
// OpenEXR.
// `raw`: what a file without a header holds. The source and the budget must live as long as the
// reader.
Result<std::unique_ptr<RowReader>> read_by_rows(const ByteSource& source, const std::string& name,
                                                const std::optional<ImageInfo>& raw,
                                                const ReadBudget& budget);

}  // namespace tessera
