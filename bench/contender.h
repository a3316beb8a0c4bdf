// What takes part in a benchmark: our own encoders and rivals, behind one interface.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "codec/codec.h"
#include "containers/texture.h"
#include "image/image.h"

namespace tessera::bench {

struct BenchImage {
  std::string name;
  Image rgba;  // 8-bit, four channels
};

class Contender {
 public:
  virtual ~Contender() = default;

  virtual std::string codec() const = 0;    // "tessera", "stb_dxt", …
  virtual std::string setting() const = 0;  // preset, method or mode

  // Encodes on one thread (ours: on as many as asked for); returns the seconds that the encoder
  // itself took.
  virtual Result<double> encode(const BenchImage& image) = 0;

  // What the last encode() made: its size in bytes without file headers, and its pixels.
  virtual size_t payload_bytes() const = 0;
  virtual Result<Image> decode(const BenchImage& image) = 0;
};

// What a benchmark is about.
struct Subject {
  std::string format = "bc1";
  BlockSize block;
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

}  // namespace tessera::bench
