// Textures to other textures: each level is decoded and encoded again.
#include <algorithm>
#include <chrono>
#include <mutex>

#include "base/mip_levels.h"
#include "codec/pipeline.h"
#include "codec/registry.h"
#include "codec/timed_backend.h"
#include "codec/tone_mapping.h"
#include "containers/ktx2_keys.h"
#include "containers/zstd_level.h"
#include "exec/device.h"

namespace tessera {
namespace {

// The keys of the file, but those of the plan where both have one.
void keep_keys(std::vector<TextureKey> keys, ContainerOptions& options) {
  std::erase_if(keys, [](const TextureKey& key) { return key.name == kOrientationKey; });
  options.keys = merged_keys(options.keys, keys);
}

// Fails where the other file cannot say what this one says besides its texels.
Status check_says_all(const TextureIndex& index, const EncodePlan& plan, const std::string& name) {
  if (holds_keys(plan.container)) {
    return {};
  }
  const std::string files = std::string(container_type_name(plan.container)) + " files";
  const std::string sides = orientation_of(index.keys);
  const bool is_usual = sides.empty() || std::string_view("rdi").starts_with(sides);
  const bool is_turned_back = plan.edits.yflip && std::string_view("rui").starts_with(sides);
  if (!is_usual && !is_turned_back) {
    return unsupported_error(name + " says that its sides are turned (KTXorientation " + sides +
                             "), which " + files +
                             " cannot; transcode --yflip turns a texture upside down");
  }
  const auto text = std::find_if(index.keys.begin(), index.keys.end(),
                                 [](const TextureKey& key) { return key.name != kOrientationKey; });
  return text == index.keys.end()
             ? Status()
             : unsupported_error(name + " has a text of its own (" + shown_value(text->name) +
                                 "), and " + files + " hold none; .ktx2 and .ktx files do");
}

// As the file says, or the first row on top, as the specification has it of those that do not; the
// other way up where the plan turns pictures.
std::string orientation_after(const TextureIndex& index, const EncodePlan& plan) {
  const std::string said = orientation_of(index.keys);
  std::string sides = said.empty() ? "rd" : said;
  if (plan.edits.yflip) {
    sides[1] = sides[1] == 'd' ? 'u' : 'd';
  }
  return sides;
}

// The settings for one file: a profile that the caller has not named is that of the file.
EncodePlan plan_for(const TextureIndex& index, const EncodePlan& plan) {
  const TextureInfo& info = index.info;
  EncodePlan own = plan;
  keep_keys(index.keys, own.container_options);
  own.container_options.orientation = orientation_after(index, plan);
  const Profile own_profile = plan.source->profile.value_or(profile_of(info));
  const Profile profile = is_hdr(own_profile) && plan.tone_map ? Profile::kSrgb : own_profile;
  if (plan.source->keep_profile && profile != Profile::kLdr &&
      plan.codec->row().has_profile(profile)) {
    own.settings.profile = profile;
  }
  return own;
}

Result<Image> decode_source_level(const Texture& texture, uint32_t level, const EncodePlan& plan,
                                  const Encoder& encoder, Backend& backend,
                                  const RunControl& control) {
  DecodeOptions options;
  options.profile = plan.source->profile;
  options.sample = encoder.input_sample();
  const Profile profile = options.profile.value_or(profile_of(texture.info));
  if (plan.tone_map && is_hdr(profile)) {
    options.options = tone_map_options(*plan.tone_map);
  }
  return codec_of(texture.info.format)
      .decode_level(texture.info, level, texture.levels[level], options, backend, control);
}

// Whether nothing but decoding and encoding is to be done, so that texels need not leave a device.
bool stays_on_device(const Texture& texture, const EncodePlan& plan, const Encoder& encoder) {
  return texture.info.depth == 1 && texture.info.layers == 1 && !plan.metrics && !plan.mips &&
         !plan.goals.any() && plan.swizzle.is_identity() && !plan.settings.normal_map &&
         !plan.edits.any() && !plan.tone_map && encoder.input_sample() == SampleType::kU8 &&
         codec_of(texture.info.format).row().payload == PayloadKind::kBlocks;
}

// Transcodes levels in memory of a device: only blocks are copied.
class DeviceTranscoder {
 public:
  DeviceTranscoder(const Texture& texture, const EncodePlan& plan, const BlockEncoder& encoder,
                   Backend& backend, DeviceMemory& memory)
      : texture_(texture), plan_(plan), encoder_(encoder), backend_(backend), memory_(memory) {}

