// What all ranks do together before the work: greetings and broadcasts, with a thread for each
// rank.
#include "cluster/rank_group.h"

#include <gtest/gtest.h>

#include <future>

#include "memory_transport.h"

namespace tessera::cluster {
namespace {

// Runs `action` on every rank; what it returns, by rank.
template <class Action>
auto on_all_ranks(int ranks, const Action& action, const std::atomic<bool>* cancelled = nullptr) {
  MemoryNetwork network(ranks);
  using Value = decltype(action(std::declval<RankGroup&>()));
  std::vector<std::future<Value>> running;
  for (int rank = 0; rank < ranks; ++rank) {
    running.push_back(std::async(std::launch::async, [&, rank] {
      RankGroup group(network.connect(rank), cancelled);
      return action(group);
    }));
  }
  std::vector<Value> results;
  for (auto& one : running) {
    results.push_back(one.get());
  }
  return results;
}

TEST(RankGroup, EveryRankHearsAllGreetings) {
  for (const int ranks : {1, 2, 5}) {
    const auto heard = on_all_ranks(ranks, [](RankGroup& group) {
      Greeting own;
      own.threads = static_cast<uint32_t>(group.rank()) + 10;
      return group.agree(own);
    });
    for (const auto& greetings : heard) {
      ASSERT_TRUE(greetings);
      ASSERT_EQ(greetings->size(), static_cast<size_t>(ranks));
      for (size_t rank = 0; rank < greetings->size(); ++rank) {
        EXPECT_EQ((*greetings)[rank].threads, rank + 10);
      }
    }
  }
}

TEST(RankGroup, RanksOfOneProcessSeeItsImages) {
  const auto seen = on_all_ranks(3, [](RankGroup& group) {
    EXPECT_TRUE(group.agree({}));
    return group.can_see_images(1) && group.can_see_images(2) && !group.can_see_images(0);
  });
  EXPECT_EQ(seen, std::vector<bool>(3, true));
}

TEST(RankGroup, AnErrorOfARankReachesAll) {
  const auto agreed = on_all_ranks(3, [](RankGroup& group) {
    Greeting own;
    if (group.rank() == 2) {
      own.setup = unsupported_error("no device");
    }
    return check_greetings(*group.agree(own));
  });
  for (const Status& status : agreed) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "rank 2: no device");
  }
}

TEST(RankGroup, RankZerosBytesReachAll) {
  const auto received = on_all_ranks(4, [](RankGroup& group) {
    Bytes bytes;
    if (group.is_root()) {
      bytes = {1, 2, 3};
    }
    EXPECT_TRUE(group.broadcast_sized(bytes, 3));
    return bytes;
  });
  EXPECT_EQ(received, std::vector<Bytes>(4, Bytes{1, 2, 3}));
}

TEST(RankGroup, MoreBytesThanPossibleAreRefused) {
  const auto received = on_all_ranks(2, [](RankGroup& group) {
    Bytes bytes(group.is_root() ? 4 : 0);
    return group.broadcast_sized(bytes, 3);
  });
  for (const Status& status : received) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInvalid);
  }
}

TEST(RankGroup, CancelEndsAWaitForARankThatDoesNotCome) {
  MemoryNetwork network(2);
  std::atomic<bool> cancelled = true;
  RankGroup group(network.connect(0), &cancelled);
  EXPECT_EQ(group.agree({}).error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(group.check().error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace tessera::cluster
