// Goes through the block sizes of a format.
#include "codec/advice.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "codec/goal_rules.h"

namespace tessera {
namespace {

// What few people tell from the original side by side, where nothing else is asked for.
constexpr double kUsualPsnr = 40;  // dB

bool fits(const AdviceRow& row, const EncodeGoals& goals) {
  return (!goals.bits_per_pixel || row.bits_per_pixel <= *goals.bits_per_pixel) &&
         (!goals.bytes || row.bytes <= *goals.bytes);
}

// The largest blocks that reach the targets; without any, the best that fits.
std::optional<size_t> choose(const std::vector<AdviceRow>& rows, const EncodeGoals& goals) {
  std::optional<size_t> chosen;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool is_better = goals.has_target() || !chosen ||
                           rows[i].badness.square_error < rows[*chosen].badness.square_error;
    if (fits(rows[i], goals) && reaches(rows[i].badness, goals) && is_better) {
      chosen = i;
    }
  }
  return chosen;
}

std::string describe(const AdviceRow& row, bool is_hdr) {
  std::array<char, 96> text;
  std::snprintf(text.data(), text.size(), "%s, with about %.1f dB%s at %.2f bits per pixel",
                block_size_name(row.block).c_str(), row.badness.psnr(), is_hdr ? " mPSNR" : "",
                row.bits_per_pixel);
  return text.data();
}

}  // namespace

Result<Advice> advise(const std::vector<ImageView>& levels, const EncodePlan& plan,
                      Backend& backend, const RunControl& control) {
  EncodePlan open = plan;
  open.settings.block.reset();
  open.goals.block_is_open = true;
  open.goals.preset_is_open = true;
  EncodeGoals& goals = open.goals;
  const bool is_asked = goals.any();
  if (!is_asked) {
    goals.psnr = kUsualPsnr;
  }
  TESSERA_RETURN_IF_ERROR(check_goals(open));
  SettingsTrials trials(levels[0], open, backend, control);
  const bool is_light = is_hdr(open.settings.profile);
  if (!is_light) {
    trials.want_ssim();
  }
  Advice advice;
  const std::vector<BlockSize> sizes = open_block_sizes(open, levels[0].info.depth > 1);
  for (const BlockSize& block : sizes) {
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
    AdviceRow row;
    row.block = block;
    row.bits_per_pixel = block_bits_per_pixel(*open.codec, block);
    TESSERA_ASSIGN_OR_RETURN(row.bytes, file_bytes(levels, open, block, backend, control));
    TESSERA_ASSIGN_OR_RETURN(row.badness, trials.estimate(block, std::nullopt));
    advice.rows.push_back(row);
    if (control.progress) {
      control.progress(static_cast<double>(advice.rows.size()) / static_cast<double>(sizes.size()));
    }
  }
  const auto chosen = choose(advice.rows, goals);
  if (!chosen && is_asked) {
    return failed_error("no block size meets " + goals_text(goals) + " with " +
                        std::string(open.settings.quality ? "" : "the preset ") +
                        effort_name(open.settings));
  }
  advice.recommended = chosen.value_or(0);
  const AdviceRow& row = advice.rows[advice.recommended];
  const std::string usual = number_text(kUsualPsnr) + " dB";
  if (is_asked) {
    advice.reason = "Take " + describe(row, is_light) + ": it meets " + goals_text(goals);
  } else if (chosen) {
    advice.reason = "Take " + describe(row, is_light) + ": the largest blocks that keep " + usual;
  } else {
    advice.reason = "Take " + describe(row, is_light) + ": no block size keeps " + usual +
                    ", and this is the best";
  }
  return advice;
}

}  // namespace tessera
