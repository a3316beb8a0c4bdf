// Tests images in memory that several processes see.
#include "cluster/shared_images.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

namespace tessera::cluster {
namespace {

constexpr size_t kBytes = size_t{3} << 20;

// An image of this process, seen by way of /proc as another process would.
class SharedImagesTest : public testing::Test {
 protected:
  void SetUp() override {
    data_ = images_.allocate(kBytes);
    ASSERT_NE(data_, nullptr);
    for (size_t i = 0; i < kBytes; ++i) {
      data_[i] = static_cast<uint8_t>(i * 7 + i / 251);
    }
  }
  void TearDown() override { images_.release(data_, kBytes); }

  ByteSpan part(size_t offset, size_t bytes) const { return {data_ + offset, bytes}; }

  SharedImages& images_ = SharedImages::instance();
  uint8_t* data_ = nullptr;
};

TEST_F(SharedImagesTest, OthersSeeTheSameBytes) {
  const ByteSpan wanted = part(12345, 100000);
  const auto place = images_.find(wanted);
  ASSERT_TRUE(place);
  SharedViews views(static_cast<uint64_t>(::getpid()));
  const auto seen = views.view(*place, wanted.size());
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_NE(seen->data(), wanted.data());
  EXPECT_EQ(std::memcmp(seen->data(), wanted.data(), wanted.size()), 0);
  data_[12345] ^= 0xFF;
  EXPECT_EQ((*seen)[0], data_[12345]);
}

TEST_F(SharedImagesTest, AnotherProcessSeesThem) {
  const SharedProbe probe = images_.probe();
  const auto place = images_.find(part(0, kBytes));
  ASSERT_TRUE(place);
  const auto parent = static_cast<uint64_t>(::getpid());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    SharedViews views(parent);
    const auto seen = views.view(*place, kBytes);
    const bool good = can_see(probe) && seen && std::memcmp(seen->data(), data_, kBytes) == 0;
    ::_exit(good ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(SharedImagesTest, BytesElsewhereAreNotFound) {
  const Bytes other(100);
  EXPECT_FALSE(images_.find(other));
  EXPECT_FALSE(images_.find({}));
  EXPECT_FALSE(images_.find({data_ + kBytes - 1, 2}));  // begins inside, ends outside
  EXPECT_TRUE(images_.find(part(kBytes - 1, 1)));
}

TEST_F(SharedImagesTest, WhatMessagesSayIsNotTrusted) {
  SharedViews views(static_cast<uint64_t>(::getpid()));
  const SharedPlace good = *images_.find(part(0, kBytes));
  ASSERT_TRUE(views.view(good, kBytes));
  EXPECT_FALSE(views.view({good.file, kBytes, good.size}, 1));
  EXPECT_FALSE(views.view({good.file, 1, good.size}, kBytes));
  EXPECT_FALSE(views.view({good.file, UINT64_MAX, good.size}, 2));
  EXPECT_FALSE(views.view({good.file, 0, good.size * 2}, kBytes));  // not its size
  SharedViews fresh(static_cast<uint64_t>(::getpid()));
  EXPECT_FALSE(fresh.view({good.file, 0, good.size * 2}, kBytes));
  EXPECT_FALSE(fresh.view({uint64_t{1} << 32 | 9999, 0, good.size}, kBytes));  // no such file
  EXPECT_FALSE(SharedViews(999999999).view(good, kBytes));                     // no such process
}

TEST_F(SharedImagesTest, ProbesOfOthersMustMatch) {
  SharedProbe probe = images_.probe();
  EXPECT_TRUE(can_see(probe));
  ++probe.token;
  EXPECT_FALSE(can_see(probe));
  EXPECT_FALSE(can_see({}));
}

TEST(ImageMemoryTest, LargeImagesOnlyAreMadeThere) {
  std::optional<ScopedLargeMemory> memory(&SharedImages::instance());
  ImageInfo info;
  info.width = 1024;
  info.height = 300;
  {
    const Image large = Image::create(info).value();
    info.height = 16;
    const Image small = Image::create(info).value();
    memory.reset();
    const Image later = Image::create(large.info()).value();
    const auto bytes = [](const Image& image) {
      return ByteSpan(image.row<uint8_t>(0), image.row_stride());
    };
    EXPECT_TRUE(SharedImages::instance().find(bytes(large)));
    EXPECT_FALSE(SharedImages::instance().find(bytes(small)));
    EXPECT_FALSE(SharedImages::instance().find(bytes(later)));
    for (uint32_t y = 0; y < large.height(); ++y) {
      EXPECT_EQ(large.row<uint8_t>(y)[4095], 0);
    }
  }
}

}  // namespace
}  // namespace tessera::cluster
