// OpenCL's own header, with the version that the host side is written for. Queues are made by the
// call of OpenCL 1.2, which later versions mark as old.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
