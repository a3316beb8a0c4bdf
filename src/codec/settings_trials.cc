// Encodes samples and whole pictures, and measures them.
#include "codec/settings_trials.h"

#include <algorithm>
#include <cmath>

#include "codec/sampled_picture.h"
#include "codec/settings_text.h"
#include "image/channel_errors.h"

namespace tessera {
namespace {

constexpr std::string_view kAlphaWeight = "alpha-weight";

// An eighth of the picture, at most 128 patches: a trial is to take a small part of the encoding's
// time. Slow presets get a third of it, as what they change is much alike in all patches.
uint32_t count_patches(Effort effort, const CodecSettings& own, uint64_t pixels) {
  constexpr uint64_t kPixelsPerPatch = 24 * 24, kMost = 128, kFewest = 16, kSlowShare = 3;
  const Preset preset = effort.value_or(own.preset);
  const bool is_slow = preset >= Preset::kThorough || (!effort && own.quality && *own.quality > 60);
  const uint64_t patches = std::clamp(pixels / 8 / kPixelsPerPatch, kFewest, kMost);
  return static_cast<uint32_t>(std::max(is_slow ? patches / kSlowShare : patches, kFewest));
}

double mse_of(double psnr) {
  return psnr >= kInfinitePsnr ? 0 : std::pow(10.0, -psnr / 10);
}

// `whole` times what `part` is of `base`.
double scaled(double whole, double part, double base) {
  return base > 0 ? whole * part / base : std::max(whole, part);
}

double counted_error(const std::array<double, 4>& errors, const std::array<double, 4>& counts) {
  double largest = 0;
  for (size_t c = 0; c < 4; ++c) {
    largest = std::max(largest, errors[c] * counts[c]);
  }
  return largest;
}

}  // namespace

double Badness::psnr() const {
  return psnr_from_mse(square_error);
}

bool reaches(const Badness& badness, const EncodeGoals& goals, double margin_db) {
  if (margin_db == 0) {  // to the last digit of what is reported
    return (!goals.psnr || badness.psnr() >= *goals.psnr) &&
           (!goals.ssim || 1 - badness.dissimilarity >= *goals.ssim) &&
           (!goals.max_error || badness.max_error <= *goals.max_error);
  }
  constexpr double kLevel = 1.0 / 255;
  const double share = std::pow(10.0, -margin_db / 10);  // of what a square error may be
  const double most = goals.max_error.value_or(0) * std::max(1.0, std::sqrt(share)) +
                      (margin_db < 0 ? 1.5 : 0.5) * kLevel;
  return (!goals.psnr || badness.square_error <= mse_of(*goals.psnr) * share) &&
         (!goals.ssim || badness.dissimilarity <= (1 - *goals.ssim) * share) &&
         (!goals.max_error || badness.max_error <= most);
}

SettingsTrials::SettingsTrials(const ImageView& picture, const EncodePlan& plan, Backend& backend,
                               const RunControl& control)
    : picture_(picture),
      plan_(plan),
      backend_(backend),
      quiet_{{}, control.cancelled, control.limits},
      wants_ssim_(plan.goals.ssim.has_value()) {
  for (const OptionValue& option : plan.settings.options) {
    if (option.key == kAlphaWeight) {
      weighs_by_alpha_ = option.value != "0" && option.value != "false";
    }
  }
}

std::string effort_name(const CodecSettings& settings) {
  return settings.quality ? "quality " + number_text(double{*settings.quality})
                          : std::string(preset_name(settings.preset));
}

CodecSettings settings_for(const EncodePlan& plan, BlockSize block, Effort effort) {
  CodecSettings settings = plan.settings;
  settings.block = block;
  if (effort) {
    settings.preset = *effort;
    settings.quality.reset();
  }
  return settings;
}

Result<uint64_t> file_bytes(const std::vector<ImageView>& levels, const EncodePlan& plan,
                            BlockSize block, Backend& backend, const RunControl& control) {
  const CodecSettings settings = settings_for(plan, block, Preset::kRealtime);
  EncodePlan chosen = plan;  // the file tells its settings
  chosen.settings = settings_for(
      plan, block, plan.goals.preset_is_open ? Effort(Preset::kThorough) : std::nullopt);
  chosen.goals = {};
  std::string& made_with = chosen.container_options.made_with;
  made_with = made_with.empty() ? "" : settings_text(chosen);
  EncodedTexture encoded;
  if (plan.container_options.zstd) {
    TESSERA_ASSIGN_OR_RETURN(const auto encoder, plan.codec->make_encoder(settings));
    const RunControl quiet = {{}, control.cancelled, control.limits};
    TESSERA_ASSIGN_OR_RETURN(
        encoded, encode_levels(levels, *plan.codec, settings, *encoder, backend, quiet));
  } else {
    encoded.texture.info = encoded_info(levels[0].info, *plan.codec, settings);
    for (uint32_t level = 0; level < levels.size(); ++level) {
      TESSERA_ASSIGN_OR_RETURN(const uint64_t bytes, level_bytes(encoded.texture.info, level));
      encoded.texture.levels.emplace_back(static_cast<size_t>(bytes));
    }
  }
  TESSERA_ASSIGN_OR_RETURN(const LargeBytes file, write_texture(encoded.texture, plan.container,
                                                                chosen.container_options));
  return uint64_t{file.size()};
}

Badness SettingsTrials::badness_of(const Metrics& metrics) const {
  const double psnr = is_hdr(plan_.settings.profile) && metrics.hdr ? metrics.hdr->mpsnr
                      : weighs_by_alpha_                            ? metrics.psnr_alpha_weighted
                                         : std::min(metrics.psnr_rgb, metrics.psnr_rgba);
  return {mse_of(psnr), 1 - metrics.ssim, metrics.max_error};
}

Result<WholeTrial> SettingsTrials::encode(const ImageView& view, BlockSize block, Effort effort,
                                          const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  EncodePlan own = plan_;
  own.settings = settings_for(plan_, block, effort);
  TESSERA_ASSIGN_OR_RETURN(const auto encoder, own.codec->make_encoder(own.settings));
  WholeTrial trial;
  TESSERA_ASSIGN_OR_RETURN(
      trial.encoded, encode_levels({view}, *own.codec, own.settings, *encoder, backend_, control));
  TESSERA_RETURN_IF_ERROR(
      measure_encoded(trial.encoded, view, own, wants_ssim_, backend_, quiet_, trial.report));
  trial.badness = badness_of(*trial.report.metrics);
  if (plan_.goals.has_channel_limits()) {
    TESSERA_ASSIGN_OR_RETURN(const Image decoded,
                             decode_to_measure(trial.encoded, view, own, backend_, quiet_));
    trial.badness.max_error =
        counted_error(channel_max_errors(view, decoded.view()), plan_.goals.error_counts);
  }
  return trial;
}

Result<const Image*> SettingsTrials::sample(BlockSize block, uint32_t patches) {
  if (!(sampled_block_ == block)) {
    samples_.clear();
    sample_badness_.clear();
    sampled_block_ = block;
  }
  auto found = samples_.find(patches);
  if (found == samples_.end()) {
    TESSERA_ASSIGN_OR_RETURN(Image image, sample_picture(picture_, block, patches));
    found = samples_.emplace(patches, std::move(image)).first;
  }
  return &found->second;
}

Result<Badness> SettingsTrials::on_sample(BlockSize block, Effort effort, uint32_t patches) {
  TESSERA_ASSIGN_OR_RETURN(const Image* image, sample(block, patches));
  const auto key = std::pair(effort, patches);
  auto found = sample_badness_.find(key);
  if (found == sample_badness_.end()) {
    const ImageView view = image->empty() ? picture_ : image->view();
    TESSERA_ASSIGN_OR_RETURN(const WholeTrial trial, encode(view, block, effort, quiet_));
    found = sample_badness_.emplace(key, trial.badness).first;
  }
  return found->second;
}

uint32_t SettingsTrials::patches_for(Effort effort) const {
  return count_patches(effort, plan_.settings, picture_.info.pixel_count());
}

Result<Badness> SettingsTrials::rough(BlockSize block, Effort effort) {
  return on_sample(block, effort, patches_for(effort));
}

Result<Badness> SettingsTrials::estimate(BlockSize block, Effort effort) {
  if (!latest_ || !(latest_->block == block)) {
    TESSERA_RETURN_IF_ERROR(whole(block, Preset::kRealtime, quiet_));
  }
  const uint32_t patches = patches_for(effort);
  TESSERA_ASSIGN_OR_RETURN(const Image* image, sample(block, patches));
  TESSERA_ASSIGN_OR_RETURN(const Badness part, on_sample(block, effort, patches));
  if (image->empty()) {
    return part;  // of the whole picture
  }
  TESSERA_ASSIGN_OR_RETURN(const Badness base_part, on_sample(block, latest_->effort, patches));
  const Badness& base = latest_->trial.badness;
  return Badness{scaled(base.square_error, part.square_error, base_part.square_error),
                 scaled(base.dissimilarity, part.dissimilarity, base_part.dissimilarity),
                 scaled(base.max_error, part.max_error, base_part.max_error)};
}

Result<const WholeTrial*> SettingsTrials::whole_realtime(BlockSize block) {
  if (latest_ && latest_->block == block && latest_->effort == Effort(Preset::kRealtime)) {
    return &latest_->trial;
  }
  return whole(block, Preset::kRealtime, quiet_);
}

Result<const WholeTrial*> SettingsTrials::whole(BlockSize block, Effort effort,
                                                const RunControl& control) {
  latest_.reset();  // before memory is taken for another one
  TESSERA_ASSIGN_OR_RETURN(WholeTrial trial, encode(picture_, block, effort, control));
  latest_.emplace(Tried{block, effort, std::move(trial)});
  return &latest_->trial;
}

WholeTrial SettingsTrials::take_latest() {
  WholeTrial trial = std::move(latest_->trial);
  latest_.reset();
  return trial;
}

}  // namespace tessera
