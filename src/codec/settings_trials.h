// Tries block sizes and presets on a picture: quickly on a sample of it, or on the whole.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/block_size.h"
#include "base/preset.h"
#include "base/result.h"
#include "codec/pipeline.h"

namespace tessera {

// How far a texture is from its picture, in measures that are 0 where nothing differs.
struct Badness {
  double square_error = 0;   // mean, of samples of 0 to 1; of high dynamic range, from the mPSNR
  double dissimilarity = 0;  // 1 − SSIM
  double max_error = 0;      // of any sample, as goals count it; 1 is the full range

  double psnr() const;
};

// Whether goals allow it, with a margin in dB of the error; measures without a goal are not looked
// at. The largest error is that of a single sample, in whole levels, and follows the others badly:
// with a margin it may be half a level too high, with a negative one a level and a half above what
// that allows.
bool reaches(const Badness& badness, const EncodeGoals& goals, double margin_db = 0);

// A picture that has been encoded as a whole.
struct WholeTrial {
  EncodedTexture encoded;
  EncodeReport report;  // its metrics alone
  Badness badness;
};

// A preset, or nothing: as the plan says.
using Effort = std::optional<Preset>;

// "medium", or "quality 40".
std::string effort_name(const CodecSettings& settings);

// Of a plan, with a block size and an effort.
CodecSettings settings_for(const EncodePlan& plan, BlockSize block, Effort effort);

// Of the plan's whole file with such blocks, mip levels and the container included. Without zstd it
// follows from the block size; with it, realtime's blocks tell about it.
Result<uint64_t> file_bytes(const std::vector<ImageView>& levels, const EncodePlan& plan,
                            BlockSize block, Backend& backend, const RunControl& control);

class SettingsTrials {
 public:
  // All must outlive the object. `picture` is as the plan's encoders take it.
  SettingsTrials(const ImageView& picture, const EncodePlan& plan, Backend& backend,
                 const RunControl& control);

  // SSIM takes time: it is 1 unless the plan has a goal for it, or this is called.
  void want_ssim() { wants_ssim_ = true; }

  // Of a sample alone.
  Result<Badness> rough(BlockSize block, Effort effort);
  // What the whole would have: what a quicker preset has on all of it, corrected by what the effort
  // changes on a sample. The quicker one is the latest that this size was tried with, or realtime.
  Result<Badness> estimate(BlockSize block, Effort effort);
  // Of all of it. The latest one is kept; whole_realtime() does not repeat it where it is the one.
  Result<const WholeTrial*> whole_realtime(BlockSize block);
  Result<const WholeTrial*> whole(BlockSize block, Effort effort, const RunControl& control);
  // What whole() or whole_realtime() has just given; it is kept no longer.
  WholeTrial take_latest();

 private:
  struct Tried {
    BlockSize block;
    Effort effort;
    WholeTrial trial;
  };

  uint32_t patches_for(Effort effort) const;
  Result<const Image*> sample(BlockSize block, uint32_t patches);
  Result<Badness> on_sample(BlockSize block, Effort effort, uint32_t patches);
  Result<WholeTrial> encode(const ImageView& view, BlockSize block, Effort effort,
                            const RunControl& control);
  Badness badness_of(const Metrics& metrics) const;

  const ImageView& picture_;
  const EncodePlan& plan_;
  Backend& backend_;
  RunControl quiet_;
  bool wants_ssim_;
  bool weighs_by_alpha_ = false;
  std::map<uint32_t, Image> samples_;  // of the latest block size, by patches
  BlockSize sampled_block_;
  std::map<std::pair<Effort, uint32_t>, Badness> sample_badness_;  // of that block size
  std::optional<Tried> latest_;
};

}  // namespace tessera
