// The list of codecs, and sentences about options that another format knows.
#include "codec/registry.h"

#include <algorithm>
#include <vector>

#include "containers/texture_file.h"

namespace tessera {

#define TESSERA_CODEC(name) const Codec& name##_codec();
#include "codec/codec_list.inc"
#undef TESSERA_CODEC

namespace {

// In the order of the table of formats.
std::vector<const Codec*> sorted_codecs() {
  std::vector<const Codec*> list;
  const auto add = [&](const Codec& codec) {
    const auto behind = std::find_if(list.begin(), list.end(), [&](const Codec* other) {
      return codec.row().format < other->row().format;
    });
    list.insert(behind, &codec);
  };
#define TESSERA_CODEC(name) add(name##_codec());
#include "codec/codec_list.inc"
#undef TESSERA_CODEC
  return list;
}

const std::vector<const Codec*>& codecs() {
  static const std::vector<const Codec*> list = sorted_codecs();
  return list;
}

// "--bpp is an option of fractal (.tsf), not of bc1"
template <class Knows>
Error not_an_option(std::string_view key, const Codec& codec, const Knows& knows) {
  std::string others;
  for (const Codec* other : codecs()) {
    if (knows(*other)) {
      others += (others.empty() ? "" : " and ") + std::string(other->name()) + " (" +
                std::string(container_type_name(other->row().default_container)) + ")";
    }
  }
  const std::string option = "--" + std::string(key);
  return usage_error(others.empty() ? option + " is not an option of any format"
                                    : option + " is an option of " + others + ", not of " +
                                          std::string(codec.name()));
}

using DescriptorsOf = std::span<const OptionDescriptor> (Codec::*)() const;

Status check_list(const Codec& codec, const OptionList& list, DescriptorsOf descriptors_of) {
  const auto descriptors = (codec.*descriptors_of)();
  for (const OptionValue& option : list) {
    if (find_option(descriptors, option.key) == nullptr) {
      return not_an_option(option.key, codec, [&](const Codec& other) {
        return find_option((other.*descriptors_of)(), option.key) != nullptr;
      });
    }
  }
  return OptionReader(list, descriptors).check();
}

Status check_shared(const Codec& codec, bool given, std::string_view key,
                    bool SharedSettings::*member) {
  if (!given || codec.shared_settings().*member) {
    return {};
  }
  return not_an_option(key, codec,
                       [&](const Codec& other) { return other.shared_settings().*member; });
}

Status check_block_and_profile(const Codec& codec, const CodecSettings& settings) {
  const FormatRow& row = codec.row();
  if (row.payload == PayloadKind::kWholeImage && settings.block &&
      *settings.block != row.default_block) {
    return usage_error(std::string(row.name) + " has no blocks, so there is no block size of " +
                       block_size_name(*settings.block));
  }
  if (!row.has_profile(settings.profile)) {
    return unsupported_error(std::string(row.name) + " cannot hold " +
                             (is_hdr(settings.profile)
                                  ? "high dynamic range"
                                  : "the profile " + std::string(profile_name(settings.profile))));
  }
  return {};
}

}  // namespace

std::span<const Codec* const> all_codecs() {
  return codecs();
}

Result<const Codec*> find_codec(std::string_view name) {
  const FormatRow* row = find_format(name);
  if (row == nullptr) {
    return usage_error("'" + std::string(name) + "' is not a format (" + all_format_names() + ")");
  }
  return &codec_of(row->format);
}

const Codec& codec_of(TextureFormat format) {
  return *codecs()[static_cast<size_t>(format)];
}

Result<std::unique_ptr<BlockEncoder>> make_block_encoder(const Codec& codec,
                                                         const CodecSettings& settings) {
  TESSERA_ASSIGN_OR_RETURN(std::unique_ptr<Encoder> encoder, codec.make_encoder(settings));
  if (encoder->as_block_encoder() == nullptr) {
    return unsupported_error(std::string(codec.name()) + " does not consist of blocks");
  }
  return std::unique_ptr<BlockEncoder>(static_cast<BlockEncoder*>(encoder.release()));
}

Status check_codec_settings(const Codec& codec, const CodecSettings& settings) {
  TESSERA_RETURN_IF_ERROR(check_block_and_profile(codec, settings));
  TESSERA_RETURN_IF_ERROR(
      check_shared(codec, settings.quality.has_value(), "quality", &SharedSettings::quality));
  TESSERA_RETURN_IF_ERROR(check_shared(codec, !settings.channel_weights.empty(), "channel-weights",
                                       &SharedSettings::channel_weights));
  TESSERA_RETURN_IF_ERROR(
      check_shared(codec, settings.normal_map, "normal", &SharedSettings::normal_map));
  if (!settings.method.empty() && !codec.shared_settings().method) {
    return unsupported_error(std::string(codec.name()) + " has no method '" + settings.method +
                             "'");
  }
  return check_list(codec, settings.options, &Codec::encode_options);
}

Status check_decode_options(const Codec& codec, const OptionList& options) {
  return check_list(codec, options, &Codec::decode_options);
}

Status check_decode_options_of_any(const OptionList& options) {
  for (const OptionValue& option : options) {
    const auto knows = [&](const Codec* codec) {
      return find_option(codec->decode_options(), option.key) != nullptr;
    };
    if (std::none_of(codecs().begin(), codecs().end(), knows)) {
      return usage_error("--" + option.key + " is not an option of any format");
    }
  }
  for (const Codec* codec : codecs()) {
    TESSERA_RETURN_IF_ERROR(OptionReader(options, codec->decode_options()).check());
  }
  return {};
}

}  // namespace tessera
