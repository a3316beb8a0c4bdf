// The way of the data in memory: picture, levels, blocks, container, and back.
#include "codec/pipeline.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "codec/device_metrics.h"
#include "codec/goal_search.h"
#include "codec/registry.h"
#include "codec/sample_range.h"
#include "codec/settings_text.h"
#include "codec/timed_backend.h"
#include "containers/stored_level.h"
#include "containers/zstd_level.h"
#include "image/convert.h"
#include "image/cube_map.h"
#include "image/flip_rows.h"
#include "image/mipmap.h"
#include "image/srgb_image.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

// x in red, green and blue, y in alpha.
constexpr const char* kNormalMapSwizzle = "rrrg";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Decodes and compares in memory of the backend's device. kUnsupported where it cannot.
Result<Metrics> measure_on_device(const EncodedTexture& encoded, const ImageView& prepared,
                                  const EncodePlan& plan, const DecodeOptions& options,
                                  const MetricsOptions& blocks, Backend& backend) {
  const TextureInfo& info = encoded.texture.info;
  const ImageInfo& image = prepared.info;
  Device* const device = backend.device();
  DeviceMemory* const memory = device == nullptr ? nullptr : device->memory();
  const size_t row_bytes = size_t{image.width} * 4;
  const size_t stride = prepared.row_stride;
  if (memory == nullptr || device->metrics() == nullptr || plan.settings.normal_map ||
      plan.codec->row().payload != PayloadKind::kBlocks || image.sample != SampleType::kU8 ||
      image.channels != 4 || image.slices() != 1 || stride % 4 != 0) {
    return unsupported_error("the picture is not compared on a device");
  }
  const std::lock_guard in_use(memory->in_use);
  const ByteSpan payload = encoded.texture.levels[0];
  const size_t bytes = stride * (image.height - 1) + row_bytes;
  TESSERA_ASSIGN_OR_RETURN(void* source, memory->reserve(0, payload.size()));
  TESSERA_ASSIGN_OR_RETURN(void* decoded, memory->reserve(1, row_bytes * image.height));
  TESSERA_ASSIGN_OR_RETURN(void* reference, memory->reserve(2, bytes));
  TESSERA_RETURN_IF_ERROR(memory->upload(payload, source, backend));
  TESSERA_RETURN_IF_ERROR(plan.codec->decode_resident(
      info, source, options, backend, {decoded, row_bytes, image.width, image.height, nullptr},
      memory->stream()));
  TESSERA_RETURN_IF_ERROR(memory->upload({prepared.data, bytes}, reference, backend));
  return compare_on_device(device, {reference, stride, image.width, image.height},
                           {decoded, row_bytes, image.width, image.height}, blocks,
                           memory->stream());
}

// Makes a picture the faces of a cube map, and changes it, where the plan says so. `image` holds
// what becomes of the picture.
Status reshape(const EncodePlan& plan, ImageView& source, Image& image) {
  if (plan.group == PictureGroup::kCube) {
    if (cube_shape_of(source.info) == CubeShape::kFaces && !plan.cube_size) {
      source.info.faces = kCubeFaces;
    } else {
      TESSERA_ASSIGN_OR_RETURN(image, make_cube_map(source, plan.cube_size));
      source = image.view();
    }
  }
  if (plan.edits.any()) {
    TESSERA_ASSIGN_OR_RETURN(image, edit_picture(source, plan.edits));
    source = image.view();
  }
  return {};
}

// What is made of layers.
Status check_layers(const ImageInfo& image, const EncodePlan& plan) {
  if (plan.group == PictureGroup::kArray && image.layers == 1) {
    return usage_error("an array has two layers or more, and this is one picture");
  }
  if (image.faces == kCubeFaces &&
      (image.width != image.height || image.layers % kCubeFaces != 0 || image.depth != 1)) {
    return usage_error(
        "a cube map has six square faces, and an array of them a multiple of six; "
        "these are " +
        std::to_string(image.slices()) + " of " + std::to_string(image.width) + "x" +
        std::to_string(image.height) + " pixels");
  }
  return {};
}

// Blocks of 3D are for volumes: in a picture of one slice they would store each texel as often as
// they are deep.
Status check_depth(const ImageInfo& image, const EncodePlan& plan) {
  const BlockSize block = plan.codec->block_of(plan.settings);
  if (plan.codec->row().payload == PayloadKind::kBlocks && block.is_3d() && image.depth == 1) {
    return usage_error("blocks of " + block_size_name(block) +
                       " are for volumes, and this is a picture of one slice");
  }
  if (image.depth > 1 && plan.settings.normal_map) {
    return unsupported_error("a normal map is a picture, not a volume");
  }
  return {};
}

