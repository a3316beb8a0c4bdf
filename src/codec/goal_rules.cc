// Checks goals, and writes them as options.
#include "codec/goal_rules.h"

#include <algorithm>

namespace tessera {

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
  if (is_hdr(plan.settings.profile)) {
    return unsupported_error("targets and limits are not for pictures of high dynamic range");
  }
  return {};
}

std::vector<BlockSize> open_block_sizes(const EncodePlan& plan) {
  if (!plan.goals.block_is_open) {
    return {plan.codec->block_of(plan.settings)};
  }
  std::vector<BlockSize> sizes;
  for (const FormatNumbers& numbers : plan.codec->row().numbers) {
    if (!numbers.block.is_3d() &&
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
    add("max-error", number_text(*goals.max_error * 255));
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
