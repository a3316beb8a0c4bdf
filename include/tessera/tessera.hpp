// tessera.hpp: Tessera for C++20. A header over the C interface (tessera.h), so the library's
// binary interface is C's alone. Values own what they hold; calls that can fail return a Result.
//
//   tessera::Result<tessera::Picture> photo = tessera::read("photo.png");
//   tessera::EncodeOptions options;
//   options.format = "astc";
//   options.block = "6x6";
//   options.container = "ktx2";
//   auto encoder = tessera::Encoder::create(options);
//   auto file = encoder->encode(photo->image());          // tessera::Bytes
//
// An Encoder, a TileEncoder and a Context may be used by any number of threads at once.
#ifndef TESSERA_TESSERA_HPP_
#define TESSERA_TESSERA_HPP_

#include <tessera/tessera.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
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
  std::optional<uint32_t> device = {};  // by its number in devices()
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

  tessera_limits to_c() const {
    return {sizeof(tessera_limits), max_pixels, max_memory, max_file, max_seconds,
            untrusted ? 1 : 0};
  }
};

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

// ---- Encoding -----------------------------------------------------------------------------------

struct EncodeOptions {
  std::string format = {};  // "astc", "bc1", "fractal"; "": what the container usually holds
  std::string block = {};   // such as "6x6"; "": the format's default
  std::string preset = {};  // "realtime", "fast", "medium" (""), "thorough", "exhaustive"
  // "ldr", "srgb", "hdr", "hdra"; "": as the picture is, or as `use` says
  std::string profile = {};
  std::string swizzle = {};    // four of r g b a 0 1; "": "rgba"
  std::string container = {};  // "ktx2", "dds", "astc", "tsf"; "": the format's usual one
  bool mips = false;
  bool linear = false;      // samples are linear whatever the image says
  bool normal_map = false;  // x is stored as luminance, y as alpha
  bool metrics = false;     // measure the result for the report
  std::vector<Option> options = {};
  // What the picture is for: "color", "alpha", "normal", "mask", "packed", "hdr", "ui"; "": not
  // said. It decides what the other fields leave open, see tessera_encode_options.
  std::string use = {};
  // The files are compressed textures or fractal images, to be made into other ones.
  bool transcode = false;
  std::string source_profile = {};  // how those are read: "ldr", "srgb", "hdr"; "": as they say
  bool keep_payload = false;        // with transcode: blocks go into another container as they are
  std::vector<std::string> mip_files = {};  // of Encoder::encode_files: pictures of level 1, 2, …
  std::vector<Option> keys = {};            // texts that .ktx2 files keep
};

using Metrics = tessera_metrics;
using EncodeReport = tessera_encode_report;
using FileInfo = tessera_file_info;
using EncoderInfo = tessera_encoder_info;
using FileReport = tessera_file_report;

namespace detail {

// EncodeOptions as C sees them; valid as long as the options live unchanged.
class EncodeOptionsInC {
 public:
  explicit EncodeOptionsInC(const EncodeOptions& options)
      : list_(to_c(options.options)), keys_(to_c(options.keys)) {
    for (const std::string& file : options.mip_files) {
      mip_files_.push_back(file.c_str());
    }
    c_.mip_files = mip_files_.data();
    c_.mip_file_count = mip_files_.size();
    c_.keys = keys_.data();
    c_.key_count = keys_.size();
    c_.format = or_null(options.format);
    c_.block = or_null(options.block);
    c_.preset = or_null(options.preset);
    c_.profile = or_null(options.profile);
    c_.swizzle = or_null(options.swizzle);
    c_.container = or_null(options.container);
    c_.mips = options.mips ? 1 : 0;
    c_.linear = options.linear ? 1 : 0;
    c_.normal_map = options.normal_map ? 1 : 0;
    c_.metrics = options.metrics ? 1 : 0;
    c_.options = list_.data();
    c_.option_count = list_.size();
    c_.use = or_null(options.use);
    c_.transcode = options.transcode ? 1 : 0;
    c_.source_profile = or_null(options.source_profile);
    c_.keep_payload = options.keep_payload ? 1 : 0;
  }
  const tessera_encode_options* get() const { return &c_; }

 private:
  std::vector<tessera_option> list_;
  std::vector<tessera_option> keys_;
  std::vector<const char*> mip_files_;
  tessera_encode_options c_ = TESSERA_ENCODE_OPTIONS_INIT;
};

}  // namespace detail

