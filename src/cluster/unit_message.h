// What travels between ranks: headers of a fixed size in little-endian bytes, each followed by as
// many bytes as the header says. The receiver trusts nothing in them: it parses the header here and
// compares it with what is possible before it allocates or touches memory.
//
// Rank 0 sends units, each with an input; a rank answers each unit with a reply. Greetings are what
// ranks tell each other before any work. Nothing here knows of MPI.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace tessera::cluster {

// Bytes in a file of another process: see shared_images.h.
struct SharedPlace {
  uint64_t file = 0;  // descriptor; from bit 32 on a number that no other file has; 0: no file
  uint64_t offset = 0;
  uint64_t size = 0;  // of the whole file
};

// What a rank needs to find out whether it can see rank 0's files.
struct SharedProbe {
  uint64_t process = 0;
  uint64_t file = 0;   // descriptor
  uint64_t token = 0;  // what the file says
};

// One message has at most this many bytes. MPI counts in `int`; strips are far smaller.
inline constexpr uint64_t kMaxMessageBytes = uint64_t{1} << 30;
// The output of a unit may have any size: the reply tells it.
inline constexpr uint64_t kAnySize = UINT64_MAX;
// The kind of the unit that ends the work.
inline constexpr uint32_t kStopKind = 0;
// The unit number of a reply that says that a message could not be read at all.
inline constexpr uint64_t kNoUnit = UINT64_MAX;

struct UnitHeader {
  uint32_t kind = kStopKind;
  uint64_t id = 0;
  uint64_t input_bytes = 0;             // in the message that follows, or shared
  uint64_t output_bytes = 0;            // that the reply must have, or kAnySize
  std::array<uint64_t, 6> fields = {};  // their meaning depends on the kind
  // Where the input lies in rank 0's memory, if this rank can see it; no message follows then.
  SharedPlace shared;
};

struct ReplyHeader {
  uint64_t id = 0;
  uint32_t code = 0;              // 0, or an ErrorCode; then the bytes are its sentence
  bool unseen = false;            // the input cannot be read in rank 0's memory and must be sent
  uint64_t bytes = 0;             // of the message that follows
  uint64_t busy_nanoseconds = 0;  // computing time of the unit
};

inline constexpr size_t kUnitHeaderBytes = 108;
inline constexpr size_t kReplyHeaderBytes = 36;

Bytes write_unit_header(const UnitHeader& header);
Bytes write_reply_header(const ReplyHeader& header);

// kInvalid with a sentence that says which field is wrong.
Result<UnitHeader> parse_unit_header(ByteSpan bytes);
Result<ReplyHeader> parse_reply_header(ByteSpan bytes);

// What a rank tells the others about itself: whether it could set up, and what it has.
struct Greeting {
  uint64_t fingerprint = 0;  // a hash of the options, which must be the same on all ranks
  uint32_t workers = 1;      // worker threads; each computes one unit at a time
  uint32_t threads = 1;      // of all workers together
  SharedProbe probe;         // of rank 0
  Status setup;
};

inline constexpr size_t kGreetingBytes = 384;
inline constexpr uint32_t kMaxWorkers = 4096;

Bytes write_greeting(const Greeting& greeting);  // kGreetingBytes
Result<Greeting> parse_greeting(ByteSpan bytes);

// The sum over all ranks.
unsigned total_threads(const std::vector<Greeting>& greetings);

// The error of the lowest rank that could not set up; otherwise an error if a rank was started with
// other options than rank 0.
Status check_greetings(const std::vector<Greeting>& greetings);

// An FNV-1a hash of the words.
uint64_t fingerprint_of(const std::vector<std::string>& words);

}  // namespace tessera::cluster
