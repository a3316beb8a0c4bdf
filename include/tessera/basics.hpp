// A part of tessera.hpp: errors, images, options by name, and where work runs.
#ifndef TESSERA_BASICS_HPP_
#define TESSERA_BASICS_HPP_

#include <tessera/tessera.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tessera {
// The names of this header stay apart from those inside the library.
inline namespace v0 {

// ---- Results ------------------------------------------------------------------------------------

enum class ErrorCode : int {
  kUsage = TESSERA_ERROR_USAGE,
  kIo = TESSERA_ERROR_IO,
  kInvalid = TESSERA_ERROR_INVALID,
  kFailed = TESSERA_ERROR_FAILED,
  kUnsupported = TESSERA_ERROR_UNSUPPORTED,
  kInterrupted = TESSERA_ERROR_INTERRUPTED,
  kDiffer = TESSERA_ERROR_DIFFER,
};

struct Error {
  ErrorCode code = ErrorCode::kFailed;
  std::string message;  // one sentence
};

// A value or an Error. Ask ok() before value() or error().
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return *std::get_if<0>(&state_); }
  const T& value() const& { return *std::get_if<0>(&state_); }
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

namespace detail {

inline Error to_error(const tessera_error& error) {
  return {static_cast<ErrorCode>(error.status), error.message};
}

inline const char* or_null(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

// Owns a handle of the C interface.
template <auto kDestroy>
struct Destroy {
  template <class Handle>
  void operator()(Handle* handle) const {
    kDestroy(handle);
  }
};
template <class Handle, auto kDestroy>
using Owner = std::unique_ptr<Handle, Destroy<kDestroy>>;

}  // namespace detail

// "0.2.0", of the library that is running.
inline std::string version() {
  return tessera_version();
}

// ---- Images and bytes ---------------------------------------------------------------------------

enum class Sample : int {
  kU8 = TESSERA_SAMPLE_U8,
  kU16 = TESSERA_SAMPLE_U16,
  kF16 = TESSERA_SAMPLE_F16,
  kF32 = TESSERA_SAMPLE_F32,
};

enum class ColorSpace : int { kSrgb = TESSERA_COLOR_SRGB, kLinear = TESSERA_COLOR_LINEAR };

// Pixels that somebody else owns; see tessera_image for the fields and their units.
struct Image {
  const void* pixels = nullptr;
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t depth = 1;
  uint32_t layers = 1;
  uint32_t channels = 4;
  Sample sample = Sample::kU8;
  ColorSpace color_space = ColorSpace::kSrgb;
  size_t row_stride = 0;    // bytes; 0: rows follow each other without a gap
  size_t slice_stride = 0;  // bytes; 0: height times row_stride

  uint32_t slices() const { return depth * layers; }

  tessera_image to_c() const {
    tessera_image image = TESSERA_IMAGE_INIT;
    image.pixels = pixels;
    image.width = width;
    image.height = height;
    image.depth = depth;
    image.layers = layers;
    image.channels = channels;
    image.sample = static_cast<tessera_sample>(sample);
    image.color_space = static_cast<tessera_color_space>(color_space);
    image.row_stride = row_stride;
    image.slice_stride = slice_stride;
    return image;
  }
};

// Pixels that the library has made; they live as long as the Picture.
class Picture {
 public:
  explicit Picture(tessera_picture* handle) : handle_(handle) {}

  Image image() const {
    tessera_image view = TESSERA_IMAGE_INIT;
    tessera_picture_image(handle_.get(), &view, nullptr);
    return {view.pixels,
            view.width,
            view.height,
            view.depth,
            view.layers,
            view.channels,
            static_cast<Sample>(view.sample),
            static_cast<ColorSpace>(view.color_space),
            view.row_stride,
            view.slice_stride};
  }
  const tessera_picture* get() const { return handle_.get(); }

 private:
  detail::Owner<tessera_picture, tessera_picture_destroy> handle_;
};

// Bytes that the library has made: a file in memory, or a JSON text.
class Bytes {
 public:
  explicit Bytes(tessera_buffer* handle) : handle_(handle) {}

