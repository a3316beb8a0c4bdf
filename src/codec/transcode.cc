// Textures to other textures: each level is decoded and encoded again.
#include "codec/pipeline.h"
#include "codec/registry.h"
#include "image/convert.h"

namespace tessera {
namespace {

// The settings for one file: a profile that the caller has not named is that of the file.
EncodePlan plan_for(const TextureInfo& info, const EncodePlan& plan) {
  EncodePlan own = plan;
  const Profile profile = plan.source->profile.value_or(profile_of(info));
  if (plan.source->keep_profile && profile == Profile::kSrgb &&
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
  return codec_of(texture.info.format)
      .decode_level(texture.info, level, texture.levels[level], options, backend, control);
}

}  // namespace

Result<EncodedFile> transcode_texture(ByteSpan bytes, const std::string& name,
                                      const EncodePlan& plan, Backend& backend,
                                      const RunControl& control) {
  TESSERA_ASSIGN_OR_RETURN(const Texture texture, read_texture(bytes, name));
  const EncodePlan own = plan_for(texture.info, plan);
  const bool has_levels = texture.levels.size() > 1;
  TESSERA_RETURN_IF_ERROR(
      check_container(own.container, own.codec->format(), has_levels || own.mips));
  TESSERA_ASSIGN_OR_RETURN(const auto encoder, own.codec->make_encoder(own.settings));
  const RunControl quiet = {{}, control.cancelled};
  std::vector<PreparedImage> prepared;
  for (uint32_t level = 0; level < texture.levels.size(); ++level) {
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
    const auto decoded = decode_source_level(texture, level, own, *encoder, backend, quiet);
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
  for (const PreparedImage& image : prepared) {
    levels.push_back(image.image.view());
  }
  return encode_prepared_levels(levels, prepared[0].alpha_dropped, own, *encoder, backend, control);
}

}  // namespace tessera
