// Calls the kernel that was compiled for the processor at hand. In a file that is compiled once per
// target (for_each_target.h), TESSERA_EXPORT(kernel) makes a table of what each target compiled,
// and TESSERA_DISPATCH(kernel)(arguments) calls one of them.
#pragma once

#include <cstddef>

#include "spmd/target_list.h"

namespace tessera {

// Best first. What a file was not compiled for is served by the next one in this order.
enum class Target { kAvx3Dl, kAvx3, kAvx2, kBaseline };

// The target that kernels run on (isa.h). The first call asks the processor.
Target chosen_target();

}  // namespace tessera

#if TESSERA_HAS_AVX2
#define TESSERA_AVX2_OF(kernel) &N_AVX2::kernel
#else
#define TESSERA_AVX2_OF(kernel) &TESSERA_TARGET::kernel
#endif
#if TESSERA_HAS_AVX3
#define TESSERA_AVX3_OF(kernel) &N_AVX3::kernel
#else
#define TESSERA_AVX3_OF(kernel) TESSERA_AVX2_OF(kernel)
#endif
#if TESSERA_HAS_AVX3_DL
#define TESSERA_AVX3_DL_OF(kernel) &N_AVX3_DL::kernel
#else
#define TESSERA_AVX3_DL_OF(kernel) TESSERA_AVX3_OF(kernel)
#endif

// In the order of Target. TESSERA_TARGET is the baseline here: under TESSERA_ONCE.
#define TESSERA_EXPORT(kernel)                                                      \
  constexpr decltype(&TESSERA_TARGET::kernel) kernel##_of_each_target[] = {         \
      TESSERA_AVX3_DL_OF(kernel), TESSERA_AVX3_OF(kernel), TESSERA_AVX2_OF(kernel), \
      &TESSERA_TARGET::kernel}

#define TESSERA_DISPATCH(kernel) \
  (*kernel##_of_each_target[static_cast<size_t>(::tessera::chosen_target())])
