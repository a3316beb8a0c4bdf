// One OpenCL device: finding it, building programs for it, and memory and queues on it. Knows
// nothing of image formats. Every failure is a sentence that names the device.
//
// Builds without OpenCL have the same calls, and each says that this build has no OpenCL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

// OpenCL's own handles, so that this header needs none of OpenCL's.
// NOLINTBEGIN(bugprone-reserved-identifier)
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
struct _cl_kernel;
struct _cl_mem;
// NOLINTEND(bugprone-reserved-identifier)

namespace tessera {

struct OpenClDeviceInfo {
  std::string name;
  std::string platform;
  std::string version;  // "OpenCL 3.0 …"
  bool is_gpu = false;
  uint32_t compute_units = 0;
  uint64_t memory_bytes = 0;
  uint64_t largest_buffer_bytes = 0;
  uint64_t local_memory_bytes = 0;  // of a work-group
};

bool have_opencl();

// All devices of all platforms, numbered from 0 in this order. Fails where there is none.
Result<std::vector<OpenClDeviceInfo>> list_opencl_devices();

// The device to use when none is named: the first GPU, or the one that comes so many GPUs later,
// counted round. Fails where there is none.
Result<unsigned> default_opencl_device(unsigned gpu = 0);

// Device memory, given back with its owner.
class OpenClBuffer {
 public:
  OpenClBuffer() = default;
  OpenClBuffer(_cl_mem* memory, size_t bytes) : memory_(memory), bytes_(bytes) {}
  OpenClBuffer(OpenClBuffer&& other) noexcept;
  OpenClBuffer& operator=(OpenClBuffer&& other) noexcept;
  ~OpenClBuffer();

  _cl_mem* get() const { return memory_; }
  size_t bytes() const { return bytes_; }

 private:
  _cl_mem* memory_ = nullptr;
  size_t bytes_ = 0;
};

struct OpenClOptions {
  // Refuse to take a larger piece of device memory than this, as if there were no more.
  uint64_t memory_limit = UINT64_MAX;
};

class OpenClSession {
 public:
  // By the number of list_opencl_devices().
  static Result<std::unique_ptr<OpenClSession>> create(unsigned number,
                                                       const OpenClOptions& options = {});
  // A context and a device of the caller's, which must outlive the session.
  static Result<std::unique_ptr<OpenClSession>> wrap(_cl_context* context, _cl_device_id* device);
  ~OpenClSession();
  OpenClSession(const OpenClSession&) = delete;
  OpenClSession& operator=(const OpenClSession&) = delete;

  const OpenClDeviceInfo& device() const;
  _cl_context* context() const;

  // Queue 0 and 1: work on one does not wait for work on the other.
  static constexpr size_t kQueues = 2;
  _cl_command_queue* queue(size_t number) const;

  // A kernel of a program, built with the options; built once, and kept. The caller sets its
  // arguments and must not use it from two threads at once.
  Result<_cl_kernel*> kernel(const char* source, const std::string& options, const char* name);

  Result<OpenClBuffer> make_buffer(size_t bytes);
  // Memory of the host that the device copies from and to quickly, and its address.
  struct Staging {
    OpenClBuffer buffer;
    uint8_t* data = nullptr;
  };
  Result<Staging> make_staging(size_t bytes);

 private:
  struct State;
  explicit OpenClSession(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The sentence for an OpenCL error code.
Error opencl_error(const OpenClDeviceInfo& device, const char* what, int code);

}  // namespace tessera
