// From targets and limits to settings.
#include "codec/goal_search.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "codec/settings_text.h"
#include "codec/settings_trials.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

// Presets that are tried where none is named. The next one, exhaustive, takes ten times as long as
// thorough for some tenths of a dB: it is the last resort.
constexpr std::array kOpenPresets = {Preset::kRealtime, Preset::kFast, Preset::kMedium,
                                     Preset::kThorough};

// Estimates are off by less, in most cases. A size is looked at closely when a sample comes this
// near to the target; a preset is tried on the whole when its estimate is so much above.
constexpr double kSampleDoubt = 0.4;     // dB
constexpr double kEstimateDoubt = 0.04;  // dB
// A sample has fewer blocks to repeat than the whole, so that its estimates are off by more.
constexpr double kRepeatingDoubt = 0.8;  // dB
// What slower presets gain over fast is about what fast gains over realtime, and no more than that
// and a little, nor more than some dB: sizes that fast misses by more are not tried with them.
constexpr double kMostGainedAgain = 1.0;  // times fast's gain
constexpr double kMostGainedMore = 0.3;   // dB
constexpr double kMostGained = 2;         // dB; of 123 searches, two took the next smaller size
constexpr double kExhaustiveGains = 3;    // dB, over anything
// Of neighbouring sizes, the one with more texels may be the better one: 8x8 and 10x6.
constexpr unsigned kMissesInARow = 2;

bool repeats_blocks(const CodecSettings& settings) {
  return std::any_of(settings.options.begin(), settings.options.end(),
                     [](const OptionValue& option) { return option.key.starts_with("rdo"); });
}

// With so many digits after the point.
std::string fixed(double value, int digits) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

// Of what --target-psnr asks for.
std::string decibels(bool is_hdr) {
  return is_hdr ? " dB mPSNR" : " dB";
}

// "3", or "3.4" where it is an estimate.
std::string levels_text(double error) {
  return number_text(std::round(error * 2550) / 10);
}

// "38.41 dB", in the measures that there are goals for.
std::string quality_text(const Badness& badness, const EncodeGoals& goals, bool is_hdr) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (goals.psnr || !goals.has_target()) {
    add(fixed(badness.psnr(), 2) + decibels(is_hdr));
  }
  if (goals.ssim) {
    add("SSIM " + fixed(1 - badness.dissimilarity, 4));
  }
  if (goals.has_channel_limits()) {
    add("errors of " + fixed(100 * badness.max_error / *goals.max_error, 0) +
        " % of what channels may have");
  } else if (goals.max_error) {
    add("a largest error of " + levels_text(badness.max_error) + " of 255");
  }
  return text;
}

// "40 dB"
std::string target_text(const EncodeGoals& goals, bool is_hdr) {
  Badness asked;
  asked.dissimilarity = 1 - goals.ssim.value_or(1);
  asked.max_error = goals.max_error.value_or(0);
  EncodeGoals others = goals;
  others.psnr.reset();
  std::string text = goals.psnr ? number_text(*goals.psnr) + decibels(is_hdr) : "";
  if (goals.has_channel_limits()) {
    text += (text.empty() ? "" : ", ") + ("errors of " + error_limits_text(goals) + " of 255");
    others.max_error.reset();
    others.error_counts = {1, 1, 1, 1};
  }
  if (others.has_target()) {
    text += (text.empty() ? "" : ", ") + quality_text(asked, others, is_hdr);
  }
  return text;
}

struct Found {
  BlockSize block;
  Effort effort;
  WholeTrial trial;
  std::string reason;
};

