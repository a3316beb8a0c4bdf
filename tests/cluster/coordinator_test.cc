// Rank 0 and the other ranks together, each on a thread of this process: units handed out, results
// in place, failures, and the end. What ends all ranks ends the process, so those tests look at the
// exit code of a child process.
#include "cluster/coordinator.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <stdexcept>
#include <string>

#include "cluster/worker.h"
#include "memory_transport.h"

namespace tessera::cluster {
namespace {

constexpr uint32_t kSquareKind = 9;

// Numbers to be squared: unit i has the number i as its input and 8 bytes of output.
class Squares : public UnitSource {
 public:
  explicit Squares(size_t count) : inputs_(count), outputs_(8 * count), statuses_(count) {
    for (size_t i = 0; i < count; ++i) {
      ByteWriter(inputs_[i]).write(uint64_t{i});
    }
  }

  std::optional<size_t> take_number() {
    const std::lock_guard lock(mutex_);
    return next_ < inputs_.size() ? std::optional(next_++) : std::nullopt;
  }

  std::optional<Unit> take(int /*rank*/) override {
    const auto number = take_number();
    if (!number) {
      return std::nullopt;
    }
    Unit unit;
    unit.kind = kSquareKind;
    unit.input = inputs_[*number];
    unit.output = place(*number);
    unit.output_bytes = 8;
    unit.done = [this, number = *number](UnitOutcome outcome) {
      finish(number, outcome.status, outcome.rank);
    };
    return unit;
  }

  std::span<uint8_t> place(size_t number) { return std::span(outputs_).subspan(8 * number, 8); }

  void finish(size_t number, const Status& status, int rank) {
    const std::lock_guard lock(mutex_);
    statuses_[number] = status;
    by_others_ += rank != 0 ? 1 : 0;
    ++done_;
    changed_.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_ == inputs_.size(); });
  }

  uint64_t result(size_t number) { return ByteReader(place(number)).read<uint64_t>(); }
  const Status& status(size_t number) const { return statuses_[number]; }
  size_t by_others() const { return by_others_; }

 private:
  std::vector<Bytes> inputs_;
  Bytes outputs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t next_ = 0;
  size_t done_ = 0;
  size_t by_others_ = 0;
  std::vector<Status> statuses_;
};

Status square(const UnitHeader& header, ByteSpan input, Backend&, const RunControl&,
              Bytes& output) {
  const auto number = ByteReader(input).read<uint64_t>();
  if (header.kind != kSquareKind || number % 10 == 7) {
    return failed_error("seven");
  }
  output.clear();
  ByteWriter(output).write(number * number);
  return {};
}

// Other ranks that square numbers until they are told to stop.
std::vector<std::future<int>> start_workers(MemoryNetwork& network) {
  std::vector<std::future<int>> workers;
  for (int rank = 1; rank < network.size(); ++rank) {
    workers.push_back(std::async(std::launch::async, [&network, rank] {
      RankGroup group(network.connect(rank), nullptr);
      const auto backend = make_cpu_backend(1);
      return serve_units(group, {backend.get()}, square);
    }));
  }
  return workers;
}

std::vector<Greeting> greetings_of(int ranks) {
  return std::vector<Greeting>(static_cast<size_t>(ranks));
}

void print_error(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
}

void expect_squares(Squares& squares, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (i % 10 == 7) {
      ASSERT_FALSE(squares.status(i)) << i;
      EXPECT_EQ(squares.status(i).error().message, "seven");
    } else {
      ASSERT_TRUE(squares.status(i)) << i;
      EXPECT_EQ(squares.result(i), i * i);
    }
  }
}

TEST(Coordinator, AllUnitsAreComputedOnceOnAnyNumberOfRanks) {
  constexpr size_t kCount = 500;
  for (const int ranks : {1, 2, 3, 5}) {
    MemoryNetwork network(ranks);
    auto workers = start_workers(network);
    RankGroup group(network.connect(0), nullptr);
    Coordinator coordinator(group, greetings_of(ranks), print_error);
    Squares squares(kCount);
    const auto backend = make_cpu_backend(1);
    const int code = coordinator.run([&] {
      coordinator.add_source(squares);
      while (const auto number = squares.take_number()) {
        Bytes input;
        ByteWriter(input).write(uint64_t{*number});
        UnitHeader header;
        header.kind = kSquareKind;
        Bytes output;
        const Status status = square(header, input, *backend, {}, output);
        std::copy(output.begin(), output.end(), squares.place(*number).begin());
        squares.finish(*number, status, 0);
        coordinator.look_soon();
      }
      const Coordinator::Waiting waiting(coordinator);
      squares.wait();
      coordinator.remove_source(squares);
      return 3;
    });
    EXPECT_EQ(code, 3);
    coordinator.stop(code);
    for (auto& worker : workers) {
      EXPECT_EQ(worker.get(), 3);  // the exit code of all ranks
    }
    expect_squares(squares, kCount);
    EXPECT_EQ(coordinator.costs().units, squares.by_others());
  }
}

