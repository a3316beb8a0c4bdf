// Contexts, and control of running work, in the C interface.
#include "api/context.h"

#include "api/backends.h"
#include "api/errors.h"
#include "api/limits.h"

namespace tessera::api {
namespace {

constexpr size_t kSmallestLarge = size_t{1} << 16;  // bytes of what the caller's allocator serves
constexpr uintptr_t kAlignment = 64;                // bytes

// The caller's allocator.
class CallerMemory : public LargeMemory {
 public:
  explicit CallerMemory(const tessera_allocator& allocator)
      : LargeMemory({kSmallestLarge, kSmallestLarge, false, false}), allocator_(allocator) {}

  uint8_t* allocate(size_t bytes) override {
    void* const memory = allocator_.allocate(allocator_.user, bytes);
    if (reinterpret_cast<uintptr_t>(memory) % kAlignment != 0) {  // as good as none
      allocator_.release(allocator_.user, memory, bytes);
      return nullptr;
    }
    return static_cast<uint8_t*>(memory);
  }
  void release(uint8_t* data, size_t bytes) override {
    allocator_.release(allocator_.user, data, bytes);
  }

 private:
  tessera_allocator allocator_;
};

}  // namespace

Status check_runs_in_memory(const tessera_context* context) {
  if (context != nullptr && context->backend == nullptr) {
    return unsupported_error("the backend mpi encodes files, and does nothing else");
  }
  return {};
}

Status check_kernels_for(std::string_view kind, const Codec& codec) {
  return codec.has_kernels_for(kind)
             ? Status()
             : unsupported_error("the format " + std::string(codec.name()) +
                                 " has no kernels for the backend " + std::string(kind));
}

Status check_has_kernels(const tessera_context* context, const Codec& codec) {
  return context != nullptr && !context->needs_kernels.empty()
             ? check_kernels_for(context->needs_kernels, codec)
             : Status();
}

CallPlace::CallPlace(tessera_context* context)
    : memory_(context != nullptr ? context->memory : nullptr), scope_(memory_.get()) {
  if (context == nullptr) {
    own_ = make_serial_backend();
  }
  backend_ = context != nullptr ? context->backend.get() : own_.get();
}

Result<RunControl> read_control(const tessera_control* given) {
  TESSERA_ASSIGN_OR_RETURN(const tessera_control control, read_options(given, "tessera_control"));
  RunControl run;
  if (control.progress != nullptr) {
    run.progress = [progress = control.progress, user = control.user](double fraction) {
      progress(user, fraction);
    };
  }
  run.cancelled = control.stop != nullptr ? &control.stop->requested : nullptr;
  TESSERA_ASSIGN_OR_RETURN(run.limits, read_limits(control.limits));
  return run;
}

}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_context_create(const tessera_context_options* options,
                                      tessera_context** context, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(context, "context"));
    *context = nullptr;
    TESSERA_ASSIGN_OR_RETURN(const tessera_context_options chosen,
                             read_options(options, "tessera_context_options"));
    auto made = std::make_unique<tessera_context>();
    if (chosen.allocator != nullptr) {
      if (chosen.allocator->allocate == nullptr || chosen.allocator->release == nullptr) {
        return usage_error("an allocator needs both allocate and release");
      }
      made->memory = std::make_shared<CallerMemory>(*chosen.allocator);
    }
    if (text_or(chosen.backend, "") == "mpi") {
      TESSERA_ASSIGN_OR_RETURN(made->ranks, Ranks::start(chosen));
      *context = made.release();
      return {};
    }
    if (chosen.option_count > 0) {
      return usage_error("only the backend mpi has options by name");
    }
    TESSERA_ASSIGN_OR_RETURN(made->backend, make_backend(chosen));
    if (const std::string name = text_or(chosen.backend, ""); is_device_kind(name)) {
      made->needs_kernels = name;
    }
    *context = made.release();
    return {};
  });
}

void tessera_context_destroy(tessera_context* context) {
  delete context;
}

// Names of backends are constants.
const char* tessera_context_backend(const tessera_context* context) {
  if (context == nullptr) {
    return "serial";
  }
  return context->ranks != nullptr ? "mpi" : context->backend->name().data();
}

uint32_t tessera_context_threads(const tessera_context* context) {
  if (context == nullptr) {
    return 1;
  }
  return context->ranks != nullptr ? context->ranks->threads() : context->backend->thread_count();
}

uint32_t tessera_context_rank(const tessera_context* context) {
  return context != nullptr && context->ranks != nullptr ? context->ranks->rank() : 0;
}

uint32_t tessera_context_rank_count(const tessera_context* context) {
  return context != nullptr && context->ranks != nullptr ? context->ranks->count() : 1;
}

tessera_stop* tessera_stop_create(void) {
  return new (std::nothrow) tessera_stop;
}

void tessera_stop_destroy(tessera_stop* stop) {
  delete stop;
}

void tessera_stop_request(tessera_stop* stop) {
  if (stop != nullptr) {
    stop->requested.store(true);
  }
}