// What goes through a list of files: the control of each, and what is told about it.
struct FileCalls {
  std::function<Control(const char* input)> begin = {};     // before each file; may be empty
  std::function<void(const FileReport& report)> done = {};  // after each file
  const Stop* stop = nullptr;
  // With MPI: an error that is not that of one file; the process may end after it.
  std::function<void(const Error& error)> failed = {};
  Limits limits = {};                     // without `begin`, and with MPI
  bool sync = false;                      // a file is on the disk before it is told to be done
  std::vector<std::string> include = {};  // patterns of names: see tessera_files_options
  std::vector<std::string> exclude = {};
  // The encoder of a file, which must outlive the call; null: the one of the call. An error refuses
  // the list.
  std::function<Result<const tessera_encoder*>(const char* input, const char* name)> choose = {};
  std::function<void(size_t count)> listed = {};  // how many files there are
  bool update = false;   // outputs in a folder that are as they would come out anyway are kept
  bool force = false;    // with update: all are made again
  bool dry_run = false;  // nothing is made
};

namespace detail {

inline std::vector<const char*> to_c(const std::vector<std::string>& texts) {
  std::vector<const char*> list;
  list.reserve(texts.size());
  for (const std::string& text : texts) {
    list.push_back(text.c_str());
  }
  return list;
}

// FileCalls as C sees them; valid as long as the calls live.
class FileCallsInC {
 public:
  explicit FileCallsInC(const FileCalls& calls)
      : calls_(calls),
        limits_(calls.limits.to_c()),
        include_(to_c(calls.include)),
        exclude_(to_c(calls.exclude)) {
    c_.struct_size = sizeof c_;
    c_.user = this;
    c_.begin = calls.begin ? begin : nullptr;
    c_.done = done;
    c_.failed = calls.failed ? failed : nullptr;
    c_.stop = calls.stop != nullptr ? calls.stop->get() : nullptr;
    c_.limits = &limits_;
    c_.sync = calls.sync ? 1 : 0;
    c_.include = include_.data();
    c_.include_count = include_.size();
    c_.exclude = exclude_.data();
    c_.exclude_count = exclude_.size();
    c_.choose = calls.choose ? choose : nullptr;
    c_.listed = calls.listed ? listed : nullptr;
    c_.update = calls.update ? 1 : 0;
    c_.force = calls.force ? 1 : 0;
    c_.dry_run = calls.dry_run ? 1 : 0;
  }
  FileCallsInC(const FileCallsInC&) = delete;
  FileCallsInC& operator=(const FileCallsInC&) = delete;
  const tessera_files_options* get() const { return &c_; }

 private:
  static const tessera_control* begin(void* user, const char* input) {
    auto* const self = static_cast<FileCallsInC*>(user);
    const std::lock_guard lock(self->mutex_);
    auto& control = self->controls_[input];
    control = std::make_unique<BegunFile>(self->calls_.begin(input));
    return control->in_c.get();
  }
  static tessera_status choose(void* user, const char* input, const char* name,
                               const tessera_encoder** encoder, tessera_error* error) {
    const auto chosen = static_cast<FileCallsInC*>(user)->calls_.choose(input, name);
    if (!chosen) {
      const std::string& message = chosen.error().message;
      const size_t size = std::min(message.size(), sizeof error->message - 1);
      message.copy(error->message, size);
      error->message[size] = '\0';
      return static_cast<tessera_status>(chosen.error().code);
    }
    *encoder = *chosen;
    return TESSERA_OK;
  }
  static void listed(void* user, size_t count) {
    static_cast<FileCallsInC*>(user)->calls_.listed(count);
  }
  static void failed(void* user, tessera_status status, const char* message) {
    static_cast<FileCallsInC*>(user)->calls_.failed({static_cast<ErrorCode>(status), message});
  }
  static void done(void* user, const tessera_file_report* report) {
    auto* const self = static_cast<FileCallsInC*>(user);
    {
      const std::lock_guard lock(self->mutex_);
      self->controls_.erase(report->input);
    }
    if (self->calls_.done) {
      self->calls_.done(*report);
    }
  }

  // The control of a file that is under way.
  struct BegunFile {
    explicit BegunFile(Control given) : control(std::move(given)), in_c(control) {}
    Control control;
    ControlInC in_c;
  };

  const FileCalls& calls_;
  tessera_limits limits_;
  std::vector<const char*> include_;
  std::vector<const char*> exclude_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<BegunFile>> controls_;  // by input
  tessera_files_options c_ = {};
};

}  // namespace detail

