// A file that is read: its beginning first, the rest where it is wanted, never more than the limits
// allow, and never longer than somebody wants to wait. Pipes and devices that say nothing are
// waited for in short steps.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/read_budget.h"
#include "base/result.h"
#include "files/descriptor.h"

namespace tessera {

// The beginning of a file that tells what it is.
inline constexpr size_t kHeadBytes = size_t{64} << 10;

class InputFile {
 public:
  // `path` may be "-". The budget must live as long as this.
  static Result<InputFile> open(const std::string& path, const ReadBudget& budget);

  const std::string& name() const { return name_; }  // for messages

  // The first `count` bytes, or all where there are fewer. Valid until the next call.
  Result<ByteSpan> head(size_t count);

  // Of a regular file, as the system tells it; of others nothing, before all has been read.
  std::optional<uint64_t> size() const;

  // All bytes; nothing can be read after it.
  Result<Bytes> all();

 private:
  InputFile(std::string name, int fd, const ReadBudget& budget)
      : name_(std::move(name)), fd_(fd), budget_(&budget) {}

  Status read_up_to(uint64_t count);
  uint64_t next_capacity(uint64_t count) const;
  Result<size_t> read_some(uint8_t* target, size_t count) const;
  Status wait_for_input() const;
  Status stopped_by_signal() const;

  std::string name_;
  Descriptor fd_;
  const ReadBudget* budget_;
  bool is_regular_ = false;
  bool is_at_end_ = false;
  uint64_t stated_size_ = 0;  // of a regular file; some of the system's say 0 and have more
  Bytes bytes_;               // with room at the end
  size_t filled_ = 0;
};

}  // namespace tessera
