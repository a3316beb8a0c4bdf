// Images of rank 0 that ranks on the same machine read in memory.
#include "cluster/shared_images.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "files/descriptor.h"

namespace tessera::cluster {
namespace {

constexpr unsigned kNumberShift = 32;

Descriptor make_file() {
  return Descriptor(::memfd_create("tessera", MFD_CLOEXEC));
}

Descriptor open_of(uint64_t process, uint64_t descriptor) {
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
  // On another machine this may be any file, such as a pipe whose opening would block.
  constexpr std::string_view kFileName = "/memfd:tessera";
  char target[64] = {};
  const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  if (length < 0 || !std::string_view(target, static_cast<size_t>(length)).starts_with(kFileName)) {
    return Descriptor(-1);
  }
  return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

}  // namespace

SharedImages& SharedImages::instance() {
  static auto* const images = new SharedImages;
  return *images;
}

uint8_t* SharedImages::allocate(size_t bytes) {
  Descriptor file = make_file();
  // The memory is reserved now: later, a shortage would be a signal instead of an error.
  if (!file.is_open() || ::fallocate(file.get(), 0, 0, static_cast<off_t>(bytes)) != 0) {
    return nullptr;
  }
  void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) {
    return nullptr;
  }
  const std::lock_guard lock(mutex_);
  auto* const first = static_cast<uint8_t*>(data);
  regions_[first] = {file.take(), bytes, next_number_++};
  return first;
}

void SharedImages::release(uint8_t* data, size_t /*bytes*/) {
  const std::lock_guard lock(mutex_);
  const auto found = regions_.find(data);
  ::munmap(data, found->second.size);
  ::close(found->second.descriptor);
  regions_.erase(found);
}

std::optional<SharedPlace> SharedImages::find(ByteSpan bytes) const {
  const std::lock_guard lock(mutex_);
  auto after = regions_.upper_bound(bytes.data());
  if (bytes.empty() || after == regions_.begin()) {
    return std::nullopt;
  }
  const auto& [first, region] = *std::prev(after);
  const auto offset = static_cast<size_t>(bytes.data() - first);
  if (offset > region.size || bytes.size() > region.size - offset) {
    return std::nullopt;
  }
  return SharedPlace{region.number << kNumberShift | static_cast<uint32_t>(region.descriptor),
                     offset, region.size};
}

SharedProbe SharedImages::probe() {
  const std::lock_guard lock(mutex_);
  if (probe_.process != 0) {
    return probe_;
  }
  Descriptor file = make_file();
  std::random_device random;
  const uint64_t token = uint64_t{random()} << 32 | random();
  if (file.is_open() && ::write(file.get(), &token, sizeof token) == sizeof token) {
    const auto process = static_cast<uint64_t>(::getpid());
    probe_ = {process, static_cast<uint64_t>(file.take()), token};  // open until the process ends
  }
  return probe_;
}

bool can_see(const SharedProbe& probe) {
  if (probe.process == 0) {
    return false;
  }
  const Descriptor file = open_of(probe.process, probe.file);
  struct stat about = {};
  uint64_t token = 0;
  return file.is_open() && ::fstat(file.get(), &about) == 0 && S_ISREG(about.st_mode) &&
         ::pread(file.get(), &token, sizeof token, 0) == sizeof token && token == probe.token;
}

SharedViews::~SharedViews() {
  for (const Mapped& mapped : mapped_) {
    ::munmap(const_cast<uint8_t*>(mapped.data), mapped.size);
  }
}

Result<ByteSpan> SharedViews::view(const SharedPlace& place, uint64_t bytes) {
  if (place.offset > place.size || bytes > place.size - place.offset) {
    return invalid_error("rank 0 named bytes beyond the end of its image");
  }
  auto found = std::find_if(mapped_.begin(), mapped_.end(),
                            [&](const Mapped& m) { return m.file == place.file; });
  if (found == mapped_.end()) {
    TESSERA_ASSIGN_OR_RETURN(const Mapped mapped, map(place));
    mapped_.push_front(mapped);
    constexpr size_t kKept = 2;  // rank 0 works on one image at a time
    if (mapped_.size() > kKept) {
      ::munmap(const_cast<uint8_t*>(mapped_.back().data), mapped_.back().size);
      mapped_.pop_back();
    }
  } else {
    mapped_.splice(mapped_.begin(), mapped_, found);
  }
  if (mapped_.front().size != place.size) {
    return invalid_error("rank 0 named another size of its image than before");
  }
  return ByteSpan(mapped_.front().data + place.offset, bytes);
}

Result<SharedViews::Mapped> SharedViews::map(const SharedPlace& place) const {
  const Descriptor file = open_of(process_, place.file & ((uint64_t{1} << kNumberShift) - 1));
  struct stat about = {};
  if (!file.is_open() || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode) ||
      static_cast<uint64_t>(about.st_size) != place.size) {
    return io_error("the memory of rank 0's image cannot be opened");
  }
  void* const data = ::mmap(nullptr, place.size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) {
    return failed_error("not enough memory");
  }
  return Mapped{place.file, static_cast<const uint8_t*>(data), place.size};
}

}  // namespace tessera::cluster
