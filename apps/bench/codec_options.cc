// Makes the command's options of the lists that formats publish.
#include "codec_options.h"

namespace tessera::cli {
namespace {

void add_option(CLI::App& command, const Codec& codec, const OptionDescriptor& option,
                OptionList& list) {
  const std::string key(option.key);
  const std::string name = "--" + key;
  if (command.get_option_no_throw(name) != nullptr) {
    return;
  }
  CLI::Option* added = nullptr;
  if (option.kind == OptionKind::kFlag) {
    added = command.add_flag_callback(
        name,
        [&list, key] {
          list.push_back({key, ""});
        },
        std::string(option.help));
  } else {
    added = command.add_option_function<std::string>(
        name,
        [&list, key](const std::string& value) {
          list.push_back({key, value});
        },
        std::string(option.help));
    added->type_name(std::string(option.value_name));
  }
  added->group(std::string(codec.row().title));
}

}  // namespace

void add_encode_options(CLI::App& command, std::optional<PayloadKind> kind, OptionList& list) {
  for (const Codec* codec : all_codecs()) {
    if (kind && codec->row().payload != *kind) {
      continue;
    }
    for (const OptionDescriptor& option : codec->encode_options()) {
      add_option(command, *codec, option, list);
    }
  }
}

void add_decode_options(CLI::App& command, TypedDecodeOptions& typed) {
  command.add_option("--profile", typed.profile,
                     "Read textures as ldr, srgb or hdr (default: as the file says; .astc files "
                     "do not say: ldr)");
  for (const Codec* codec : all_codecs()) {
    for (const OptionDescriptor& option : codec->decode_options()) {
      add_option(command, *codec, option, typed.options);
    }
  }
}

Result<DecodeOptions> parse_decode_options(const TypedDecodeOptions& typed) {
  DecodeOptions options;
  if (!typed.profile.empty()) {
    options.profile = parse_profile(typed.profile);
    if (!options.profile) {
      return usage_error("'" + typed.profile + "' is not a profile (ldr, srgb, hdr)");
    }
  }
  TESSERA_RETURN_IF_ERROR(check_decode_options_of_any(typed.options));
  options.options = typed.options;
  return options;
}

}  // namespace tessera::cli
