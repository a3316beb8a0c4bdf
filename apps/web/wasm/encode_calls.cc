// Encoding: a picture is looked at, all of it or some areas, then encoded strip by strip by any
// number of instances, and the file's header is made without the blocks.
#include <memory>
#include <optional>
#include <vector>

#include "codec/pipeline.h"
#include "exec/backend.h"
#include "file_layout.h"
#include "image/convert.h"
#include "image/mipmap.h"
#include "pixels.h"
#include "reply.h"
#include "web_options.h"

namespace tessera::web {
namespace {

struct WebEncoder {
  EncodePlan plan;
  std::unique_ptr<Encoder> encoder;
  // What prepare() has made: mip levels, and the picture itself where it had to be changed.
  std::optional<PreparedImage> prepared;
  std::vector<Image> mips;
};

Result<ImageView> read_picture(const uint8_t* pixels, uint32_t width, uint32_t height) {
  const ImageView view = view_of(pixels, width, height);
  TESSERA_RETURN_IF_ERROR(layout_of(view.info, PTRDIFF_MAX));
  return view;
}

// Whether the encoder takes four 8-bit channels as they are.
bool takes_as_is(const WebEncoder& self) {
  return self.plan.swizzle.is_identity() && !self.plan.settings.normal_map &&
         self.encoder->as_block_encoder() != nullptr;
}

bool wants_picture(const WebEncoder& self) {
  return !takes_as_is(self) || self.plan.mips;
}

// Whether some areas of the picture are enough to look at.
bool wants_areas(const WebEncoder& self) {
  return !wants_picture(self) && self.encoder->as_block_encoder()->wants_facts();
}

TextureInfo texture_info(const WebEncoder& self, uint32_t width, uint32_t height) {
  TextureInfo info;
  info.format = self.plan.codec->format();
  info.block = self.plan.codec->block_of(self.plan.settings);
  info.srgb = self.plan.settings.profile == Profile::kSrgb;
  info.width = width;
  info.height = height;
  return info;
}

Json describe(const WebEncoder& self) {
  const Codec& codec = *self.plan.codec;
  const bool has_blocks = codec.row().payload == PayloadKind::kBlocks;
  const BlockSize block = codec.block_of(self.plan.settings);
  return Json::object({{"format", codec.name()},
                       {"container", container_type_name(self.plan.container).substr(1)},
                       {"profile", profile_name(self.plan.settings.profile)},
                       {"blockWidth", has_blocks ? block.width : 0U},
                       {"blockHeight", has_blocks ? block.height : 0U},
                       {"blockBytes", codec.row().block_bytes},
                       {"hasBlocks", has_blocks},
                       {"wantsPicture", wants_picture(self)},
                       {"wantsAreas", wants_areas(self)}});
}

// A file whose blocks have no value: its beginning is that of the real file.
Result<LargeBytes> empty_file(const WebEncoder& self, const TextureInfo& info,
                              const std::vector<LevelPlace>& levels) {
  Texture texture;
  texture.info = info;
  for (const LevelPlace& level : levels) {
    texture.levels.emplace_back(static_cast<size_t>(level.bytes));
  }
  return write_texture(texture, self.plan.container, self.plan.container_options);
}

// The file's size, where its levels lie, and, as bytes, all that comes before the first of them.
Status lay_out(const WebEncoder& self, uint32_t width, uint32_t height, bool bare) {
  TESSERA_RETURN_IF_ERROR(read_picture(nullptr, width, height));
  const TextureInfo info = texture_info(self, width, height);
  const uint32_t count = self.plan.mips ? mip_level_count(width, height) : 1;
  TESSERA_ASSIGN_OR_RETURN(std::vector<LevelPlace> levels, bare_levels(info, count));
  uint64_t total = levels.back().offset + levels.back().bytes;
  if (!bare) {
    TESSERA_ASSIGN_OR_RETURN(LargeBytes file, empty_file(self, info, levels));
    total = file.size();
    levels = place_levels(std::move(levels), self.plan.container, file);
    uint64_t first = total;
    for (const LevelPlace& level : levels) {
      first = std::min(first, level.offset);
    }
    file.resize(static_cast<size_t>(first));
    reply().bytes = std::move(file);
  }
  reply_with(Json::object({{"byteLength", total}, {"levels", levels_json(levels)}}));
  return {};
}

Json facts_json(ImageFacts facts) {
  return Json::object({{"factsLow", static_cast<uint32_t>(facts)},
                       {"factsHigh", static_cast<uint32_t>(facts >> 32)}});
}

Json level_json(const ImageView& level, bool is_new, const WebEncoder& self) {
  const BlockEncoder* const blocks = self.encoder->as_block_encoder();
  Json object = facts_json(blocks->wants_facts() ? blocks->look_at(level) : 0);
  object.set("width", level.info.width);
  object.set("height", level.info.height);
  if (is_new) {  // JavaScript does not have these pixels
    object.set("pixels", reinterpret_cast<uintptr_t>(level.data));
    object.set("rowStride", level.row_stride);
  }
  return object;
}

Status prepare(WebEncoder& self, const ImageView& picture) {
  ImageView largest = picture;
  self.prepared.reset();
  self.mips.clear();
  if (self.plan.linear || self.plan.settings.normal_map) {
    largest.info.color_space = ColorSpace::kLinear;
  }
  if (!takes_as_is(self)) {
    TESSERA_ASSIGN_OR_RETURN(self.prepared, prepare_image(picture, self.plan, *self.encoder));
    largest = self.prepared->image.view();
  }
  if (self.plan.mips) {
    // Pictures of JavaScript, and what is made of them, have four 8-bit channels.
    TESSERA_ASSIGN_OR_RETURN(self.mips, make_rgba8_mip_levels(largest, UINT32_MAX, self.plan.mip));
  }
  Json levels = Json::Array();
  levels.push_back(level_json(largest, self.prepared.has_value(), self));
  for (const Image& mip : self.mips) {
    levels.push_back(level_json(mip.view(), true, self));
  }
  reply_with(Json::object({{"levels", std::move(levels)}}));
  return {};
}

}  // namespace
}  // namespace tessera::web

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::web;  // NOLINT(google-build-using-namespace)

