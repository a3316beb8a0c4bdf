// What is known about a file that has been encoded, wherever that happened.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/pipeline.h"

namespace tessera {

// What a file was made of, and what it is: hashes of their content (content_hash.h); 0: not known.
struct FileStamp {
  uint64_t source = 0;
  uint64_t output = 0;
  uint64_t output_bytes = 0;
};

// What a rank has done for a file that all ranks shared.
struct RankWork {
  uint64_t units = 0;
  uint64_t pixels = 0;
  double busy_seconds = 0;
};

struct FileEncodeReport {
  EncodeReport encode;
  std::string backend;   // "cpu", "opencl", or "mpi" for a file that all ranks made together
  unsigned threads = 1;  // of that backend, on all ranks together
  std::string isa;       // the instruction set of the kernels
  FileStamp stamp;

  // Of a file that the ranks shared as strips of an image; otherwise empty.
  std::vector<RankWork> ranks;
  uint64_t messages = 0;       // between rank 0 and the others
  double control_seconds = 0;  // that rank 0 spent on serving the others
};

// A file that has been encoded and not yet written.
struct MadeFile {
  LargeBytes bytes;
  FileEncodeReport report;
};

}  // namespace tessera
