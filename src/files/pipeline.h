// The whole way from file to file: src/codec/pipeline.h with reading and writing around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "codec/pipeline.h"
#include "exec/backend.h"
#include "files/file.h"
#include "files/pictures/image_file.h"
#include "image/image.h"

namespace tessera {

struct EncodeJob : EncodePlan {
  std::string input;   // a path, or "-"
  std::string output;  // a path, or "-"
  WriteDurability durability = WriteDurability::kUsual;
};

Result<EncodeReport> encode_file(const EncodeJob& job, Backend& backend, const RunControl& control);

// The same without writing, for callers that have another place for the file than job.output.
Result<EncodedFile> encode_to_memory(const EncodeJob& job, Backend& backend,
                                     const RunControl& control);

// The picture of job.input as the encoder takes it, for callers that encode it elsewhere.
Result<PreparedImage> read_prepared(const EncodeJob& job, const Encoder& encoder,
                                    const RunControl& control);

struct DecodeJob {
  std::string input;
  std::string output;
  ImageFileType type = ImageFileType::kPng;
  uint32_t level = 0;
  DecodeOptions options;
  std::optional<uint32_t> slice;  // of an array or a volume; needed when there are several
  WriteDurability durability = WriteDurability::kUsual;
};

struct DecodeReport {
  ImageInfo image;
  TextureInfo texture;
  ContainerType container = ContainerType::kDds;  // of the texture
  size_t level_count = 1;                         // of the texture
  double decode_seconds = 0;
  size_t file_bytes = 0;
};

Result<DecodeReport> decode_file(const DecodeJob& job, Backend& backend, const RunControl& control);

// Writes the picture after each pass of decoding a fractal image, from none on, as DIR/step00.png,
// step01.png, …
Status write_decoding_steps(const std::string& input, const DecodeOptions& options,
                            const std::string& folder, Backend& backend, const RunControl& control);

}  // namespace tessera
