// One OpenCL device: finding it, programs, queues and memory.
#include "exec/opencl/opencl_session.h"

#include <algorithm>
#include <map>
#include <utility>

#include "exec/opencl/opencl_calls.h"

namespace tessera {
namespace {

struct FoundDevice {
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  OpenClDeviceInfo info;
};

std::string text_of(cl_device_id device, cl_device_info what) {
  size_t bytes = 0;
  if (cl().GetDeviceInfo(device, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) {
    return "unknown";
  }
  std::string text(bytes, '\0');
  cl().GetDeviceInfo(device, what, bytes, text.data(), nullptr);
  text.resize(bytes - 1);  // the last one is a zero
  return text;
}

std::string platform_name(cl_platform_id platform) {
  size_t bytes = 0;
  if (cl().GetPlatformInfo(platform, CL_PLATFORM_NAME, 0, nullptr, &bytes) != CL_SUCCESS ||
      bytes == 0) {
    return "unknown";
  }
  std::string text(bytes, '\0');
  cl().GetPlatformInfo(platform, CL_PLATFORM_NAME, bytes, text.data(), nullptr);
  text.resize(bytes - 1);
  return text;
}

template <typename T>
T number_of(cl_device_id device, cl_device_info what) {
  T value = {};
  // Some of what is asked for are handles, which are pointers.
  // NOLINTNEXTLINE(bugprone-sizeof-expression)
  cl().GetDeviceInfo(device, what, sizeof(T), &value, nullptr);
  return value;
}

OpenClDeviceInfo describe(cl_device_id id) {
  OpenClDeviceInfo info;
  info.name = text_of(id, CL_DEVICE_NAME);
  info.version = text_of(id, CL_DEVICE_VERSION);
  info.platform = platform_name(number_of<cl_platform_id>(id, CL_DEVICE_PLATFORM));
  info.is_gpu = (number_of<cl_device_type>(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
  info.compute_units = number_of<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  info.memory_bytes = number_of<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.largest_buffer_bytes = number_of<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.local_memory_bytes = number_of<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE);
  return info;
}

std::vector<FoundDevice> find_devices() {
  cl_uint count = 0;
  std::vector<FoundDevice> devices;
  if (!have_opencl_library() || cl().GetPlatformIDs(0, nullptr, &count) != CL_SUCCESS ||
      count == 0) {
    return devices;
  }
  std::vector<cl_platform_id> platforms(count);
  cl().GetPlatformIDs(count, platforms.data(), nullptr);
  for (const cl_platform_id platform : platforms) {
    cl_uint found = 0;
    if (cl().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &found) != CL_SUCCESS) {
      continue;
    }
    std::vector<cl_device_id> ids(found);
    cl().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, found, ids.data(), nullptr);
    for (const cl_device_id id : ids) {
      devices.push_back({platform, id, describe(id)});
    }
  }
  return devices;
}

Error no_device_error() {
  return unsupported_error("this machine has no OpenCL device");
}

const char* code_name(int code) {
  switch (code) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_INVALID_BUFFER_SIZE:
      return "too little device memory";
    case CL_OUT_OF_HOST_MEMORY:
      return "too little memory";
    case CL_DEVICE_NOT_AVAILABLE:
      return "the device is not available";
    case CL_COMPILER_NOT_AVAILABLE:
      return "it has no compiler";
    case CL_BUILD_PROGRAM_FAILURE:
      return "the program does not compile";
    case CL_INVALID_WORK_GROUP_SIZE:
      return "the work-group is too large for it";
    default:
      return nullptr;
  }
}

// The first lines of what the compiler said, on one line.
std::string build_log(cl_program program, cl_device_id device) {
  size_t bytes = 0;
  cl().GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string log(bytes, '\0');
  cl().GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  constexpr size_t kEnough = 600;  // characters
  log.resize(std::min(log.find('\0'), std::min(log.size(), kEnough)));
  for (char& c : log) {
    c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return log;
}

}  // namespace

struct OpenClSession::State {
  OpenClDeviceInfo info;
  OpenClOptions options;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  bool owns_context = false;
  cl_command_queue queues[kQueues] = {};
  std::map<std::pair<const char*, std::string>, cl_program> programs;
  std::map<std::pair<cl_program, std::string>, cl_kernel> kernels;

  ~State() {
    for (auto& [key, kernel] : kernels) {
      cl().ReleaseKernel(kernel);
    }
    for (auto& [key, program] : programs) {
      cl().ReleaseProgram(program);
    }
    for (const cl_command_queue queue : queues) {
      if (queue != nullptr) {
        cl().Finish(queue);
        cl().ReleaseCommandQueue(queue);
      }
    }
    if (owns_context && context != nullptr) {
      cl().ReleaseContext(context);
    }
  }

  Status make_queues() {
    for (cl_command_queue& queue : queues) {
      cl_int code = CL_SUCCESS;
      queue = cl().CreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
      if (code != CL_SUCCESS) {
        return opencl_error(info, "a command queue cannot be made", code);
      }
    }
    return {};
  }

