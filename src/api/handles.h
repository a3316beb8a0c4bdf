// What is behind the handles of the C interface.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/large_memory.h"
#include "base/result.h"
#include "exec/backend.h"
#include "image/image.h"
#include "tessera/tessera.h"

namespace tessera::api {

// Memory that what has been made must not outlive; null: the heap.
using SharedMemory = std::shared_ptr<LargeMemory>;

}  // namespace tessera::api

struct tessera_picture {
  tessera::api::SharedMemory memory;  // before the image, which gives its pixels back to it
  tessera::Image image;
};

// A file that was made, in the context's memory, or other bytes on the heap.
struct tessera_buffer {
  tessera::api::SharedMemory memory;  // before the bytes, which go back to it
  tessera::LargeBytes made;
  tessera::Bytes other;
  const uint8_t* data() const { return made.empty() ? other.data() : made.data(); }
  size_t size = 0;  // without the zero byte after a text
};

struct tessera_stop {
  std::atomic<bool> requested = false;
};

namespace tessera::api {

// Hands what was made to the caller; `out` has been checked.
void give_picture(Image image, SharedMemory memory, tessera_picture** out);
void give_file(LargeBytes bytes, SharedMemory memory, tessera_buffer** out);
void give_bytes(Bytes bytes, tessera_buffer** out);
void give_text(const std::string& text, tessera_buffer** out);

// Null: nothing is to be reported, nothing can stop it.
Result<RunControl> read_control(const tessera_control* given);

}  // namespace tessera::api
