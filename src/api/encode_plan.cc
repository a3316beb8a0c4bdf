// Checks options of encoding and makes a plan of them.
#include "api/encode_plan.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "api/errors.h"
#include "codec/option_makers.h"
#include "codec/picture_use.h"
#include "codec/registry.h"
#include "codec/settings_text.h"
#include "containers/texture_file.h"

namespace tessera::api {
namespace {

constexpr std::array kCommonOptions = {
    option::text(
        "method", "NAME",
        "How blocks are fitted; bc1: bounds, farthest, luma, range, starts, cluster, lspiro"),
    option::number(
        "quality", OptionKind::kNumber, 0, 100,
        "0 to 100. astc: instead of a preset (0 realtime, 25 fast, 50 medium, 75 thorough, 100 "
        "exhaustive); fractal: 1 (smallest) to 100, 50 if not given"),
    option::text("channel-weights", "R,G,B",
                 "What errors of red, green, blue (astc: and alpha) count, such as 3,6,1, or luma: "
                 "as bright as eyes see them; bc1: whole numbers of 0 to 16"),
    option::flag("dx10", "Write .dds files with the DX10 header"),
    option::flag("zstd", "Compress .ktx2 files further, with zstd"),
    option::number("zstd-level", OptionKind::kWhole, 1, 22, "How hard zstd tries, 1 to 22"),
};

Result<const Codec*> read_codec(const tessera_encode_options& options,
                                const std::optional<ContainerType>& container) {
  if (options.format != nullptr) {
    return find_codec(options.format);
  }
  const FormatRow* const usual = container ? usual_format_of(*container) : nullptr;
  if (usual == nullptr) {
    return usage_error("say the format (" + all_format_names() + ")");
  }
  return &codec_of(usual->format);
}

Result<std::optional<ContainerType>> read_container(const char* name) {
  if (name == nullptr) {
    return std::optional<ContainerType>();
  }
  const std::string text = name;
  const auto type = container_type_of_name(text.starts_with('.') ? "x" + text : "x." + text);
  if (!type) {
    return usage_error("'" + text + "' is not a container (" + all_container_names() + ")");
  }
  return type;
}

Status read_common_options(const OptionList& list, EncodePlan& plan) {
  const OptionReader reader(list, kCommonOptions);
  TESSERA_RETURN_IF_ERROR(reader.check());
  plan.settings.method = reader.text("method").value_or("");
  if (const auto quality = reader.number("quality")) {
    plan.settings.quality = static_cast<float>(*quality);
  }
  plan.settings.channel_weights = reader.text("channel-weights").value_or("");
  if (reader.flag("dx10")) {
    plan.container_options.dds_header = DdsHeader::kDx10;
  }
  plan.container_options.zstd = reader.flag("zstd");
  if (const auto level = reader.whole("zstd-level")) {
    plan.container_options.zstd_level = static_cast<int>(*level);
  }
  for (const OptionValue& option : list) {
    if (find_option(kCommonOptions, option.key) == nullptr) {
      plan.settings.options.push_back(option);
    }
  }
  return {};
}

Result<Profile> read_profile(const char* name) {
  const auto profile = parse_profile(name);
  if (!profile) {
    return usage_error("'" + std::string(name) + "' is not a profile (ldr, srgb, hdr)");
  }
  return *profile;
}

Status read_codec_settings(const tessera_encode_options& options, CodecSettings& settings) {
  if (options.block != nullptr) {
    TESSERA_ASSIGN_OR_RETURN(settings.block, parse_block_size(options.block));
  }
  const std::string preset_text = text_or(options.preset, "medium");
  const auto preset = parse_preset(preset_text);
  if (!preset) {
    return usage_error("'" + preset_text +
                       "' is not a preset (realtime, fast, medium, thorough, exhaustive)");
  }
  settings.preset = *preset;
  if (options.profile != nullptr) {
    TESSERA_ASSIGN_OR_RETURN(settings.profile, read_profile(options.profile));
  }
  settings.normal_map = options.normal_map != 0;
  return {};
}

// What follows from the picture's use, where the caller says nothing else and the format can.
Status apply_use(const tessera_encode_options& options, EncodePlan& plan) {
  const PictureUse* const use = find_picture_use(options.use);
  if (use == nullptr) {
    return usage_error("'" + std::string(options.use) + "' is not what a picture is for (" +
                       picture_use_names() + ")");
  }
  plan.use = use->name;
  plan.linear = plan.linear || use->linear;
  CodecSettings& settings = plan.settings;
  const bool serves = plan.codec->row().has_profile(use->profile) || use->profile == Profile::kHdr;
  if (options.profile == nullptr && serves) {
    settings.profile = use->profile;
  }
  if (use->normal_map && options.swizzle == nullptr) {
    settings.normal_map = settings.normal_map || plan.codec->shared_settings().normal_map;
  }
  if (!use->swizzle.empty() && options.swizzle == nullptr) {
    TESSERA_ASSIGN_OR_RETURN(plan.swizzle, parse_swizzle(use->swizzle));
  }
  constexpr std::string_view kAlphaWeight = "alpha-weight";
  const auto is_given = [&](const OptionValue& option) { return option.key == kAlphaWeight; };
  if (use->weighs_by_alpha && find_option(plan.codec->encode_options(), kAlphaWeight) != nullptr &&
      std::none_of(settings.options.begin(), settings.options.end(), is_given)) {
    settings.options.push_back({std::string(kAlphaWeight), "true"});
  }
  return {};
}

Status read_source(const tessera_encode_options& options, EncodePlan& plan) {
  if (options.transcode == 0) {
    return options.source_profile == nullptr
               ? Status()
               : usage_error("source_profile is for encoders that transcode");
  }
  SourceTextures source;
  source.keep_profile = options.profile == nullptr && options.use == nullptr;
  if (options.source_profile != nullptr) {
    TESSERA_ASSIGN_OR_RETURN(source.profile, read_profile(options.source_profile));
  }
  plan.source = source;
  return {};
}

}  // namespace

std::span<const OptionDescriptor> common_encode_options() {
  return kCommonOptions;
}

Result<OptionList> read_option_list(const tessera_option* options, size_t count) {
  if (options == nullptr && count > 0) {
    return usage_error("option_count is " + std::to_string(count) + ", and options are NULL");
  }
  OptionList list;
  for (size_t i = 0; i < count; ++i) {
    if (options[i].key == nullptr || options[i].value == nullptr) {
      return usage_error("option " + std::to_string(i) + " has a key or a value that is NULL");
    }
    list.push_back({options[i].key, options[i].value});
  }
  return list;
}

Result<EncodePlan> read_encode_plan(const tessera_encode_options* given) {
  TESSERA_ASSIGN_OR_RETURN(const tessera_encode_options options,
                           read_options(given, "tessera_encode_options"));
  EncodePlan plan;
  TESSERA_ASSIGN_OR_RETURN(const auto container, read_container(options.container));
  TESSERA_ASSIGN_OR_RETURN(plan.codec, read_codec(options, container));
  plan.container = container.value_or(plan.codec->row().default_container);
  TESSERA_RETURN_IF_ERROR(read_codec_settings(options, plan.settings));
  TESSERA_ASSIGN_OR_RETURN(const OptionList list,
                           read_option_list(options.options, options.option_count));
  TESSERA_RETURN_IF_ERROR(read_common_options(list, plan));
  TESSERA_ASSIGN_OR_RETURN(plan.swizzle, parse_swizzle(text_or(options.swizzle, "rgba")));
  plan.linear = options.linear != 0;
  plan.mips = options.mips != 0;
  plan.metrics = options.metrics != 0;
  if (options.use != nullptr) {
    TESSERA_RETURN_IF_ERROR(apply_use(options, plan));
  }
  TESSERA_RETURN_IF_ERROR(read_source(options, plan));
  TESSERA_RETURN_IF_ERROR(check_encode_plan(plan));
  plan.container_options.made_with = settings_text(plan);
  return plan;
}

}  // namespace tessera::api
