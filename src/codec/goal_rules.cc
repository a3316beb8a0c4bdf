// Checks goals, and writes them as options.
#include "codec/goal_rules.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"

namespace tessera {
namespace {

// Of a channel that must be exact: one level of 255 is beyond any limit.
constexpr double kNoErrorCounts = 1e6;

// The largest errors that samples may have, in levels of 255: "8", or "8,8,8,2" for red, green,
// blue and alpha.
Status set_error_limits(const std::string& text, EncodeGoals& goals) {
  std::vector<double> levels;
  std::string_view rest = text;
  bool is_known = true;
  while (is_known) {
    const auto value = take_double(rest);
    is_known = value && *value >= 0 && *value <= 255;
    levels.push_back(value.value_or(0));
    if (rest.empty() || !is_known) {
      break;
    }
    is_known = rest.front() == ',';
    rest.remove_prefix(1);
  }
  if (!is_known || levels.size() == 2 || levels.size() > 4) {
    return usage_error("max-error: '" + text +
                       "' is not one number of 0 to 255, nor three or four for red, green, blue "
                       "and alpha (such as 8,8,8,2)");
  }
  levels.resize(levels.size() == 1 ? 1 : 4, 255);  // alpha may be anything where it is not named
  const double highest = *std::max_element(levels.begin(), levels.end());
  goals.max_error = highest / 255;
  for (size_t c = 0; c < levels.size() && levels.size() > 1 && highest > 0; ++c) {
    goals.error_counts[c] = levels[c] > 0 ? highest / levels[c] : kNoErrorCounts;
  }
  return {};
}

}  // namespace

Result<EncodeGoals> read_goals(const OptionReader& reader) {
  EncodeGoals goals;
  goals.psnr = reader.number("target-psnr");
  goals.ssim = reader.number("target-ssim");
  if (const auto levels = reader.text("max-error")) {
    TESSERA_RETURN_IF_ERROR(set_error_limits(*levels, goals));
  }
  goals.bits_per_pixel = reader.number("max-bpp");
  if (const auto bytes = reader.number("max-bytes")) {
    goals.bytes = static_cast<uint64_t>(*bytes);
  }
  return goals;
}

Status check_goals(const EncodePlan& plan) {
  const EncodeGoals& goals = plan.goals;
  if (!goals.any()) {
    return {};
  }
  if (!plan.codec->row().has_several_blocks()) {
    return usage_error("targets and limits are for formats with several block sizes (astc)");
  }
  if (!goals.block_is_open && !goals.preset_is_open) {
    return usage_error(
        "a block size and a preset leave nothing to choose for a target or a limit: leave one out");
  }
  if (!plan.settings.method.empty()) {
    return usage_error("targets and limits choose a preset, so there can be no method");
  }
  if (is_hdr(plan.settings.profile) && (goals.ssim || goals.max_error)) {
    return unsupported_error(
        "--target-ssim and --max-error are not for high dynamic range: there --target-psnr asks "
        "for "
        "an mPSNR");
  }
  return {};
}

std::vector<BlockSize> open_block_sizes(const EncodePlan& plan, bool is_volume) {
  if (!plan.goals.block_is_open) {
    return {plan.codec->block_of(plan.settings)};
  }
  std::vector<BlockSize> sizes;
  for (const FormatNumbers& numbers : plan.codec->row().numbers) {
    if (numbers.block.is_3d() == is_volume &&
        std::find(sizes.begin(), sizes.end(), numbers.block) == sizes.end()) {
      sizes.push_back(numbers.block);
    }
  }
  std::sort(sizes.begin(), sizes.end(), [](const BlockSize& a, const BlockSize& b) {
    return a.texel_count() < b.texel_count();
  });
  return sizes;
}

double block_bits_per_pixel(const Codec& codec, BlockSize block) {
  return 8.0 * codec.row().block_bytes / block.texel_count();
}

std::string error_limits_text(const EncodeGoals& goals) {
  std::string text;
  for (const double count : goals.error_counts) {
    const double level = count == kNoErrorCounts ? 0 : *goals.max_error * 255 / count;
    text += (text.empty() ? "" : ",") + number_text(std::round(level * 1e6) / 1e6);
  }
  return text;
}

std::string goals_text(const EncodeGoals& goals) {
  std::string text;
  const auto add = [&](const char* key, const std::string& value) {
    text += (text.empty() ? "--" : " --") + std::string(key) + " " + value;
  };
  if (goals.psnr) {
    add("target-psnr", number_text(*goals.psnr));
  }
  if (goals.ssim) {
    add("target-ssim", number_text(*goals.ssim));
  }
  if (goals.max_error) {
    add("max-error", goals.has_channel_limits() ? error_limits_text(goals)
                                                : number_text(*goals.max_error * 255));
  }
  if (goals.bits_per_pixel) {
    add("max-bpp", number_text(*goals.bits_per_pixel));
  }
  if (goals.bytes) {
    add("max-bytes", std::to_string(*goals.bytes));
  }
  return text;
}

}  // namespace tessera
