// Files for decoding: by path, or in the caller's memory.
#pragma once

#include <pybind11/pybind11.h>
#include <tessera/tessera.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tessera_python {

// A path (str or os.PathLike) as the bytes that the system knows the file by.
std::string path_of(const pybind11::object& path);

// The bytes of an object with the buffer protocol, without a copy; its memory stays locked while
// this lives.
class BufferView {
 public:
  BufferView(const pybind11::object& object, bool writable);
  ~BufferView() { PyBuffer_Release(&view_); }
  BufferView(const BufferView&) = delete;
  BufferView& operator=(const BufferView&) = delete;

  std::span<uint8_t> bytes() const {
    return {static_cast<uint8_t*>(view_.buf), static_cast<size_t>(view_.len)};
  }

 private:
  Py_buffer view_ = {};
};

// A file's bytes and its name in messages.
class Source {
 public:
  // A str or os.PathLike is a path; anything else has the buffer protocol.
  Source(const pybind11::object& path_or_bytes, const tessera::Limits& limits);

  std::span<const uint8_t> bytes() const { return bytes_; }
  const std::string& name() const { return name_; }

 private:
  std::optional<tessera::Bytes> file_;
  std::optional<BufferView> view_;
  std::span<const uint8_t> bytes_;
  std::string name_;
};

}  // namespace tessera_python
