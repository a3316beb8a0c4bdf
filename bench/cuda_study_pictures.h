// The jobs of cuda_study that need no kernels of our ASTC encoder: the method fgac, and metrics.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tessera {

// RGBA texels, rows of `width`, and the same `repeats` times below itself on the device.
struct StudyPicture {
  std::span<const uint32_t> texels;
  uint32_t width, height, repeats;
  const uint32_t* on_device;
};

// `variant`: empty for the method as it is; "1" with one candidate instead of four, "rgb" with the
// endpoint modes RGB and RGBA alone, "line" with endpoints that are not fitted to rounded weights.
// Tells the PSNR, and compares the blocks with those of the CPU: false where they differ.
bool run_fgac_study(const std::string& variant, const StudyPicture& picture);

// Compares the picture with one whose texels are changed; false where a figure is not the CPU's.
bool run_compare_study(const StudyPicture& picture);

}  // namespace tessera
