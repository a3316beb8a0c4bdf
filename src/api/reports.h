// Reports, metrics and descriptions of files in the C interface's structs.
#pragma once

#include "base/result.h"
#include "codec/pipeline.h"
#include "image/metrics.h"
#include "tessera/tessera.h"

namespace tessera::api {

tessera_metrics to_c(const Metrics& metrics);
tessera_encode_report to_c(const EncodeReport& report);

// Null: nothing is wanted. The metrics inside have a size of their own.
Status write_report(const EncodeReport& report, tessera_encode_report* out);

// Of pictures.
tessera_file_info picture_info(const ImageInfo& image, std::string_view type);
// Of textures and fractal images.
tessera_file_info texture_info(const TextureInfo& texture, ContainerType container, size_t levels);

}  // namespace tessera::api
