// The caller's images as views.
#pragma once

#include "base/result.h"
#include "exec/device.h"
#include "image/image.h"
#include "tessera/tessera.h"

namespace tessera::api {

// Extents, strides and sample types of the caller's, checked; the view's data are null.
Result<ImageView> read_layout(const tessera_image* given);

// The same with the pixels.
Result<ImageView> read_image(const tessera_image* given, const char* name);

// A picture in memory of a device.
Result<DeviceImage> read_device_image(const tessera_device_image* given, const char* name);

Result<SampleType> read_sample(tessera_sample sample);
tessera_sample to_c(SampleType sample);

}  // namespace tessera::api
