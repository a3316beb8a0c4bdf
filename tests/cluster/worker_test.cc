// The side of the ranks that are given units; the test plays rank 0 by hand.
#include "cluster/worker.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <stdexcept>
#include <string>

#include "memory_transport.h"

namespace tessera::cluster {
namespace {

class WorkerTest : public testing::Test {
 protected:
  // Serves on a thread of its own until rank 0 says stop.
  void start(const UnitHandler& handler, size_t workers = 1, const WorkerStart& begin = {}) {
    served = std::async(std::launch::async, [this, handler, workers, begin]() -> Result<int> {
      std::vector<std::unique_ptr<Backend>> backends;
      std::vector<Backend*> pointers;
      for (size_t i = 0; i < workers; ++i) {
        pointers.push_back(backends.emplace_back(make_cpu_backend(1)).get());
      }
      RankGroup group(network.connect(1), &cancelled);
      WorkerThreads threads(pointers, handler, begin);
      return UnitServer(group, threads).serve();
    });
  }

  void give(uint64_t id, const Bytes& input, uint64_t output_bytes = kAnySize) {
    UnitHeader header;
    header.kind = 1;
    header.id = id;
    header.input_bytes = input.size();
    header.output_bytes = output_bytes;
    network.put(0, 1, kUnitTag, write_unit_header(header));
    if (!input.empty()) {
      network.put(0, 1, kInputTag, input);
    }
  }

  ReplyHeader reply() { return parse_reply_header(network.wait_for(1, 0, kReplyTag)).value(); }
  Bytes data() { return network.wait_for(1, 0, kReplyDataTag); }
  std::string sentence() {
    const Bytes text = data();
    return {text.begin(), text.end()};
  }

  void stop(int exit_code = 0) {
    UnitHeader header;
    header.kind = kStopKind;
    header.fields[0] = static_cast<uint64_t>(exit_code);
    network.put(0, 1, kUnitTag, write_unit_header(header));
  }

  void expect_refusal(ErrorCode code) {
    const ReplyHeader header = reply();
    EXPECT_EQ(header.id, kNoUnit);
    EXPECT_EQ(header.code, static_cast<uint32_t>(code));
    cancelled = true;  // rank 0 would end all ranks
    EXPECT_EQ(served.get().error().code, ErrorCode::kInterrupted);
  }

