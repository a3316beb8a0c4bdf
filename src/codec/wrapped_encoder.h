// An encoder around another one, which does part of the work.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "codec/codec.h"

namespace tessera {

// Says about itself what the other one does.
class WrappedEncoder : public BlockEncoder {
 public:
  explicit WrappedEncoder(std::unique_ptr<BlockEncoder> encoder) : encoder_(std::move(encoder)) {}

  SampleType input_sample() const override { return encoder_->input_sample(); }
  uint32_t input_channels(const ImageInfo& picture) const override {
    return encoder_->input_channels(picture);
  }
  bool keeps_alpha() const override { return encoder_->keeps_alpha(); }
  uint64_t output_bytes(const ImageInfo& image) const override {
    return encoder_->output_bytes(image);
  }
  bool chooses_rate() const override { return encoder_->chooses_rate(); }
  Result<ChosenRate> choose_rate(const ImageView& largest, Backend& backend,
                                 const RunControl& control) const override {
    return encoder_->choose_rate(largest, backend, control);
  }
  ImageFacts look_at(const ImageView& image) const override { return encoder_->look_at(image); }
  bool wants_facts() const override { return encoder_->wants_facts(); }
  std::vector<ImageArea> areas_looked_at(const ImageInfo& image) const override {
    return encoder_->areas_looked_at(image);
  }
  ImageFacts look_at_areas(std::span<const ImageView> areas) const override {
    return encoder_->look_at_areas(areas);
  }
  uint32_t rows_together(const ImageInfo& image) const override {
    return encoder_->rows_together(image);
  }

 protected:
  const BlockEncoder& encoder() const { return *encoder_; }

 private:
  std::unique_ptr<BlockEncoder> encoder_;
};

}  // namespace tessera
