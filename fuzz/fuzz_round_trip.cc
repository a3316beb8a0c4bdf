// Random pictures and options encoded and decoded again: the quick decoder sees what the plain one
// sees, threads change no byte, a picture of one colour stays one, and transcoding a file to its
// own settings works. With TESSERA_FUZZ_ASTCENC=N every N-th texture is also decoded by the astcenc
// command, whose pixels may differ by a rounding.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "astc/decode/decode_image.h"
#include "astc/decode/reference_decode.h"
#include "astc/decode/texel_samples.h"
#include "codec/pipeline.h"
#include "codec/registry.h"
#include "containers/texture_file.h"
#include "files/file.h"
#include "files/pictures/image_file.h"
#include "measured.h"
#include "random_picture.h"

namespace {

using namespace tessera;

Image make_picture(FuzzedDataProvider& bytes) {
  ImageInfo info;
  info.width = bytes.ConsumeIntegralInRange<uint32_t>(1, 30);
  info.height = bytes.ConsumeIntegralInRange<uint32_t>(1, 30);
  info.channels = bytes.ConsumeIntegralInRange<uint32_t>(1, 4);
  Image image = Image::create(info).value();
  const size_t row_bytes = info.width * info.pixel_bytes();
  const Bytes pixels = fuzz::random_pixels(bytes, row_bytes * info.height);
  for (uint32_t y = 0; y < info.height; ++y) {
    std::copy_n(pixels.begin() + static_cast<ptrdiff_t>(y * row_bytes), row_bytes,
                image.row<uint8_t>(y));
  }
  return image;
}

EncodePlan make_plan(FuzzedDataProvider& bytes) {
  EncodePlan plan;
  const bool is_astc = bytes.ConsumeIntegralInRange(0, 5) > 0;
  plan.codec = *find_codec(is_astc ? "astc" : "bc1");
  if (is_astc) {
    plan.settings.block = *parse_block_size(bytes.PickValueInArray(fuzz::kBlockNames));
    plan.settings.profile = bytes.ConsumeBool() ? Profile::kLdr : Profile::kSrgb;
  }
  plan.settings.preset = static_cast<Preset>(bytes.ConsumeIntegralInRange(0, 2));
  plan.mips = bytes.ConsumeBool();
  plan.container = ContainerType::kKtx2;
  return plan;
}

// The part of a picture that one block covers.
struct BlockPlace {
  uint32_t x = 0;
  uint32_t y = 0;
};

void check_block(const astc::Block128& block, BlockSize size, astc::DecodeMode mode,
                 const Image& decoded, BlockPlace place) {
  std::array<astc::Texel, astc::kMaxBlockTexels> texels;
  astc::decode_block(block, size, mode, texels);
  const uint32_t width = std::min(size.width, decoded.width() - place.x);
  const uint32_t height = std::min(size.height, decoded.height() - place.y);
  for (uint32_t y = 0; y < height; ++y) {
    const uint8_t* seen = decoded.row<uint8_t>(place.y + y) + place.x * 4;
    for (uint32_t x = 0; x < width; ++x) {
      const astc::Texel& texel = texels[y * size.width + x];
      for (unsigned c = 0; c < 4; ++c) {
        fuzz::require(seen[x * 4 + c] == astc::to_u8_sample(texel.rgba[c], mode),
                      "the two decoders see different pixels");
      }
    }
  }
}

void check_plain_decoder(const Texture& texture, uint32_t level, const Image& decoded) {
  const auto mode = texture.info.srgb ? astc::DecodeMode::kSrgb : astc::DecodeMode::kLdrFloat16;
  const BlockSize size = texture.info.block;
  const uint8_t* block = texture.levels[level].data();
  for (uint32_t y = 0; y < decoded.height(); y += size.height) {
    for (uint32_t x = 0; x < decoded.width(); x += size.width) {
      check_block(astc::load_block(block), size, mode, decoded, {x, y});
      block += astc::kBlockBytes;
    }
  }
}

bool is_one_color(const Image& image) {
  const size_t pixel = image.info().pixel_bytes();
  for (uint32_t y = 0; y < image.height(); ++y) {
    for (size_t i = 0; i < image.width() * pixel; ++i) {
      if (image.row<uint8_t>(y)[i] != image.row<uint8_t>(0)[i % pixel]) {
        return false;
      }
    }
  }
  return true;
}

// Red of a picture of one colour, which every format keeps to 5 bits at least.
void check_one_color(const Image& picture, const Image& decoded) {
  const int wanted = picture.row<uint8_t>(0)[0];
  const int found = decoded.row<uint8_t>(decoded.height() - 1)[0];
  fuzz::require(std::abs(wanted - found) <= 4, "a picture of one colour has another one");
}

Result<Image> decode_by_astcenc(ByteSpan file, bool srgb) {
  const std::string name = "/tmp/tessera-fuzz-" + std::to_string(::getpid());
  const std::string texture = name + ".astc";
  const std::string picture = name + ".png";
  TESSERA_RETURN_IF_ERROR(write_file(texture, file));
  const char* arguments[] = {
      "astcenc", srgb ? "-ds" : "-dl", texture.c_str(), picture.c_str(), "-silent", nullptr};
  pid_t process = 0;
  int status = 0;
  fuzz::require(::posix_spawnp(&process, arguments[0], nullptr, nullptr,
                               const_cast<char**>(arguments), environ) == 0 &&
                    ::waitpid(process, &status, 0) == process && status == 0,
                "astcenc cannot decode what we have encoded");
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(picture));
  ::unlink(texture.c_str());
  ::unlink(picture.c_str());
  return decode_image(bytes, picture);
}

