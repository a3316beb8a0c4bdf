#include "codec/load.h"

#include <chrono>

#include "base/file.h"
#include "codec/fractal_codec.h"
#include "codec/registry.h"
#include "containers/texture_file.h"
#include "image/convert.h"
#include "imageio/image_file.h"

namespace tessera {
namespace {

Result<LoadedImage> decode_texture(ByteSpan bytes, const std::string& name, uint32_t level,
                                   const DecodeOptions& options, Backend& backend,
                                   const RunControl& control) {
  TESSERA_ASSIGN_OR_RETURN(const Texture texture, read_texture(bytes, name));
  if (level >= texture.levels.size()) {
    return usage_error(name + " has " + std::to_string(texture.levels.size()) +
                       " mip levels, so there is no level " + std::to_string(level));
  }
  TESSERA_ASSIGN_OR_RETURN(const Codec* codec, find_codec(texture.info.format));
  const auto start = std::chrono::steady_clock::now();
  TESSERA_ASSIGN_OR_RETURN(
      Image image,
      codec->decode_level(texture.info, level, texture.levels[level], options, backend, control));
  LoadedImage loaded;
  loaded.decode_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  loaded.texture = texture.info;
  loaded.level_count = texture.levels.size();
  // An alpha channel that says nothing is left out, so that pictures stay as small as they were.
  if (image.info().channels == 4 && is_opaque(image.view())) {
    TESSERA_ASSIGN_OR_RETURN(loaded.image, convert_channels(image.view(), 3));
  } else {
    loaded.image = std::move(image);
  }
  return loaded;
}

Result<LoadedImage> decode_tsf(ByteSpan bytes, const std::string& name, uint32_t level,
                               const DecodeOptions& options, Backend& backend,
                               const RunControl& control) {
  if (level > 0) {
    return usage_error(name + " is a fractal image, so it has no mip level " +
                       std::to_string(level));
  }
  LoadedImage loaded;
  loaded.fractal = true;
  const auto start = std::chrono::steady_clock::now();
  TESSERA_ASSIGN_OR_RETURN(
      loaded.image,
      fractal::decode_fractal(bytes, {options.fractal_iterations, options.fractal_scale},
                              parallel_on(backend, control), name));
  loaded.decode_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.sample != SampleType::kU8) {
    TESSERA_ASSIGN_OR_RETURN(loaded.image, convert_samples(loaded.image.view(), options.sample));
  }
  return loaded;
}

}  // namespace

Result<LoadedImage> load_any_image(const std::string& path, uint32_t level,
                                   const DecodeOptions& options, Backend& backend,
                                   const RunControl& control) {
  const std::string name = input_display_name(path);
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path));
  Result<LoadedImage> loaded = LoadedImage();
  if (fractal::looks_like_tsf(bytes)) {
    loaded = decode_tsf(bytes, name, level, options, backend, control);
  } else if (detect_container_type(bytes)) {
    loaded = decode_texture(bytes, name, level, options, backend, control);
  } else if (auto image = decode_image(bytes, name); !image) {
    return image.error();
  } else if (level > 0) {
    return usage_error(name + " is no texture, so it has no mip level " + std::to_string(level));
  } else {
    loaded->image = std::move(*image);
  }
  if (loaded) {
    loaded->file_bytes = bytes.size();
  }
  return loaded;
}

}  // namespace tessera