class GoalSearch {
 public:
  GoalSearch(const std::vector<ImageView>& levels, const EncodePlan& plan, Backend& backend,
             const RunControl& control)
      : levels_(levels),
        plan_(plan),
        goals_(plan.goals),
        backend_(backend),
        control_(control),
        trials_(levels[0], plan, backend, control),
        repeating_doubt_(repeats_blocks(plan.settings) ? kRepeatingDoubt : 0),
        sizes_(open_block_sizes(plan, levels[0].info.depth > 1)) {
    if (goals_.preset_is_open) {
      efforts_.assign(kOpenPresets.begin(), kOpenPresets.end());
    } else {
      efforts_ = {std::nullopt};
    }
  }

  Result<Found> run() {
    TESSERA_RETURN_IF_ERROR(keep_sizes_that_fit());
    return goals_.has_target() ? reach_target() : fill_limit();
  }

  // After a file has turned out too large; false: there is no larger size.
  bool leave_out(BlockSize block) {
    const auto at = std::find(sizes_.begin(), sizes_.end(), block);
    sizes_.erase(sizes_.begin(), at == sizes_.end() ? at : at + 1);
    return !sizes_.empty();
  }
  Result<Found> fill_limit();

 private:
  Result<uint64_t> file_bytes(BlockSize block) {
    return tessera::file_bytes(levels_, plan_, block, backend_, control_);
  }
  Status keep_sizes_that_fit();
  Result<size_t> find_start();
  Result<bool> may_reach(BlockSize block);
  Result<bool> is_promising(BlockSize block);
  Result<Found> reach_target();
  Result<bool> is_likely(BlockSize block, Effort effort);
  Result<std::optional<Found>> try_size(size_t index);
  Result<std::optional<Found>> try_whole(BlockSize block, Effort effort, bool is_likely);
  std::string reason_for(const Found& found) const;
  Error cannot_reach() const;
  RunControl control_of_try(bool is_likely);

  std::string name_of(BlockSize block, Effort effort) const {
    return block_size_name(block) + " " + effort_name(settings_for(plan_, block, effort));
  }
  std::string text_of(const Badness& badness) const {
    return quality_text(badness, goals_, is_hdr(plan_.settings.profile));
  }
  std::string target() const { return target_text(goals_, is_hdr(plan_.settings.profile)); }

  const std::vector<ImageView>& levels_;
  const EncodePlan& plan_;
  const EncodeGoals& goals_;
  Backend& backend_;
  const RunControl& control_;
  SettingsTrials trials_;
  double repeating_doubt_;        // dB
  std::vector<BlockSize> sizes_;  // that fit the limits, smallest first
  std::vector<Effort> efforts_;
  double progress_ = 0;
  std::optional<std::pair<BlockSize, Badness>> best_;    // of all that missed the target
  std::optional<std::pair<BlockSize, Badness>> larger_;  // the next size, which misses it
};

// Whole pictures are tried one after the other; each takes a share of what is left of the progress:
// most of it where it is likely to be the last.
RunControl GoalSearch::control_of_try(bool is_likely) {
  RunControl own = control_;
  if (control_.progress) {
    const double begin = progress_;
    const double share = (1 - begin) * (is_likely ? 0.9 : 0.1);
    progress_ += share;
    own.progress = [this, begin, share](double fraction) {
      control_.progress(begin + share * fraction);
    };
  }
  return own;
}

Status GoalSearch::keep_sizes_that_fit() {
  if (goals_.bits_per_pixel) {
    const BlockSize largest = sizes_.back();
    std::erase_if(sizes_, [&](const BlockSize& block) {
      return block_bits_per_pixel(*plan_.codec, block) > *goals_.bits_per_pixel;
    });
    if (sizes_.empty()) {
      return failed_error("no block size has " + number_text(*goals_.bits_per_pixel) +
                          " bits per pixel or fewer: " + block_size_name(largest) + " has " +
                          fixed(block_bits_per_pixel(*plan_.codec, largest), 2));
    }
  }
  if (!goals_.bytes) {
    return {};
  }
  size_t low = 0, high = sizes_.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    TESSERA_ASSIGN_OR_RETURN(const uint64_t bytes, file_bytes(sizes_[middle]));
    (bytes <= *goals_.bytes ? high : low) = bytes <= *goals_.bytes ? middle : middle + 1;
  }
  if (low == sizes_.size()) {
    TESSERA_ASSIGN_OR_RETURN(const uint64_t bytes, file_bytes(sizes_.back()));
    return failed_error("no block size makes a file of " + std::to_string(*goals_.bytes) +
                        " bytes or fewer: " + block_size_name(sizes_.back()) + " takes " +
                        std::to_string(bytes));
  }
  sizes_.erase(sizes_.begin(), sizes_.begin() + static_cast<ptrdiff_t>(low));
  return {};
}

