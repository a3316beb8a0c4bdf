# Every target of the project links `tessera_options`: C++20, and floating-point rules that keep the
# written bytes the same on every instruction set (no contraction into fused multiply-add).
add_library(tessera_options INTERFACE)
target_include_directories(tessera_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_features(tessera_options INTERFACE cxx_std_20)
target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
                                                 $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)

# And, for itself alone, `tessera_warnings`: what links a module of ours keeps its own warnings.
add_library(tessera_warnings INTERFACE)
target_compile_options(tessera_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wformat=2
                                                  $<$<BOOL:${TESSERA_WERROR}>:-Werror>)
# Tests know that a vector is filled or a result is a value, and the compiler does not. With the
# instructions of some machines, g++ 12 sees null pointers in its own std::string, so builds for
# one machine go without this warning.
if(NOT TESSERA_ISAS STREQUAL "NATIVE")
  target_compile_options(tessera_warnings
                         INTERFACE $<$<NOT:$<BOOL:$<TARGET_PROPERTY:TESSERA_IS_TEST>>>:-Wnull-dereference>)
endif()
# g++ 12 sees overlapping and endless copies in operator+ of std::string where there are none
# (PR105651).
target_compile_options(tessera_warnings
                       INTERFACE "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>")

# Every x86-64 processor since 2009 has SSE4.2, and a plainer baseline would have to be emulated by
# kernels that take as long to compile as all others together. What the compiler is told otherwise
# (CMAKE_CXX_FLAGS) comes later and wins.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(CMAKE_CXX_FLAGS "-march=x86-64-v2 ${CMAKE_CXX_FLAGS}")
  # Highway counts AES to SSE4, which some of those lack; no kernel uses it.
  target_compile_definitions(tessera_options INTERFACE HWY_DISABLE_PCLMUL_AES)
endif()

# What runs WebAssembly has had vectors and exceptions since 2022, but its compiler leaves them out
# unless asked. Without exceptions, a lack of memory ends the program instead of being an error, and
# the program is a third smaller: for those that can start it again, as the JavaScript package does.
# Type information is left out with them: nothing else asks for it.
if(EMSCRIPTEN)
  option(TESSERA_WASM_EXCEPTIONS "Exceptions in WebAssembly" ON)
  if(TESSERA_WASM_EXCEPTIONS)
    target_compile_options(tessera_options INTERFACE -fwasm-exceptions)
    target_link_options(tessera_options INTERFACE -fwasm-exceptions)
  else()
    target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  endif()
  if(NOT TESSERA_ISAS STREQUAL "SCALAR")
    set(CMAKE_CXX_FLAGS "-msimd128 ${CMAKE_CXX_FLAGS}")
  endif()
endif()

