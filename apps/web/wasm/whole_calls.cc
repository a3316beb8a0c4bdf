// Whole files of formats that are not made of blocks.
#include "codec/pipeline.h"
#include "exec/backend.h"
#include "pixels.h"
#include "reply.h"
#include "web_options.h"

// Of JavaScript: the part of a long call that is done.
extern "C" __attribute__((import_module("env"), import_name("tessera_progress"))) void
tessera_progress(double fraction);

namespace tessera::web {
namespace {

RunControl with_progress() {
  RunControl control;
  control.progress = [](double fraction) { tessera_progress(fraction); };
  return control;
}

Status encode_whole(const char* options, const ImageView& picture) {
  TESSERA_RETURN_IF_ERROR(layout_of(picture.info, PTRDIFF_MAX));
  TESSERA_ASSIGN_OR_RETURN(const EncodePlan plan, read_web_plan(options));
  const auto backend = make_serial_backend();
  TESSERA_ASSIGN_OR_RETURN(EncodedFile file,
                           encode_picture(picture, plan, *backend, with_progress()));
  reply_with(Json::object({{"format", plan.codec->name()},
                           {"profile", profile_name(plan.settings.profile)},
                           {"alphaDropped", file.report.alpha_dropped}}));
  reply().bytes = std::move(file.bytes);
  return {};
}

Status decode_whole(WebOptions options, ByteSpan bytes) {
  TESSERA_ASSIGN_OR_RETURN(const DecodeOptions decode, read_web_decode_options(options));
  const auto backend = make_serial_backend();
  TESSERA_ASSIGN_OR_RETURN(
      DecodedTexture decoded,
      decode_texture(bytes, "the file", {}, decode, *backend, with_progress(), ReadBudget()));
  reply_with(Json::object({{"width", decoded.image.width()}, {"height", decoded.image.height()}}));
  return reply_with_pixels(std::move(decoded.image));
}

}  // namespace
}  // namespace tessera::web

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::web;  // NOLINT(google-build-using-namespace)

// Both return a status; what they make is in the reply.

TESSERA_EXPORT(tessera_web_encode_whole)
int32_t tessera_web_encode_whole(const char* options, const uint8_t* pixels, uint32_t width,
                                 uint32_t height) {
  return serve([&]() -> Status { return encode_whole(options, view_of(pixels, width, height)); });
}

TESSERA_EXPORT(tessera_web_decode_whole)
int32_t tessera_web_decode_whole(const char* options, const uint8_t* bytes, uint32_t size) {
  return serve([&]() -> Status { return decode_whole(WebOptions(options), {bytes, size}); });
}
