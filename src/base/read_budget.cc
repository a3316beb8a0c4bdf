// Compares what a file wants with the limits, and words the refusal.
#include "base/read_budget.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace tessera {
namespace {

// Code, tables and buffers of a process that has done nothing yet.
constexpr uint64_t kProcessMemory = uint64_t{16} << 20;  // bytes

uint64_t add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t multiply(uint64_t a, uint64_t b) {
  return checked_multiply(a, b).value_or(UINT64_MAX);
}

// "12 MiB", rounded up.
std::string mebibytes(uint64_t bytes) {
  return std::to_string(divide_round_up(bytes, uint64_t{1} << 20)) + " MiB";
}

Error too_much(const std::string& name, const std::string& wanted, const std::string& limit,
               const char* option) {
  return failed_error(name + " wants " + wanted + ", and the limit is " + limit + " (" + option +
                      " lifts it)");
}

}  // namespace

ReadBudget::ReadBudget(const Limits& limits, const std::atomic<bool>* cancelled,
                       std::function<uint64_t(const MemoryNeed& need)> job_memory)
    : limits_(limits),
      cancelled_(cancelled),
      job_memory_(std::move(job_memory)),
      start_(std::chrono::steady_clock::now()) {}

Status ReadBudget::check_file(const std::string& name, uint64_t bytes) const {
  TESSERA_RETURN_IF_ERROR(check_file_size(name, bytes));
  return check_memory(name, {.file = bytes});
}

Status ReadBudget::check_file_size(const std::string& name, uint64_t bytes) const {
  if (bytes <= limits_.max_file) {
    return {};
  }
  return failed_error(name + " has more than " + std::to_string(limits_.max_file) +
                      " bytes, which is the limit for a file (--max-file lifts it)");
}

Status ReadBudget::check_pixels(const std::string& name, uint64_t width, uint64_t height,
                                uint64_t slices) const {
  const uint64_t pixels = multiply(multiply(width, height), slices);
  if (pixels <= limits_.max_pixels) {
    return {};
  }
  const std::string size = std::to_string(width) + "x" + std::to_string(height) +
                           (slices > 1 ? "x" + std::to_string(slices) : "");
  return too_much(name, size + " pixels", std::to_string(limits_.max_pixels) + " pixels",
                  "--max-pixels");
}

uint64_t ReadBudget::total_of(const MemoryNeed& need) const {
  const uint64_t job = job_memory_ && need.pixels > 0 ? job_memory_(need) : 0;
  const uint64_t of_pixels = add(multiply(need.pixels, limits_.caller_bytes_per_pixel),
                                 multiply(need.picture, limits_.caller_copies));
  const uint64_t of_caller = add(add(limits_.caller_files, limits_.caller_bytes), of_pixels);
  return add(add(add(need.file, need.picture), add(need.scratch, job)),
             add(of_caller, kProcessMemory));
}

uint64_t ReadBudget::memory_limit(const MemoryNeed& need) const {
  if (limits_.memory_per_file_byte == 0) {
    return limits_.max_memory;
  }
  const uint64_t files = add(add(need.file, need.unheld_file), limits_.caller_files);
  return std::min(limits_.max_memory,
                  add(multiply(files, limits_.memory_per_file_byte), Limits::kFreeMemory));
}

uint64_t ReadBudget::memory_left(const MemoryNeed& need) const {
  const uint64_t total = total_of(need);
  const uint64_t limit = memory_limit(need);
  return limit > total ? limit - total : 0;
}

Status ReadBudget::check_memory(const std::string& name, const MemoryNeed& need) const {
  const uint64_t total = total_of(need);
  const uint64_t limit = memory_limit(need);
  if (total <= limit) {
    if (reserve_) {
      reserve_(total);
    }
    return {};
  }
  const std::string kind =
      limit < limits_.max_memory ? " for a file of this size that is not trusted" : "";
  return too_much(name, "about " + mebibytes(total) + " of memory", mebibytes(limit) + kind,
                  "--max-memory");
}

bool ReadBudget::is_late() const {
  return limits_.max_seconds != 0 &&
         std::chrono::steady_clock::now() - start_ > std::chrono::seconds(limits_.max_seconds);
}

Status ReadBudget::check_time(const std::string& name) const {
  if (is_cancelled()) {
    return Error{ErrorCode::kInterrupted, "interrupted while reading " + name};
  }
  if (is_late()) {
    return failed_error("reading " + name + " takes more than " +
                        std::to_string(limits_.max_seconds) +
                        " s, which is the limit for a file (--max-seconds lifts it)");
  }
  return {};
}

}  // namespace tessera
