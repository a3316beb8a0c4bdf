// Every field of every message between ranks with wrong values, and random ones: the side that gets
// them refuses or goes on, but neither hangs nor writes where it must not.
#include "hostile_peers.h"

#include <gtest/gtest.h>

#include <random>

#include "cluster/unit_message.h"

namespace tessera::cluster {
namespace {

constexpr uint64_t kNumbers[] = {0,
                                 1,
                                 (1u << 16) - 1,
                                 kMaxMessageBytes,
                                 kMaxMessageBytes + 1,
                                 UINT32_MAX,
                                 uint64_t{1} << 63,
                                 UINT64_MAX};

void expect_survives(Victim victim, const Bytes& prefix, const Bytes& change) {
  Bytes script = prefix;
  script.insert(script.end(), change.begin(), change.end());
  EXPECT_EQ(attack(victim, script), "") << testing::PrintToString(script);
}

// What comes before a change in a script chooses which message is changed.
void walk_through_fields(Victim victim, const Bytes& prefix, size_t message_bytes) {
  expect_survives(victim, prefix, {});
  for (size_t offset = 0; offset < message_bytes; ++offset) {
    expect_survives(victim, prefix, one_change(offset, 1));
    expect_survives(victim, prefix, one_change(offset, 0xFF));
  }
  for (size_t offset = 0; offset < message_bytes; offset += 4) {
    for (const uint64_t number : kNumbers) {
      expect_survives(victim, prefix, one_number(offset, number));
    }
  }
  for (const size_t header : {size_t{0}, size_t{1}, message_bytes - 1, message_bytes + 1}) {
    expect_survives(victim, prefix, other_lengths(header, 0));
  }
  for (const size_t data : {size_t{0}, size_t{1}, size_t{511}, size_t{513}}) {
    expect_survives(victim, prefix, other_lengths(message_bytes, data));
  }
}

TEST(HostilePeers, UnitsOfStrips) {
  walk_through_fields(Victim::kWorker, {0}, kUnitHeaderBytes);
}

TEST(HostilePeers, UnitsOfFiles) {
  walk_through_fields(Victim::kWorker, {3}, kUnitHeaderBytes);
}

TEST(HostilePeers, RepliesOfFiles) {
  walk_through_fields(Victim::kDispatch, {0}, kReplyHeaderBytes);
}

TEST(HostilePeers, RepliesOfStrips) {
  // The first two replies are those of files: neither report nor header is changed.
  walk_through_fields(Victim::kDispatch, {0, 0, 0, 0}, kReplyHeaderBytes);
}

TEST(HostilePeers, ReportsOfFiles) {
  constexpr size_t kReportBytes = 96;
  walk_through_fields(Victim::kDispatch, {1}, kReportBytes);
}

TEST(HostilePeers, Greetings) {
  walk_through_fields(Victim::kGreetings, {0}, kGreetingBytes);
  walk_through_fields(Victim::kGreetings, {1}, kGreetingBytes);
}

TEST(HostilePeers, AnnouncedImages) {
  constexpr size_t kAnnouncementBytes = 24;
  walk_through_fields(Victim::kGreetings, {1, 0, 0}, kAnnouncementBytes);
}

TEST(HostilePeers, ResultsOfFractalSearches) {
  for (size_t offset = 0; offset < 400; offset += 3) {
    for (const unsigned change : {1u, 0x80u, 0xFFu}) {
      expect_survives(Victim::kFractal, {7, 0}, one_change(offset, static_cast<uint8_t>(change)));
    }
  }
}

TEST(HostilePeers, RandomScripts) {
  std::mt19937 random(1);  // the same scripts on every machine
  for (unsigned i = 0; i < 800; ++i) {
    Bytes script(random() % 40);
    for (uint8_t& byte : script) {
      byte = static_cast<uint8_t>(random() % 4 == 0 ? random() % 4 : random());
    }
    expect_survives(static_cast<Victim>(i % kVictims), {}, script);
  }
}

}  // namespace
}  // namespace tessera::cluster