// What the slowest preset may gain over fast, in dB.
double most_gained(const Badness& realtime, const Badness& fast) {
  const double gain = std::max(0.0, fast.psnr() - realtime.psnr());
  return std::min(gain * kMostGainedAgain + kMostGainedMore, kMostGained);
}

// Whether the slowest of the presets may reach the target, by a sample.
Result<bool> GoalSearch::may_reach(BlockSize block) {
  if (efforts_.size() == 1) {
    TESSERA_ASSIGN_OR_RETURN(const Badness badness, trials_.rough(block, efforts_.front()));
    larger_ = {block, badness};
    return reaches(badness, goals_, -kSampleDoubt);
  }
  TESSERA_ASSIGN_OR_RETURN(const Badness realtime, trials_.rough(block, Preset::kRealtime));
  TESSERA_ASSIGN_OR_RETURN(const Badness fast, trials_.rough(block, Preset::kFast));
  larger_ = {block, fast};
  return reaches(fast, goals_, -most_gained(realtime, fast) - repeating_doubt_);
}

// The largest size that is worth a closer look: sizes are halved by a quick preset first, and from
// there on the slowest one is asked.
Result<size_t> GoalSearch::find_start() {
  size_t low = 0, high = sizes_.size();  // low reaches it, or is the smallest
  const Effort quick = efforts_.size() > 1 ? Effort(Preset::kRealtime) : efforts_.front();
  // The largest one first: many pictures are easy.
  for (size_t middle = high - 1; high - low > 1; middle = (low + high) / 2) {
    TESSERA_ASSIGN_OR_RETURN(const Badness badness, trials_.rough(sizes_[middle], quick));
    (reaches(badness, goals_) ? low : high) = middle;
  }
  size_t start = low;
  unsigned misses = 0;
  for (size_t i = low + 1; i < sizes_.size() && misses < kMissesInARow; ++i) {
    TESSERA_ASSIGN_OR_RETURN(const bool may, may_reach(sizes_[i]));
    start = may ? i : start;
    misses = may ? 0 : misses + 1;
  }
  return start;
}

Result<std::optional<Found>> GoalSearch::try_whole(BlockSize block, Effort effort, bool is_likely) {
  TESSERA_ASSIGN_OR_RETURN(const WholeTrial* trial,
                           trials_.whole(block, effort, control_of_try(is_likely)));
  if (!reaches(trial->badness, goals_)) {
    best_ = {block, trial->badness};
    return std::optional<Found>();
  }
  return std::optional<Found>(Found{block, effort, trials_.take_latest(), ""});
}

// Whether it is worth the time to try whole pictures of this size.
Result<bool> GoalSearch::is_promising(BlockSize block) {
  if (efforts_.size() > 1) {
    TESSERA_ASSIGN_OR_RETURN(const WholeTrial* realtime, trials_.whole_realtime(block));
    TESSERA_ASSIGN_OR_RETURN(const Badness fast, trials_.estimate(block, Preset::kFast));
    if (!reaches(fast, goals_, -most_gained(realtime->badness, fast) - repeating_doubt_)) {
      larger_ = {block, fast};
      return false;
    }
    if (reaches(fast, goals_, kEstimateDoubt)) {
      return true;
    }
  }
  return is_likely(block, efforts_.back());
}

