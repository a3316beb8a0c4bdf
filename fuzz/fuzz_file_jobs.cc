// Any bytes as a file that is described, validated, encoded (in memory and by rows), decoded,
// transcoded and moved into another container through the C interface, with the limits for files
// that are not trusted: every job ends with a status and a sentence, with no more memory and time
// than promised.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "measured.h"
#include "tessera/tessera.h"

namespace {

using tessera::fuzz::Measured;
using tessera::fuzz::require;

// Little enough that pictures are encoded by rows which others encode in memory.
constexpr uint64_t kTightMemory = uint64_t{18} << 20;  // bytes; an empty process counts as 16 MiB

// A file without a name, which has a path while this exists.
class UnnamedFile {
 public:
  UnnamedFile(const uint8_t* data, size_t size) : fd_(::memfd_create("input", MFD_CLOEXEC)) {
    require(fd_ >= 0 && ::write(fd_, data, size) == static_cast<ssize_t>(size),
            "there is no file to read");
    path_ = "/proc/self/fd/" + std::to_string(fd_);
  }
  ~UnnamedFile() { ::close(fd_); }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  const char* path() const { return path_.c_str(); }

 private:
  int fd_;
  std::string path_;
};

// Every failure has a sentence; returns whether the call succeeded.
bool ended_well(tessera_status status, const tessera_error& error) {
  require(status >= TESSERA_OK && status <= TESSERA_ERROR_DIFFER, "an unknown status");
  require(status == TESSERA_OK || (error.message[0] != '\0' && error.status == status),
          "a failure without a sentence");
  return status == TESSERA_OK;
}

using Encoder = std::unique_ptr<tessera_encoder, decltype(&tessera_encoder_destroy)>;

Encoder make_encoder(const tessera_encode_options& options) {
  tessera_encoder* encoder = nullptr;
  require(tessera_encoder_create(&options, &encoder, nullptr) == TESSERA_OK,
          "an encoder cannot be made");
  return {encoder, tessera_encoder_destroy};
}

tessera_encode_options options_for(const char* format, const char* container) {
  tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
  options.format = format;
  options.container = container;
  return options;
}

class Jobs {
 public:
  Jobs(const uint8_t* data, size_t size) : file_(data, size), size_(size) {
    limits_.untrusted = 1;
    limits_.max_pixels = tessera::fuzz::limits().max_pixels;
    control_.limits = &limits_;
  }

  void do_all() {
    describe(0, 0);
    describe(1, 0);
    describe(0, 1);
    validate();
    static const Encoder bc1 = make_encoder(options_for("bc1", "dds"));
    encode(bc1.get(), 0);
    encode(bc1.get(), kTightMemory);
    static const Encoder mips = [] {
      tessera_encode_options options = options_for("bc1", "ktx2");
      options.mips = 1;
      return make_encoder(options);
    }();
    encode(mips.get(), 0);
    static const Encoder transcoder = [] {
      tessera_encode_options options = options_for("bc1", "dds");
      options.transcode = 1;
      return make_encoder(options);
    }();
    encode(transcoder.get(), 0);
    static const Encoder converter = [] {
      tessera_encode_options options = options_for(nullptr, "ktx2");
      options.transcode = 1;
      options.keep_payload = 1;
      return make_encoder(options);
    }();
    encode(converter.get(), 0);
    decode();
  }

 private:
  void describe(int verify, int statistics) {
    const Measured measured(size_);
    tessera_describe_options options = TESSERA_DESCRIBE_OPTIONS_INIT;
    options.verify = verify;
    options.statistics = statistics;
    tessera_buffer* json = nullptr;
    tessera_error error = {};
    ended_well(tessera_describe_file(file_.path(), &options, &control_, &json, &error), error);
    tessera_buffer_destroy(json);
  }

  void validate() {
    const Measured measured(size_);
    tessera_buffer* json = nullptr;
    tessera_error error = {};
    ended_well(tessera_validate_file(file_.path(), &control_, &json, &error), error);
    tessera_buffer_destroy(json);
  }

  tessera_files_options files_options(uint64_t max_memory) {
    limits_.max_memory = max_memory;
    tessera_files_options options = {};
    options.struct_size = sizeof options;
    options.limits = &limits_;
    return options;
  }

  // `max_memory`: 0 means what the size of the file justifies.
  void encode(const tessera_encoder* encoder, uint64_t max_memory) {
    const Measured measured(size_);
    const tessera_files_options options = files_options(max_memory);
    const char* const inputs[] = {file_.path()};
    tessera_error error = {};
    ended_well(tessera_encode_files(encoder, nullptr, inputs, 1, "/dev/null", &options, &error),
               error);
    limits_.max_memory = 0;
  }

  void decode() {
    const Measured measured(size_);
    tessera_picture* picture = nullptr;
    tessera_error error = {};
    tessera_file_info info = {};
    info.struct_size = sizeof info;
    ended_well(tessera_read(nullptr, file_.path(), nullptr, &control_, &picture, &info, &error),
               error);
    tessera_picture_destroy(picture);
  }

  UnnamedFile file_;
  size_t size_;
  tessera_limits limits_ = TESSERA_LIMITS_INIT;
  tessera_control control_ = TESSERA_CONTROL_INIT;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Jobs(data, size).do_all();
  return 0;
}
