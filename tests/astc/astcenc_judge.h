// Another decoder to be compared with: the `astcenc` command, when it is installed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "astc/format/block_size.h"
#include "base/bytes.h"
#include "base/result.h"

namespace tessera::astc {

// Pixels that astcenc decoded, RGBA: 8-bit values, or half floats' bits.
struct JudgedImage {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth = 0;
  bool is_half = false;
  std::vector<uint16_t> rgba;
};

// A folder of its own for temporary files, removed in the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Its version ("4.2.0"); nothing when it cannot be run.
std::optional<std::string> astcenc_version();

// Runs `astcenc <arguments>`; true when it succeeds.
bool run_astcenc(const std::string& arguments);

// The content of an .astc file.
Bytes make_astc_file(BlockSize size, uint32_t width, uint32_t height, uint32_t depth,
                     ByteSpan blocks);

// A KTX file (version 1) of RGBA pixels, bytes or half floats, for astcenc to encode.
Bytes make_ktx_file(uint32_t width, uint32_t height, uint32_t depth, bool is_half, ByteSpan pixels);

// Decodes an .astc file with "-dl", "-ds", "-dh" or "-dH".
Result<JudgedImage> judge_decode(const std::string& astc_path, const std::string& mode,
                                 const TemporaryFolder& folder);

}  // namespace tessera::astc