# What makes a fault of memory harder to use: canaries on the stack, checked calls of the C library,
# marked targets of jumps, tables that are read-only before main() begins, addresses that differ from
# run to run. tests/cli/test_hardening.py looks for them in the programs. Sanitizers find more, and do
# not go together with some of these.
option(TESSERA_HARDEN "Build with the compiler's and the linker's protections" ON)
if(TESSERA_HARDEN AND NOT TESSERA_SANITIZE AND NOT TESSERA_FUZZ AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  include(CheckCXXCompilerFlag)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES C CXX)
  foreach(language C CXX)
    target_compile_options(
      tessera_options
      INTERFACE $<$<COMPILE_LANGUAGE:${language}>:-fstack-protector-strong>
                # Without optimisation the C library cannot check, and says so.
                $<$<AND:$<COMPILE_LANGUAGE:${language}>,$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
  endforeach()
  check_cxx_compiler_flag(-fcf-protection=full TESSERA_HAVE_CF_PROTECTION)
  if(TESSERA_HAVE_CF_PROTECTION)
    target_compile_options(tessera_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fcf-protection=full>)
  endif()
  set(tessera_link_protections -Wl,-z,relro,-z,now,-z,noexecstack)
  target_link_options(tessera_options INTERFACE $<$<NOT:$<LINK_LANGUAGE:CUDA>>:${tessera_link_protections}>)
endif()

if(TESSERA_SANITIZE)
  set(tessera_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(tessera_options INTERFACE ${tessera_sanitizers})
  # g++'s address sanitizer calls dlopen() on behalf of the program, from a library of its own. That
  # library has no RUNPATH of ours, but the program's RPATH, the older kind, holds for it as well, so
  # plug-ins are found.
  list(APPEND tessera_sanitizers -Wl,--disable-new-dtags)
  target_link_options(tessera_options INTERFACE ${tessera_sanitizers})
  # The checks that sanitizers insert mislead g++ 12's warnings that follow the flow of values; the
  # other builds keep them.
  target_compile_options(tessera_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(TESSERA_FUZZ)
  target_compile_options(tessera_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# tessera_encoder_kernels(<files>) names the sources of a module in which encoders spend their time.
# They work on texels, in arrays of numbers whose sizes do not come from any file. So they have
# canaries only where the stack holds bytes: those for every array cost the preset realtime 3 % of its
# rate. And they are not instrumented for fuzzers, which feed decoders: it would take many minutes.
function(tessera_encoder_kernels)
  if(TESSERA_FUZZ)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all)
  elseif(tessera_link_protections)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fstack-protector)
  endif()
  # Precompiled headers are for one kind of checks.
  set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# tessera_codec(<name> SOURCES <files> [OPENCL <files>] [CUDA]) is called in a format's folder. It adds
# the format's codec, options and descriptions to the module `codec`, and its OpenCL host code to the
# module `opencl`. The codec is a function `const Codec& <name>_codec()`; with OpenCL files, there is
# also `std::unique_ptr<DeviceKernels> make_<name>_opencl(OpenClSession&)`, and with CUDA, where the
# format's folder `cuda` makes the library tessera_<name>_cuda, `std::unique_ptr<DeviceKernels>
# make_<name>_cuda(std::shared_ptr<CudaDevice>)`.
function(tessera_codec name)
  cmake_parse_arguments(arg "CUDA" "" "SOURCES;OPENCL" ${ARGN})
  if(arg_CUDA)
    set_property(GLOBAL APPEND PROPERTY tessera_cuda_codecs ${name})
  endif()
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM arg_OPENCL PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL APPEND PROPERTY tessera_codecs ${name})
  set_property(GLOBAL APPEND PROPERTY tessera_codec_sources ${arg_SOURCES})
  if(arg_OPENCL)
    set_property(GLOBAL APPEND PROPERTY tessera_opencl_codecs ${name})
    set_property(GLOBAL APPEND PROPERTY tessera_opencl_sources ${arg_OPENCL})
  endif()
endfunction()

# tessera_codec_list(<file> <macro> <property>) writes a line `<macro>(<name>)` for every name.
function(tessera_codec_list file macro property)
  get_property(names GLOBAL PROPERTY ${property})
  list(TRANSFORM names REPLACE "(.+)" "${macro}(\\1)\n")
  list(JOIN names "" lines)
  file(CONFIGURE OUTPUT ${file} CONTENT "${lines}" @ONLY)
endfunction()

# tessera_compile_together(<target> <count>) compiles that many sources at once, which halves the time
# where they include much and have no kernels.
function(tessera_compile_together target count)
  if(TESSERA_TOGETHER)
    set_target_properties(
      ${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count} UNITY_BUILD_CODE_BEFORE_INCLUDE
                                                                "// NOLINTNEXTLINE(bugprone-suspicious-include)")
  endif()
endfunction()

# tessera_module(<name> [TOGETHER] SOURCES <files> [DEPENDS <modules>] [LIBRARIES <others>])
# makes the static library tessera_<name>. TOGETHER: see tessera_compile_together(). DEPENDS names the
# modules it may include; the include rule of docs/architecture.md is checked again, textually, by
# tools/check_includes.py.
function(tessera_module name)
  cmake_parse_arguments(arg "TOGETHER" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  add_library(tessera_${name} STATIC ${arg_SOURCES})
  if(arg_TOGETHER)
    tessera_compile_together(tessera_${name} 6)
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND tessera_)
  target_link_libraries(
    tessera_${name}
    PUBLIC tessera_options ${arg_DEPENDS}
    PRIVATE tessera_warnings ${arg_LIBRARIES})
  # Browsers have to load what is compiled: only the modules with kernels are compiled for speed, and
  # of their loops those alone are unrolled whose length is known. What walks over pictures has loops
  # with vectors; the others are as small as can be.
  if(EMSCRIPTEN)
    target_compile_definitions(tessera_${name} PRIVATE TESSERA_WITHOUT_HELP TESSERA_SMALL_CODE)
    if(name IN_LIST formats)
      target_compile_options(tessera_${name} PRIVATE -O2 "SHELL:-mllvm -unroll-runtime=false")
    elseif(name STREQUAL "image")
      target_compile_options(tessera_${name} PRIVATE -Os)
    else()
      target_compile_options(tessera_${name} PRIVATE -Oz)
    endif()
  endif()
  # Most sources include these anyway; reading them once saves a fifth of the time of a build. The
  # builds with clang go without, so a source that lacks an include is found.
  target_precompile_headers(tessera_${name} PRIVATE <algorithm> <array> <cstdint> <functional> <memory> <optional>
                            <span> <string> <vector>)
endfunction()

# tessera_plugin(<name> OF <module> SOURCES <files> LIBRARIES <others>) makes tessera_<name>.so, with
# what takes long to load, for the module to load when it is needed. What is fuzzed is one program: its
# modules have their plug-ins in them, and TESSERA_<NAME>_BUILT_IN says so.
function(tessera_plugin name)
  cmake_parse_arguments(arg "" "OF" "SOURCES;LIBRARIES" ${ARGN})
  if(TESSERA_FUZZ)
    string(TOUPPER ${name} upper_name)
    target_sources(tessera_${arg_OF} PRIVATE ${arg_SOURCES})
    target_compile_definitions(tessera_${arg_OF} PRIVATE TESSERA_${upper_name}_BUILT_IN)
    target_link_libraries(tessera_${arg_OF} PRIVATE ${arg_LIBRARIES})
    return()
  endif()
  include(GNUInstallDirs)
  add_library(tessera_${name} MODULE ${arg_SOURCES})
  target_link_libraries(tessera_${name} PRIVATE tessera_options tessera_warnings ${arg_LIBRARIES})
  # Beside the programs, where their RUNPATH finds it.
  set_target_properties(tessera_${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET default
                                                   LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  install(TARGETS tessera_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tessera
                                  COMPONENT shared)
  target_compile_definitions(
    tessera_${arg_OF} PRIVATE TESSERA_PLUGIN_FOLDER="${CMAKE_INSTALL_FULL_LIBDIR}/tessera")
  target_link_libraries(tessera_${arg_OF} PRIVATE ${CMAKE_DL_LIBS})
  add_dependencies(tessera_${arg_OF} tessera_${name})
endfunction()
