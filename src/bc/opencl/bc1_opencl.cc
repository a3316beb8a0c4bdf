// BC1 on an OpenCL device: strips in, blocks out, and back.
#include "bc/opencl/bc1_opencl.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "bc/bc1_format.h"
#include "bc/device/bc1_tables.h"
#include "exec/opencl/opencl_calls.h"

namespace tessera {
namespace {

constexpr size_t kGroup = 64;              // work-items of a group, each with its block
constexpr size_t kStripBytes = 16u << 20;  // pixels that are copied at once
constexpr size_t kRowAlignment = 16;       // a block's row is one load of 16 bytes

size_t round_up(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::string build_options(const bc1::Settings& settings, bool aligned) {
  std::string options = "-DBC1_GROUP=" + std::to_string(kGroup) +
                        " -DBC1_SETTINGS=" + bc1::kernel_settings_text(settings);
  options += aligned ? " -DBC1_ALIGNED" : "";
  options += bc1::kernel_needs_scratch(settings) ? " -DBC1_NEEDS_SCRATCH" : "";
  return options;
}

// Sets arguments 0, 1, 2, … of a kernel.
template <typename... Arguments>
bool set_arguments(cl_kernel kernel, const Arguments&... arguments) {
  cl_uint number = 0;
  // The size of a handle is what OpenCL wants of it. NOLINTNEXTLINE(bugprone-sizeof-expression)
  return ((cl().SetKernelArg(kernel, number++, sizeof(Arguments), &arguments) == CL_SUCCESS) &&
          ...);
}

}  // namespace

// Two strips under way: while one is encoded, the other is copied.
struct Bc1OpenCl::Slots {
  struct Slot {
    OpenClBuffer pixels, blocks;
    OpenClSession::Staging pixel_staging, block_staging;
    uint8_t* result = nullptr;  // where the blocks under way belong
    size_t result_bytes = 0;
  };
  Slot slot[OpenClSession::kQueues];
  OpenClBuffer tables[bc1::kRoundingNames.size()];

  // That a failed call may have left.
  void forget_results() {
    for (Slot& s : slot) {
      s.result = nullptr;
    }
  }

  // Room for a strip in every slot; buffers only grow.
  Status reserve(OpenClSession& session, size_t pixel_bytes, size_t block_bytes) {
    for (Slot& s : slot) {
      if (s.pixels.bytes() < pixel_bytes) {
        s.pixels = OpenClBuffer();
        TESSERA_ASSIGN_OR_RETURN(s.pixels, session.make_buffer(pixel_bytes));
        TESSERA_ASSIGN_OR_RETURN(s.pixel_staging, session.make_staging(pixel_bytes));
      }
      if (s.blocks.bytes() < block_bytes) {
        s.blocks = OpenClBuffer();
        TESSERA_ASSIGN_OR_RETURN(s.blocks, session.make_buffer(block_bytes));
        TESSERA_ASSIGN_OR_RETURN(s.block_staging, session.make_staging(block_bytes));
      }
    }
    return {};
  }

