# Libraries come from the system's packages (packages.txt), and are looked for only where the part
# that needs them is built. Required ones stop the configuration with a sentence; optional ones are
# left out, and `tessera --version` says which are in.

# The core. Highway's headers only: its library measures a clock for 3 ms at the start of every
# process.
find_path(HWY_INCLUDE_DIR hwy/highway.h)
if(NOT HWY_INCLUDE_DIR AND CMAKE_CROSSCOMPILING)
  # Its headers serve every machine, so those of this one do; the headers of this machine's C library,
  # which lie beside them, do not. A folder with a link to Highway's has nothing else in it.
  find_path(HWY_HOST_DIR hwy/highway.h PATHS /usr/local/include /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  set(HWY_INCLUDE_DIR ${PROJECT_BINARY_DIR}/highway)
  file(MAKE_DIRECTORY ${HWY_INCLUDE_DIR})
  file(CREATE_LINK ${HWY_HOST_DIR}/hwy ${HWY_INCLUDE_DIR}/hwy SYMBOLIC)
elseif(NOT HWY_INCLUDE_DIR)
  message(FATAL_ERROR "The library needs Highway's headers (libhwy-dev)")
endif()
add_library(hwy_headers INTERFACE)
target_include_directories(hwy_headers SYSTEM INTERFACE ${HWY_INCLUDE_DIR})

find_package(PkgConfig QUIET)

# Optional: .ktx2 files compressed with Zstandard.
option(TESSERA_USE_ZSTD "Use libzstd where it is found" ON)
set(TESSERA_HAVE_ZSTD OFF)
if(TESSERA_USE_ZSTD AND PkgConfig_FOUND)
  pkg_check_modules(ZSTD IMPORTED_TARGET libzstd)
  if(ZSTD_FOUND)
    set(TESSERA_HAVE_ZSTD ON)
  endif()
endif()

# Optional: oneTBB's threads. Without them there are one thread and the caller's own.
option(TESSERA_USE_TBB "Use oneTBB where it is found" ON)
set(TESSERA_HAVE_THREADS OFF)
if(TESSERA_USE_TBB)
  find_package(TBB QUIET)
  if(TBB_FOUND)
    set(TESSERA_HAVE_THREADS ON)
  endif()
endif()

# Optional: formats on OpenCL devices. The header only: the library is loaded when it is first used.
option(TESSERA_USE_OPENCL "Use OpenCL where its header is found" ON)
set(TESSERA_HAVE_OPENCL OFF)
if(TESSERA_USE_OPENCL)
  find_path(OPENCL_HEADERS CL/cl.h)
  if(OPENCL_HEADERS)
    set(TESSERA_HAVE_OPENCL ON)
  endif()
endif()

set(TESSERA_HAVE_OPENEXR OFF)
set(TESSERA_HAVE_MPI OFF)
if(TESSERA_WITH_FILES)
  find_package(PkgConfig REQUIRED)
  find_package(Threads REQUIRED)
  find_package(JPEG REQUIRED)
  pkg_check_modules(SPNG REQUIRED IMPORTED_TARGET spng)
  find_path(STB_INCLUDE_DIR stb_image.h PATH_SUFFIXES stb REQUIRED)
  add_library(stb_headers INTERFACE)
  target_include_directories(stb_headers SYSTEM INTERFACE ${STB_INCLUDE_DIR})

  # Optional: OpenEXR pictures.
  option(TESSERA_USE_OPENEXR "Use OpenEXR where it is found" ON)
  if(TESSERA_USE_OPENEXR)
    pkg_check_modules(OPENEXR IMPORTED_TARGET OpenEXR>=3)
    if(OPENEXR_FOUND)
      set(TESSERA_HAVE_OPENEXR ON)
    endif()
  endif()

  # Optional: the work of many machines. C's interface only, by its plain header and library: the
  # compiler stays ours.
  option(TESSERA_USE_MPI "Use MPI where it is found" ON)
  if(TESSERA_USE_MPI)
    set(MPI_CXX_SKIP_MPICXX ON)
    find_package(MPI QUIET COMPONENTS CXX)
    if(MPI_CXX_FOUND)
      set(TESSERA_HAVE_MPI ON)
    endif()
  endif()
endif()

if(TESSERA_BUILD_CLI OR TESSERA_BUILD_BENCH)
  find_package(CLI11 REQUIRED)
endif()
if(TESSERA_BUILD_CLI)
  find_package(nlohmann_json REQUIRED)
  # Optional: rules of folders as TOML. (JSON is always read.)
  option(TESSERA_USE_TOML "Use toml11 where it is found" ON)
  if(TESSERA_USE_TOML)
    find_package(toml11 QUIET)
  endif()
endif()
if(TESSERA_BUILD_BENCH)
  # Optional: a rival. (Debian's squish.pc names a folder that does not exist.)
  find_path(SQUISH_INCLUDE_DIR squish.h)
  find_library(SQUISH_LIBRARY squish)
endif()
if((TESSERA_BUILD_BENCH OR TESSERA_BUILD_TESTS) AND NOT TESSERA_HAVE_THREADS)
  message(FATAL_ERROR "The benchmark and the tests need oneTBB (libtbb-dev)")
endif()

# Optional: formats on NVIDIA's devices. Compiled with nvcc where it is found, as a plug-in that
# needs no more than the driver when it runs.
option(TESSERA_USE_CUDA "Use CUDA where nvcc is found" ON)
set(TESSERA_HAVE_CUDA OFF)
if(TESSERA_USE_CUDA AND TESSERA_WITH_FILES AND NOT CMAKE_CROSSCOMPILING AND NOT TESSERA_SANITIZE AND NOT
                                                                                TESSERA_FUZZ)
  include(CheckLanguage)
  # Device code for the machine at hand where it has a device, else for one that stands for many.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    find_program(NVIDIA_SMI nvidia-smi)
    set(architectures 90)
    if(NVIDIA_SMI)
      set(architectures native)
    endif()
    set(CMAKE_CUDA_ARCHITECTURES ${architectures} CACHE STRING "Devices to compile for")
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that new compilers have it
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(TESSERA_HAVE_CUDA ON)
  endif()
endif()