  // The blocks of one level.
  Result<LargeBytes> run(uint32_t level) {
    ImageInfo info;
    info.width = mip_extent(texture_.info.width, level);
    info.height = mip_extent(texture_.info.height, level);
    const ByteSpan blocks = texture_.levels[level];
    const auto row_bytes = static_cast<size_t>(
        divide_round_up(uint64_t{info.width} * 4, kRowAlignment) * kRowAlignment);
    LargeBytes payload(static_cast<size_t>(encoder_.output_bytes(info)));
    TESSERA_ASSIGN_OR_RETURN(void* source, memory_.reserve(0, blocks.size()));
    TESSERA_ASSIGN_OR_RETURN(void* texels, memory_.reserve(1, row_bytes * info.height));
    TESSERA_ASSIGN_OR_RETURN(void* target, memory_.reserve(2, payload.size()));
    TESSERA_ASSIGN_OR_RETURN(void* flag, memory_.reserve(3, sizeof(uint32_t)));
    TESSERA_RETURN_IF_ERROR(memory_.clear(flag, sizeof(uint32_t)));
    TESSERA_RETURN_IF_ERROR(memory_.upload(blocks, source, backend_));
    DecodeOptions options;
    options.profile = plan_.source->profile;
    TESSERA_RETURN_IF_ERROR(codec_of(texture_.info.format)
                                .decode_resident(texture_.info, source, options, backend_,
                                                 {texels, row_bytes, info.width, info.height,
                                                  static_cast<uint32_t*>(flag)},
                                                 memory_.stream()));
    TESSERA_RETURN_IF_ERROR(encoder_.encode_resident({texels, row_bytes, info.width, info.height},
                                                     backend_, target, memory_.stream()));
    TESSERA_RETURN_IF_ERROR(memory_.download(target, payload, backend_));
    if (level == 0) {
      uint32_t not_opaque = 0;
      TESSERA_RETURN_IF_ERROR(memory_.download(
          flag, {reinterpret_cast<uint8_t*>(&not_opaque), sizeof not_opaque}, backend_));
      alpha_dropped_ = not_opaque != 0 && !encoder_.keeps_alpha();
    }
    return payload;
  }

  bool alpha_dropped() const { return alpha_dropped_; }

 private:
  static constexpr size_t kRowAlignment = 16;  // devices load four texels at once

