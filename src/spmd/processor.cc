// Asks an x86 processor for exactly the instructions that Highway compiles its targets with.
// __builtin_cpu_supports also asks whether the operating system keeps the wider registers.
#include "spmd/processor.h"

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

namespace tessera {
namespace {

// Features that clang 14 has no names for; they need the same registers as AVX.
bool has_half_float_conversions() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

bool has_vector_aes() {
  constexpr unsigned kVectorAes = 1u << 9;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kVectorAes) != 0;
}

}  // namespace

// What the compiler was told that the processor has (cmake/compile_options.cmake, TESSERA_ISAS).
bool processor_runs_baseline() {
#if defined(__AVX512BW__)
  return processor_runs_avx3();
#elif defined(__AVX2__)
  return processor_runs_avx2();
#else
  return __builtin_cpu_supports("sse4.2");
#endif
}

// Asked once: in a virtual machine, each answer takes many microseconds.
bool processor_runs_avx2() {
  static const bool runs = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("avx") &&
                           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                           has_half_float_conversions();
  return runs;
}

bool processor_runs_avx3() {
  static const bool runs = processor_runs_avx2() && __builtin_cpu_supports("avx512f") &&
                           __builtin_cpu_supports("avx512vl") &&
                           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  return runs;
}

bool processor_runs_avx3_dl() {
  static const bool runs =
      processor_runs_avx3() && __builtin_cpu_supports("avx512vnni") &&
      __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
      __builtin_cpu_supports("avx512vpopcntdq") && has_vector_aes();
  return runs;
}

}  // namespace tessera

#else

namespace tessera {

bool processor_runs_baseline() {
  return true;
}
bool processor_runs_avx2() {
  return false;
}
bool processor_runs_avx3() {
  return false;
}
bool processor_runs_avx3_dl() {
  return false;
}

}  // namespace tessera

#endif