// Which bytes of a level hold what is wanted.
Result<SlicePart> choose_part(const TextureIndex& index, const TextureRequest& request,
                              const std::string& name) {
  if (request.level >= index.levels.size()) {
    return usage_error(name + " has " + std::to_string(index.levels.size()) +
                       " mip levels, so there is no level " + std::to_string(request.level));
  }
  const uint64_t slices = slice_count(index.info, request.level);
  if (request.is_one_slice && !request.slice && slices > 1) {
    return usage_error(name + " has " + std::to_string(slices) +
                       " slices, and a picture holds one: choose it with --slice");
  }
  if (request.slice && *request.slice >= slices) {
    return usage_error(name + " has no slice " + std::to_string(*request.slice) + ": it has " +
                       std::to_string(slices));
  }
  if (request.slice && slices > 1) {
    return part_of_slice(index.info, request.level, *request.slice);
  }
  SlicePart all;
  all.info = index.info;
  all.length = index.levels[request.level].bytes;
  return all;
}

// Before memory is taken for pixels. What they need.
Result<MemoryNeed> check_size(const SlicePart& part, uint32_t level, uint64_t scale,
                              SampleType sample, const std::string& name, uint64_t file_bytes,
                              uint64_t growing, const ReadBudget& budget) {
  const uint64_t width = uint64_t{mip_extent(part.info.width, level)} * scale;
  const uint64_t height = uint64_t{mip_extent(part.info.height, level)} * scale;
  const uint64_t slices = slice_count(part.info, level);
  TESSERA_RETURN_IF_ERROR(budget.check_pixels(name, width, height, slices));
  MemoryNeed need;
  need.file = file_bytes;
  need.pixels = width * height * slices;
  need.picture = need.pixels * 4 * sample_bytes(sample);
  // The blocks, and what is made of the pixels: fewer channels, normals, or one slice of several.
  need.scratch = part.length + growing + need.picture;
  need.sample = static_cast<uint32_t>(sample_bytes(sample));
  TESSERA_RETURN_IF_ERROR(budget.check_memory(name, need));
  return need;
}

DecodeOptions options_to_measure(const ImageView& prepared, const EncodePlan& plan) {
  DecodeOptions options;
  options.options = known_options(plan.settings.options, plan.codec->decode_options());
  options.sample = prepared.info.sample;
  return options;
}

}  // namespace

Status check_decoded_size(const TextureIndex& index, SampleType sample, const std::string& name,
                          uint64_t file_bytes, const ReadBudget& budget) {
  MemoryNeed need;
  need.file = file_bytes;
  need.width = index.info.width;
  need.height = index.info.height;
  for (uint32_t level = 0; level < index.levels.size(); ++level) {
    const uint64_t width = mip_extent(index.info.width, level);
    const uint64_t height = mip_extent(index.info.height, level);
    const uint64_t slices = slice_count(index.info, level);
    TESSERA_RETURN_IF_ERROR(budget.check_pixels(name, width, height, slices));
    need.pixels += width * height * slices;
    const StoredLevel& stored = index.levels[level];
    need.scratch += stored.bytes + growing_memory(stored, stored.bytes);
  }
  need.sample = static_cast<uint32_t>(sample_bytes(sample));
  need.picture = need.pixels * 4 * need.sample;
  return budget.check_memory(name, need);
}

RunControl control_of_part(const RunControl& control, double done_before, double share) {
  RunControl part = control;
  if (control.progress) {
    part.progress = [&control, done_before, share](double fraction) {
      control.progress(done_before + share * fraction);
    };
  }
  return part;
}

Status check_cancelled(const RunControl& control) {
  if (control.cancelled != nullptr && control.cancelled->load()) {
    return Error{ErrorCode::kInterrupted, "interrupted"};
  }
  return {};
}

