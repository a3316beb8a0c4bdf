// The data format descriptor of .ktx2 files: it says again, in the words of the Khronos Data Format
// Specification, what the file's Vulkan format number says.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "containers/texture.h"

namespace tessera {

// With its total size in front; 44 bytes.
Bytes make_ktx2_descriptor(const TextureInfo& info);

// Whether a file's descriptor agrees with `info`, which comes from its format number. `name` is
// used in messages.
Status check_ktx2_descriptor(ByteSpan bytes, const TextureInfo& info, bool supercompressed,
                             const std::string& name);

}  // namespace tessera
