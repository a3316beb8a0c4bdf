// Bytes that are read in parts, at any place: a file that need not fit into memory, or memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "files/descriptor.h"

namespace tessera {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  virtual uint64_t size() const = 0;
  // Fills `out` with what begins at `offset`. Fails where there is less.
  virtual Status read(uint64_t offset, std::span<uint8_t> out) const = 0;
};

// Somebody else's bytes. `name` is used in messages.
class MemorySource : public ByteSource {
 public:
  MemorySource(ByteSpan bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, std::span<uint8_t> out) const override;

 private:
  ByteSpan bytes_;
  std::string name_;
};

// A regular file; it takes no memory, so that the budget's limit of memory does not count.
class FileSource : public ByteSource {
 public:
  // kUnsupported for pipes and devices, which cannot be read at any place.
  static Result<FileSource> open(const std::string& path, const ReadBudget& budget);

  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, std::span<uint8_t> out) const override;

 private:
  FileSource(std::string name, int fd) : name_(std::move(name)), fd_(fd) {}

  std::string name_;
  Descriptor fd_;
  uint64_t size_ = 0;
};

}  // namespace tessera
