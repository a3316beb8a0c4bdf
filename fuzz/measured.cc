// Counts what the sanitizer's allocator gives out.
#include "measured.h"

#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace tessera::fuzz {
namespace {

constexpr uint64_t kSearchPixels = uint64_t{1} << 18;
constexpr uint64_t kBytesPerFileByte = 64;
constexpr double kMostSeconds = 5;

std::atomic<int64_t> bytes_now = 0;
std::atomic<int64_t> bytes_at_most = 0;

void on_malloc(const volatile void* /*memory*/, size_t size) {
  const int64_t now = bytes_now += static_cast<int64_t>(size);
  int64_t most = bytes_at_most;
  while (now > most && !bytes_at_most.compare_exchange_weak(most, now)) {
  }
}

void on_free(const volatile void* memory) {
  bytes_now -= static_cast<int64_t>(__sanitizer_get_allocated_size(memory));
}

bool install_hooks() {
  return __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) > 0;
}

}  // namespace

Limits limits() {
  Limits limits = untrusted_limits();
  static const bool all_pixels = std::getenv("TESSERA_FUZZ_ALL_PIXELS") != nullptr;
  if (!all_pixels) {
    limits.max_pixels = kSearchPixels;
  }
  return limits;
}

void require(bool condition, const char* sentence) {
  if (!condition) {
    std::fprintf(stderr, "%s\n", sentence);
    std::abort();
  }
}

Measured::Measured(size_t file_bytes)
    : file_bytes_(file_bytes), start_bytes_(0), budget_(limits(), nullptr) {
  static const bool installed = install_hooks();
  require(installed, "memory cannot be counted");
  start_bytes_ = bytes_now;
  bytes_at_most = start_bytes_;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start_time_);
}

Measured::~Measured() {
  timespec end = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  const double seconds = static_cast<double>(end.tv_sec - start_time_.tv_sec) +
                         1e-9 * static_cast<double>(end.tv_nsec - start_time_.tv_nsec);
  const auto taken = static_cast<uint64_t>(std::max<int64_t>(0, bytes_at_most - start_bytes_));
  if (taken > kBytesPerFileByte * file_bytes_ + Limits::kFreeMemory || seconds > kMostSeconds) {
    std::fprintf(stderr, "a file of %zu bytes took %llu bytes of memory and %.2f s\n", file_bytes_,
                 static_cast<unsigned long long>(taken), seconds);
    std::abort();
  }
}

}  // namespace tessera::fuzz
