// Loads OpenCL's library when it is first asked for.
#include "exec/opencl/opencl_calls.h"

#include <dlfcn.h>

#include <initializer_list>

namespace tessera {
namespace {

struct Library {
  OpenClCalls calls;
  bool complete = false;
};

template <class Call>
bool load(void* library, const char* name, Call& call) {
  call = reinterpret_cast<Call>(::dlsym(library, name));
  return call != nullptr;
}

bool load_all(void* library, OpenClCalls& calls) {
  return load(library, "clBuildProgram", calls.BuildProgram) &&
         load(library, "clCreateBuffer", calls.CreateBuffer) &&
         load(library, "clCreateCommandQueue", calls.CreateCommandQueue) &&
         load(library, "clCreateContext", calls.CreateContext) &&
         load(library, "clCreateKernel", calls.CreateKernel) &&
         load(library, "clCreateProgramWithSource", calls.CreateProgramWithSource) &&
         load(library, "clEnqueueCopyBuffer", calls.EnqueueCopyBuffer) &&
         load(library, "clEnqueueMapBuffer", calls.EnqueueMapBuffer) &&
         load(library, "clEnqueueNDRangeKernel", calls.EnqueueNDRangeKernel) &&
         load(library, "clEnqueueReadBuffer", calls.EnqueueReadBuffer) &&
         load(library, "clEnqueueWriteBuffer", calls.EnqueueWriteBuffer) &&
         load(library, "clFinish", calls.Finish) && load(library, "clFlush", calls.Flush) &&
         load(library, "clGetContextInfo", calls.GetContextInfo) &&
         load(library, "clGetDeviceIDs", calls.GetDeviceIDs) &&
         load(library, "clGetDeviceInfo", calls.GetDeviceInfo) &&
         load(library, "clGetEventProfilingInfo", calls.GetEventProfilingInfo) &&
         load(library, "clGetPlatformIDs", calls.GetPlatformIDs) &&
         load(library, "clGetPlatformInfo", calls.GetPlatformInfo) &&
         load(library, "clGetProgramBuildInfo", calls.GetProgramBuildInfo) &&
         load(library, "clReleaseCommandQueue", calls.ReleaseCommandQueue) &&
         load(library, "clReleaseContext", calls.ReleaseContext) &&
         load(library, "clReleaseEvent", calls.ReleaseEvent) &&
         load(library, "clReleaseKernel", calls.ReleaseKernel) &&
         load(library, "clReleaseMemObject", calls.ReleaseMemObject) &&
         load(library, "clReleaseProgram", calls.ReleaseProgram) &&
         load(library, "clSetKernelArg", calls.SetKernelArg);
}

Library open_library() {
  Library opened;
  for (const char* name : {"libOpenCL.so.1", "libOpenCL.so"}) {
    // It stays open: drivers do not expect to be unloaded.
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
      opened.complete = load_all(library, opened.calls);
      return opened;
    }
  }
  return opened;
}

const Library& library() {
  static const Library opened = open_library();
  return opened;
}

}  // namespace

bool have_opencl_library() {
  return library().complete;
}

const OpenClCalls& cl() {
  return library().calls;
}

}  // namespace tessera
