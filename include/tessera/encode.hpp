// A part of tessera.hpp: encoding, tiles.
#ifndef TESSERA_ENCODE_HPP_
#define TESSERA_ENCODE_HPP_

#include <tessera/basics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera {
inline namespace v0 {

// ---- Encoding -----------------------------------------------------------------------------------

struct EncodeOptions {
  std::string format = {};  // "astc", "bc1", "fractal"; "": what the container usually holds
  std::string block = {};   // such as "6x6"; "": the format's default
  std::string preset = {};  // "realtime", "fast", "medium" (""), "thorough", "exhaustive"
  // "ldr", "srgb", "hdr", "hdra"; "": as `use` says; else .ktx2 and .ktx files are srgb where the
  // image is, and all other textures ldr
  std::string profile = {};
  std::string swizzle = {};    // four of r g b a 0 1; "": "rgba"
  std::string container = {};  // "ktx2", "dds", "astc", "ktx", "tsf"; "": the format's usual one
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
  std::vector<Option> keys = {};            // texts that .ktx2 and .ktx files keep
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

}  // namespace v0
}  // namespace tessera

#endif  // TESSERA_ENCODE_HPP_
