// The whole way from file to file: src/codec/pipeline.h with reading and writing around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "codec/pipeline.h"
#include "exec/backend.h"
#include "files/file.h"
#include "files/file_plan.h"
#include "files/file_report.h"
#include "files/pictures/image_file.h"
#include "image/image.h"

namespace tessera {

struct EncodeJob : EncodePlan {
  std::string input;                // a path, or "-"
  std::vector<std::string> slices;  // of plan.group, paths of all of them; empty: input is all
  std::string output;               // a path, or "-"
  WriteDurability durability = WriteDurability::kUsual;
};

// The files of a run, and what is made of them.
struct EncodeList {
  std::vector<FilePair> files;
  std::vector<EncodeJob> jobs;  // that the files are made with, without names of files
  std::string folder;           // that the outputs go into; "": there is one, which is no folder
};

// The report's instruction set is left to the caller.
Result<FileEncodeReport> encode_file(const EncodeJob& job, Backend& backend,
                                     const RunControl& control);

// The same without writing, for callers that have another place for the file than job.output.
Result<MadeFile> encode_to_memory(const EncodeJob& job, Backend& backend,
                                  const RunControl& control);

// The picture of job.input as the encoder takes it, for callers that encode it elsewhere.
// `source_hash` receives the hash of the file.
Result<PreparedImage> read_prepared(const EncodeJob& job, const Encoder& encoder,
                                    const RunControl& control, uint64_t& source_hash);

// All that is said about a file that `backend` has made, but for the instruction set.
MadeFile made_file(EncodedFile encoded, const Backend& backend, uint64_t source_hash);

class OutputIndex;

// One of several files.
struct DecodedFile {
  std::string name;
  FileStamp stamp;
};

struct DecodeJob {
  std::string input;
  std::string output;
  ImageFileType type = ImageFileType::kPng;
  uint32_t level = 0;
  DecodeOptions options;
  std::optional<uint32_t> slice;  // of an array or a volume; needed when there are several
  bool every_slice = false;       // or all of them, each in a file of its own: see slice_name()
  bool every_level = false;       // instead of `level`, each in a file of its own: see level_name()
  WriteDurability durability = WriteDurability::kUsual;
  // Of several files for slices and levels, those that check_may_replace() refuses are not
  // replaced.
  const OutputIndex* index = nullptr;
  // Called for each of several files as it is complete.
  std::function<void(const DecodedFile&)> made = nullptr;

  bool makes_several() const { return every_slice || every_level; }
};

struct DecodeReport {
  ImageInfo image;
  TextureInfo texture;
  ContainerType container = ContainerType::kDds;  // of the texture
  size_t level_count = 1;                         // of the texture
  double decode_seconds = 0;
  size_t file_bytes = 0;  // of all files
  uint64_t source_hash = 0;
  FileStamp stamp;                 // of the one file
  std::vector<DecodedFile> files;  // where every slice or level has one
};

// The file of one of so many slices: "out/volume.png" becomes "out/volume_007.png".
std::string slice_name(const std::string& output, uint32_t slice, uint32_t count);

// The file of one of the levels: "out/rock.png" becomes "out/rock_L2.png".
std::string level_name(const std::string& output, uint32_t level);

Result<DecodeReport> decode_file(const DecodeJob& job, Backend& backend, const RunControl& control);

}  // namespace tessera