// Whether the whole picture is likely to reach the target, by what is known of it so far.
Result<bool> GoalSearch::is_likely(BlockSize block, Effort effort) {
  TESSERA_ASSIGN_OR_RETURN(const Badness expected, trials_.estimate(block, effort));
  // A preset that is named has no quicker and slower ones beside it that tell more than the sample.
  const bool is_likely = reaches(
      expected, goals_, (efforts_.size() > 1 ? kEstimateDoubt : -kSampleDoubt) - repeating_doubt_);
  if (!is_likely && effort == efforts_.back()) {
    larger_ = {block, expected};
  }
  return is_likely;
}

// The quickest preset that reaches the target with this size; nothing where none does. `fast` is
// tried before slower ones even where it will miss: it takes a small part of their time, and tells
// much better than realtime what they will come to. The smallest size is tried to the end, whatever
// the estimates say.
Result<std::optional<Found>> GoalSearch::try_size(size_t index) {
  const BlockSize block = sizes_[index];
  if (efforts_.size() > 1) {
    TESSERA_ASSIGN_OR_RETURN(const WholeTrial* quick, trials_.whole_realtime(block));
    if (reaches(quick->badness, goals_)) {
      return std::optional<Found>(Found{block, Preset::kRealtime, trials_.take_latest(), ""});
    }
    best_ = {block, quick->badness};
  }
  TESSERA_ASSIGN_OR_RETURN(const bool is_promising, this->is_promising(block));
  for (const Effort effort : efforts_) {
    const bool is_last_resort = index == 0 && effort == efforts_.back();
    if ((!is_promising && !is_last_resort) || (efforts_.size() > 1 && effort == kOpenPresets[0])) {
      continue;
    }
    bool is_likely = is_last_resort;
    if (!is_last_resort) {
      TESSERA_ASSIGN_OR_RETURN(is_likely, this->is_likely(block, effort));
    }
    if (is_likely || effort == Effort(Preset::kFast)) {
      TESSERA_ASSIGN_OR_RETURN(auto found, try_whole(block, effort, is_likely));
      if (found) {
        return found;
      }
      larger_ = best_;
    }
  }
  if (index == 0 && goals_.preset_is_open) {
    TESSERA_ASSIGN_OR_RETURN(const Badness expected, trials_.rough(block, Preset::kExhaustive));
    return reaches(expected, goals_, -kExhaustiveGains)
               ? try_whole(block, Preset::kExhaustive, true)
               : std::optional<Found>();
  }
  return std::optional<Found>();
}

Result<Found> GoalSearch::reach_target() {
  TESSERA_ASSIGN_OR_RETURN(const size_t start, find_start());
  for (size_t i = start + 1; i-- > 0;) {
    TESSERA_ASSIGN_OR_RETURN(std::optional<Found> found, try_size(i));
    if (found) {
      found->reason = reason_for(*found);
      return std::move(*found);
    }
  }
  return cannot_reach();
}

Error GoalSearch::cannot_reach() const {
  std::string sentence = target() + " cannot be reached";
  sentence += goals_.has_limit() ? " within the limits" : "";
  if (best_) {
    sentence += ": " + block_size_name(best_->first) + " comes to " + text_of(best_->second);
  }
  return failed_error(sentence);
}

std::string GoalSearch::reason_for(const Found& found) const {
  std::string reason = name_of(found.block, found.effort) + ": " + text_of(found.trial.badness) +
                       " reaches " + target();
  if (larger_ && larger_->first.texel_count() > found.block.texel_count()) {
    reason += ", " + block_size_name(larger_->first) + " has about " + text_of(larger_->second);
  } else if (found.block == sizes_.back()) {
    reason += sizes_.size() > 1 ? ", with the largest blocks" : "";
  }
  return reason;
}

