// Finds the reader for the rows of a picture.
#include "files/pictures/row_reader.h"

#include <algorithm>
#include <utility>

#include "files/input_file.h"
#include "files/pictures/decode_error.h"
#include "files/pictures/exr.h"
#include "files/pictures/image_file.h"
#include "files/pictures/png.h"
#include "files/pictures/pnm.h"
#include "files/pictures/tga.h"

namespace tessera {
namespace {

class StoredRowReader : public RowReader {
 public:
  StoredRowReader(const ByteSource& source, StoredRows stored, std::string name,
                  const ReadBudget& budget)
      : source_(source), stored_(std::move(stored)), name_(std::move(name)), budget_(budget) {}

  const ImageInfo& info() const override { return stored_.info; }

  Status read(const MutableImageView& rows) override {
    TESSERA_RETURN_IF_ERROR(budget_.check_time(name_));
    TESSERA_RETURN_IF_ERROR(read_stored_rows(source_, stored_, next_, rows, scratch_));
    next_ += rows.info.height;
    return {};
  }

  Status rewind() override {
    next_ = 0;
    return {};
  }

  uint64_t scratch_bytes() const override { return stored_.unpack ? stored_.row_bytes : 0; }

 private:
  const ByteSource& source_;
  StoredRows stored_;
  std::string name_;
  const ReadBudget& budget_;
  uint32_t next_ = 0;
  Bytes scratch_;
};

Result<StoredRows> find_raw_rows(const ImageInfo& raw, uint64_t file_bytes,
                                 const std::string& name) {
  StoredRows stored;
  stored.info = raw;
  stored.row_bytes = uint64_t{raw.width} * raw.pixel_bytes();
  if (raw.slices() != 1 || checked_multiply(stored.row_bytes, raw.height) != file_bytes) {
    return unsupported_content(name, "it is not one picture of the given size");
  }
  return stored;
}

}  // namespace

Status read_stored_rows(const ByteSource& source, const StoredRows& stored, uint32_t first,
                        const MutableImageView& rows, Bytes& scratch) {
  const auto row_bytes = static_cast<size_t>(stored.row_bytes);
  scratch.resize(stored.unpack ? row_bytes : 0);
  for (uint32_t y = 0; y < rows.info.height; ++y) {
    auto* const row = rows.row<uint8_t>(y);
    const std::span<uint8_t> target =
        stored.unpack ? std::span(scratch) : std::span(row, row_bytes);
    TESSERA_RETURN_IF_ERROR(source.read(stored.offset_of(first + y), target));
    if (stored.unpack) {
      TESSERA_RETURN_IF_ERROR(stored.unpack(scratch.data(), row));
    }
  }
  return {};
}

Result<std::unique_ptr<RowReader>> read_by_rows(const ByteSource& source, const std::string& name,
                                                const std::optional<ImageInfo>& raw,
                                                const ReadBudget& budget) {
  Bytes head(static_cast<size_t>(std::min<uint64_t>(source.size(), kHeadBytes)));
  TESSERA_RETURN_IF_ERROR(source.read(0, head));
  const auto type = detect_image_file_type(head);
  if (!raw && type == ImageFileType::kPng) {
    return read_png_by_rows(source, head, name, budget);
  }
  if (!raw && type == ImageFileType::kExr) {
    return read_exr_by_rows(source, head, name, budget);
  }
  Result<StoredRows> stored = unsupported_content(name, "its rows cannot be read one by one");
  if (raw) {
    stored = find_raw_rows(*raw, source.size(), name);
  } else if (type == ImageFileType::kPnm) {
    stored = find_pnm_rows(head, source.size(), name);
  } else if (type == ImageFileType::kTga) {
    stored = find_tga_rows(head, source.size(), name);
  }
  if (!stored) {
    return stored.error();
  }
  return std::unique_ptr<RowReader>(
      std::make_unique<StoredRowReader>(source, std::move(*stored), name, budget));
}

}  // namespace tessera