Status check_encode_plan(const EncodePlan& plan) {
  TESSERA_RETURN_IF_ERROR(
      check_container(plan.container, plan.codec->format(), plan.mips || !plan.mip_files.empty()));
  if (plan.group == PictureGroup::kArray || plan.group == PictureGroup::kCube) {
    TESSERA_RETURN_IF_ERROR(check_holds_layers(plan.container));
  }
  if (!plan.container_options.keys.empty() && !holds_keys(plan.container)) {
    return usage_error("only .ktx2 and .ktx files hold keys of one's own");
  }
  if (plan.container_options.zstd && plan.container != ContainerType::kKtx2) {
    return usage_error("only .ktx2 files are compressed with zstd");
  }
  if (plan.container_options.zstd && !have_zstd()) {
    return unsupported_error("this build has no zstd");
  }
  if (plan.tone_map && is_hdr(plan.settings.profile)) {
    return usage_error(
        "--tonemap makes low dynamic range of a picture, and the profile hdr keeps "
        "the high one: leave out one of them");
  }
  TESSERA_RETURN_IF_ERROR(check_goals(plan));
  TESSERA_RETURN_IF_ERROR(plan.codec->make_encoder(plan.settings));
  if (plan.settings.normal_map && !plan.swizzle.is_identity()) {
    return usage_error("--normal decides the swizzle itself");
  }
  return {};
}

EncodePlan plan_for_picture(const EncodePlan& plan, const ImageInfo& picture) {
  EncodePlan own = plan;
  const bool is_srgb =
      (picture.color_space == ColorSpace::kSrgb || maps_tones(plan, picture)) && !plan.linear;
  const bool tells =
      plan.container == ContainerType::kKtx2 || plan.container == ContainerType::kKtx;
  if (plan.profile_is_open && is_srgb && tells && plan.codec->row().has_profile(Profile::kSrgb)) {
    own.settings.profile = Profile::kSrgb;
    std::string& made_with = own.container_options.made_with;
    made_with = made_with.empty() ? "" : settings_text(own);
  }
  return own;
}

Result<PreparedImage> prepare_image(const ImageView& picture, const EncodePlan& plan,
                                    const Encoder& encoder) {
  ImageView source = picture;
  Swizzle swizzle = plan.swizzle;
  if (plan.settings.normal_map) {
    TESSERA_ASSIGN_OR_RETURN(swizzle, parse_swizzle(kNormalMapSwizzle));
  }
  if (plan.linear || plan.settings.normal_map) {
    source.info.color_space = ColorSpace::kLinear;
  }
  Image image;
  PreparedImage prepared;
  if (is_float(source.info.sample)) {
    TESSERA_RETURN_IF_ERROR(clamp_range(source, image, prepared.clamped));
  }
  TESSERA_RETURN_IF_ERROR(reshape(plan, source, image));
  // A picture of linear light becomes an sRGB texture, where mapping its tones does not do that.
  // (Textures that are made into others are not looked at like this: most of them do not say what
  // they are.)
  if (source.info.color_space == ColorSpace::kLinear && plan.settings.profile == Profile::kSrgb &&
      !plan.source && !maps_tones(plan, source.info)) {
    TESSERA_ASSIGN_OR_RETURN(image, convert_to_srgb(source));
    source = image.view();
  }
  if (!swizzle.is_identity()) {
    TESSERA_ASSIGN_OR_RETURN(image, apply_swizzle(source, swizzle));
    source = image.view();
  }
  if (is_float(source.info.sample)) {
    TESSERA_RETURN_IF_ERROR(fit_range(plan, encoder, picture, source, image, prepared.clamped));
  }
  const uint32_t channels = encoder.input_channels(source.info);
  const bool alpha_arrives = channels == 2 || channels == 4;
  prepared.alpha_dropped = !encoder.keeps_alpha() && !alpha_arrives && !is_opaque(source);
  if (image.empty() || source.info.channels != channels) {
    TESSERA_ASSIGN_OR_RETURN(image, convert_channels(source, channels));
  }
  if (image.info().sample != encoder.input_sample()) {
    TESSERA_ASSIGN_OR_RETURN(image, convert_samples(image.view(), encoder.input_sample()));
  }
  prepared.alpha_dropped |= !encoder.keeps_alpha() && !is_opaque(image.view());
  prepared.image = std::move(image);
  return prepared;
}

Result<PictureToEncode> prepare_picture(const ImageView& picture, const EncodePlan& plan) {
  PictureToEncode own;
  own.plan = plan_for_picture(plan, picture.info);
  TESSERA_ASSIGN_OR_RETURN(own.encoder, own.plan.codec->make_encoder(own.plan.settings));
  TESSERA_ASSIGN_OR_RETURN(own.prepared, prepare_image(picture, own.plan, *own.encoder));
  return own;
}