class Encoder {
 public:
  static Result<Encoder> create(const EncodeOptions& options) {
    const detail::EncodeOptionsInC c(options);
    tessera_encoder* handle = nullptr;
    tessera_error error = {};
    if (tessera_encoder_create(c.get(), &handle, &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return Encoder(handle);
  }

  EncoderInfo info() const {
    EncoderInfo info = {};
    info.struct_size = sizeof info;
    tessera_encoder_describe(handle_.get(), &info, nullptr);
    return info;
  }

  // Bytes that encode_blocks() writes.
  Result<size_t> payload_size(const Image& image) const {
    const tessera_image c = image.to_c();
    size_t bytes = 0;
    tessera_error error = {};
    if (tessera_payload_size(handle_.get(), &c, &bytes, &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return bytes;
  }

  // Blocks alone, into memory of payload_size() bytes. Without a context: on the calling thread.
  Status encode_blocks(const Image& image, std::span<uint8_t> out, const Context* context = nullptr,
                       const Control& control = {}) const {
    const tessera_image c = image.to_c();
    tessera_error error = {};
    if (tessera_encode_blocks(handle_.get(), detail::handle_of(context), &c,
                              detail::ControlInC(control).get(), out.data(), out.size(),
                              &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return {};
  }

  // From memory of the context's device into memory of that device, see
  // tessera_encode_device_memory; cuda::encode() has the types.
  Status encode_device_memory(const tessera_device_image& image, void* blocks, size_t blocks_size,
                              void* stream, const Context& context) const {
    tessera_error error = {};
    if (tessera_encode_device_memory(handle_.get(), detail::handle_of(&context), &image, blocks,
                                     blocks_size, stream, &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return {};
  }

  // A whole file in memory.
  Result<Bytes> encode(const Image& image, const Context* context = nullptr,
                       const Control& control = {}, EncodeReport* report = nullptr) const {
    const tessera_image c = image.to_c();
    tessera_buffer* file = nullptr;
    tessera_error error = {};
    if (tessera_encode(handle_.get(), detail::handle_of(context), &c,
                       detail::ControlInC(control).get(), &file, report, &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return Bytes(file);
  }

  // What block sizes would make of an image, as JSON: see tessera_advise.
  Result<Bytes> advise(const Image& image, const Context* context = nullptr,
                       const Control& control = {}) const {
    const tessera_image c = image.to_c();
    tessera_buffer* json = nullptr;
    tessera_error error = {};
    if (tessera_advise(handle_.get(), detail::handle_of(context), &c,
                       detail::ControlInC(control).get(), &json, &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return Bytes(json);
  }

  // A compressed texture in memory as another one: see tessera_transcode.
  Result<Bytes> transcode(std::span<const uint8_t> data, const std::string& name = {},
                          const Context* context = nullptr, const Control& control = {},
                          EncodeReport* report = nullptr) const {
    tessera_buffer* file = nullptr;
    tessera_error error = {};
    if (tessera_transcode(handle_.get(), detail::handle_of(context), data.data(), data.size(),
                          detail::or_null(name), detail::ControlInC(control).get(), &file, report,
                          &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return Bytes(file);
  }

  // Files to files: see tessera_encode_files.
  Status encode_files(const std::vector<std::string>& inputs, const std::string& output,
                      const Context* context = nullptr, const FileCalls& calls = {}) const {
    const std::vector<const char*> list = detail::to_c(inputs);
    const detail::FileCallsInC c(calls);
    tessera_error error = {};
    if (tessera_encode_files(handle_.get(), detail::handle_of(context), list.data(), list.size(),
                             output.c_str(), c.get(), &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return {};
  }

  const tessera_encoder* get() const { return handle_.get(); }

 private:
  explicit Encoder(tessera_encoder* handle) : handle_(handle) {}
  detail::Owner<tessera_encoder, tessera_encoder_destroy> handle_;
};

// Rectangles as they come, without allocation.
class TileEncoder {
 public:
  static Result<TileEncoder> create(const EncodeOptions& options, uint32_t concurrency = 1) {
    const detail::EncodeOptionsInC c(options);
    tessera_tile_encoder* handle = nullptr;
    tessera_error error = {};
    if (tessera_tile_encoder_create(c.get(), concurrency, &handle, &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return TileEncoder(handle);
  }

  size_t tile_size(uint32_t width, uint32_t height) const {
    return tessera_tile_size(handle_.get(), width, height);
  }

  // Four 8-bit channels per pixel, `row_stride` bytes per row of the picture around the tile.
  Status encode(const uint8_t* rgba, size_t row_stride, uint32_t width, uint32_t height,
                std::span<uint8_t> out) {
    tessera_error error = {};
    if (tessera_encode_tile(handle_.get(), rgba, row_stride, width, height, out.data(), out.size(),
                            &error) != TESSERA_OK) {
      return detail::to_error(error);
    }
    return {};
  }

 private:
  explicit TileEncoder(tessera_tile_encoder* handle) : handle_(handle) {}
  detail::Owner<tessera_tile_encoder, tessera_tile_encoder_destroy> handle_;
};

// ---- Decoding -----------------------------------------------------------------------------------

struct DecodeOptions {
  std::string profile = {};  // "ldr", "srgb", "hdr"; "": as the file says, or "ldr"
  Sample sample = Sample::kU8;
  uint32_t level = 0;  // mip level; 0 is the largest
  std::vector<Option> options = {};
  bool normal_map = false;  // x is in red, y in alpha: pictures get x, y and z
};

namespace detail {

class DecodeOptionsInC {
 public:
  explicit DecodeOptionsInC(const DecodeOptions& options) : list_(to_c(options.options)) {
    c_.profile = or_null(options.profile);
    c_.sample = static_cast<tessera_sample>(options.sample);
    c_.level = options.level;
    c_.options = list_.data();
    c_.option_count = list_.size();
    c_.normal_map = options.normal_map ? 1 : 0;
  }
  const tessera_decode_options* get() const { return &c_; }

 private:
  std::vector<tessera_option> list_;
  tessera_decode_options c_ = TESSERA_DECODE_OPTIONS_INIT;
};

}  // namespace detail

// A texture, fractal image or picture file in memory as pixels.
inline Result<Picture> decode(std::span<const uint8_t> data, const DecodeOptions& options = {},
                              const Context* context = nullptr, const Control& control = {},
                              FileInfo* info = nullptr, const std::string& name = {}) {
  tessera_picture* picture = nullptr;
  tessera_error error = {};
  if (tessera_decode(detail::handle_of(context), data.data(), data.size(), detail::or_null(name),
                     detail::DecodeOptionsInC(options).get(), detail::ControlInC(control).get(),
                     &picture, info, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(picture);
}

// Raw blocks into the caller's pixels, of the extents, channels and strides of `image`.
inline Status decode_blocks(const std::string& format, const std::string& block,
                            std::span<const uint8_t> blocks, const Image& image, void* pixels,
                            const DecodeOptions& options = {}, const Context* context = nullptr,
                            const Control& control = {}) {
  const tessera_image c = image.to_c();
  tessera_error error = {};
  if (tessera_decode_blocks(detail::handle_of(context), format.c_str(), block.c_str(),
                            blocks.data(), blocks.size(), detail::DecodeOptionsInC(options).get(),
                            detail::ControlInC(control).get(), &c, pixels, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return {};
}

// What a file in memory is.
inline Result<FileInfo> inspect(std::span<const uint8_t> data, const std::string& name = {}) {
  FileInfo info = {};
  info.struct_size = sizeof info;
  tessera_error error = {};
  if (tessera_inspect(data.data(), data.size(), detail::or_null(name), &info, &error) !=
      TESSERA_OK) {
    return detail::to_error(error);
  }
  return info;
}

// All that is known about it, as JSON; `block` explains one block, such as "12,7".
inline Result<Bytes> describe(std::span<const uint8_t> data, bool statistics = false,
                              const std::string& block = {}, const std::string& name = {}) {
  tessera_buffer* json = nullptr;
  tessera_error error = {};
  if (tessera_describe(data.data(), data.size(), detail::or_null(name), statistics ? 1 : 0,
                       detail::or_null(block), &json, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Bytes(json);
}

struct BlockMap {
  Bytes kinds;   // a byte for each block, row by row
  Bytes legend;  // JSON: see tessera_map_blocks
};

inline Result<BlockMap> map_blocks(std::span<const uint8_t> data, const std::string& name = {}) {
  tessera_buffer* kinds = nullptr;
  tessera_buffer* legend = nullptr;
  tessera_error error = {};
  if (tessera_map_blocks(data.data(), data.size(), detail::or_null(name), &kinds, &legend,
                         &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return BlockMap{Bytes(kinds), Bytes(legend)};
}

// The leaves of a fractal image, as JSON: see tessera_list_leaves.
inline Result<Bytes> list_leaves(std::span<const uint8_t> data, const std::string& name = {}) {
  tessera_buffer* json = nullptr;
  tessera_error error = {};
  if (tessera_list_leaves(data.data(), data.size(), detail::or_null(name), &json, &error) !=
      TESSERA_OK) {
    return detail::to_error(error);
  }
  return Bytes(json);
}

// ---- Pictures -----------------------------------------------------------------------------------

inline Result<Picture> next_mip_level(const Image& image) {
  const tessera_image c = image.to_c();
  tessera_picture* level = nullptr;
  tessera_error error = {};
  if (tessera_next_mip_level(&c, &level, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(level);
}

// What encoders do to a picture first, where their options say so; see tessera_edit_picture.
struct PictureEdits {
  bool yflip = false;
  bool premultiply = false;
  bool normalize = false;
};

inline Result<Picture> edit_picture(const Image& image, const PictureEdits& edits) {
  const tessera_image c = image.to_c();
  tessera_picture* edited = nullptr;
  tessera_error error = {};
  if (tessera_edit_picture(&c, edits.yflip ? 1 : 0, edits.premultiply ? 1 : 0,
                           edits.normalize ? 1 : 0, &edited, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(edited);
}

inline Result<Metrics> compare(const Image& reference, const Image& test, uint32_t block_width = 4,
                               uint32_t block_height = 4) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  Metrics metrics = {};
  metrics.struct_size = sizeof metrics;
  tessera_error error = {};
  if (tessera_compare(&a, &b, block_width, block_height, &metrics, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return metrics;
}

// The PSNR of red, green, blue and alpha.
inline Result<std::array<double, 4>> compare_channels(const Image& reference, const Image& test) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  std::array<double, 4> psnr = {};
  tessera_error error = {};
  if (tessera_compare_channels(&a, &b, psnr.data(), &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return psnr;
}

struct NormalAngles {
  double mean = 0;  // degrees
  double largest = 0;
};

inline Result<NormalAngles> compare_normals(const Image& reference, const Image& test) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  NormalAngles angles;
  tessera_error error = {};
  if (tessera_compare_normals(&a, &b, &angles.mean, &angles.largest, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return angles;
}

inline Result<Picture> comparison_sheet(const Image& reference, const Image& test, double gain) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  tessera_picture* sheet = nullptr;
  tessera_error error = {};
  if (tessera_comparison_sheet(&a, &b, gain, &sheet, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(sheet);
}

struct SheetOptions {
  std::string reference_name = {};  // for the labels; "": "original"
  std::string test_name = {};       // "": "result"
  double gain = 8;                  // of the error
  uint32_t block_width = 4;
  uint32_t block_height = 4;
};

// With labels, and the worst block from near: see tessera_annotated_sheet.
inline Result<Picture> annotated_sheet(const Image& reference, const Image& test,
                                       const SheetOptions& options = {}) {
  const tessera_image a = reference.to_c();
  const tessera_image b = test.to_c();
  tessera_sheet_options c = TESSERA_SHEET_OPTIONS_INIT;
  c.reference_name = detail::or_null(options.reference_name);
  c.test_name = detail::or_null(options.test_name);
  c.gain = options.gain;
  c.block_width = options.block_width;
  c.block_height = options.block_height;
  tessera_picture* sheet = nullptr;
  tessera_error error = {};
  if (tessera_annotated_sheet(&a, &b, &c, &sheet, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(sheet);
}

inline Result<Picture> make_sample(const std::string& kind, uint32_t width, uint32_t height,
                                   uint32_t seed = 1) {
  tessera_picture* picture = nullptr;
  tessera_error error = {};
  if (tessera_make_sample(kind.c_str(), width, height, seed, &picture, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(picture);
}

// ---- Files --------------------------------------------------------------------------------------

// Any picture, texture or fractal image as pixels; "-" is standard input.
inline Result<Picture> read(const std::string& path, const DecodeOptions& options = {},
                            const Context* context = nullptr, const Control& control = {},
                            FileInfo* info = nullptr) {
  tessera_picture* picture = nullptr;
  tessera_error error = {};
  if (tessera_read(detail::handle_of(context), path.c_str(),
                   detail::DecodeOptionsInC(options).get(), detail::ControlInC(control).get(),
                   &picture, info, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Picture(picture);
}

struct DescribeOptions {
  bool verify = false;      // read and unpack all of the file, not the header alone
  bool statistics = false;  // what its blocks are made of
  std::string block = {};   // explains one block, such as "12,7"
};

// What is known about a file, as JSON; see tessera_describe_file.
inline Result<Bytes> describe_file(const std::string& path, const DescribeOptions& options = {},
                                   const Control& control = {}) {
  const tessera_describe_options c = {sizeof(tessera_describe_options), options.verify ? 1 : 0,
                                      options.statistics ? 1 : 0, detail::or_null(options.block)};
  tessera_buffer* json = nullptr;
  tessera_error error = {};
  if (tessera_describe_file(path.c_str(), &c, detail::ControlInC(control).get(), &json, &error) !=
      TESSERA_OK) {
    return detail::to_error(error);
  }
  return Bytes(json);
}

// The rules that a .ktx2 or .dds file keeps and breaks, as JSON; see tessera_validate_file.
inline Result<Bytes> validate_file(const std::string& path, const Control& control = {}) {
  tessera_buffer* json = nullptr;
  tessera_error error = {};
  if (tessera_validate_file(path.c_str(), detail::ControlInC(control).get(), &json, &error) !=
      TESSERA_OK) {
    return detail::to_error(error);
  }
  return Bytes(json);
}

inline Result<Bytes> read_bytes(const std::string& path, const Control& control = {}) {
  tessera_buffer* bytes = nullptr;
  tessera_error error = {};
  if (tessera_read_bytes_limited(path.c_str(), detail::ControlInC(control).get(), &bytes, &error) !=
      TESSERA_OK) {
    return detail::to_error(error);
  }
  return Bytes(bytes);
}

// A picture file by its extension, or by `type`; returns its size in bytes.
inline Result<uint64_t> write(const std::string& path, const Image& image,
                              const std::string& type = {}) {
  const tessera_image c = image.to_c();
  uint64_t bytes = 0;
  tessera_error error = {};
  if (tessera_write(path.c_str(), detail::or_null(type), &c, &bytes, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return bytes;
}

// The bytes of a picture file of that type.
inline Result<Bytes> write_to_memory(const std::string& type, const Image& image) {
  const tessera_image c = image.to_c();
  tessera_buffer* file = nullptr;
  tessera_error error = {};
  if (tessera_write_to_memory(type.c_str(), &c, &file, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Bytes(file);
}

// Whether a picture could be written there, and is none of the inputs: see tessera_check_output.
inline Status check_output(const std::string& path, const std::vector<std::string>& inputs = {},
                           const std::string& type = {}) {
  const std::vector<const char*> list = detail::to_c(inputs);
  tessera_error error = {};
  if (tessera_check_output(path.c_str(), detail::or_null(type), list.data(), list.size(), &error) !=
      TESSERA_OK) {
    return detail::to_error(error);
  }
  return {};
}

inline Status write_bytes(const std::string& path, std::span<const uint8_t> data) {
  tessera_error error = {};
  if (tessera_write_bytes(path.c_str(), data.data(), data.size(), &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return {};
}

// Whether a pattern means a path: see tessera_matches.
inline bool matches(const std::string& pattern, const std::string& path) {
  return tessera_matches(pattern.c_str(), path.c_str()) != 0;
}

// All slices of an array or a volume, each in a file of its own.
inline constexpr uint32_t kEverySlice = UINT32_MAX;

// Files to files: see tessera_decode_files.
inline Status decode_files(const std::vector<std::string>& inputs, const std::string& output,
                           const std::string& type, const DecodeOptions& options,
                           std::optional<uint32_t> slice = std::nullopt,
                           const Context* context = nullptr, const FileCalls& calls = {}) {
  const int64_t every = TESSERA_EVERY_SLICE;
  const int64_t chosen = !slice ? -1 : *slice == kEverySlice ? every : int64_t{*slice};
  const std::vector<const char*> list = detail::to_c(inputs);
  const detail::FileCallsInC c(calls);
  tessera_error error = {};
  if (tessera_decode_files(detail::handle_of(context), list.data(), list.size(), output.c_str(),
                           detail::or_null(type), detail::DecodeOptionsInC(options).get(), chosen,
                           c.get(), &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return {};
}

// ---- The build and the processor ----------------------------------------------------------------

inline Result<Bytes> describe_build() {
  tessera_buffer* json = nullptr;
  tessera_error error = {};
  if (tessera_describe_build(&json, &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return Bytes(json);
}

inline Status restrict_isa(const std::string& name) {
  tessera_error error = {};
  if (tessera_restrict_isa(name.c_str(), &error) != TESSERA_OK) {
    return detail::to_error(error);
  }
  return {};
}

}  // namespace v0
}  // namespace tessera

#endif  // TESSERA_TESSERA_HPP_