  const uint8_t* data() const { return tessera_buffer_data(handle_.get()); }
  size_t size() const { return tessera_buffer_size(handle_.get()); }
  std::span<const uint8_t> span() const { return {data(), size()}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data()), size()}; }

 private:
  detail::Owner<tessera_buffer, tessera_buffer_destroy> handle_;
};

// ---- Options by name ----------------------------------------------------------------------------

struct Option {
  std::string key = {};
  std::string value = {};
};

struct OptionInfo {
  std::string key = {};
  std::string formats = {};
  std::string help = {};
  tessera_option_kind kind = TESSERA_OPTION_TEXT;
  double least = 0;  // of integers and numbers
  double most = 0;
  bool above_least = false;     // the least value itself is not possible
  std::string choices = {};     // the names of a choice, separated by commas
  std::string value_name = {};  // for help texts, such as "N"
};

namespace detail {

// The same options as C sees them; valid as long as both vectors live unchanged.
inline std::vector<tessera_option> to_c(const std::vector<Option>& options) {
  std::vector<tessera_option> list;
  list.reserve(options.size());
  for (const Option& option : options) {
    list.push_back({option.key.c_str(), option.value.c_str()});
  }
  return list;
}

inline std::vector<OptionInfo> list_options(bool decoding) {
  std::vector<OptionInfo> list;
  tessera_option_info info = {};
  info.struct_size = sizeof info;
  for (size_t i = 0; tessera_option_at(decoding ? 1 : 0, i, &info, nullptr) == TESSERA_OK; ++i) {
    list.push_back({info.key, info.formats, info.help, info.kind, info.least, info.most,
                    info.above_least != 0, info.choices, info.value_name});
  }
  return list;
}

}  // namespace detail

inline std::vector<OptionInfo> encode_option_list() {
  return detail::list_options(false);
}
inline std::vector<OptionInfo> decode_option_list() {
  return detail::list_options(true);
}

// ---- Where work runs ----------------------------------------------------------------------------

// Calls call(i) once for each i in 0…count−1, in any order and from any threads, and returns when
// all calls have ended. It must not throw.
using ParallelRun = std::function<void(size_t count, const std::function<void(size_t)>& call)>;

struct ContextOptions {
  std::string backend = {};             // "" or "cpu", "serial", "cuda", "opencl", "auto", "mpi"
  uint32_t threads = 0;                 // 0: all cores
  std::optional<uint32_t> device = {};  // of the backend, by its Device::number
  ParallelRun parallel_run = {};        // the caller's threads, instead of a backend
  const tessera_allocator* allocator = nullptr;
  std::function<void(const char*)> note = {};  // a device cannot be used and the CPU takes over
  std::vector<Option> options = {};            // of "mpi"
};

