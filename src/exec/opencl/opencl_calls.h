// OpenCL's calls. The library (libOpenCL.so.1) is loaded at the first use, so that programs start
// without it; only its header is needed to build.
#pragma once

// Queues are made by the call of OpenCL 1.2, which later versions mark as old.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

namespace tessera {

struct OpenClCalls {
  decltype(&::clBuildProgram) BuildProgram = nullptr;
  decltype(&::clCreateBuffer) CreateBuffer = nullptr;
  decltype(&::clCreateCommandQueue) CreateCommandQueue = nullptr;
  decltype(&::clCreateContext) CreateContext = nullptr;
  decltype(&::clCreateKernel) CreateKernel = nullptr;
  decltype(&::clCreateProgramWithSource) CreateProgramWithSource = nullptr;
  decltype(&::clEnqueueCopyBuffer) EnqueueCopyBuffer = nullptr;
  decltype(&::clEnqueueMapBuffer) EnqueueMapBuffer = nullptr;
  decltype(&::clEnqueueNDRangeKernel) EnqueueNDRangeKernel = nullptr;
  decltype(&::clEnqueueReadBuffer) EnqueueReadBuffer = nullptr;
  decltype(&::clEnqueueWriteBuffer) EnqueueWriteBuffer = nullptr;
  decltype(&::clFinish) Finish = nullptr;
  decltype(&::clFlush) Flush = nullptr;
  decltype(&::clGetContextInfo) GetContextInfo = nullptr;
  decltype(&::clGetDeviceIDs) GetDeviceIDs = nullptr;
  decltype(&::clGetDeviceInfo) GetDeviceInfo = nullptr;
  decltype(&::clGetEventProfilingInfo) GetEventProfilingInfo = nullptr;
  decltype(&::clGetPlatformIDs) GetPlatformIDs = nullptr;
  decltype(&::clGetPlatformInfo) GetPlatformInfo = nullptr;
  decltype(&::clGetProgramBuildInfo) GetProgramBuildInfo = nullptr;
  decltype(&::clReleaseCommandQueue) ReleaseCommandQueue = nullptr;
  decltype(&::clReleaseContext) ReleaseContext = nullptr;
  decltype(&::clReleaseEvent) ReleaseEvent = nullptr;
  decltype(&::clReleaseKernel) ReleaseKernel = nullptr;
  decltype(&::clReleaseMemObject) ReleaseMemObject = nullptr;
  decltype(&::clReleaseProgram) ReleaseProgram = nullptr;
  decltype(&::clSetKernelArg) SetKernelArg = nullptr;
};

// Whether this machine has the library, with all calls.
bool have_opencl_library();

// The library's calls; to be used only where have_opencl_library().
const OpenClCalls& cl();

}  // namespace tessera
