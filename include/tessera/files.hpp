// A part of tessera.hpp: files, lists of files, and the build.
#ifndef TESSERA_FILES_HPP_
#define TESSERA_FILES_HPP_

#include <tessera/decode.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera {
inline namespace v0 {

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

// The rules that a .ktx2, .ktx or .dds file keeps and breaks, as JSON; see tessera_validate_file.
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
// The `level` of DecodeOptions for all mip levels, each in files of its own.
inline constexpr uint32_t kEveryLevel = TESSERA_EVERY_LEVEL;

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

#endif  // TESSERA_FILES_HPP_
