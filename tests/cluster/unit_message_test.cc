// Messages between ranks: what is written can be read, and nothing else is believed.
#include "cluster/unit_message.h"

#include <gtest/gtest.h>

namespace tessera::cluster {
namespace {

UnitHeader some_unit() {
  UnitHeader header;
  header.kind = 7;
  header.id = 123456789012;
  header.input_bytes = 4096;
  header.output_bytes = 512;
  header.fields = {1, 2, 3, UINT64_MAX, 5, 6};
  header.shared = {11, 12, 13};
  return header;
}

ReplyHeader some_reply() {
  ReplyHeader header;
  header.id = 99;
  header.code = static_cast<uint32_t>(ErrorCode::kInvalid);
  header.bytes = 17;
  header.busy_nanoseconds = 1'000'000'000'000;
  return header;
}

// With the little-endian number at `offset` replaced.
template <class T>
Bytes with(Bytes bytes, size_t offset, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    bytes[offset + i] = static_cast<uint8_t>(value >> (8 * i));
  }
  return bytes;
}

// Where fields lie in the headers.
constexpr size_t kMagicAt = 0;
constexpr size_t kReservedAt = 8;
constexpr size_t kIdAt = 12;
constexpr size_t kFirstSizeAt = 20;
constexpr size_t kSecondSizeAt = 28;

TEST(UnitMessage, UnitsComeBack) {
  const Bytes bytes = write_unit_header(some_unit());
  ASSERT_EQ(bytes.size(), kUnitHeaderBytes);
  const auto header = parse_unit_header(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->kind, 7u);
  EXPECT_EQ(header->id, 123456789012u);
  EXPECT_EQ(header->input_bytes, 4096u);
  EXPECT_EQ(header->output_bytes, 512u);
  EXPECT_EQ(header->fields, some_unit().fields);
  EXPECT_EQ(header->shared.file, 11u);
  EXPECT_EQ(header->shared.offset, 12u);
  EXPECT_EQ(header->shared.size, 13u);
}

TEST(UnitMessage, RepliesComeBack) {
  const Bytes bytes = write_reply_header(some_reply());
  ASSERT_EQ(bytes.size(), kReplyHeaderBytes);
  const auto header = parse_reply_header(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->id, 99u);
  EXPECT_EQ(header->code, 3u);
  EXPECT_EQ(header->bytes, 17u);
  EXPECT_EQ(header->busy_nanoseconds, 1'000'000'000'000u);
}

TEST(UnitMessage, ARankMayAskForItsInput) {
  ReplyHeader unseen;
  unseen.id = 5;
  unseen.unseen = true;
  const auto header = parse_reply_header(write_reply_header(unseen));
  ASSERT_TRUE(header);
  EXPECT_TRUE(header->unseen);
  EXPECT_EQ(header->id, 5u);
  EXPECT_FALSE(parse_reply_header(write_reply_header(some_reply()))->unseen);
  unseen.bytes = 1;
  EXPECT_FALSE(parse_reply_header(write_reply_header(unseen)));
  unseen.bytes = 0;
  unseen.code = 4;
  EXPECT_FALSE(parse_reply_header(write_reply_header(unseen)));
}

TEST(UnitMessage, HeadersOfAnotherLengthAreRefused) {
  const Bytes unit = write_unit_header(some_unit());
  const Bytes reply = write_reply_header(some_reply());
  for (size_t length = 0; length < unit.size(); ++length) {
    EXPECT_FALSE(parse_unit_header(ByteSpan(unit).first(length))) << length;
  }
  for (size_t length = 0; length < reply.size(); ++length) {
    EXPECT_FALSE(parse_reply_header(ByteSpan(reply).first(length))) << length;
  }
  Bytes longer = unit;
  longer.push_back(0);
  EXPECT_EQ(parse_unit_header(longer).error().code, ErrorCode::kInvalid);
  EXPECT_FALSE(parse_reply_header(unit));
  EXPECT_FALSE(parse_unit_header(reply));
}

TEST(UnitMessage, OtherProgramsAreRefused) {
  const Bytes unit = write_unit_header(some_unit());
  const Bytes reply = write_reply_header(some_reply());
  EXPECT_FALSE(parse_unit_header(with<uint32_t>(unit, kMagicAt, 0x01555354)));
  EXPECT_FALSE(parse_unit_header(with<uint32_t>(unit, kReservedAt, 1)));
  EXPECT_FALSE(parse_reply_header(with<uint32_t>(reply, kMagicAt, 0)));
  EXPECT_FALSE(parse_reply_header(with<uint32_t>(reply, kReservedAt, 0x80000000)));
}

TEST(UnitMessage, AbsurdSizesAreRefused) {
  const Bytes unit = write_unit_header(some_unit());
  const Bytes reply = write_reply_header(some_reply());
  for (const uint64_t size : {kMaxMessageBytes + 1, uint64_t{1} << 31, uint64_t{1} << 63}) {
    EXPECT_FALSE(parse_unit_header(with(unit, kFirstSizeAt, size))) << size;
    EXPECT_FALSE(parse_unit_header(with(unit, kSecondSizeAt, size))) << size;
    EXPECT_FALSE(parse_reply_header(with(reply, kFirstSizeAt, size))) << size;
  }
  EXPECT_FALSE(parse_unit_header(with(unit, kFirstSizeAt, kAnySize)));
  EXPECT_TRUE(parse_unit_header(with(unit, kSecondSizeAt, kAnySize)));
  EXPECT_TRUE(parse_unit_header(with(unit, kFirstSizeAt, kMaxMessageBytes)));
}

TEST(UnitMessage, UnknownErrorsAndNumbersAreRefused) {
  EXPECT_FALSE(parse_reply_header(with<uint32_t>(write_reply_header(some_reply()), 4, 8)));
  EXPECT_FALSE(parse_reply_header(with<uint32_t>(write_reply_header(some_reply()), 4, UINT32_MAX)));
  EXPECT_FALSE(parse_unit_header(with(write_unit_header(some_unit()), kIdAt, kNoUnit)));
}

TEST(Greeting, ComesBack) {
  Greeting greeting;
  greeting.fingerprint = 0x123456789ABCDEF0;
  greeting.workers = 3;
  greeting.threads = 96;
  greeting.probe = {1234, 5, 0xFEDCBA9876543210};
  const Bytes bytes = write_greeting(greeting);
  ASSERT_EQ(bytes.size(), kGreetingBytes);
  const auto back = parse_greeting(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->fingerprint, greeting.fingerprint);
  EXPECT_EQ(back->probe.process, 1234u);
  EXPECT_EQ(back->probe.file, 5u);
  EXPECT_EQ(back->probe.token, 0xFEDCBA9876543210u);
  EXPECT_EQ(back->workers, 3u);
  EXPECT_EQ(back->threads, 96u);
  EXPECT_TRUE(back->setup);
}

TEST(Greeting, CarriesAnErrorAndCutsALongOne) {
  Greeting greeting;
  greeting.setup = io_error("no device");
  EXPECT_EQ(parse_greeting(write_greeting(greeting))->setup.error().message, "no device");
  EXPECT_EQ(parse_greeting(write_greeting(greeting))->setup.error().code, ErrorCode::kIo);
  greeting.setup = io_error(std::string(5000, 'x'));
  const Bytes bytes = write_greeting(greeting);
  ASSERT_EQ(bytes.size(), kGreetingBytes);
  EXPECT_LT(parse_greeting(bytes)->setup.error().message.size(), kGreetingBytes);
}

TEST(Greeting, NonsenseIsRefused) {
  const Bytes good = write_greeting({});
  EXPECT_TRUE(parse_greeting(good));
  EXPECT_FALSE(parse_greeting(ByteSpan(good).first(kGreetingBytes - 1)));
  EXPECT_FALSE(parse_greeting(with<uint32_t>(good, 0, 1)));
  EXPECT_FALSE(parse_greeting(with<uint32_t>(good, 4, 8)));   // error code
  EXPECT_FALSE(parse_greeting(with<uint32_t>(good, 16, 0)));  // workers
  EXPECT_FALSE(parse_greeting(with<uint32_t>(good, 16, 1u << 31)));
  EXPECT_FALSE(parse_greeting(with<uint32_t>(good, 20, 0)));  // threads
  EXPECT_FALSE(parse_greeting(with<uint32_t>(good, 20, UINT32_MAX)));
  EXPECT_FALSE(parse_greeting(with<uint32_t>(good, 24, kGreetingBytes)));  // sentence
}

TEST(Greeting, TheLowestRankWithAnErrorIsHeard) {
  std::vector<Greeting> greetings(4);
  EXPECT_TRUE(check_greetings(greetings));
  greetings[3].setup = io_error("third");
  greetings[2].setup = unsupported_error("second");
  const Status status = check_greetings(greetings);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(status.error().message, "rank 2: second");
  greetings[0].setup = usage_error("own");
  EXPECT_EQ(check_greetings(greetings).error().message, "own");
}

TEST(Greeting, OtherOptionsAreRefused) {
  std::vector<Greeting> greetings(3);
  for (Greeting& greeting : greetings) {
    greeting.fingerprint = fingerprint_of({"encode", "a.png"});
  }
  EXPECT_TRUE(check_greetings(greetings));
  greetings[1].fingerprint = fingerprint_of({"encode", "b.png"});
  EXPECT_EQ(check_greetings(greetings).error().code, ErrorCode::kUsage);
}

TEST(Fingerprint, DependsOnWordsAndWhereTheyEnd) {
  EXPECT_EQ(fingerprint_of({"a", "b"}), fingerprint_of({"a", "b"}));
  EXPECT_NE(fingerprint_of({"ab"}), fingerprint_of({"a", "b"}));
  EXPECT_NE(fingerprint_of({"a", "b"}), fingerprint_of({"b", "a"}));
  EXPECT_NE(fingerprint_of({}), fingerprint_of({""}));
}

}  // namespace
}  // namespace tessera::cluster
