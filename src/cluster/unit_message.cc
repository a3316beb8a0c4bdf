// What travels between ranks: writing and checking the fixed headers.
#include "cluster/unit_message.h"

#include <algorithm>
#include <string_view>

namespace tessera::cluster {
namespace {

// "TSU", "TSR", "TSG" and the version of the protocol.
constexpr uint32_t kUnitMagic = 0x03555354;
constexpr uint32_t kReplyMagic = 0x03525354;
constexpr uint32_t kGreetingMagic = 0x03475354;
constexpr auto kLastErrorCode = static_cast<uint32_t>(ErrorCode::kDiffer);
constexpr size_t kGreetingFields = 56;  // bytes before the sentence
constexpr size_t kMaxGreetingSentence = kGreetingBytes - kGreetingFields;

Error wrong(const char* what, const std::string& problem) {
  return invalid_error(std::string("a ") + what + " between ranks " + problem);
}

}  // namespace

Bytes write_unit_header(const UnitHeader& header) {
  Bytes bytes;
  bytes.reserve(kUnitHeaderBytes);
  ByteWriter writer(bytes);
  writer.write(kUnitMagic);
  writer.write(header.kind);
  writer.write(uint32_t{0});
  writer.write(header.id);
  writer.write(header.input_bytes);
  writer.write(header.output_bytes);
  for (const uint64_t field : header.fields) {
    writer.write(field);
  }
  for (const uint64_t part : {header.shared.file, header.shared.offset, header.shared.size}) {
    writer.write(part);
  }
  return bytes;
}

Bytes write_reply_header(const ReplyHeader& header) {
  Bytes bytes;
  bytes.reserve(kReplyHeaderBytes);
  ByteWriter writer(bytes);
  writer.write(kReplyMagic);
  writer.write(header.code);
  writer.write(uint32_t{header.unseen ? 1U : 0U});
  writer.write(header.id);
  writer.write(header.bytes);
  writer.write(header.busy_nanoseconds);
  return bytes;
}

Result<UnitHeader> parse_unit_header(ByteSpan bytes) {
  if (bytes.size() != kUnitHeaderBytes) {
    return wrong("unit", "has " + std::to_string(bytes.size()) + " bytes of header, not " +
                             std::to_string(kUnitHeaderBytes));
  }
  ByteReader reader(bytes);
  const auto magic = reader.read<uint32_t>();
  UnitHeader header;
  header.kind = reader.read<uint32_t>();
  const auto reserved = reader.read<uint32_t>();
  header.id = reader.read<uint64_t>();
  header.input_bytes = reader.read<uint64_t>();
  header.output_bytes = reader.read<uint64_t>();
  for (uint64_t& field : header.fields) {
    field = reader.read<uint64_t>();
  }
  for (uint64_t* part : {&header.shared.file, &header.shared.offset, &header.shared.size}) {
    *part = reader.read<uint64_t>();
  }
  if (magic != kUnitMagic || reserved != 0) {
    return wrong("unit", "has a header of another program or version");
  }
  if (header.id == kNoUnit) {
    return wrong("unit", "has no number");
  }
  if (header.input_bytes > kMaxMessageBytes) {
    return wrong("unit", "claims " + std::to_string(header.input_bytes) + " bytes of input");
  }
  if (header.output_bytes != kAnySize && header.output_bytes > kMaxMessageBytes) {
    return wrong("unit", "asks for " + std::to_string(header.output_bytes) + " bytes of output");
  }
  return header;
}

Result<ReplyHeader> parse_reply_header(ByteSpan bytes) {
  if (bytes.size() != kReplyHeaderBytes) {
    return wrong("reply", "has " + std::to_string(bytes.size()) + " bytes of header, not " +
                              std::to_string(kReplyHeaderBytes));
  }
  ByteReader reader(bytes);
  const auto magic = reader.read<uint32_t>();
  ReplyHeader header;
  header.code = reader.read<uint32_t>();
  const auto unseen = reader.read<uint32_t>();
  header.unseen = unseen != 0;
  header.id = reader.read<uint64_t>();
  header.bytes = reader.read<uint64_t>();
  header.busy_nanoseconds = reader.read<uint64_t>();
  if (magic != kReplyMagic || unseen > 1) {
    return wrong("reply", "has a header of another program or version");
  }
  if (header.code > kLastErrorCode) {
    return wrong("reply", "has the unknown error code " + std::to_string(header.code));
  }
  if (header.bytes > kMaxMessageBytes) {
    return wrong("reply", "claims " + std::to_string(header.bytes) + " bytes");
  }
  if (header.unseen && (header.code != 0 || header.bytes != 0)) {
    return wrong("reply", "is none, and yet has an outcome");
  }
  return header;
}

Bytes write_greeting(const Greeting& greeting) {
  Bytes bytes;
  bytes.reserve(kGreetingBytes);
  ByteWriter writer(bytes);
  std::string_view sentence;
  if (!greeting.setup) {
    sentence = std::string_view(greeting.setup.error().message).substr(0, kMaxGreetingSentence);
  }
  writer.write(kGreetingMagic);
  writer.write(greeting.setup ? 0 : static_cast<uint32_t>(greeting.setup.error().code));
  writer.write(greeting.fingerprint);
  writer.write(greeting.workers);
  writer.write(greeting.threads);
  writer.write(static_cast<uint32_t>(sentence.size()));
  writer.write(uint32_t{0});
  for (const uint64_t part : {greeting.probe.process, greeting.probe.file, greeting.probe.token}) {
    writer.write(part);
  }
  bytes.insert(bytes.end(), sentence.begin(), sentence.end());
  writer.write_zeros(kGreetingBytes - bytes.size());
  return bytes;
}

Result<Greeting> parse_greeting(ByteSpan bytes) {
  if (bytes.size() != kGreetingBytes) {
    return wrong("greeting", "has " + std::to_string(bytes.size()) + " bytes");
  }
  ByteReader reader(bytes);
  const auto magic = reader.read<uint32_t>();
  const auto code = reader.read<uint32_t>();
  Greeting greeting;
  greeting.fingerprint = reader.read<uint64_t>();
  greeting.workers = reader.read<uint32_t>();
  greeting.threads = reader.read<uint32_t>();
  const auto length = reader.read<uint32_t>();
  reader.read<uint32_t>();
  for (uint64_t* part : {&greeting.probe.process, &greeting.probe.file, &greeting.probe.token}) {
    *part = reader.read<uint64_t>();
  }
  if (magic != kGreetingMagic) {
    return wrong("greeting", "is of another program or version");
  }
  if (code > kLastErrorCode || length > kMaxGreetingSentence) {
    return wrong("greeting", "has an unknown error");
  }
  if (greeting.workers < 1 || greeting.workers > kMaxWorkers || greeting.threads < 1 ||
      greeting.threads > kMaxWorkers) {
    return wrong("greeting", "tells of " + std::to_string(greeting.workers) + " workers and " +
                                 std::to_string(greeting.threads) + " threads");
  }
  if (code != 0) {
    const ByteSpan text = bytes.subspan(kGreetingFields, length);
    greeting.setup = Error{static_cast<ErrorCode>(code), std::string(text.begin(), text.end())};
  }
  return greeting;
}

unsigned total_threads(const std::vector<Greeting>& greetings) {
  unsigned total = 0;
  for (const Greeting& greeting : greetings) {
    total += greeting.threads;
  }
  return total;
}

Status check_greetings(const std::vector<Greeting>& greetings) {
  for (size_t rank = 0; rank < greetings.size(); ++rank) {
    const Status& setup = greetings[rank].setup;
    if (!setup) {
      const std::string where = rank == 0 ? "" : "rank " + std::to_string(rank) + ": ";
      return Error{setup.error().code, where + setup.error().message};
    }
  }
  for (size_t rank = 1; rank < greetings.size(); ++rank) {
    if (greetings[rank].fingerprint != greetings[0].fingerprint) {
      return usage_error("rank " + std::to_string(rank) +
                         " was started with other options than rank 0, or is another version");
    }
  }
  return {};
}

uint64_t fingerprint_of(const std::vector<std::string>& words) {
  constexpr uint64_t kOffset = 0xCBF29CE484222325;
  constexpr uint64_t kPrime = 0x100000001B3;
  uint64_t hash = kOffset;
  for (const std::string& word : words) {
    for (const char letter : word) {
      hash = (hash ^ static_cast<uint8_t>(letter)) * kPrime;
    }
    hash = (hash ^ 0xFF) * kPrime;  // where a word ends
  }
  return hash;
}

}  // namespace tessera::cluster