  Result<_cl_mem*> tables_for(OpenClSession& session, bc1::Rounding rounding) {
    OpenClBuffer& buffer = tables[static_cast<size_t>(rounding)];
    if (buffer.get() == nullptr) {
      const std::vector<int32_t> values = bc1::kernel_tables(rounding);
      const size_t bytes = values.size() * sizeof values[0];
      TESSERA_ASSIGN_OR_RETURN(buffer, session.make_buffer(bytes));
      const cl_int code = cl().EnqueueWriteBuffer(session.queue(0), buffer.get(), CL_TRUE, 0, bytes,
                                                  values.data(), 0, nullptr, nullptr);
      if (code != CL_SUCCESS) {
        return opencl_error(session.device(), "tables cannot be copied", code);
      }
    }
    return buffer.get();
  }
};

namespace {

// What a thread copies at least, in bytes.
constexpr size_t kBytesPerTask = size_t{1} << 18;

Status copy_bytes(const uint8_t* from, uint8_t* to, size_t bytes, Backend& threads) {
  const auto copy_range = [&](size_t begin, size_t end) -> Status {
    std::memcpy(to + begin, from + begin, end - begin);
    return {};
  };
  return threads.run({bytes, kBytesPerTask}, copy_range, {});
}

// Waits for a slot's blocks and puts them where they belong.
Status collect(OpenClSession& session, size_t number, uint8_t*& result, size_t bytes,
               const uint8_t* staging, Backend& threads) {
  const cl_int code = cl().Finish(session.queue(number));
  if (code != CL_SUCCESS) {
    return opencl_error(session.device(), "encoding failed", code);
  }
  uint8_t* const to = std::exchange(result, nullptr);
  return to == nullptr ? Status() : copy_bytes(staging, to, bytes, threads);
}

// Block rows [first, end) of a slice, as one strip.
struct Strip {
  uint32_t slice, first_row, end_row;
  uint32_t texel_rows;
};

Status copy_rows(const ImageView& image, const Strip& strip, size_t row_bytes, uint8_t* to,
                 Backend& threads) {
  const size_t bytes = size_t{image.info.width} * bc1::kTexelBytes;
  const uint32_t first = strip.first_row * bc1::kBlockSide;
  const auto copy_range = [&](size_t begin, size_t end) -> Status {
    for (size_t y = begin; y < end; ++y) {
      const uint8_t* row = image.row<uint8_t>(first + static_cast<uint32_t>(y), strip.slice);
      std::memcpy(to + y * row_bytes, row, bytes);
    }
    return {};
  };
  return threads.run({strip.texel_rows, std::max<size_t>(1, kBytesPerTask / row_bytes)}, copy_range,
                     {});
}

Status launch(OpenClSession& session, cl_command_queue queue, cl_kernel kernel, size_t across,
              size_t rows) {
  const size_t global[] = {round_up(across, kGroup), rows};
  const size_t local[] = {kGroup, 1};
  const cl_int code =
      cl().EnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return opencl_error(session.device(), "a kernel cannot be started", code);
  }
  return {};
}

Error copy_error(OpenClSession& session, cl_int code) {
  return opencl_error(session.device(), "pixels or blocks cannot be copied", code);
}

std::vector<Strip> make_strips(const ImageInfo& info, size_t row_bytes) {
  const auto rows = static_cast<uint32_t>(divide_round_up(info.height, bc1::kBlockSide));
  const auto per_strip = static_cast<uint32_t>(
      std::clamp<size_t>(kStripBytes / (row_bytes * bc1::kBlockSide), 1, rows));
  std::vector<Strip> strips;
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t row = 0; row < rows; row += per_strip) {
      const uint32_t end = std::min(row + per_strip, rows);
      const uint32_t last_texel = std::min(end * bc1::kBlockSide, info.height);
      strips.push_back({slice, row, end, last_texel - row * bc1::kBlockSide});
    }
  }
  return strips;
}

// What fails after the run was asked to stop counts as stopped. A driver's compiler may catch the
// signal, too: LLVM removes its files then, and the program it is compiling fails.
Status failed_or_cancelled(Status status, const RunControl& control) {
  if (!status && control.cancelled != nullptr && control.cancelled->load()) {
    return Error{ErrorCode::kInterrupted, "interrupted"};
  }
  return status;
}

}  // namespace

Bc1OpenCl::Bc1OpenCl(OpenClSession& session)
    : session_(session), slots_(std::make_unique<Slots>()) {}
Bc1OpenCl::~Bc1OpenCl() = default;

Status Bc1OpenCl::encode(const ImageView& image, const bc1::Settings& settings, Backend& threads,
                         std::span<uint8_t> out, const RunControl& control) {
  const std::lock_guard lock(in_use_);
  return failed_or_cancelled(encode_strips(image, settings, threads, out, control), control);
}

