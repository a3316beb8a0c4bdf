// The caller's allocator for large buffers.
#include <atomic>
#include <cstdlib>

#include "api_testing.h"

namespace tessera_testing {
namespace {

// Counts what is taken and given back.
struct Counts {
  std::atomic<size_t> taken = 0;
  std::atomic<size_t> given_back = 0;
  std::atomic<size_t> bytes = 0;  // now
  size_t limit = SIZE_MAX;        // pieces
  tessera_allocator allocator() {
    return {[](void* user, size_t size) -> void* {
              auto* const counts = static_cast<Counts*>(user);
              EXPECT_GE(size, size_t{1} << 16);
              if (counts->taken >= counts->limit) {
                return nullptr;
              }
              ++counts->taken;
              counts->bytes += size;
              return std::aligned_alloc(64, (size + 63) / 64 * 64);
            },
            [](void* user, void* memory, size_t size) {
              auto* const counts = static_cast<Counts*>(user);
              ++counts->given_back;
              counts->bytes -= size;
              std::free(memory);
            },
            this};
  }
};

TEST(AllocatorTest, LargeBuffersComeFromTheCallerAndGoBack) {
  Counts counts;
  const tessera_allocator allocator = counts.allocator();
  tessera_context_options options = TESSERA_CONTEXT_OPTIONS_INIT;
  options.allocator = &allocator;
  Context context = make_context(options);
  const Picture picture = make_sample(512, 512);
  const auto file = encode(make_encoder(options_of("bc1")), context.get(), image_of(picture));
  EXPECT_GE(counts.taken, 2U);  // the prepared image and the blocks
  EXPECT_EQ(counts.taken, counts.given_back);
  tessera_picture* decoded = nullptr;
  ASSERT_EQ(tessera_decode(context.get(), file.data(), file.size(), nullptr, nullptr, nullptr,
                           &decoded, nullptr, nullptr),
            TESSERA_OK);
  EXPECT_GE(counts.bytes, size_t{512} * 512 * 3);
  context.reset();  // the picture outlives its context
  EXPECT_EQ(static_cast<const uint8_t*>(image_of(Picture(decoded)).pixels) != nullptr, true);
  EXPECT_EQ(counts.bytes, 0U);
  EXPECT_EQ(counts.taken, counts.given_back);
}

TEST(AllocatorTest, FilesLieInTheCallersMemoryAndMayOutliveTheContext) {
  const Picture picture = make_sample(512, 512);
  const tessera_image image = image_of(picture);
  for (const char* format : {"bc1", "astc", "fractal"}) {
    Counts counts;
    const tessera_allocator allocator = counts.allocator();
    tessera_context_options options = TESSERA_CONTEXT_OPTIONS_INIT;
    options.allocator = &allocator;
    Context context = make_context(options);
    tessera_encode_options wanted = options_of(format);
    wanted.preset = std::string(format) == "fractal" ? nullptr : "realtime";
    tessera_buffer* file = nullptr;
    ASSERT_EQ(tessera_encode(make_encoder(wanted).get(), context.get(), &image, nullptr, &file,
                             nullptr, nullptr),
              TESSERA_OK);
    const size_t size = tessera_buffer_size(file);
    EXPECT_EQ(counts.bytes >= size, size >= size_t{1} << 16) << format << ", " << size;
    context.reset();
    EXPECT_NE(static_cast<const uint8_t*>(tessera_buffer_data(file))[size - 1] +
                  static_cast<const uint8_t*>(tessera_buffer_data(file))[0],
              0);
    tessera_buffer_destroy(file);
    EXPECT_EQ(counts.bytes, 0U);
    EXPECT_EQ(counts.taken, counts.given_back);
  }
}

TEST(AllocatorTest, NoMemoryIsAnErrorWhereverItHappens) {
  const Picture picture = make_sample(512, 512);
  const tessera_image image = image_of(picture);
  const Encoder encoder = make_encoder(options_of("bc1"));
  size_t failures = 0;
  for (size_t limit = 0; limit < 8; ++limit) {
    Counts counts;
    counts.limit = limit;
    const tessera_allocator allocator = counts.allocator();
    tessera_context_options options = TESSERA_CONTEXT_OPTIONS_INIT;
    options.allocator = &allocator;
    const Context context = make_context(options);
    tessera_buffer* file = nullptr;
    tessera_error error;
    const tessera_status status =
        tessera_encode(encoder.get(), context.get(), &image, nullptr, &file, nullptr, &error);
    if (status == TESSERA_OK) {
      tessera_buffer_destroy(file);
    } else {
      ++failures;
      EXPECT_EQ(status, TESSERA_ERROR_FAILED);
      EXPECT_EQ(std::string(error.message).find("not enough memory"), 0U) << error.message;
    }
    EXPECT_EQ(counts.taken, counts.given_back);
  }
  EXPECT_GE(failures, 2U);
  EXPECT_LT(failures, 8U);
}

}  // namespace
}  // namespace tessera_testing
