// Rivals that encode one BC1 block at a time from sixteen RGBA texels.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "contender.h"

namespace tessera::bench {

using EncodeBlock = std::function<void(const uint8_t* rgba, uint8_t* block)>;

class BlockRival : public Contender {
 public:
  BlockRival(std::string codec, std::string setting, EncodeBlock encode_block)
      : codec_(std::move(codec)),
        setting_(std::move(setting)),
        encode_block_(std::move(encode_block)) {}

  std::string codec() const override { return codec_; }
  std::string setting() const override { return setting_; }
  size_t payload_bytes() const override { return blocks_.size(); }

  Result<double> encode(const BenchImage& image) override;
  Result<Image> decode(const BenchImage& image) override;

 private:
  std::string codec_;
  std::string setting_;
  EncodeBlock encode_block_;
  Bytes blocks_;
};

}  // namespace tessera::bench