Status Bc1OpenCl::decode(ByteSpan blocks, bc1::Rounding rounding, Backend& threads,
                         const MutableImageView& image, const RunControl& control) {
  const std::lock_guard lock(in_use_);
  return failed_or_cancelled(decode_blocks(blocks, rounding, threads, image), control);
}

Status Bc1OpenCl::encode_strips(const ImageView& image, const bc1::Settings& settings,
                                Backend& threads, std::span<uint8_t> out,
                                const RunControl& control) {
  const auto width = image.info.width;
  const size_t row_bytes = round_up(size_t{width} * bc1::kTexelBytes, kRowAlignment);
  const size_t across = divide_round_up(width, bc1::kBlockSide);
  const size_t rows_per_slice = divide_round_up(image.info.height, bc1::kBlockSide);
  const std::vector<Strip> strips = make_strips(image.info, row_bytes);
  const size_t strip_rows = strips.front().end_row;
  TESSERA_RETURN_IF_ERROR(slots_->reserve(session_, strip_rows * bc1::kBlockSide * row_bytes,
                                          strip_rows * across * bc1::kBlockBytes));
  TESSERA_ASSIGN_OR_RETURN(cl_mem tables, slots_->tables_for(session_, settings.rounding));
  TESSERA_ASSIGN_OR_RETURN(
      cl_kernel kernel,
      session_.kernel(bc1::kKernelSource, build_options(settings, true), "bc1_encode"));

  slots_->forget_results();
  for (size_t i = 0; i < strips.size() + OpenClSession::kQueues; ++i) {
    const size_t number = i % OpenClSession::kQueues;
    Slots::Slot& slot = slots_->slot[number];
    TESSERA_RETURN_IF_ERROR(collect(session_, number, slot.result, slot.result_bytes,
                                    slot.block_staging.data, threads));
    if (i >= strips.size()) {
      continue;
    }
    if (control.cancelled != nullptr && control.cancelled->load()) {
      return Error{ErrorCode::kInterrupted, "interrupted"};
    }
    const Strip& strip = strips[i];
    const size_t strip_height = strip.end_row - strip.first_row;
    TESSERA_RETURN_IF_ERROR(copy_rows(image, strip, row_bytes, slot.pixel_staging.data, threads));
    cl_command_queue queue = session_.queue(number);
    cl_int code =
        cl().EnqueueWriteBuffer(queue, slot.pixels.get(), CL_FALSE, 0, strip.texel_rows * row_bytes,
                                slot.pixel_staging.data, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) {
      return copy_error(session_, code);
    }
    cl_mem pixels = slot.pixels.get(), blocks = slot.blocks.get();
    if (!set_arguments(kernel, pixels, static_cast<cl_uint>(row_bytes), cl_uint{width},
                       cl_uint{strip.texel_rows}, tables, blocks)) {
      return failed_error("the OpenCL kernel's arguments are refused");
    }
    TESSERA_RETURN_IF_ERROR(launch(session_, queue, kernel, across, strip_height));
    slot.result_bytes = strip_height * across * bc1::kBlockBytes;
    code = cl().EnqueueReadBuffer(queue, blocks, CL_FALSE, 0, slot.result_bytes,
                                  slot.block_staging.data, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) {
      return copy_error(session_, code);
    }
    cl().Flush(queue);
    slot.result =
        out.data() + (strip.slice * rows_per_slice + strip.first_row) * across * bc1::kBlockBytes;
    if (control.progress) {
      control.progress(static_cast<double>(i + 1) / static_cast<double>(strips.size()));
    }
  }
  return {};
}

