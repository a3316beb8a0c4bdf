// Measurements of BC1's OpenCL kernels: ways to sort, group and lay out blocks.
#include "opencl_study.h"

#ifdef TESSERA_HAVE_OPENCL

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/bytes.h"
#include "bc/device/bc1_tables.h"
#include "bc/opencl/bc1_opencl.h"
#include "exec/opencl/opencl_calls.h"
#include "exec/opencl/opencl_session.h"

namespace tessera {
namespace {

// A device that is the CPU takes seconds for what a GPU does in a moment.
constexpr int kGpuRepeats = 9;
constexpr int kOtherRepeats = 2;

// Appends as printf does.
__attribute__((format(printf, 2, 3))) void print(std::string& text, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

// One variant of the study's kernels; see bc1_study.cl.
struct Variant {
  int blocks = 8;
  int sort = 1;
  int layout = 2;
  int loop = 1;
  const char* extra = "";

  std::string options() const {
    return "-DBC1_GROUP=64 -DBC1_SETTINGS={0} -DSTUDY_BLOCKS=" + std::to_string(blocks) +
           " -DSTUDY_SORT=" + std::to_string(sort) + " -DSTUDY_LAYOUT=" + std::to_string(layout) +
           " -DSTUDY_LOOP=" + std::to_string(loop) + " " + extra;
  }
};

enum class Texture { kSmooth, kFewColors, kNoise };

// Three textures that sort differently: smooth gradients with a little noise, few colours, noise.
std::vector<uint32_t> make_texture(Texture kind, uint32_t width, uint32_t height) {
  std::vector<uint32_t> pixels(size_t{width} * height);
  uint32_t random = 1;
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      random = random * 1664525u + 1013904223u;
      const uint32_t noise = random >> 24;
      uint32_t r = (x / 2 + noise / 8) & 255, g = (y / 2 + noise / 6) & 255;
      uint32_t b = ((x + y) / 3 + noise / 16) & 255;
      if (kind == Texture::kFewColors) {
        r = ((x / 3 + y / 5) % 4) * 60;
        g = (x / 7 % 3) * 90;
        b = (y / 6 % 2) * 200;
      } else if (kind == Texture::kNoise) {
        r = noise;
        g = (random >> 16) & 255;
        b = (random >> 8) & 255;
      }
      pixels[size_t{y} * width + x] = r | (g << 8) | (b << 16) | 0xFF000000u;
    }
  }
  return pixels;
}

double seconds_of(cl_event event) {
  cl_ulong start = 0, end = 0;
  cl().GetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
  cl().GetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
  cl().ReleaseEvent(event);
  return static_cast<double>(end - start) * 1e-9;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Study {
 public:
  Study(OpenClSession& session, Bc1OpenCl& bc1, Backend& threads)
      : session_(session),
        bc1_(bc1),
        threads_(threads),
        repeats_(session.device().is_gpu ? kGpuRepeats : kOtherRepeats) {}

  Result<std::string> run();

 private:
  struct Image {
    uint32_t width = 0, height = 0;
    OpenClBuffer pixels, blocks, ends;
    size_t block_count() const { return size_t{width / 4} * (height / 4); }
    double pixel_count() const { return static_cast<double>(width) * height; }
  };

  Result<Image> upload(Texture kind, uint32_t width, uint32_t height);
  Result<double> time_kernel(const char* name, const Variant& variant, const Image& image,
                             const OpenClBuffer& argument, const OpenClBuffer& out);
  Result<double> time_fused(const Variant& variant, const Image& image);
  Result<double> time_separate(const Variant& variant, const Image& image);
  Result<double> time_method(const bc1::Settings& settings, const Image& image);
  Result<uint64_t> checksum(const Image& image);
  Status expect_same(const Image& image, uint64_t& expected);

  Status sorting(std::string& text);
  Status groups_and_layouts(std::string& text);
  Status further(std::string& text);
  Status own_kernels(std::string& text);
  Status copies(std::string& text);

  OpenClSession& session_;
  Bc1OpenCl& bc1_;
  Backend& threads_;
  int repeats_;
  OpenClBuffer tables_;
};

Result<Study::Image> Study::upload(Texture kind, uint32_t width, uint32_t height) {
  Image image;
  image.width = width;
  image.height = height;
  const std::vector<uint32_t> pixels = make_texture(kind, width, height);
  TESSERA_ASSIGN_OR_RETURN(image.pixels, session_.make_buffer(pixels.size() * 4));
  TESSERA_ASSIGN_OR_RETURN(image.blocks, session_.make_buffer(image.block_count() * 8));
  TESSERA_ASSIGN_OR_RETURN(image.ends, session_.make_buffer(image.block_count() * 8));
  const cl_int code =
      cl().EnqueueWriteBuffer(session_.queue(0), image.pixels.get(), CL_TRUE, 0, pixels.size() * 4,
                              pixels.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return opencl_error(session_.device(), "pixels cannot be copied", code);
  }
  return image;
}

// Median seconds of a study kernel.
Result<double> Study::time_kernel(const char* name, const Variant& variant, const Image& image,
                                  const OpenClBuffer& argument, const OpenClBuffer& out) {
  TESSERA_ASSIGN_OR_RETURN(cl_kernel kernel,
                           session_.kernel(bc1::kStudyKernelSource, variant.options(), name));
  cl_mem pixels = image.pixels.get();
  cl_mem in = argument.get();
  cl_mem result = out.get();
  const cl_uint row_bytes = image.width * 4, across = image.width / 4, down = image.height / 4;
  cl().SetKernelArg(kernel, 0, sizeof(cl_mem), &pixels);
  cl().SetKernelArg(kernel, 1, sizeof row_bytes, &row_bytes);
  cl().SetKernelArg(kernel, 2, sizeof across, &across);
  cl().SetKernelArg(kernel, 3, sizeof down, &down);
  cl().SetKernelArg(kernel, 4, sizeof(cl_mem), &in);
  cl().SetKernelArg(kernel, 5, sizeof(cl_mem), &result);
  const size_t local = 16u * static_cast<size_t>(variant.blocks);
  const size_t groups = divide_round_up(image.block_count(), static_cast<size_t>(variant.blocks));
  const size_t global = groups * local;
  std::vector<double> seconds;
  for (int i = 0; i <= repeats_; ++i) {
    cl_event event = nullptr;
    cl_int code = cl().EnqueueNDRangeKernel(session_.queue(0), kernel, 1, nullptr, &global, &local,
                                            0, nullptr, &event);
    code = code == CL_SUCCESS ? cl().Finish(session_.queue(0)) : code;
    if (code != CL_SUCCESS) {
      return opencl_error(session_.device(), "a kernel of the study failed", code);
    }
    const double time = seconds_of(event);
    if (i > 0) {  // the first one warms up
      seconds.push_back(time);
    }
  }
  return median(seconds);
}

Result<double> Study::time_fused(const Variant& variant, const Image& image) {
  return time_kernel("study_fused", variant, image, tables_, image.blocks);
}

Result<double> Study::time_separate(const Variant& variant, const Image& image) {
  TESSERA_ASSIGN_OR_RETURN(const double ends,
                           time_kernel("study_ends_only", variant, image, tables_, image.ends));
  TESSERA_ASSIGN_OR_RETURN(
      const double pack, time_kernel("study_pack_only", variant, image, image.ends, image.blocks));
  return ends + pack;
}

// Median seconds of one of the product's methods on resident data, by markers around it.
Result<double> Study::time_method(const bc1::Settings& settings, const Image& image) {
  const DeviceImage resident = {image.pixels.get(), size_t{image.width} * 4, image.width,
                                image.height};
  std::vector<double> seconds;
  cl_command_queue queue = session_.queue(0);
  for (int i = 0; i <= repeats_; ++i) {
    cl().Finish(queue);
    const auto start = std::chrono::steady_clock::now();
    // Several launches in a row hide what starting one costs.
    constexpr int kLaunches = 4;
    for (int launch = 0; launch < kLaunches; ++launch) {
      TESSERA_RETURN_IF_ERROR(bc1_.encode_resident(resident, settings, image.blocks.get(), queue));
    }
    if (const cl_int code = cl().Finish(queue); code != CL_SUCCESS) {
      return opencl_error(session_.device(), "encoding failed", code);
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (i > 0) {
      seconds.push_back(time.count() / kLaunches);
    }
  }
  return median(seconds);
}

Result<uint64_t> Study::checksum(const Image& image) {
  std::vector<uint8_t> blocks(image.block_count() * 8);
  const cl_int code = cl().EnqueueReadBuffer(session_.queue(0), image.blocks.get(), CL_TRUE, 0,
                                             blocks.size(), blocks.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return opencl_error(session_.device(), "blocks cannot be copied", code);
  }
  uint64_t sum = 1469598103934665603u;  // FNV-1a
  for (const uint8_t byte : blocks) {
    sum = (sum ^ byte) * 1099511628211u;
  }
  return sum;
}

Status Study::expect_same(const Image& image, uint64_t& expected) {
  TESSERA_ASSIGN_OR_RETURN(const uint64_t sum, checksum(image));
  if (expected != 0 && sum != expected) {
    return failed_error("variants of the study gave different blocks on the OpenCL device " +
                        session_.device().name);
  }
  expected = sum;
  return {};
}

Status Study::sorting(std::string& text) {
  print(text, "Step 1 with packing, 512x512, eight blocks per group: how values are sorted\n");
  print(text, "%-28s %12s %12s %12s\n", "ms", "smooth", "few colours", "noise");
  const char* names[] = {"insertion sort", "ranks", "bit mask and popcount"};
  uint64_t expected[3] = {};
  for (int sort = 0; sort < 3; ++sort) {
    print(text, "%-28s", names[sort]);
    for (int kind = 0; kind < 3; ++kind) {
      TESSERA_ASSIGN_OR_RETURN(const Image image, upload(static_cast<Texture>(kind), 512, 512));
      Variant variant;
      variant.sort = sort;
      TESSERA_ASSIGN_OR_RETURN(const double seconds, time_fused(variant, image));
      TESSERA_RETURN_IF_ERROR(expect_same(image, expected[kind]));
      print(text, " %12.4f", seconds * 1e3);
    }
    text += '\n';
  }
  return {};
}

Status Study::groups_and_layouts(std::string& text) {
  TESSERA_ASSIGN_OR_RETURN(const Image image, upload(Texture::kSmooth, 1920, 1200));
  print(text, "\nStep 1 without packing, 1920x1200, ranks: blocks per group and layouts\n");
  print(text, "%-28s", "ms, blocks per group");
  const int counts[] = {1, 2, 4, 6, 8, 10, 12, 16};
  for (const int blocks : counts) {
    print(text, " %8d", blocks);
  }
  const char* names[] = {"RGBA as it comes", "RGBA rotated", "without alpha", "padded"};
  for (int layout = 0; layout < 4; ++layout) {
    print(text, "\n%-28s", names[layout]);
    for (const int blocks : counts) {
      Variant variant;
      variant.blocks = blocks;
      variant.layout = layout;
      TESSERA_ASSIGN_OR_RETURN(const double seconds,
                               time_kernel("study_ends_only", variant, image, tables_, image.ends));
      print(text, " %8.4f", seconds * 1e3);
    }
  }
  text += '\n';
  return {};
}

Status Study::further(std::string& text) {
  TESSERA_ASSIGN_OR_RETURN(const Image image, upload(Texture::kSmooth, 1920, 1200));
  TESSERA_ASSIGN_OR_RETURN(const Image large, upload(Texture::kSmooth, 2560, 1600));
  print(text,
        "\nStep 1 with packing, ten blocks per group: further steps\n%-40s %10s %10s %12s %12s\n",
        "", "ms", "GP/s", "1920x1200/s", "2560x1600/s");
  Variant variant;
  variant.blocks = 10;
  variant.loop = 0;
  uint64_t expected = 0;
  const auto row = [&](const char* name, bool fused, bool same) -> Status {
    TESSERA_ASSIGN_OR_RETURN(const double seconds,
                             fused ? time_fused(variant, image) : time_separate(variant, image));
    TESSERA_ASSIGN_OR_RETURN(const double large_seconds,
                             fused ? time_fused(variant, large) : time_separate(variant, large));
    if (same) {
      TESSERA_RETURN_IF_ERROR(expect_same(image, expected));
    }
    print(text, "%-40s %10.4f %10.3f %12.0f %12.0f\n", name, seconds * 1e3,
          image.pixel_count() / seconds / 1e9, 1 / seconds, 1 / large_seconds);
    return {};
  };
  TESSERA_RETURN_IF_ERROR(row("separate kernels", false, true));
  TESSERA_RETURN_IF_ERROR(row("one kernel", true, true));
  variant.loop = 1;
  TESSERA_RETURN_IF_ERROR(row("all channels in one loop", true, true));
  variant.extra = "-cl-fast-relaxed-math";
  TESSERA_RETURN_IF_ERROR(row("relaxed math", true, true));
  if (session_.device().platform.find("NVIDIA") != std::string::npos) {
    variant.extra = "-cl-fast-relaxed-math -cl-nv-maxrregcount=32";
    TESSERA_RETURN_IF_ERROR(row("at most 32 registers", true, true));
  }
  variant.sort = 2;
  variant.extra = "";
  TESSERA_RETURN_IF_ERROR(row("bit mask and popcount", true, true));

  bc1::Settings settings = bc1::method_settings(bc1::Method::kLspiro);
  settings.lspiro_steps = 1;
  TESSERA_ASSIGN_OR_RETURN(const double seconds, time_method(settings, image));
  TESSERA_ASSIGN_OR_RETURN(const double large_seconds, time_method(settings, large));
  print(text, "%-40s %10.4f %10.3f %12.0f %12.0f\n", "a work-item per block (what tessera uses)",
        seconds * 1e3, image.pixel_count() / seconds / 1e9, 1 / seconds, 1 / large_seconds);
  return {};
}

Status Study::own_kernels(std::string& text) {
  const uint32_t side = session_.device().is_gpu ? 8192 : 1024;
  TESSERA_ASSIGN_OR_RETURN(const Image image, upload(Texture::kSmooth, side, side));
  print(text,
        "\nTessera's kernels, packing included, %ux%u resident on the device\n%-28s %10s %10s\n",
        side, side, "", "ms", "GP/s");
  const auto row = [&](const char* name, const bc1::Settings& settings) -> Status {
    TESSERA_ASSIGN_OR_RETURN(const double seconds, time_method(settings, image));
    print(text, "%-28s %10.4f %10.3f\n", name, seconds * 1e3, image.pixel_count() / seconds / 1e9);
    return {};
  };
  TESSERA_RETURN_IF_ERROR(row("bounds", bc1::method_settings(bc1::Method::kBounds)));
  TESSERA_RETURN_IF_ERROR(row("realtime", bc1::preset_settings(Preset::kRealtime)));
  TESSERA_RETURN_IF_ERROR(row("range", bc1::method_settings(bc1::Method::kRange)));
  bc1::Settings lspiro = bc1::method_settings(bc1::Method::kLspiro);
  lspiro.lspiro_steps = 1;
  TESSERA_RETURN_IF_ERROR(row("lspiro step 1", lspiro));
  lspiro.lspiro_steps = 2;
  TESSERA_RETURN_IF_ERROR(row("lspiro steps 1, 2", lspiro));
  TESSERA_RETURN_IF_ERROR(row("fast", bc1::preset_settings(Preset::kFast)));
  TESSERA_RETURN_IF_ERROR(row("medium", bc1::preset_settings(Preset::kMedium)));
  TESSERA_ASSIGN_OR_RETURN(const Image small, upload(Texture::kSmooth, side / 4, side / 4));
  for (const auto method : {bc1::Method::kCluster, bc1::Method::kLspiro}) {
    const bool cluster = method == bc1::Method::kCluster;
    TESSERA_ASSIGN_OR_RETURN(const double seconds,
                             time_method(bc1::method_settings(method), small));
    print(text, "%-28s %10.4f %10.3f\n", cluster ? "cluster" : "lspiro steps 1, 2, 3",
          seconds * 1e3, small.pixel_count() / seconds / 1e9);
  }
  return {};
}

// What copying alone allows: on the device, and between it and the host.
Status Study::copies(std::string& text) {
  const size_t bytes = session_.device().is_gpu ? size_t{256} << 20 : size_t{32} << 20;
  TESSERA_ASSIGN_OR_RETURN(const OpenClBuffer from, session_.make_buffer(bytes));
  TESSERA_ASSIGN_OR_RETURN(const OpenClBuffer to, session_.make_buffer(bytes));
  TESSERA_ASSIGN_OR_RETURN(const OpenClSession::Staging staging, session_.make_staging(bytes));
  std::memset(staging.data, 1, bytes);
  std::vector<double> copy, write, read;
  cl_command_queue queue = session_.queue(0);
  for (int i = 0; i <= repeats_; ++i) {
    cl_event events[3] = {};
    cl().EnqueueWriteBuffer(queue, from.get(), CL_FALSE, 0, bytes, staging.data, 0, nullptr,
                            &events[0]);
    cl().EnqueueCopyBuffer(queue, from.get(), to.get(), 0, 0, bytes, 0, nullptr, &events[1]);
    cl().EnqueueReadBuffer(queue, to.get(), CL_FALSE, 0, bytes, staging.data, 0, nullptr,
                           &events[2]);
    if (const cl_int code = cl().Finish(queue); code != CL_SUCCESS) {
      return opencl_error(session_.device(), "copies failed", code);
    }
    const double times[] = {seconds_of(events[0]), seconds_of(events[1]), seconds_of(events[2])};
    if (i > 0) {
      write.push_back(times[0]);
      copy.push_back(times[1]);
      read.push_back(times[2]);
    }
  }
  const double gigabytes = static_cast<double>(bytes) / 1e9;
  print(text,
        "\nCopies: on the device %.1f GB/s (read and written; 4.5 bytes per pixel allow %.1f "
        "GP/s), to "
        "it %.2f GB/s, from it %.2f GB/s\n",
        2 * gigabytes / median(copy), 2 * gigabytes / median(copy) / 4.5, gigabytes / median(write),
        gigabytes / median(read));

  // From the host's memory to the host's memory, strips overlapping.
  const uint32_t side = session_.device().is_gpu ? 8192 : 1024;
  const std::vector<uint32_t> pixels = make_texture(Texture::kSmooth, side, side);
  ImageView view;
  view.data = reinterpret_cast<const uint8_t*>(pixels.data());
  view.info.width = side;
  view.info.height = side;
  view.row_stride = size_t{side} * 4;
  view.slice_stride = view.row_stride * side;
  std::vector<uint8_t> out(size_t{side} * side / 2);
  std::vector<double> whole;
  for (int i = 0; i <= 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    TESSERA_RETURN_IF_ERROR(
        bc1_.encode(view, bc1::method_settings(bc1::Method::kBounds), threads_, out, {}));
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (i > 0) {
      whole.push_back(time.count());
    }
  }
  print(text, "bounds from host memory to host memory: %.3f GP/s\n",
        static_cast<double>(side) * side / median(whole) / 1e9);
  return {};
}

Result<std::string> Study::run() {
  const std::vector<int32_t> values = bc1::kernel_tables(bc1::Rounding::kIdeal);
  TESSERA_ASSIGN_OR_RETURN(tables_, session_.make_buffer(values.size() * sizeof values[0]));
  const cl_int code =
      cl().EnqueueWriteBuffer(session_.queue(0), tables_.get(), CL_TRUE, 0,
                              values.size() * sizeof values[0], values.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return opencl_error(session_.device(), "tables cannot be copied", code);
  }
  const OpenClDeviceInfo& device = session_.device();
  std::string text;
  print(text, "%s (%s), %u compute units, %.1f GiB\n\n", device.name.c_str(),
        device.platform.c_str(), device.compute_units,
        static_cast<double>(device.memory_bytes) / (1u << 30));
  TESSERA_RETURN_IF_ERROR(sorting(text));
  TESSERA_RETURN_IF_ERROR(groups_and_layouts(text));
  TESSERA_RETURN_IF_ERROR(further(text));
  TESSERA_RETURN_IF_ERROR(own_kernels(text));
  TESSERA_RETURN_IF_ERROR(copies(text));
  return text;
}

}  // namespace

Result<std::string> run_opencl_study(unsigned device, Backend& threads) {
  TESSERA_ASSIGN_OR_RETURN(const auto session, OpenClSession::create(device));
  Bc1OpenCl bc1(*session);
  return Study(*session, bc1, threads).run();
}

}  // namespace tessera

#else

namespace tessera {

Result<std::string> run_opencl_study(unsigned, Backend&) {
  return unsupported_error("this build has no OpenCL");
}

}  // namespace tessera

#endif
