// Mip levels, comparison and samples in the C interface.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "api/context.h"
#include "api/errors.h"
#include "api/handles.h"
#include "api/images.h"
#include "api/reports.h"
#include "codec/device_metrics.h"
#include "image/annotated_sheet.h"
#include "image/channel_errors.h"
#include "image/comparison_sheet.h"
#include "image/metrics.h"
#include "image/mipmap.h"
#include "image/picture_edits.h"
#include "image/synthetic.h"

namespace tessera::api {
namespace {

struct ImagePair {
  ImageView reference;
  ImageView test;
};

Result<ImagePair> read_pair(const tessera_image* reference, const tessera_image* test) {
  ImagePair pair;
  TESSERA_ASSIGN_OR_RETURN(pair.reference, read_image(reference, "reference"));
  TESSERA_ASSIGN_OR_RETURN(pair.test, read_image(test, "test"));
  const ImageInfo& first = pair.reference.info;
  const ImageInfo& second = pair.test.info;
  if (first.width != second.width || first.height != second.height ||
      first.slices() != second.slices()) {
    const auto size = [](const ImageInfo& info) {
      return std::to_string(info.width) + "x" + std::to_string(info.height) +
             (info.slices() > 1 ? "x" + std::to_string(info.slices()) : "");
    };
    return Error{ErrorCode::kDiffer, "the reference is " + size(first) + " and the other image " +
                                         size(second) +
                                         ": images of different sizes cannot be compared"};
  }
  return pair;
}

std::string all_synthetic_kinds() {
  std::string names;
  for (const SyntheticKind kind :
       {SyntheticKind::kPhoto, SyntheticKind::kInterface, SyntheticKind::kSprite,
        SyntheticKind::kNormalMap, SyntheticKind::kNoise, SyntheticKind::kConstant}) {
    names += (names.empty() ? "" : ", ") + std::string(synthetic_kind_name(kind));
  }
  return names;
}

}  // namespace
}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_next_mip_level(const tessera_image* image, tessera_picture** level,
                                      tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(level, "level"));
    *level = nullptr;
    TESSERA_ASSIGN_OR_RETURN(const ImageView view, read_image(image, "image"));
    TESSERA_ASSIGN_OR_RETURN(Image smaller, next_mip_level(view));
    give_picture(std::move(smaller), nullptr, level);
    return {};
  });
}

tessera_status tessera_edit_picture(const tessera_image* image, int yflip, int premultiply,
                                    int normalize, tessera_picture** edited, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(edited, "edited"));
    *edited = nullptr;
    TESSERA_ASSIGN_OR_RETURN(const ImageView view, read_image(image, "image"));
    TESSERA_ASSIGN_OR_RETURN(Image made,
                             edit_picture(view, {yflip != 0, premultiply != 0, normalize != 0}));
    give_picture(std::move(made), nullptr, edited);
    return {};
  });
}

tessera_status tessera_compare(const tessera_image* reference, const tessera_image* test,
                               uint32_t block_width, uint32_t block_height,
                               tessera_metrics* metrics, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(metrics, "metrics"));
    TESSERA_RETURN_IF_ERROR(check_struct_size(*metrics, "tessera_metrics"));
    TESSERA_ASSIGN_OR_RETURN(const ImagePair pair, read_pair(reference, test));
    MetricsOptions options;
    options.block_width = block_width != 0 ? block_width : options.block_width;
    options.block_height = block_height != 0 ? block_height : options.block_height;
    TESSERA_ASSIGN_OR_RETURN(const Metrics measured,
                             compute_metrics(pair.reference, pair.test, options));
    return write_result(to_c(measured), metrics, "tessera_metrics");
  });
}

