// The OpenCL study by itself: lists devices, checks the kernels' bytes against plain C++, measures.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bc/opencl/bc1_opencl.h"
#include "bc1_scalar.h"
#include "exec/opencl/opencl_session.h"
#include "opencl_study.h"

namespace {

using tessera::bc1::Method;
using tessera::bc1::Settings;

int fail(const tessera::Error& error) {
  std::fprintf(stderr, "opencl_study: %s\n", error.message.c_str());
  return static_cast<int>(error.code);
}

int list() {
  const auto devices = tessera::list_opencl_devices();
  if (!devices) {
    return fail(devices.error());
  }
  unsigned number = 0;
  for (const auto& device : *devices) {
    std::printf("%u: %s (%s, %s)%s, %u compute units\n", number++, device.name.c_str(),
                device.platform.c_str(), device.version.c_str(), device.is_gpu ? ", GPU" : "",
                device.compute_units);
  }
  return 0;
}

// Noise of growing contrast over slopes, with some flat blocks.
std::vector<uint32_t> test_picture(uint32_t width, uint32_t height) {
  std::vector<uint32_t> pixels(size_t{width} * height);
  uint32_t random = 7;
  for (uint32_t i = 0; i < width * height; ++i) {
    random = random * 1664525u + 1013904223u;
    const uint32_t x = i % width, y = i / width;
    const uint32_t noise = (random >> 8) % (1 + x / 2);
    pixels[i] = ((x + noise) & 255) | (((y + noise / 2) & 255) << 8) |
                (((x * y / 64 + noise) & 255) << 16) | ((random >> 31) * 0xFF000000u);
    if ((x / 4 + y / 4) % 7 == 0) {
      pixels[i] = 0xFF336699u;
    }
  }
  return pixels;
}

// Blocks that differ from plain C++, of all blocks.
int check_one(tessera::Bc1OpenCl& device, const char* name, const Settings& settings,
              uint32_t width, uint32_t height) {
  const std::vector<uint32_t> pixels = test_picture(width, height);
  tessera::ImageView view;
  view.data = reinterpret_cast<const uint8_t*>(pixels.data());
  view.info.width = width;
  view.info.height = height;
  view.row_stride = size_t{width} * 4;
  view.slice_stride = view.row_stride * height;
  const uint32_t across = (width + 3) / 4, down = (height + 3) / 4;
  std::vector<uint8_t> blocks(size_t{across} * down * 8);
  if (const auto status =
          device.encode(view, settings, *tessera::make_serial_backend(), blocks, {});
      !status) {
    return fail(status.error());
  }
  unsigned different = 0;
  for (uint32_t i = 0; i < across * down; ++i) {
    const auto expected = tessera::reference::encode_block(
        tessera::reference::block_rgba(view, i % across, i / across), settings);
    different += std::memcmp(expected.data(), blocks.data() + size_t{i} * 8, 8) != 0 ? 1 : 0;
  }
  std::printf("%-20s %u of %u blocks differ\n", name, different, across * down);
  return different == 0 ? 0 : 1;
}

int check(unsigned number) {
  auto session = tessera::OpenClSession::create(number);
  if (!session) {
    return fail(session.error());
  }
  tessera::Bc1OpenCl device(**session);
  int code = 0;
  for (size_t m = 0; m < tessera::bc1::kMethodNames.size(); ++m) {
    const auto method = static_cast<Method>(m);
    const uint32_t side = method == Method::kLspiro ? 64 : 509;
    code |= check_one(device, tessera::bc1::kMethodNames[m].data(),
                      tessera::bc1::method_settings(method), side, side);
  }
  Settings lspiro = tessera::bc1::method_settings(Method::kLspiro);
  for (lspiro.lspiro_steps = 1; lspiro.lspiro_steps <= 2; ++lspiro.lspiro_steps) {
    code |= check_one(device, lspiro.lspiro_steps == 1 ? "lspiro step 1" : "lspiro steps 1, 2",
                      lspiro, 509, 509);
  }
  for (size_t p = 0; p < tessera::kPresetNames.size(); ++p) {
    code |= check_one(device, tessera::kPresetNames[p].data(), tessera::bc1::kPresets[p], 253, 251);
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const auto by_default = tessera::default_opencl_device();
  unsigned device = by_default ? *by_default : 0;
  bool only_check = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--list") == 0) {
      return list();
    }
    if (std::strcmp(argv[i], "--check") == 0) {
      only_check = true;
    } else if (std::strcmp(argv[i], "--device") == 0 && i + 1 < argc) {
      device = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
    } else {
      std::fprintf(stderr, "usage: opencl_study [--list] [--check] [--device N]\n");
      return 1;
    }
  }
  if (only_check) {
    return check(device);
  }
  const auto text = tessera::run_opencl_study(device, *tessera::make_serial_backend());
  if (!text) {
    return fail(text.error());
  }
  std::fputs(text->c_str(), stdout);
  return 0;
}