Status Bc1OpenCl::decode_blocks(ByteSpan blocks, bc1::Rounding rounding, Backend& threads,
                                const MutableImageView& image) {
  const auto width = image.info.width;
  const size_t row_bytes = round_up(size_t{width} * bc1::kTexelBytes, kRowAlignment);
  const size_t across = divide_round_up(width, bc1::kBlockSide);
  const size_t rows = divide_round_up(image.info.height, bc1::kBlockSide);
  TESSERA_RETURN_IF_ERROR(
      slots_->reserve(session_, image.info.height * row_bytes, rows * across * bc1::kBlockBytes));
  TESSERA_ASSIGN_OR_RETURN(
      cl_kernel kernel,
      session_.kernel(bc1::kKernelSource, build_options(bc1::Settings(), true), "bc1_decode"));
  Slots::Slot& slot = slots_->slot[0];
  cl_command_queue queue = session_.queue(0);
  TESSERA_RETURN_IF_ERROR(copy_bytes(blocks.data(), slot.block_staging.data,
                                     rows * across * bc1::kBlockBytes, threads));
  cl_mem pixels = slot.pixels.get(), compressed = slot.blocks.get();
  cl_int code =
      cl().EnqueueWriteBuffer(queue, compressed, CL_FALSE, 0, rows * across * bc1::kBlockBytes,
                              slot.block_staging.data, 0, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return copy_error(session_, code);
  }
  if (!set_arguments(kernel, compressed, static_cast<cl_uint>(row_bytes), cl_uint{width},
                     cl_uint{image.info.height}, static_cast<cl_int>(rounding), pixels)) {
    return failed_error("the OpenCL kernel's arguments are refused");
  }
  TESSERA_RETURN_IF_ERROR(launch(session_, queue, kernel, across, rows));
  code = cl().EnqueueReadBuffer(queue, pixels, CL_TRUE, 0, image.info.height * row_bytes,
                                slot.pixel_staging.data, 0, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    return copy_error(session_, code);
  }
  const auto copy_range = [&](size_t begin, size_t end) -> Status {
    for (size_t y = begin; y < end; ++y) {
      std::memcpy(image.row<uint8_t>(static_cast<uint32_t>(y)),
                  slot.pixel_staging.data + y * row_bytes, size_t{width} * bc1::kTexelBytes);
    }
    return {};
  };
  return threads.run({image.info.height, std::max<size_t>(1, kBytesPerTask / row_bytes)},
                     copy_range, {});
}

Status Bc1OpenCl::encode_resident(const DeviceImage& image, const bc1::Settings& settings,
                                  void* blocks, void* stream) {
  const std::lock_guard lock(in_use_);
  if (image.width == 0 || image.height == 0 || image.row_bytes % bc1::kTexelBytes != 0 ||
      image.row_bytes / bc1::kTexelBytes < image.width) {
    return usage_error("an image on the device needs a size, and rows of whole texels");
  }
  TESSERA_ASSIGN_OR_RETURN(cl_mem tables, slots_->tables_for(session_, settings.rounding));
  const bool aligned = image.row_bytes % kRowAlignment == 0;
  TESSERA_ASSIGN_OR_RETURN(
      cl_kernel kernel,
      session_.kernel(bc1::kKernelSource, build_options(settings, aligned), "bc1_encode"));
  auto* const pixels = static_cast<cl_mem>(const_cast<void*>(image.texels));
  if (!set_arguments(kernel, pixels, static_cast<cl_uint>(image.row_bytes), cl_uint{image.width},
                     cl_uint{image.height}, tables, static_cast<cl_mem>(blocks))) {
    return usage_error("the image or the blocks are not memory of this OpenCL context");
  }
  return launch(session_, static_cast<cl_command_queue>(stream), kernel,
                divide_round_up(image.width, bc1::kBlockSide),
                divide_round_up(image.height, bc1::kBlockSide));
}

std::unique_ptr<DeviceKernels> make_bc1_opencl(OpenClSession& session) {
  return std::make_unique<Bc1OpenCl>(session);
}

}  // namespace tessera
