// Checks options of encoding and makes a plan of them.
#include "api/encode_plan.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "api/errors.h"
#include "codec/goal_rules.h"
#include "codec/option_makers.h"
#include "codec/picture_use.h"
#include "codec/registry.h"
#include "codec/settings_text.h"
#include "codec/tone_mapping.h"
#include "containers/ktx2_keys.h"
#include "containers/texture_file.h"
#include "image/raw_pixels.h"

namespace tessera::api {
namespace {

// In the order of MipFilter and MipEdge.
constexpr std::array<std::string_view, 3> kMipFilters = {"box", "kaiser", "lanczos"};
constexpr std::array<std::string_view, 2> kMipEdges = {"clamp", "wrap"};

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
    option::tone_map(
        "Pictures of high dynamic range become others: clip or reinhard (linear light to sRGB)"),
    option::exposure(),
    option::flag("dx10", "Write .dds files with the DX10 header"),
    option::flag("zstd", "Compress .ktx2 files further, with zstd"),
    option::flag("volume",
                 "The pictures are the slices of one volume, in the order of the numbers in their "
                 "names (not needed where blocks are 3D and the output is one file)"),
    option::flag("array",
                 "The pictures are the layers of one texture, in the order in which they are given "
                 "(.ktx2, .dds, .ktx)"),
    option::flag(
        "cube",
        "The pictures are the faces of one cube map, +X -X +Y -Y +Z -Z, or of several, six "
        "after six; or each is a whole one: a cross of 4:3 or 3:4, or a panorama of 2:1"),
    option::number("cube-size", OptionKind::kWhole, 1, 16384,
                   "Sides of the faces that --cube makes of a panorama (if not given: a quarter of "
                   "its width)"),
    option::flag("yflip", "Turn the picture upside down; .ktx2 and .ktx files say so"),
    option::flag("premultiply",
                 "Multiply colours by alpha, as light where they are sRGB; mip levels go on from "
                 "that"),
    option::flag("normalize",
                 "The picture's red, green and blue are normals: give them the length "
                 "1"),
    option::text(
        "size", "WxHxD",
        "Inputs are pixels without a header, a volume (or picture, WxH) of this size each: "
        "rows from top to bottom, slice after slice"),
    option::number("channels", OptionKind::kWhole, 1, 4,
                   "Of pixels without a header: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA (default)"),
    option::choice("samples", kSampleTypeNames, "a sample type",
                   "Of pixels without a header: 8-bit (default), 16-bit, half or float; the lowest "
                   "byte comes first"),
    option::number("zstd-level", OptionKind::kWhole, 1, 22, "How hard zstd tries, 1 to 22"),
    option::number("target-psnr", OptionKind::kNumber, 1, 200,
                   "The largest blocks whose PSNR is so many dB or more, with the quickest preset "
                   "that reaches it"),
    option::number("target-ssim", OptionKind::kNumber, 0, 1,
                   "The same for a structural similarity of so much or more, such as 0.98"),
    option::text(
        "max-error", "N",
        "The same with no sample off by more than so many levels of 255; N,N,N,N: limits of "
        "red, green, blue and alpha"),
    option::number("max-bpp", OptionKind::kNumber, 0, 64,
                   "The best quality with so many bits per pixel or fewer (mip levels and the "
                   "container aside)"),
    option::number("max-bytes", OptionKind::kNumber, 1, 9e15,
                   "The best quality in a file of so many bytes or fewer"),
    option::choice("mip-filter", kMipFilters, "a mip filter",
                   "How mip levels are averaged: box (if not given), kaiser (sharper) or lanczos "
                   "(sharper still)"),
    option::choice("mip-wrap", kMipEdges, "what lies beyond the border",
                   "What kaiser and lanczos see beyond the border: clamp (if not given) or wrap, "
                   "for textures that repeat"),
    option::number("mip-coverage", OptionKind::kNumber, 0, 1,
                   "Of cut-outs: each mip level shows as many texels with at least this alpha as "
                   "the picture does, 0 to 1 (--as alpha: 0.5); 0 leaves alpha as it is"),
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

// What several pictures become together.
Status read_group(const OptionReader& reader, EncodePlan& plan) {
  for (const auto& [key, group] :
       {std::pair{"volume", PictureGroup::kVolume}, std::pair{"array", PictureGroup::kArray},
        std::pair{"cube", PictureGroup::kCube}}) {
    if (reader.flag(key) && plan.group != PictureGroup::kNone) {
      return usage_error("--volume, --array and --cube exclude each other");
    }
    plan.group = reader.flag(key) ? group : plan.group;
  }
  plan.cube_size = reader.whole("cube-size");
  return plan.cube_size && plan.group != PictureGroup::kCube
             ? usage_error("--cube-size needs --cube")
             : Status();
}

// What is done to the picture first.
Status read_edits(const OptionReader& reader, EncodePlan& plan) {
  plan.edits = {reader.flag("yflip"), reader.flag("premultiply"), reader.flag("normalize")};
  if (plan.edits.yflip && plan.group == PictureGroup::kCube) {
    return usage_error(
        "the faces of a cube map are not turned: what --yflip makes of them is no "
        "cube map");
  }
  if (plan.edits.premultiply && plan.edits.normalize) {
    return usage_error("normals are not multiplied by alpha: --premultiply or --normalize");
  }
  if (plan.edits.premultiply && plan.mip.coverage) {
    return usage_error(
        "--mip-coverage changes alpha, which colours have been multiplied by with "
        "--premultiply");
  }
  plan.mip.premultiplied = plan.edits.premultiply;
  return {};
}

// What files without a header hold, and whether pictures are slices.
Status read_input_options(const OptionReader& reader, EncodePlan& plan) {
  TESSERA_RETURN_IF_ERROR(read_group(reader, plan));
  const auto size = reader.text("size");
  const auto sample = reader.choice("samples");
  const auto channels = reader.whole("channels");
  if (!size) {
    return sample || channels ? usage_error("--channels and --samples are for inputs of --size")
                              : Status();
  }
  if (plan.group != PictureGroup::kNone) {
    return usage_error(
        "--size is of one whole volume, and --volume, --array and --cube are of pictures");
  }
  ImageInfo raw;
  TESSERA_RETURN_IF_ERROR(parse_raw_size(*size, raw));
  raw.channels = channels.value_or(4);
  raw.sample = static_cast<SampleType>(sample.value_or(0));
  // Volumes and single channels are densities, masks and heights rather than colours.
  const bool is_data = is_float(raw.sample) || raw.depth > 1 || raw.channels == 1;
  raw.color_space = is_data ? ColorSpace::kLinear : ColorSpace::kSrgb;
  plan.raw = raw;
  return {};
}

Status read_common_options(const OptionList& list, const tessera_encode_options& options,
                           EncodePlan& plan) {
  const OptionReader reader(list, kCommonOptions);
  TESSERA_RETURN_IF_ERROR(reader.check());
  plan.settings.method = reader.text("method").value_or("");
  if (const auto quality = reader.number("quality")) {
    plan.settings.quality = static_cast<float>(*quality);
  }
  plan.settings.channel_weights = reader.text("channel-weights").value_or("");
  TESSERA_ASSIGN_OR_RETURN(plan.tone_map, read_tone_map(reader));
  if (reader.flag("dx10")) {
    plan.container_options.dds_header = DdsHeader::kDx10;
  }
  TESSERA_RETURN_IF_ERROR(read_input_options(reader, plan));
  plan.container_options.zstd = reader.flag("zstd");
  if (const auto level = reader.whole("zstd-level")) {
    plan.container_options.zstd_level = static_cast<int>(*level);
  }
  TESSERA_ASSIGN_OR_RETURN(plan.goals, read_goals(reader));
  plan.goals.block_is_open = options.block == nullptr;
  plan.goals.preset_is_open = options.preset == nullptr && !plan.settings.quality;
  plan.mip.filter = static_cast<MipFilter>(reader.choice("mip-filter").value_or(0));
  plan.mip.edge = static_cast<MipEdge>(reader.choice("mip-wrap").value_or(0));
  plan.mip.coverage = reader.number("mip-coverage");
  TESSERA_RETURN_IF_ERROR(read_edits(reader, plan));
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
    return usage_error("'" + std::string(name) + "' is not a profile (ldr, srgb, hdr, hdra)");
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
  CodecSettings& settings = plan.settings;
  // Who says that samples are linear, or normals, knows better.
  const bool contradicts = use->profile == Profile::kSrgb && (plan.linear || settings.normal_map);
  const bool serves = !contradicts && (plan.codec->row().has_profile(use->profile) ||
                                       use->profile == Profile::kHdr);
  if (use->linear && options.profile != nullptr && settings.profile == Profile::kSrgb) {
    return usage_error("--as " + plan.use + " says that samples are linear, and --profile srgb " +
                       "that they are not");
  }
  plan.linear = plan.linear || use->linear;
  if (options.profile == nullptr && serves) {
    settings.profile = use->profile;
  }
  if (use->normal_map && options.swizzle == nullptr) {
    settings.normal_map = settings.normal_map || plan.codec->shared_settings().normal_map;
  }
  if (!use->swizzle.empty() && options.swizzle == nullptr) {
    TESSERA_ASSIGN_OR_RETURN(plan.swizzle, parse_swizzle(use->swizzle));
  }
  if (use->is_cut_out && !plan.mip.coverage && !plan.edits.premultiply) {
    plan.mip.coverage = 0.5;
  }
  if (use->normal_map && !settings.normal_map && plan.swizzle.is_identity()) {
    plan.mip.normals = NormalChannels::kRgb;
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
    return options.source_profile == nullptr && options.keep_payload == 0
               ? Status()
               : usage_error("source_profile and keep_payload are for encoders that transcode");
  }
  SourceTextures source;
  source.keep_profile = options.profile == nullptr && options.use == nullptr;
  if (options.source_profile != nullptr) {
    TESSERA_ASSIGN_OR_RETURN(source.profile, read_profile(options.source_profile));
  }
  source.keep_payload = options.keep_payload != 0;
  const bool has_settings = options.format != nullptr || options.block != nullptr ||
                            options.preset != nullptr || options.profile != nullptr ||
                            options.swizzle != nullptr || options.use != nullptr ||
                            options.mips != 0 || options.linear != 0 || options.normal_map != 0 ||
                            options.metrics != 0 || plan.edits.any();
  if (source.keep_payload && (options.container == nullptr || has_settings)) {
    return usage_error(options.container == nullptr
                           ? "say the container that the payload goes into"
                           : "a payload that is kept has no settings but those of its container");
  }
  plan.source = source;
  return {};
}

// What .ktx2 and .ktx files say besides the texture.
Status read_keys(const tessera_encode_options& options, EncodePlan& plan) {
  TESSERA_ASSIGN_OR_RETURN(const OptionList keys,
                           read_option_list(options.keys, options.key_count));
  for (const OptionValue& key : keys) {
    TESSERA_ASSIGN_OR_RETURN(TextureKey made, make_texture_key(key.key, key.value));
    plan.container_options.keys.push_back(std::move(made));
  }
  const size_t given = plan.container_options.keys.size();
  plan.container_options.keys = merged_keys(plan.container_options.keys, {});
  if (plan.container_options.keys.size() != given) {
    return usage_error("a key is given twice");
  }
  plan.container_options.orientation = plan.edits.yflip ? "ru" : "rd";
  return {};
}

}  // namespace

std::span<const OptionDescriptor> common_encode_options() {
  return kCommonOptions;
}

bool is_goal_option(std::string_view key) {
  return key.starts_with("target-") || key == "max-error" || key == "max-bpp" || key == "max-bytes";
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
  TESSERA_RETURN_IF_ERROR(read_common_options(list, options, plan));
  TESSERA_ASSIGN_OR_RETURN(plan.swizzle, parse_swizzle(text_or(options.swizzle, "rgba")));
  const bool names_srgb = options.profile != nullptr && plan.settings.profile == Profile::kSrgb;
  if (names_srgb && (options.linear != 0 || plan.settings.normal_map)) {
    return usage_error(std::string(options.linear != 0 ? "--linear" : "--normal") +
                       " says that samples are linear, and --profile srgb that they are not");
  }
  // Who reads a texture as plain numbers gets levels that are averaged as such.
  plan.linear = options.linear != 0 || (options.profile != nullptr && !names_srgb);
  plan.profile_is_open = options.profile == nullptr && options.use == nullptr &&
                         !plan.settings.normal_map && options.transcode == 0;
  plan.mips = options.mips != 0;
  for (size_t i = 0; i < options.mip_file_count; ++i) {
    TESSERA_RETURN_IF_ERROR(check_not_null(options.mip_files, "mip_files"));
    TESSERA_RETURN_IF_ERROR(check_not_null(options.mip_files[i], "mip_files"));
    plan.mip_files.emplace_back(options.mip_files[i]);
  }
  if (!plan.mip_files.empty() && plan.group != PictureGroup::kNone) {
    return usage_error("files of mip levels are pictures of one slice");
  }
  if (!plan.mip_files.empty() && options.transcode != 0) {
    return usage_error("textures that are made into others bring their mip levels along");
  }
  plan.metrics = options.metrics != 0;
  if (options.use != nullptr) {
    TESSERA_RETURN_IF_ERROR(apply_use(options, plan));
  }
  if (plan.settings.normal_map) {
    plan.mip.normals = NormalChannels::kRedAlpha;
  }
  if (plan.mip.coverage == 0.0) {
    plan.mip.coverage.reset();
  }
  TESSERA_RETURN_IF_ERROR(read_keys(options, plan));
  TESSERA_RETURN_IF_ERROR(read_source(options, plan));
  if (plan.source && (plan.raw || plan.group != PictureGroup::kNone)) {
    return usage_error("--size, --volume, --array and --cube are for pictures, not for textures");
  }
  TESSERA_RETURN_IF_ERROR(check_encode_plan(plan));
  ContainerOptions& said = plan.container_options;
  said.made_with = settings_text(plan);
  // Now, not after all the work.
  const auto made =
      make_ktx2_keys(keys_with_orientation({}, said.keys, said.orientation), said.made_with);
  TESSERA_RETURN_IF_ERROR(made ? Status() : Status(made.error()));
  return plan;
}

}  // namespace tessera::api