void check_astcenc(const Texture& texture, const Image& decoded) {
  static const char* const every = std::getenv("TESSERA_FUZZ_ASTCENC");
  static int count = 0;
  if (every == nullptr || ++count % std::max(std::atoi(every), 1) != 0) {
    return;
  }
  Texture top = texture;
  top.levels.resize(1);
  const auto file = write_texture(top, ContainerType::kAstc, {});
  fuzz::require(file.ok(), "a level cannot be written as .astc");
  const auto seen = decode_by_astcenc(*file, texture.info.srgb);
  fuzz::require(seen.ok() && seen->width() == decoded.width(), "astcenc's picture cannot be read");
  for (uint32_t y = 0; y < decoded.height(); ++y) {
    for (uint32_t x = 0; x < decoded.width(); ++x) {
      for (uint32_t c = 0; c < seen->info().channels; ++c) {
        const int ours = decoded.row<uint8_t>(y)[x * 4 + c];
        const int theirs = seen->row<uint8_t>(y)[x * seen->info().channels + c];
        fuzz::require(std::abs(ours - theirs) <= 1, "astcenc sees other pixels");
      }
    }
  }
}

void check_file(ByteSpan file, const Image& picture, const EncodePlan& plan, Backend& backend) {
  const auto texture = read_texture(file, "output");
  fuzz::require(texture.ok(), "what we write cannot be read");
  for (uint32_t level = 0; level < texture->levels.size(); ++level) {
    const auto decoded = plan.codec->decode_level(texture->info, level, texture->levels[level],
                                                  DecodeOptions(), backend, {});
    fuzz::require(decoded.ok(), "what we write cannot be decoded");
    if (is_one_color(picture)) {
      check_one_color(picture, *decoded);
    }
    if (plan.codec->row().name == std::string_view("astc")) {
      check_plain_decoder(*texture, level, *decoded);
      if (level == 0) {
        check_astcenc(*texture, *decoded);
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto one_thread = make_cpu_backend(1);
  static const auto some_threads = make_cpu_backend(3);
  const fuzz::Measured measured(size);
  FuzzedDataProvider bytes(data, size);
  const EncodePlan plan = make_plan(bytes);
  const bool with_threads = bytes.ConsumeIntegralInRange(0, 15) == 0;
  const Image picture = make_picture(bytes);
  const auto encoded = encode_picture(picture.view(), plan, *one_thread, {});
  fuzz::require(encoded.ok(), "a picture cannot be encoded");
  if (with_threads) {
    const auto again = encode_picture(picture.view(), plan, *some_threads, {});
    fuzz::require(again.ok() && again->bytes == encoded->bytes, "bytes depend on threads");
  }
  check_file(encoded->bytes, picture, plan, *one_thread);
  return 0;
}