  MemoryNetwork network{2};
  std::atomic<bool> cancelled = false;
  std::future<Result<int>> served;
};

Status double_bytes(const UnitHeader&, ByteSpan input, Backend&, const RunControl&, Bytes& output) {
  output.clear();
  for (const uint8_t byte : input) {
    output.push_back(static_cast<uint8_t>(2 * byte));
  }
  return {};
}

TEST_F(WorkerTest, EveryUnitIsAnswered) {
  start(double_bytes);
  for (uint64_t id = 0; id < 5; ++id) {
    give(id, {static_cast<uint8_t>(id), 100});
  }
  for (uint64_t id = 0; id < 5; ++id) {
    const ReplyHeader header = reply();
    EXPECT_EQ(header.id, id);
    EXPECT_EQ(header.code, 0u);
    EXPECT_EQ(header.bytes, 2u);
    EXPECT_EQ(data(), (Bytes{static_cast<uint8_t>(2 * id), 200}));
  }
  stop(6);
  EXPECT_EQ(*served.get(), 6);
}

TEST_F(WorkerTest, AUnitWithoutInputAndOutput) {
  start(double_bytes);
  give(3, {}, 0);
  const ReplyHeader header = reply();
  EXPECT_EQ(header.id, 3u);
  EXPECT_EQ(header.bytes, 0u);
  stop();
  EXPECT_EQ(*served.get(), 0);
}

TEST_F(WorkerTest, AFailureIsAReply) {
  start([](const UnitHeader& header, ByteSpan, Backend&, const RunControl&, Bytes&) -> Status {
    if (header.id == 0) {
      return io_error("no such file");
    }
    if (header.id == 1) {
      throw std::runtime_error("oh");
    }
    return io_error(std::string(50'000, 'x'));
  });
  for (uint64_t id = 0; id < 3; ++id) {
    give(id, {1});
  }
  EXPECT_EQ(reply().code, static_cast<uint32_t>(ErrorCode::kIo));
  EXPECT_EQ(sentence(), "no such file");
  EXPECT_EQ(reply().code, static_cast<uint32_t>(ErrorCode::kFailed));
  EXPECT_NE(sentence().find("oh"), std::string::npos);
  EXPECT_EQ(reply().id, 2u);
  EXPECT_LE(sentence().size(), 4096u);  // what rank 0 takes
  stop();
  EXPECT_TRUE(served.get());
}

TEST_F(WorkerTest, AnOutputOfAnotherSizeIsAFailure) {
  start(double_bytes);
  give(0, {1, 2}, 3);
  EXPECT_EQ(reply().code, static_cast<uint32_t>(ErrorCode::kInvalid));
  EXPECT_NE(sentence().find("3"), std::string::npos);
  stop();
  EXPECT_TRUE(served.get());
}

TEST_F(WorkerTest, SeveralWorkersComputeAtOnce) {
  std::latch all_there(3);
  std::atomic<int> started = 0;
  start(
      [&](const UnitHeader&, ByteSpan, Backend&, const RunControl&, Bytes& output) -> Status {
        all_there.arrive_and_wait();  // hangs if there are fewer
        output = {static_cast<uint8_t>(started)};
        return {};
      },
      3, [&](Backend&, const RunControl&) { ++started; });
  for (uint64_t id = 0; id < 3; ++id) {
    give(id, {});
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(reply().code, 0u);
    EXPECT_EQ(data(), Bytes{3});  // every worker began before its first unit
  }
  stop();
  EXPECT_TRUE(served.get());
}

TEST_F(WorkerTest, AWorkerThatCannotBeginStillServes) {
  start(double_bytes, 1,
        [](Backend&, const RunControl&) { throw std::runtime_error("no kernels"); });
  give(0, {4});
  EXPECT_EQ(reply().code, 0u);
  EXPECT_EQ(data(), Bytes{8});
  stop();
  EXPECT_TRUE(served.get());
}

TEST_F(WorkerTest, AnotherVersionIsRefused) {
  start(double_bytes);
  UnitHeader header;
  header.kind = 1;
  Bytes bytes = write_unit_header(header);
  ++bytes[3];  // the version of the protocol
  network.put(0, 1, kUnitTag, bytes);
  expect_refusal(ErrorCode::kInvalid);
}

TEST_F(WorkerTest, HalfAHeaderIsRefused) {
  start(double_bytes);
  network.put(0, 1, kUnitTag, Bytes(5));
  expect_refusal(ErrorCode::kInvalid);
}

TEST_F(WorkerTest, LessInputThanAnnouncedIsRefused) {
  start(double_bytes);
  UnitHeader header;
  header.kind = 1;
  header.input_bytes = 10;
  network.put(0, 1, kUnitTag, write_unit_header(header));
  network.put(0, 1, kInputTag, Bytes(9));
  expect_refusal(ErrorCode::kInvalid);
}

TEST_F(WorkerTest, AnInputThatCannotBeSeenIsAskedFor) {
  start(double_bytes);
  UnitHeader header;
  header.kind = 1;
  header.id = 4;
  header.input_bytes = 2;
  header.shared = {uint64_t{1} << 32 | 9999, 0, 100};  // of no process
  network.put(0, 1, kUnitTag, write_unit_header(header));
  const ReplyHeader asked = reply();
  EXPECT_EQ(asked.id, 4u);
  EXPECT_TRUE(asked.unseen);
  give(5, {1, 2});
  EXPECT_EQ(reply().id, 5u);
  EXPECT_EQ(data(), (Bytes{2, 4}));
  stop();
  EXPECT_TRUE(served.get());
}

TEST_F(WorkerTest, AnInputBeyondItsFileIsRefused) {
  start(double_bytes);
  UnitHeader header;
  header.kind = 1;
  header.input_bytes = 50;
  header.shared = {uint64_t{1} << 32 | 3, 60, 100};
  network.put(0, 1, kUnitTag, write_unit_header(header));
  expect_refusal(ErrorCode::kInvalid);
}

TEST_F(WorkerTest, CancelEndsTheWait) {
  start(double_bytes);
  cancelled = true;
  const auto result = served.get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInterrupted);
}

// A handler that has to be cancelled.
UnitHandler endless(std::latch& begun) {
  return
      [&begun](const UnitHeader&, ByteSpan, Backend&, const RunControl& control, Bytes&) -> Status {
        begun.count_down();
        while (!*control.cancelled) {
          std::this_thread::yield();
        }
        return Error{ErrorCode::kInterrupted, "interrupted"};
      };
}

TEST_F(WorkerTest, CancelReachesAUnitThatIsComputed) {
  std::latch begun(1);
  start(endless(begun));
  give(0, {1});
  begun.wait();
  cancelled = true;
  EXPECT_EQ(served.get().error().code, ErrorCode::kInterrupted);
}

TEST_F(WorkerTest, StopReachesAUnitThatIsComputed) {
  std::latch begun(1);
  start(endless(begun));
  give(0, {1});
  begun.wait();
  stop(3);
  const auto result = served.get();
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 3);
}

}  // namespace
}  // namespace tessera::cluster
