// What the encoder is compiled for.
#pragma once

namespace tessera::astc {

// Browsers have to load what is compiled, and give it pictures of 8 bits: high dynamic range and
// volumes are left out there.
#ifdef TESSERA_SMALL_CODE
inline constexpr bool kEncodesAll = false;
#else
inline constexpr bool kEncodesAll = true;
#endif

}  // namespace tessera::astc