  const Texture& texture_;
  const EncodePlan& plan_;
  const BlockEncoder& encoder_;
  Backend& backend_;
  DeviceMemory& memory_;
  bool alpha_dropped_ = false;
};

Result<EncodedFile> transcode_on_device(const Texture& texture, const EncodePlan& plan,
                                        const BlockEncoder& encoder, Backend& backend,
                                        DeviceMemory& memory, const RunControl& control) {
  DeviceTranscoder transcoder(texture, plan, encoder, backend, memory);
  EncodedTexture made;
  made.texture.info = encoded_info(texture.info, *plan.codec, plan.settings);
  EncodedFile result;
  const auto start = std::chrono::steady_clock::now();
  for (uint32_t level = 0; level < texture.levels.size(); ++level) {
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
    TESSERA_ASSIGN_OR_RETURN(LargeBytes payload, transcoder.run(level));
    made.texture.levels.push_back(std::move(payload));
    result.report.encoded_pixels +=
        uint64_t{mip_extent(texture.info.width, level)} * mip_extent(texture.info.height, level);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  result.report.encode_seconds = seconds.count();
  result.report.width = texture.info.width;
  result.report.height = texture.info.height;
  result.report.channels = 4;
  result.report.level_count = texture.levels.size();
  result.report.alpha_dropped = transcoder.alpha_dropped();
  result.report.profile = plan.settings.profile;
  TESSERA_ASSIGN_OR_RETURN(result.bytes,
                           write_texture(made.texture, plan.container, plan.container_options));
  result.report.file_bytes = result.bytes.size();
  return result;
}

// The same blocks in another container.
Result<EncodedFile> repack_texture(ByteSpan bytes, const std::string& name, const EncodePlan& plan,
                                   const TextureIndex& index, const ReadBudget& budget) {
  const ContainerOptions& wanted = plan.container_options;
  uint64_t made = 0;
  for (const StoredLevel& level : index.levels) {
    made += level.bytes + (wanted.zstd ? zstd_compress_memory(wanted.zstd_level, level.bytes) : 0);
  }
  TESSERA_ASSIGN_OR_RETURN(Texture texture, read_texture(bytes, name, budget, made));
  if (plan.source->profile) {
    texture.info.srgb = *plan.source->profile == Profile::kSrgb;
    texture.info.hdr = is_hdr(*plan.source->profile);
  }
  ContainerOptions options = plan.container_options;
  options.made_with = index.made_with;
  keep_keys(index.keys, options);
  options.orientation = orientation_of(index.keys);
  EncodedFile result;
  result.report.width = texture.info.width;
  result.report.height = texture.info.height;
  result.report.channels = 4;
  result.report.level_count = texture.levels.size();
  result.report.layers = texture.info.layers;
  result.report.faces = texture.info.faces;
  result.report.kept = texture.info;
  result.report.profile = profile_of(texture.info);
  const Status possible =
      check_container(plan.container, texture.info.format, texture.levels.size() > 1);
  if (!possible) {
    return Error{possible.error().code, name + ": " + possible.error().message};
  }
  auto written = write_texture(texture, plan.container, options);
  if (!written) {
    return Error{written.error().code, name + ": " + written.error().message};
  }
  result.bytes = std::move(*written);
  result.report.file_bytes = result.bytes.size();
  return result;
}

}  // namespace

Result<EncodedFile> transcode_texture(ByteSpan bytes, const std::string& name,
                                      const EncodePlan& plan, Backend& backend,
                                      const RunControl& control, const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(const TextureIndex index, read_texture_index(bytes, bytes.size(), name));
  TESSERA_RETURN_IF_ERROR(check_says_all(index, plan, name));
  if (plan.source->keep_payload) {
    return repack_texture(bytes, name, plan, index, budget);
  }
  const EncodePlan own = plan_for(index, plan);
  TESSERA_ASSIGN_OR_RETURN(const auto encoder, own.codec->make_encoder(own.settings));
  TESSERA_RETURN_IF_ERROR(
      check_decoded_size(index, encoder->input_sample(), name, bytes.size(), budget));
  TESSERA_ASSIGN_OR_RETURN(const Texture texture, read_texture(bytes, name, budget));
  const bool has_levels = texture.levels.size() > 1;
  TESSERA_RETURN_IF_ERROR(
      check_container(own.container, own.codec->format(), has_levels || own.mips));
  Device* const device = backend.device();
  DeviceMemory* const memory = device == nullptr ? nullptr : device->memory();
  const BlockEncoder* const block_encoder = encoder->as_block_encoder();
  if (memory != nullptr && block_encoder != nullptr && stays_on_device(texture, own, *encoder)) {
    const std::lock_guard lock(memory->in_use);
    auto made = transcode_on_device(texture, own, *block_encoder, backend, *memory, control);
    const bool is_impossible = !made && made.error().code == ErrorCode::kUnsupported;
    if (made || (!is_impossible && !device->give_up(made.error()))) {
      return made;
    }
  }
  const RunControl quiet = {{}, control.cancelled};
  TimedBackend timed(backend, budget, name);
  std::vector<PreparedImage> prepared;
  for (uint32_t level = 0; level < texture.levels.size(); ++level) {
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
    const auto decoded = decode_source_level(texture, level, own, *encoder, timed, quiet);
    if (!decoded) {
      const Error& error = decoded.error();
      return error.code == ErrorCode::kInvalid ? invalid_error(name + ": " + error.message) : error;
    }
    TESSERA_ASSIGN_OR_RETURN(PreparedImage image, prepare_image(decoded->view(), own, *encoder));
    prepared.push_back(std::move(image));
  }
  if (!has_levels) {
    return encode_prepared(prepared[0], own, *encoder, backend, control);
  }
  std::vector<ImageView> levels;
  levels.reserve(prepared.size());
  for (const PreparedImage& image : prepared) {
    levels.push_back(image.image.view());
  }
  auto encoded =
      encode_prepared_levels(levels, prepared[0].alpha_dropped, own, *encoder, backend, control);
  if (encoded) {
    encoded->report.clamped = prepared[0].clamped;
  }
  return encoded;
}

}  // namespace tessera
