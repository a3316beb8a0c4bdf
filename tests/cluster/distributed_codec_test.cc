// Images on several ranks of this process: the bytes of one machine, and failures that name a rank.
#include "cluster/distributed_codec.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <mutex>

#include "cluster/strip_unit.h"
#include "cluster/worker.h"
#include "codec/registry.h"
#include "image/convert.h"
#include "image/synthetic.h"
#include "memory_transport.h"

namespace tessera::cluster {
namespace {

CodecSettings settings_of(const Codec& codec) {
  CodecSettings settings;
  settings.block = codec.default_block();
  settings.preset = Preset::kRealtime;
  return settings;
}

Image test_image(uint32_t width, uint32_t height) {
  const Image photo = make_synthetic_image(SyntheticKind::kPhoto, width, height, 3).value();
  return convert_channels(photo.view(), 4).value();
}

struct Encoded {
  Status status;
  Bytes blocks;
  std::vector<RankWork> work;
};

// The other ranks' handler instead of encode_strip, for ranks that fail.
using Broken = std::function<Status(int rank)>;

// Rank 0 of `ranks`, with all others on threads.
Encoded encode_on(int ranks, const Codec& codec, const Image& image, uint32_t unit_rows,
                  const Broken& broken = {},
                  std::unique_ptr<Backend> backend = make_cpu_backend(1)) {
  MemoryNetwork network(ranks);
  std::vector<std::future<int>> others;
  for (int rank = 1; rank < ranks; ++rank) {
    others.push_back(std::async(std::launch::async, [&, rank] {
      RankGroup group(network.connect(rank), nullptr);
      const auto greetings = group.agree({});
      const auto encoder = make_block_encoder(codec, settings_of(codec)).value();
      TextureInfo format;
      format.format = codec.format();
      format.block = codec.default_block();
      const auto threads = make_cpu_backend(1);
      return serve_units(group, {threads.get()},
                         [&](const UnitHeader& header, ByteSpan input, Backend& worker,
                             const RunControl& control, Bytes& output) -> Status {
                           if (broken) {
                             TESSERA_RETURN_IF_ERROR(broken(rank));
                           }
                           return encode_strip(header, input, *encoder, format, worker, control,
                                               output);
                         });
    }));
  }
  RankGroup group(network.connect(0), nullptr);
  Coordinator coordinator(group, *group.agree({}), [](const Error&) {});
  const DistributedCodec distributed(codec, coordinator, {unit_rows});
  const auto encoder = make_block_encoder(distributed, settings_of(codec)).value();
  Encoded encoded;
  // Where ranks of this process can see it, if it is large.
  const Image shared = copy_image(image.view()).value();
  encoded.blocks.resize(encoder->output_bytes(image.info()));
  coordinator.run([&] {
    encoded.status = encoder->encode(shared.view(), *backend, {}, encoded.blocks);
    return 0;
  });
  coordinator.stop(0);
  for (auto& other : others) {
    EXPECT_EQ(other.get(), 0);
  }
  encoded.work = distributed.work();
  return encoded;
}

void expect_same_bytes(const char* format, uint32_t width, uint32_t height, uint32_t unit_rows) {
  const Codec& codec = **find_codec(format);
  const Image image = test_image(width, height);
  const auto encoder = make_block_encoder(codec, settings_of(codec)).value();
  const auto backend = make_cpu_backend(1);
  Bytes expected(encoder->output_bytes(image.info()));
  ASSERT_TRUE(encoder->encode(image.view(), *backend, {}, expected));
  for (const int ranks : {1, 2, 3, 5}) {
    const Encoded encoded = encode_on(ranks, codec, image, unit_rows);
    ASSERT_TRUE(encoded.status) << encoded.status.error().message;
    EXPECT_EQ(encoded.blocks, expected) << format << ", " << ranks << " ranks";
    uint64_t pixels = 0;
    for (const RankWork& work : encoded.work) {
      pixels += work.pixels;
    }
    EXPECT_EQ(pixels, uint64_t{width} * height);
  }
}

TEST(DistributedCodec, StripsOfOneRow) {
  expect_same_bytes("bc1", 130, 121, 1);
  expect_same_bytes("astc", 130, 121, 1);
}

TEST(DistributedCodec, StripsByThemselves) {
  expect_same_bytes("bc1", 61, 47, 0);
  expect_same_bytes("bc1", 1, 1, 0);
}

TEST(DistributedCodec, AnImageThatIsReadInMemory) {
  expect_same_bytes("bc1", 1024, 512, 8);  // two megabytes
}

TEST(DistributedCodec, AFailureNamesItsRank) {
  std::latch failed(1);
  std::once_flag once;
  const auto broken = [&](int) -> Status {
    std::call_once(once, [&] { failed.count_down(); });
    return failed_error("out of order");
  };
  // Rank 0 encodes nothing before the other rank has a strip.
  auto backend = make_runner_backend(
      [&](size_t count, const std::function<void(size_t)>& call) {
        failed.wait();
        for (size_t i = 0; i < count; ++i) {
          call(i);
        }
      },
      1);
  const Encoded encoded =
      encode_on(2, **find_codec("bc1"), test_image(64, 16), 1, broken, std::move(backend));
  ASSERT_FALSE(encoded.status);
  EXPECT_EQ(encoded.status.error().message, "rank 1: out of order");
}

}  // namespace
}  // namespace tessera::cluster