class Context {
 public:
  static Result<Context> create(ContextOptions options = {}) {
    Context context;
    context.calls_ =
        std::make_unique<Calls>(Calls{std::move(options.parallel_run), std::move(options.note)});
    const std::vector<tessera_option> list = detail::to_c(options.options);
    tessera_context_options c = TESSERA_CONTEXT_OPTIONS_INIT;
    c.backend = detail::or_null(options.backend);
    c.threads = options.threads;
    c.device = options.device ? *options.device + 1 : 0;
    if (context.calls_->run) {
      c.parallel_run = run_parallel;
      c.parallel_user = context.calls_.get();
    }
    c.allocator = options.allocator;
    if (context.calls_->note) {
      c.note = pass_note;
      c.note_user = context.calls_.get();
    }
    c.options = list.data();
    c.option_count = list.size();
    tessera_context* handle = nullptr;
    tessera_error error = {};
    if (tessera_context_create(&c, &handle, &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    context.handle_.reset(handle);
    return context;
  }

  std::string backend() const { return tessera_context_backend(handle_.get()); }
  uint32_t threads() const { return tessera_context_threads(handle_.get()); }
  uint32_t rank() const { return tessera_context_rank(handle_.get()); }
  uint32_t rank_count() const { return tessera_context_rank_count(handle_.get()); }
  tessera_context* get() const { return handle_.get(); }

 private:
  struct Calls {
    ParallelRun run;
    std::function<void(const char*)> note;
  };
  Context() = default;

  static void run_parallel(void* user, size_t count, void (*call)(void*, size_t), void* state) {
    static_cast<Calls*>(user)->run(count, [&](size_t i) { call(state, i); });
  }
  static void pass_note(void* user, const char* sentence) {
    static_cast<Calls*>(user)->note(sentence);
  }

  std::unique_ptr<Calls> calls_;  // outlives the handle, which is destroyed first
  detail::Owner<tessera_context, tessera_context_destroy> handle_;
};

struct Device {
  std::string name = {};
  std::string platform = {};
  std::string version = {};
  bool is_gpu = false;
  uint32_t compute_units = 0;
  uint64_t memory_bytes = 0;
  std::string backend = {};  // "cuda" or "opencl"
  uint32_t number = 0;       // among the devices of its backend
};

// All devices that can encode; fails where this build or machine can have none.
inline Result<std::vector<Device>> devices() {
  std::vector<Device> list;
  tessera_device_info info = {};
  info.struct_size = sizeof info;
  tessera_error error = {};
  tessera_status status = TESSERA_OK;
  while ((status = tessera_device_at(static_cast<uint32_t>(list.size()), &info, &error)) ==
         TESSERA_OK) {
    list.push_back({info.name, info.platform, info.version, info.is_gpu != 0, info.compute_units,
                    info.memory_bytes, info.backend, info.number});
  }
  if (status != TESSERA_ERROR_USAGE) {
    return detail::to_error(error);
  }
  return list;
}

// Asks running work to stop, from any thread or a signal handler.
class Stop {
 public:
  Stop() : handle_(tessera_stop_create()) {}

  void request() { tessera_stop_request(handle_.get()); }
  tessera_stop* get() const { return handle_.get(); }

 private:
  detail::Owner<tessera_stop, tessera_stop_destroy> handle_;
};

// What a file may ask for before it is refused; see tessera_limits. 0: the default.
struct Limits {
  uint64_t max_pixels = 0;
  uint64_t max_memory = 0;  // bytes
  uint64_t max_file = 0;    // bytes
  uint32_t max_seconds = 0;
  bool untrusted = false;  // files may come from anybody: the defaults are lower

  // What the caller takes of memory for the same job; see tessera_limits.
  uint32_t caller_copies = 0;
  uint64_t caller_bytes_per_pixel = 0;
  uint64_t caller_bytes = 0;
  uint64_t caller_files = 0;

  tessera_limits to_c() const {
    return {sizeof(tessera_limits),
            max_pixels,
            max_memory,
            max_file,
            max_seconds,
            untrusted ? 1 : 0,
            caller_copies,
            caller_bytes_per_pixel,
            caller_bytes,
            caller_files};
  }
};

// Before memory is taken for what was read: see tessera_check_memory.
inline Status check_memory(const Limits& limits, const std::string& name, uint64_t bytes) {
  const tessera_limits c = limits.to_c();
  tessera_error error = {};
  return tessera_check_memory(&c, name.c_str(), bytes, &error) == TESSERA_OK
             ? Status()
             : Status(detail::to_error(error));
}

struct Control {
  std::function<void(double)> progress =
      {};  // the fraction done; from any thread, not from two at once
  const Stop* stop = nullptr;
  Limits limits = {};
};

namespace detail {

// A Control as C sees it; valid as long as the Control lives.
class ControlInC {
 public:
  explicit ControlInC(const Control& control) : limits_(control.limits.to_c()) {
    if (control.progress) {
      c_.progress = [](void* user, double fraction) {
        static_cast<const Control*>(user)->progress(fraction);
      };
      c_.user = const_cast<Control*>(&control);
    }
    c_.stop = control.stop != nullptr ? control.stop->get() : nullptr;
    c_.limits = &limits_;
  }
  ControlInC(const ControlInC&) = delete;
  ControlInC& operator=(const ControlInC&) = delete;
  const tessera_control* get() const { return &c_; }

 private:
  tessera_limits limits_;
  tessera_control c_ = TESSERA_CONTROL_INIT;
};

inline tessera_context* handle_of(const Context* context) {
  return context != nullptr ? context->get() : nullptr;
}

}  // namespace detail

}  // namespace v0
}  // namespace tessera

#endif  // TESSERA_BASICS_HPP_