  Status check_room(size_t bytes) {
    if (bytes > std::min({options.memory_limit, info.memory_bytes, info.largest_buffer_bytes})) {
      return failed_error("the OpenCL device " + info.name + " has too little memory: " +
                          std::to_string(bytes) + " bytes are needed at once");
    }
    return {};
  }
};

bool have_opencl() {
  return true;
}

Error opencl_error(const OpenClDeviceInfo& device, const char* what, int code) {
  const char* name = code_name(code);
  return failed_error("the OpenCL device " + device.name + ": " + what + " (" +
                      (name != nullptr ? std::string(name) : "error " + std::to_string(code)) +
                      ")");
}

Result<std::vector<OpenClDeviceInfo>> list_opencl_devices() {
  std::vector<OpenClDeviceInfo> infos;
  for (FoundDevice& device : find_devices()) {
    infos.push_back(std::move(device.info));
  }
  if (infos.empty()) {
    return no_device_error();
  }
  return infos;
}

Result<unsigned> default_opencl_device(unsigned gpu) {
  TESSERA_ASSIGN_OR_RETURN(const auto devices, list_opencl_devices());
  std::vector<unsigned> gpus;
  for (unsigned i = 0; i < devices.size(); ++i) {
    if (devices[i].is_gpu) {
      gpus.push_back(i);
    }
  }
  if (!gpus.empty()) {
    return gpus[gpu % gpus.size()];
  }
  return unsupported_error(
      "this machine has no OpenCL GPU (choose another OpenCL device with --device)");
}

OpenClBuffer::OpenClBuffer(OpenClBuffer&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

OpenClBuffer& OpenClBuffer::operator=(OpenClBuffer&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

OpenClBuffer::~OpenClBuffer() {
  if (memory_ != nullptr) {
    cl().ReleaseMemObject(memory_);
  }
}

OpenClSession::OpenClSession(std::unique_ptr<State> state) : state_(std::move(state)) {}
OpenClSession::~OpenClSession() = default;

Result<std::unique_ptr<OpenClSession>> OpenClSession::create(unsigned number,
                                                             const OpenClOptions& options) {
  const std::vector<FoundDevice> devices = find_devices();
  if (devices.empty()) {
    return no_device_error();
  }
  if (number >= devices.size()) {
    return usage_error("there is no OpenCL device " + std::to_string(number) + ": there are " +
                       std::to_string(devices.size()) + " (tessera info --devices lists them)");
  }
  auto state = std::make_unique<State>();
  state->info = devices[number].info;
  state->options = options;
  state->device = devices[number].id;
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(devices[number].platform), 0};
  cl_int code = CL_SUCCESS;
  state->context = cl().CreateContext(properties, 1, &state->device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) {
    return opencl_error(state->info, "a context cannot be made", code);
  }
  state->owns_context = true;
  TESSERA_RETURN_IF_ERROR(state->make_queues());
  return std::unique_ptr<OpenClSession>(new OpenClSession(std::move(state)));
}

Result<std::unique_ptr<OpenClSession>> OpenClSession::wrap(_cl_context* context,
                                                           _cl_device_id* device) {
  auto state = std::make_unique<State>();
  state->info = describe(device);
  state->device = device;
  state->context = context;
  TESSERA_RETURN_IF_ERROR(state->make_queues());
  return std::unique_ptr<OpenClSession>(new OpenClSession(std::move(state)));
}

const OpenClDeviceInfo& OpenClSession::device() const {
  return state_->info;
}
_cl_context* OpenClSession::context() const {
  return state_->context;
}
_cl_command_queue* OpenClSession::queue(size_t number) const {
  return state_->queues[number];
}

Result<_cl_kernel*> OpenClSession::kernel(const char* source, const std::string& options,
                                          const char* name) {
  cl_program& program = state_->programs[{source, options}];
  cl_int code = CL_SUCCESS;
  if (program == nullptr) {
    cl_program made = cl().CreateProgramWithSource(state_->context, 1, &source, nullptr, &code);
    if (code != CL_SUCCESS) {
      return opencl_error(state_->info, "a program cannot be made", code);
    }
    const std::string all_options = "-cl-std=CL1.2 " + options;
    code = cl().BuildProgram(made, 1, &state_->device, all_options.c_str(), nullptr, nullptr);
    if (code != CL_SUCCESS) {
      const std::string log = build_log(made, state_->device);
      cl().ReleaseProgram(made);
      return failed_error("the OpenCL device " + state_->info.name +
                          ": the program does not compile: " + log);
    }
    program = made;
  }
  cl_kernel& kernel = state_->kernels[{program, name}];
  if (kernel == nullptr) {
    cl_kernel made = cl().CreateKernel(program, name, &code);
    if (code != CL_SUCCESS) {
      return opencl_error(state_->info, "a kernel cannot be made", code);
    }
    kernel = made;
  }
  return kernel;
}

Result<OpenClBuffer> OpenClSession::make_buffer(size_t bytes) {
  TESSERA_RETURN_IF_ERROR(state_->check_room(bytes));
  cl_int code = CL_SUCCESS;
  cl_mem memory = cl().CreateBuffer(state_->context, CL_MEM_READ_WRITE, std::max<size_t>(bytes, 1),
                                    nullptr, &code);
  if (code != CL_SUCCESS) {
    return opencl_error(state_->info, "memory cannot be taken", code);
  }
  return OpenClBuffer(memory, bytes);
}

Result<OpenClSession::Staging> OpenClSession::make_staging(size_t bytes) {
  cl_int code = CL_SUCCESS;
  cl_mem memory = cl().CreateBuffer(state_->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                    std::max<size_t>(bytes, 1), nullptr, &code);
  if (code != CL_SUCCESS) {
    return opencl_error(state_->info, "memory for copies cannot be taken", code);
  }
  Staging staging;
  staging.buffer = OpenClBuffer(memory, bytes);
  staging.data = static_cast<uint8_t*>(
      cl().EnqueueMapBuffer(state_->queues[0], memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                            std::max<size_t>(bytes, 1), 0, nullptr, nullptr, &code));
  if (code != CL_SUCCESS) {
    return opencl_error(state_->info, "memory for copies cannot be mapped", code);
  }
  return staging;
}

}  // namespace tessera