Result<EncodedTexture> encode_levels(const std::vector<ImageView>& levels, const Codec& codec,
                                     const CodecSettings& settings, const Encoder& encoder,
                                     Backend& backend, const RunControl& control,
                                     const std::optional<ChosenRate>& rate) {
  constexpr double kChoosingShare = 0.5;  // of the time, for pictures of few parts
  EncodedTexture encoded;
  encoded.texture.info = encoded_info(levels[0].info, codec, settings);
  encoded.rate = rate;
  uint64_t total_pixels = 0;
  for (const ImageView& level : levels) {
    total_pixels += level.info.pixel_count();
  }
  const auto start = Clock::now();
  double done = 0;
  if (encoder.chooses_rate() && !rate) {
    TESSERA_ASSIGN_OR_RETURN(
        encoded.rate,
        encoder.choose_rate(levels[0], backend, control_of_part(control, 0, kChoosingShare)));
    done = kChoosingShare;
  }
  const double per_pixel = (1 - done) / static_cast<double>(total_pixels);
  for (const ImageView& level : levels) {
    const double share = per_pixel * static_cast<double>(level.info.pixel_count());
    TESSERA_ASSIGN_OR_RETURN(
        LargeBytes payload, encoder.encode_payload(level, encoded.rate.value_or(ChosenRate{}),
                                                   backend, control_of_part(control, done, share)));
    encoded.texture.levels.push_back(std::move(payload));
    done += share;
  }
  encoded.encode_seconds = seconds_since(start);
  return encoded;
}

Result<Image> decode_to_measure(const EncodedTexture& encoded, const ImageView& prepared,
                                const EncodePlan& plan, Backend& backend,
                                const RunControl& control) {
  const RunControl quiet = {{}, control.cancelled, control.limits};
  return plan.codec->decode_level(encoded.texture.info, 0, encoded.texture.levels[0],
                                  options_to_measure(prepared, plan), backend, quiet);
}

Status measure_encoded(const EncodedTexture& encoded, const ImageView& prepared,
                       const EncodePlan& plan, bool ssim, Backend& backend,
                       const RunControl& control, EncodeReport& report) {
  const TextureInfo& info = encoded.texture.info;
  const DecodeOptions options = options_to_measure(prepared, plan);
  MetricsOptions blocks;
  if (plan.codec->row().payload == PayloadKind::kBlocks) {
    blocks = {info.block.width, info.block.height, ssim};
  }
  const auto measured = measure_on_device(encoded, prepared, plan, options, blocks, backend);
  if (measured) {
    report.metrics = *measured;
    return {};
  }
  Device* const device = backend.device();
  if (device != nullptr && measured.error().code != ErrorCode::kUnsupported &&
      !device->give_up(measured.error())) {
    return measured.error();
  }
  TESSERA_ASSIGN_OR_RETURN(const Image decoded,
                           decode_to_measure(encoded, prepared, plan, backend, control));
  TESSERA_ASSIGN_OR_RETURN(report.metrics, compute_metrics(prepared, decoded.view(), blocks));
  if (plan.settings.normal_map) {
    TESSERA_ASSIGN_OR_RETURN(report.angular_error, angular_error(prepared, decoded.view()));
  }
  return {};
}

Result<PictureLevels> make_levels(const PreparedImage& prepared, const EncodePlan& plan,
                                  std::span<const PreparedImage> own_levels) {
  PictureLevels levels;
  levels.views = {prepared.image.view()};
  for (const PreparedImage& level : own_levels) {
    levels.views.push_back(level.image.view());
  }
  TESSERA_ASSIGN_OR_RETURN(
      levels.made, make_mip_levels(levels.views.back(), plan.mips ? UINT32_MAX : 1, plan.mip));
  for (const Image& mip : levels.made) {
    levels.views.push_back(mip.view());
  }
  return levels;
}

Result<EncodedFile> encode_prepared(const PreparedImage& prepared, const EncodePlan& plan,
                                    const Encoder& encoder, Backend& backend,
                                    const RunControl& control,
                                    std::span<const PreparedImage> own_levels) {
  TESSERA_ASSIGN_OR_RETURN(const PictureLevels levels, make_levels(prepared, plan, own_levels));
  auto encoded =
      encode_prepared_levels(levels.views, prepared.alpha_dropped, plan, encoder, backend, control);
  if (encoded) {
    encoded->report.clamped = prepared.clamped;
  }
  return encoded;
}