TEST(Coordinator, OtherRanksComputeWhileTheJobOnlyWaits) {
  MemoryNetwork network(3);
  auto workers = start_workers(network);
  RankGroup group(network.connect(0), nullptr);
  Coordinator coordinator(group, greetings_of(3), print_error);
  Squares squares(50);
  EXPECT_EQ(coordinator.run([&] {
    coordinator.add_source(squares);
    squares.wait();
    coordinator.remove_source(squares);
    return 0;
  }),
            0);
  coordinator.stop(0);
  expect_squares(squares, 50);
  EXPECT_EQ(squares.by_others(), 50u);
  // Header, input, header of the reply, and its data: eight bytes or the sentence.
  EXPECT_EQ(coordinator.costs().messages, 4u * 50u);
  for (auto& worker : workers) {
    EXPECT_EQ(worker.get(), 0);
  }
}

TEST(Coordinator, CanRunSeveralTimes) {
  MemoryNetwork network(2);
  for (int round = 0; round < 3; ++round) {
    auto workers = start_workers(network);
    RankGroup group(network.connect(0), nullptr);
    Coordinator coordinator(group, greetings_of(2), print_error);
    Squares squares(5);
    coordinator.add_source(squares);
    coordinator.run([&] {
      squares.wait();
      return 0;
    });
    coordinator.stop(round);
    EXPECT_EQ(workers[0].get(), round);
  }
}

class CoordinatorDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  // A coordinator with one other rank that the test plays by hand. Never returns where all ranks
  // are to end.
  static void run(const std::function<void(MemoryNetwork&)>& before,
                  const std::function<int(Coordinator&)>& job,
                  const std::atomic<bool>* cancelled = nullptr) {
    MemoryNetwork network(2);
    RankGroup group(network.connect(0), cancelled);
    Coordinator coordinator(group, greetings_of(2), print_error);
    before(network);
    coordinator.stop(coordinator.run([&] { return job(coordinator); }));
  }

  static void nothing(MemoryNetwork&) {}
  // Ends with the process.
  static int wait_forever(Coordinator&) {
    while (true) {
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }
};

TEST_F(CoordinatorDeathTest, AWrongMessageEndsAllRanks) {
  const auto wrong = [](MemoryNetwork& network) {
    network.put(1, 0, kReplyTag, Bytes(kReplyHeaderBytes));
  };
  EXPECT_EXIT(run(wrong, wait_forever), testing::ExitedWithCode(3), "rank 1: .*version");
}

TEST_F(CoordinatorDeathTest, ARankWithoutMemoryEndsAllRanks) {
  const auto complaint = [](MemoryNetwork& network) {
    ReplyHeader header;
    header.id = kNoUnit;
    header.code = static_cast<uint32_t>(ErrorCode::kFailed);
    network.put(1, 0, kReplyTag, write_reply_header(header));
  };
  EXPECT_EXIT(run(complaint, wait_forever), testing::ExitedWithCode(4), "rank 1 has not enough");
}

TEST_F(CoordinatorDeathTest, AJobThatThrowsEndsAllRanks) {
  const auto job = [](Coordinator&) -> int { throw std::runtime_error("broken"); };
  EXPECT_EXIT(run(nothing, job), testing::ExitedWithCode(4), "broken");
}

TEST_F(CoordinatorDeathTest, AJobThatGivesUpEndsAllRanks) {
  const auto job = [](Coordinator& coordinator) -> int {
    coordinator.give_up(io_error("no disk"));
  };
  EXPECT_EXIT(run(nothing, job), testing::ExitedWithCode(2), "no disk");
}

TEST_F(CoordinatorDeathTest, CancelEndsAllRanksThoughTheJobDoesNotListen) {
  static std::atomic<bool> cancelled = true;
  EXPECT_EXIT(run(nothing, wait_forever, &cancelled), testing::ExitedWithCode(6), "interrupted");
}

// One unit; tells when it has been given to the other rank, which never answers.
class OneUnit : public UnitSource {
 public:
  std::optional<Unit> take(int /*rank*/) override {
    if (std::exchange(taken_, true)) {
      return std::nullopt;
    }
    given.count_down();
    Unit unit;
    unit.kind = kSquareKind;
    unit.done = [](UnitOutcome) {};
    return unit;
  }
  std::latch given{1};

 private:
  bool taken_ = false;
};

TEST_F(CoordinatorDeathTest, AJobThatListensToCancelSpeaksForItself) {
  static std::atomic<bool> cancelled = false;
  static OneUnit unit;
  const auto job = [](Coordinator& coordinator) {
    coordinator.add_source(unit);
    unit.given.wait();
    cancelled = true;
    std::fprintf(stderr, "own words\n");
    return 6;
  };
  EXPECT_EXIT(run(nothing, job, &cancelled), testing::ExitedWithCode(6), "^own words\n$");
}

}  // namespace
}  // namespace tessera::cluster
