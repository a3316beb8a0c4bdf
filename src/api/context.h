// Contexts: where the work of a call runs, and where its large buffers come from.
#pragma once

#include <memory>

#include "api/handles.h"
#include "api/ranks.h"
#include "base/large_memory.h"
#include "codec/codec.h"
#include "exec/backend.h"
#include "tessera/tessera.h"

struct tessera_context {
  tessera::api::SharedMemory memory;
  std::unique_ptr<tessera::Backend> backend;   // null with ranks
  std::unique_ptr<tessera::api::Ranks> ranks;  // of an MPI job
  std::string needs_kernels;  // the kind of devices that was named: what it cannot do is an error
};

namespace tessera::api {

// The ranks of an MPI job encode files, and nothing that is in the memory of one of them.
Status check_runs_in_memory(const tessera_context* context);

// kUnsupported where the format has no kernels for devices of a kind.
Status check_kernels_for(std::string_view kind, const Codec& codec);
// kUnsupported where the caller named a device that has no kernels of the format.
Status check_has_kernels(const tessera_context* context, const Codec& codec);

// For the duration of one call: the context's backend and memory, or the calling thread and the
// heap where there is no context.
class CallPlace {
 public:
  explicit CallPlace(tessera_context* context);

  Backend& backend() { return *backend_; }
  const SharedMemory& memory() const { return memory_; }

 private:
  SharedMemory memory_;
  ScopedLargeMemory scope_;
  std::unique_ptr<Backend> own_;
  Backend* backend_;
};

}  // namespace tessera::api