Result<EncodedFile> encode_prepared_levels(const std::vector<ImageView>& levels, bool alpha_dropped,
                                           const EncodePlan& plan, const Encoder& encoder,
                                           Backend& backend, const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  TESSERA_RETURN_IF_ERROR(check_depth(levels[0].info, plan));
  TESSERA_RETURN_IF_ERROR(check_layers(levels[0].info, plan));
  if (plan.goals.any()) {
    return encode_for_goals(levels, alpha_dropped, plan, backend, control);
  }
  TESSERA_ASSIGN_OR_RETURN(
      const EncodedTexture encoded,
      encode_levels(levels, *plan.codec, plan.settings, encoder, backend, control));
  EncodeReport report;
  report.encode_seconds = encoded.encode_seconds;
  report.alpha_dropped = alpha_dropped;
  if (plan.metrics) {
    TESSERA_RETURN_IF_ERROR(
        measure_encoded(encoded, levels[0], plan, true, backend, control, report));
  }
  return write_encoded(encoded, levels, plan, std::move(report));
}

Result<EncodedFile> write_encoded(const EncodedTexture& encoded,
                                  const std::vector<ImageView>& levels, const EncodePlan& plan,
                                  EncodeReport report) {
  const ImageInfo& image = levels[0].info;
  report.width = image.width;
  report.height = image.height;
  report.depth = image.depth;
  report.layers = image.layers;
  report.faces = image.faces;
  report.channels = image.channels;
  report.level_count = levels.size();
  report.profile = plan.settings.profile;
  report.rate = encoded.rate;
  for (const ImageView& level : levels) {
    report.encoded_pixels += level.info.pixel_count();
  }
  EncodedFile result;
  TESSERA_ASSIGN_OR_RETURN(result.bytes,
                           write_texture(encoded.texture, plan.container, plan.container_options));
  report.file_bytes = result.bytes.size();
  result.report = std::move(report);
  return result;
}

Result<EncodedFile> encode_picture(const ImageView& picture, const EncodePlan& plan,
                                   Backend& backend, const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(check_encode_plan(plan));
  TESSERA_RETURN_IF_ERROR(check_cancelled(control));
  TESSERA_ASSIGN_OR_RETURN(const PictureToEncode own, prepare_picture(picture, plan));
  return encode_prepared(own.prepared, own.plan, *own.encoder, backend, control);
}

Result<DecodedTexture> decode_texture(ByteSpan bytes, const std::string& name,
                                      const TextureRequest& request, const DecodeOptions& options,
                                      Backend& backend, const RunControl& control,
                                      const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(const TextureIndex index, read_texture_index(bytes, bytes.size(), name));
  TESSERA_ASSIGN_OR_RETURN(const SlicePart part, choose_part(index, request, name));
  const Codec& codec = codec_of(index.info.format);
  DecodeOptions known = options;
  known.options = known_options(options.options, codec.decode_options());
  TESSERA_RETURN_IF_ERROR(check_decode_options(codec, known.options));
  TESSERA_ASSIGN_OR_RETURN(
      const MemoryNeed need,
      check_size(part, request.level, codec.decode_scale(known.options), options.sample, name,
                 bytes.size(), growing_memory(index.levels[request.level], part.length), budget));
  const auto payload = read_stored_level(bytes, index.levels[request.level], part.offset,
                                         part.length, name, budget, need);
  if (!payload) {
    return payload.error();
  }
  const auto start = Clock::now();
  TimedBackend timed(backend, budget, name);
  auto image = codec.decode_level(part.info, request.level, payload->span(), known, timed, control);
  if (!image) {
    const Error& error = image.error();
    return error.code == ErrorCode::kInvalid ? invalid_error(name + ": " + error.message) : error;
  }
  DecodedTexture decoded;
  decoded.decode_seconds = seconds_since(start);
  decoded.texture = index.info;
  decoded.level_count = index.levels.size();
  ImageView view = image->view();
  const bool is_part = request.slice && view.info.slices() > 1;
  if (is_part) {
    view = slice_view(view, part.slice);
  }
  // An alpha channel that says nothing is left out, so that pictures stay as small as they were.
  if (options.is_normal_map) {
    TESSERA_ASSIGN_OR_RETURN(decoded.image, rebuild_normals(view));
  } else if (view.info.channels == 4 && is_opaque(view)) {
    TESSERA_ASSIGN_OR_RETURN(decoded.image, convert_channels(view, 3));
  } else if (is_part) {
    TESSERA_ASSIGN_OR_RETURN(decoded.image, copy_image(view));
  } else {
    decoded.image = std::move(*image);
  }
  if (options.yflip) {
    flip_rows(decoded.image);
  }
  return decoded;
}

}  // namespace tessera