tessera_status tessera_compare_device_memory(tessera_context* context,
                                             const tessera_device_image* reference,
                                             const tessera_device_image* test, uint32_t block_width,
                                             uint32_t block_height, void* stream,
                                             tessera_metrics* metrics, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(metrics, "metrics"));
    TESSERA_RETURN_IF_ERROR(check_struct_size(*metrics, "tessera_metrics"));
    TESSERA_RETURN_IF_ERROR(check_not_null(context, "context"));
    TESSERA_RETURN_IF_ERROR(check_runs_in_memory(context));
    TESSERA_ASSIGN_OR_RETURN(const DeviceImage first, read_device_image(reference, "reference"));
    TESSERA_ASSIGN_OR_RETURN(const DeviceImage second, read_device_image(test, "test"));
    MetricsOptions options;
    options.block_width = block_width != 0 ? block_width : options.block_width;
    options.block_height = block_height != 0 ? block_height : options.block_height;
    CallPlace place(context);
    TESSERA_ASSIGN_OR_RETURN(
        const Metrics measured,
        compare_on_device(place.backend().device(), first, second, options, stream));
    return write_result(to_c(measured), metrics, "tessera_metrics");
  });
}

tessera_status tessera_compare_channels(const tessera_image* reference, const tessera_image* test,
                                        double psnr[4], tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(psnr, "psnr"));
    TESSERA_ASSIGN_OR_RETURN(const ImagePair pair, read_pair(reference, test));
    const std::array<double, 4> found = channel_psnr(pair.reference, pair.test);
    std::copy(found.begin(), found.end(), psnr);
    return {};
  });
}

tessera_status tessera_compare_normals(const tessera_image* reference, const tessera_image* test,
                                       double* mean, double* largest, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(mean, "mean"));
    TESSERA_RETURN_IF_ERROR(check_not_null(largest, "largest"));
    TESSERA_ASSIGN_OR_RETURN(const ImagePair pair, read_pair(reference, test));
    const AngularError angles = vector_angles(pair.reference, pair.test);
    *mean = angles.mean_degrees;
    *largest = angles.max_degrees;
    return {};
  });
}

tessera_status tessera_comparison_sheet(const tessera_image* reference, const tessera_image* test,
                                        double gain, tessera_picture** sheet,
                                        tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(sheet, "sheet"));
    *sheet = nullptr;
    TESSERA_ASSIGN_OR_RETURN(const ImagePair pair, read_pair(reference, test));
    if (!(gain > 0)) {
      return usage_error("the gain of a comparison sheet is a positive number");
    }
    TESSERA_ASSIGN_OR_RETURN(Image made, make_comparison_sheet(pair.reference, pair.test, gain));
    give_picture(std::move(made), nullptr, sheet);
    return {};
  });
}

tessera_status tessera_annotated_sheet(const tessera_image* reference, const tessera_image* test,
                                       const tessera_sheet_options* options,
                                       tessera_picture** sheet, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(sheet, "sheet"));
    *sheet = nullptr;
    TESSERA_ASSIGN_OR_RETURN(const tessera_sheet_options given,
                             read_options(options, "tessera_sheet_options"));
    TESSERA_ASSIGN_OR_RETURN(const ImagePair pair, read_pair(reference, test));
    if (!(given.gain >= 0)) {
      return usage_error("the gain of a comparison sheet is a positive number");
    }
    SheetOptions wanted;
    wanted.gain = given.gain > 0 ? given.gain : wanted.gain;
    wanted.reference_name =
        given.reference_name != nullptr ? given.reference_name : wanted.reference_name;
    wanted.test_name = given.test_name != nullptr ? given.test_name : wanted.test_name;
    wanted.block_width = given.block_width != 0 ? given.block_width : wanted.block_width;
    wanted.block_height = given.block_height != 0 ? given.block_height : wanted.block_height;
    TESSERA_ASSIGN_OR_RETURN(Image made, make_annotated_sheet(pair.reference, pair.test, wanted));
    give_picture(std::move(made), nullptr, sheet);
    return {};
  });
}

tessera_status tessera_make_sample(const char* kind, uint32_t width, uint32_t height, uint32_t seed,
                                   tessera_picture** picture, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(picture, "picture"));
    *picture = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(kind, "kind"));
    const auto known = parse_synthetic_kind(kind);
    if (!known) {
      return usage_error("'" + std::string(kind) + "' is not a kind (" + all_synthetic_kinds() +
                         ")");
    }
    if (width == 0 || height == 0) {
      return usage_error("the width and height of a sample are at least 1");
    }
    TESSERA_ASSIGN_OR_RETURN(Image image, make_synthetic_image(*known, width, height, seed));
    give_picture(std::move(image), nullptr, picture);
    return {};
  });
}
