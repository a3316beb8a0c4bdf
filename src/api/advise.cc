// Advice about block sizes in the C interface.
#include "api/context.h"
#include "api/encode.h"
#include "api/errors.h"
#include "api/handles.h"
#include "api/images.h"
#include "base/json.h"
#include "codec/advice.h"

namespace tessera::api {
namespace {

Json to_json(const Advice& advice, const ImageInfo& image, const tessera_encoder& encoder) {
  const bool is_light = is_hdr(encoder.plan.settings.profile);
  Json::Array sizes;
  for (const AdviceRow& row : advice.rows) {
    Json size = Json::object({{"block", block_size_name(row.block)},
                              {"bpp", row.bits_per_pixel},
                              {"bytes", row.bytes},
                              {is_light ? "mpsnr" : "psnr", row.badness.psnr()}});
    if (!is_light) {
      size.set("ssim", 1 - row.badness.dissimilarity);
      size.set("max_error", row.badness.max_error);
    }
    sizes.push_back(std::move(size));
  }
  return Json::object({{"width", image.width},
                       {"height", image.height},
                       {"depth", image.depth},
                       {"format", encoder.format},
                       {"preset", encoder.preset},
                       {"measure", is_light ? "mpsnr" : "psnr"},
                       {"sizes", std::move(sizes)},
                       {"recommended", block_size_name(advice.rows[advice.recommended].block)},
                       {"reason", advice.reason}});
}

}  // namespace
}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_advise(const tessera_encoder* encoder, tessera_context* context,
                              const tessera_image* image, const tessera_control* control,
                              tessera_buffer** json, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(json, "json"));
    *json = nullptr;
    TESSERA_ASSIGN_OR_RETURN(const EncodeCall given,
                             read_encode_call(encoder, context, image, control));
    CallPlace place(context);
    TESSERA_ASSIGN_OR_RETURN(const PictureToEncode own,
                             prepare_picture(given.picture, encoder->plan));
    TESSERA_ASSIGN_OR_RETURN(const PictureLevels levels, make_levels(own.prepared, own.plan));
    TESSERA_ASSIGN_OR_RETURN(const Advice advice,
                             advise(levels.views, own.plan, place.backend(), given.control));
    give_text(to_json(advice, given.picture.info, *encoder).text(), json);
    return {};
  });
}