// Of the smallest sizes that fit, the best one.
Result<Found> GoalSearch::fill_limit() {
  constexpr size_t kCompared = 3;
  const Effort effort = goals_.preset_is_open ? Effort(Preset::kThorough) : std::nullopt;
  BlockSize block = sizes_.front();
  double least = -1;
  for (size_t i = 0; sizes_.size() > 1 && i < std::min(kCompared, sizes_.size()); ++i) {
    TESSERA_ASSIGN_OR_RETURN(const Badness badness, trials_.estimate(sizes_[i], Preset::kFast));
    if (least < 0 || badness.square_error < least) {
      least = badness.square_error;
      block = sizes_[i];
    }
  }
  Found found{block, effort, {}, ""};
  TESSERA_RETURN_IF_ERROR(trials_.whole(block, effort, control_of_try(true)));
  found.trial = trials_.take_latest();
  std::string limits;
  if (goals_.bits_per_pixel) {
    limits = number_text(*goals_.bits_per_pixel) + " bits per pixel";
  }
  if (goals_.bytes) {
    limits += (limits.empty() ? "" : " and ") + std::to_string(*goals_.bytes) + " bytes";
  }
  found.reason = name_of(block, effort) + ": " + text_of(found.trial.badness) +
                 " is the best that fits " + limits;
  return found;
}

// The levels below the largest one, and the container.
Result<EncodedFile> finish(Found& found, const std::vector<ImageView>& levels, bool alpha_dropped,
                           const EncodePlan& plan, const CodecSettings& settings, Backend& backend,
                           const RunControl& control) {
  EncodePlan own = plan;
  own.settings = settings;
  own.goals = {};
  if (!plan.container_options.made_with.empty()) {
    own.container_options.made_with = settings_text(own);
  }
  if (levels.size() > 1) {
    TESSERA_ASSIGN_OR_RETURN(const auto encoder, own.codec->make_encoder(settings));
    const RunControl quiet = {{}, control.cancelled, control.limits};
    TESSERA_ASSIGN_OR_RETURN(EncodedTexture rest,
                             encode_levels({levels.begin() + 1, levels.end()}, *own.codec, settings,
                                           *encoder, backend, quiet, found.trial.encoded.rate));
    for (LargeBytes& level : rest.texture.levels) {
      found.trial.encoded.texture.levels.push_back(std::move(level));
    }
  }
  EncodeReport report;
  if (plan.metrics) {
    TESSERA_RETURN_IF_ERROR(
        measure_encoded(found.trial.encoded, levels[0], own, true, backend, control, report));
  }
  report.alpha_dropped = alpha_dropped;
  report.chosen = {found.block, effort_name(settings), found.reason};
  return write_encoded(found.trial.encoded, levels, own, std::move(report));
}

}  // namespace

Result<EncodedFile> encode_for_goals(const std::vector<ImageView>& levels, bool alpha_dropped,
                                     const EncodePlan& plan, Backend& backend,
                                     const RunControl& control) {
  const auto start = Clock::now();
  GoalSearch search(levels, plan, backend, control);
  TESSERA_ASSIGN_OR_RETURN(Found found, search.run());
  for (;;) {
    TESSERA_ASSIGN_OR_RETURN(
        EncodedFile file, finish(found, levels, alpha_dropped, plan,
                                 settings_for(plan, found.block, found.effort), backend, control));
    const bool fits = !plan.goals.bytes || file.report.file_bytes <= *plan.goals.bytes;
    if (fits) {
      const std::chrono::duration<double> seconds = Clock::now() - start;
      file.report.encode_seconds = seconds.count();
      return file;
    }
    // What zstd makes of blocks is known when they are there.
    if (plan.goals.has_target() || !search.leave_out(found.block)) {
      return failed_error("the file would have " + std::to_string(file.report.file_bytes) +
                          " bytes, more than the limit of " + std::to_string(*plan.goals.bytes));
    }
    TESSERA_ASSIGN_OR_RETURN(found, search.fill_limit());
  }
}

}  // namespace tessera
