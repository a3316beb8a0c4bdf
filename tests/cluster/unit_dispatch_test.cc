// Rank 0's conversation, step by step; the test plays the other ranks by hand.
#include "cluster/unit_dispatch.h"

#include <gtest/gtest.h>

#include <string>

#include "memory_transport.h"

namespace tessera::cluster {
namespace {

class UnitDispatchTest : public testing::Test {
 protected:
  // Rank 0 with some other ranks of one worker thread each.
  void start(int ranks) {
    network.emplace(ranks);
    group.emplace(network->connect(0), nullptr);
    greetings.resize(static_cast<size_t>(ranks));
    dispatch.emplace(*group, greetings);
    ASSERT_TRUE(dispatch->begin());
  }

  Result<bool> step() {
    return dispatch->step([this](int rank) -> std::optional<Unit> {
      if (units.empty()) {
        return std::nullopt;
      }
      Unit unit = std::move(units.front());
      units.pop_front();
      if (!unit.done) {
        unit.done = [this](UnitOutcome outcome) { outcomes.push_back(std::move(outcome)); };
      }
      given_to.push_back(rank);
      return unit;
    });
  }

  // What a rank finds in its queue.
  UnitHeader received(int rank) {
    const auto bytes = network->take(0, rank, kUnitTag);
    EXPECT_TRUE(bytes.has_value()) << "rank " << rank << " has no unit";
    return bytes ? parse_unit_header(*bytes).value() : UnitHeader();
  }

  void reply(int rank, const ReplyHeader& header, const Bytes& data = {}) {
    network->put(rank, 0, kReplyTag, write_reply_header(header));
    if (!data.empty()) {
      network->put(rank, 0, kReplyDataTag, data);
    }
  }

  static ReplyHeader done(uint64_t id, uint64_t bytes = 0) {
    ReplyHeader header;
    header.id = id;
    header.bytes = bytes;
    return header;
  }

  // One unit with rank 1; the reply must be refused with this code and a sentence that names it.
  void expect_refused(const ReplyHeader& header, const Bytes& data, ErrorCode code) {
    reply(1, header, data);
    auto result = step();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code);
    EXPECT_NE(result.error().message.find("rank 1"), std::string::npos) << result.error().message;
    EXPECT_TRUE(outcomes.empty());
  }

  std::optional<MemoryNetwork> network;
  std::optional<RankGroup> group;
  std::vector<Greeting> greetings;
  std::optional<UnitDispatch> dispatch;
  std::deque<Unit> units;
  std::vector<int> given_to;
  std::vector<UnitOutcome> outcomes;
};

TEST_F(UnitDispatchTest, NothingHappensWithoutUnits) {
  start(3);
  EXPECT_FALSE(*step());
  EXPECT_TRUE(dispatch->is_idle());
}

TEST_F(UnitDispatchTest, EveryRankGetsTwoUnitsForEachWorker) {
  greetings.resize(3);
  greetings[2].workers = 2;
  start(3);
  units.resize(20);
  EXPECT_TRUE(*step());
  // Ranks without a unit first, then those with one, and so on.
  EXPECT_EQ(given_to, (std::vector<int>{1, 2, 1, 2, 2, 2}));
  EXPECT_EQ(received(1).id, 0u);
  EXPECT_EQ(received(1).id, 2u);
  EXPECT_EQ(received(2).id, 1u);
  EXPECT_FALSE(dispatch->is_idle());
}

TEST_F(UnitDispatchTest, AReplyMakesRoomForTheNextUnit) {
  start(3);
  units.resize(6);
  ASSERT_TRUE(*step());
  ASSERT_EQ(given_to.size(), 4u);
  reply(2, done(1));
  ASSERT_TRUE(*step());
  EXPECT_EQ(given_to, (std::vector<int>{1, 2, 1, 2, 2}));
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].rank, 2);
  EXPECT_TRUE(outcomes[0].status);
}

TEST_F(UnitDispatchTest, InputAndFieldsTravel) {
  start(2);
  const Bytes pixels = {1, 2, 3, 4, 5};
  Unit unit;
  unit.kind = 7;
  unit.fields = {10, 20, 30, 40, 50, 60};
  unit.input = pixels;
  units.push_back(unit);
  ASSERT_TRUE(*step());
  const UnitHeader header = received(1);
  EXPECT_EQ(header.kind, 7u);
  EXPECT_EQ(header.fields, unit.fields);
  EXPECT_EQ(header.input_bytes, 5u);
  EXPECT_EQ(header.output_bytes, kAnySize);
  EXPECT_EQ(network->take(0, 1, kInputTag), pixels);
}