// All functions return a status; what they make is in the reply. `options` is a text, see
// web_options.h.

TESSERA_EXPORT(tessera_web_encoder_create)
int32_t tessera_web_encoder_create(const char* options, WebEncoder** encoder) {
  return serve([&]() -> Status {
    *encoder = nullptr;
    auto made = std::make_unique<WebEncoder>();
    TESSERA_ASSIGN_OR_RETURN(made->plan, read_web_plan(options));
    TESSERA_ASSIGN_OR_RETURN(made->encoder, made->plan.codec->make_encoder(made->plan.settings));
    reply_with(describe(*made));
    *encoder = made.release();
    return {};
  });
}

TESSERA_EXPORT(tessera_web_encoder_destroy) void tessera_web_encoder_destroy(WebEncoder* encoder) {
  delete encoder;
}

TESSERA_EXPORT(tessera_web_lay_out)
int32_t tessera_web_lay_out(const WebEncoder* encoder, uint32_t width, uint32_t height,
                            int32_t bare) {
  return serve([&]() -> Status { return lay_out(*encoder, width, height, bare != 0); });
}

// Facts of each level, and the pixels of those that JavaScript does not have, which stay until
// tessera_web_forget_levels().
TESSERA_EXPORT(tessera_web_prepare)
int32_t tessera_web_prepare(WebEncoder* encoder, const uint8_t* pixels, uint32_t width,
                            uint32_t height) {
  return serve([&]() -> Status {
    TESSERA_ASSIGN_OR_RETURN(const ImageView picture, read_picture(pixels, width, height));
    return prepare(*encoder, picture);
  });
}

// The areas that an encoder with wantsAreas looks at, as bytes: x, y, width and height of each.
TESSERA_EXPORT(tessera_web_list_areas)
int32_t tessera_web_list_areas(const WebEncoder* encoder, uint32_t width, uint32_t height) {
  return serve([&]() -> Status {
    TESSERA_ASSIGN_OR_RETURN(const ImageView picture, read_picture(nullptr, width, height));
    const auto areas = encoder->encoder->as_block_encoder()->areas_looked_at(picture.info);
    reply().bytes = LargeBytes(
        ByteSpan(reinterpret_cast<const uint8_t*>(areas.data()), areas.size() * sizeof(ImageArea)));
    return {};
  });
}

// The facts of a picture of which these areas are there: `pixels` has one after the other.
TESSERA_EXPORT(tessera_web_look_at_areas)
int32_t tessera_web_look_at_areas(const WebEncoder* encoder, const ImageArea* areas, uint32_t count,
                                  const uint8_t* pixels) {
  return serve([&]() -> Status {
    std::vector<ImageView> views;
    for (uint32_t i = 0; i < count; ++i) {
      views.push_back(view_of(pixels, areas[i].width, areas[i].height));
      pixels += views.back().slice_stride;
    }
    reply_with(facts_json(encoder->encoder->as_block_encoder()->look_at_areas(views)));
    return {};
  });
}

TESSERA_EXPORT(tessera_web_forget_levels) void tessera_web_forget_levels(WebEncoder* encoder) {
  encoder->prepared.reset();
  encoder->mips.clear();
}

// Whole block rows of a level. The reply's text is "1" where transparency is lost.
TESSERA_EXPORT(tessera_web_encode_strip)
int32_t tessera_web_encode_strip(const WebEncoder* encoder, const uint8_t* pixels, uint32_t width,
                                 uint32_t height, uint32_t facts_low, uint32_t facts_high) {
  return serve([&]() -> Status {
    TESSERA_ASSIGN_OR_RETURN(const ImageView strip, read_picture(pixels, width, height));
    const BlockEncoder* const blocks = encoder->encoder->as_block_encoder();
    if (blocks == nullptr) {
      return usage_error("fractal images have no strips");
    }
    const auto backend = make_serial_backend();
    LargeBytes out(static_cast<size_t>(blocks->output_bytes(strip.info)));
    const ImageFacts facts = facts_low | (ImageFacts{facts_high} << 32);
    TESSERA_RETURN_IF_ERROR(blocks->encode_part(strip, facts, *backend, {}, out));
    reply().bytes = std::move(out);
    reply().text = !blocks->keeps_alpha() && !is_opaque(strip) ? "1" : "0";
    return {};
  });
}