TEST_F(UnitDispatchTest, ResultsAreReceivedInTheirPlace) {
  start(2);
  Bytes blocks(8);
  for (size_t i = 0; i < 2; ++i) {
    Unit unit;
    unit.output = std::span(blocks).subspan(4 * i, 4);
    unit.output_bytes = 4;
    units.push_back(unit);
  }
  ASSERT_TRUE(*step());
  reply(1, done(1, 4), {5, 6, 7, 8});  // in another order than asked for
  reply(1, done(0, 4), {1, 2, 3, 4});
  while (!dispatch->is_idle()) {
    ASSERT_TRUE(step());
  }
  EXPECT_EQ(blocks, (Bytes{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(dispatch->units_answered(), 2u);
  EXPECT_EQ(dispatch->messages(), 6u);  // three for each unit
}

TEST_F(UnitDispatchTest, ResultsOfAnySizeAreInTheOutcome) {
  start(2);
  units.resize(1);
  ASSERT_TRUE(*step());
  ReplyHeader header = done(0, 3);
  header.busy_nanoseconds = 2'000'000'000;
  reply(1, header, {7, 8, 9});
  while (!dispatch->is_idle()) {
    ASSERT_TRUE(step());
  }
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].reply, (Bytes{7, 8, 9}));
  EXPECT_DOUBLE_EQ(outcomes[0].busy_seconds, 2);
  EXPECT_EQ(dispatch->unit_time(), std::chrono::seconds(2));
}

TEST_F(UnitDispatchTest, AUnitThatFailsIsAnOutcome) {
  start(2);
  units.resize(1);
  Bytes untouched(4);
  units[0].output = untouched;
  units[0].output_bytes = 4;
  ASSERT_TRUE(*step());
  ReplyHeader header = done(0, 6);
  header.code = static_cast<uint32_t>(ErrorCode::kIo);
  reply(1, header, {'n', 'o', ' ', 'd', 'i', 's'});
  while (!dispatch->is_idle()) {
    ASSERT_TRUE(step());
  }
  ASSERT_EQ(outcomes.size(), 1u);
  ASSERT_FALSE(outcomes[0].status);
  EXPECT_EQ(outcomes[0].status.error().code, ErrorCode::kIo);
  EXPECT_EQ(outcomes[0].status.error().message, "no dis");
  EXPECT_EQ(untouched, Bytes(4));
}

TEST_F(UnitDispatchTest, RepliesToUnitsOfAnotherRankAreRefused) {
  start(3);
  units.resize(2);
  ASSERT_TRUE(*step());
  expect_refused(done(1), {}, ErrorCode::kInvalid);  // rank 2 has that one
}

TEST_F(UnitDispatchTest, ASecondReplyIsRefused) {
  start(2);
  units.resize(1);
  ASSERT_TRUE(*step());
  reply(1, done(0));
  ASSERT_TRUE(step());
  outcomes.clear();
  expect_refused(done(0), {}, ErrorCode::kInvalid);
}

TEST_F(UnitDispatchTest, RepliesOfAnotherSizeAreRefused) {
  start(2);
  Bytes blocks(4);
  units.resize(1);
  units[0].output = blocks;
  units[0].output_bytes = 4;
  ASSERT_TRUE(*step());
  expect_refused(done(0, 5), {1, 2, 3, 4, 5}, ErrorCode::kInvalid);
}

TEST_F(UnitDispatchTest, FewerBytesThanAnnouncedAreRefused) {
  start(2);
  units.resize(1);
  ASSERT_TRUE(*step());
  reply(1, done(0, 5), {1, 2, 3});
  auto result = step();
  while (result && !dispatch->is_idle()) {
    result = step();
  }
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
}

TEST_F(UnitDispatchTest, ALongSentenceIsRefused) {
  start(2);
  units.resize(1);
  ASSERT_TRUE(*step());
  ReplyHeader header = done(0, 100'000);
  header.code = 4;
  expect_refused(header, {}, ErrorCode::kInvalid);
}

TEST_F(UnitDispatchTest, AnotherVersionIsRefused) {
  start(2);
  Bytes header = write_reply_header(done(0));
  ++header[3];  // the version of the protocol
  network->put(1, 0, kReplyTag, header);
  const auto result = step();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  EXPECT_NE(result.error().message.find("version"), std::string::npos);
}

TEST_F(UnitDispatchTest, HalfAHeaderIsRefused) {
  start(2);
  network->put(1, 0, kReplyTag, Bytes(10));
  EXPECT_EQ(step().error().code, ErrorCode::kInvalid);
}

TEST_F(UnitDispatchTest, ATooLongMessageIsTheTransportsError) {
  start(2);
  network->put(1, 0, kReplyTag, Bytes(1000));
  const auto result = step();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kFailed);
}

TEST_F(UnitDispatchTest, ARankThatCannotReadAMessageEndsTheConversation) {
  start(2);
  ReplyHeader header = done(kNoUnit);
  header.code = static_cast<uint32_t>(ErrorCode::kFailed);
  expect_refused(header, {}, ErrorCode::kFailed);
}

TEST_F(UnitDispatchTest, AnInputThatWasSentCannotBeUnseen) {
  start(2);
  units.resize(1);
  ASSERT_TRUE(*step());
  ReplyHeader header = done(0);
  header.unseen = true;
  expect_refused(header, {}, ErrorCode::kInvalid);
}

TEST_F(UnitDispatchTest, AllRanksAreToldToStop) {
  start(3);
  ASSERT_TRUE(step());
  ASSERT_TRUE(dispatch->begin_stop(5));
  EXPECT_TRUE(*dispatch->finish_stop());
  for (const int rank : {1, 2}) {
    const UnitHeader stop = received(rank);
    EXPECT_EQ(stop.kind, kStopKind);
    EXPECT_EQ(stop.fields[0], 5u);
  }
}

TEST_F(UnitDispatchTest, OneRankAloneNeedsNobody) {
  start(1);
  units.resize(1);
  EXPECT_FALSE(*step());
  ASSERT_TRUE(dispatch->begin_stop(0));
  EXPECT_TRUE(*dispatch->finish_stop());
}

}  // namespace
}  // namespace tessera::cluster
