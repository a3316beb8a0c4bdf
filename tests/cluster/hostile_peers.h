// Ranks that send what no honest rank sends, to the real sides of the conversation: the worker with
// its handler of strips and files, rank 0's dispatch with its sources, the greetings, and the
// results of fractal searches. A script of bytes decides what is sent; tests walk through scripts
// field by field, and a fuzz target searches for them.
#pragma once

#include <string>

#include "base/bytes.h"

namespace tessera::cluster {

// Which side is attacked.
enum class Victim : uint8_t { kWorker, kDispatch, kGreetings, kFractal };
inline constexpr unsigned kVictims = 4;

// Empty, or a sentence about what the victim did wrong. It may refuse, and it may go on with values
// that are possible; it may not hang, crash, or take a reply for what it is not.
std::string attack(Victim victim, ByteSpan script);

// A script that changes one byte of the first message, at `offset`, by exclusive or with `change`;
// 0 changes nothing. All that follows is honest.
Bytes one_change(size_t offset, uint8_t change);
// A script that overwrites eight bytes of the first message by a number.
Bytes one_number(size_t offset, uint64_t number);
// A script whose first message has another length, and the data after it, too.
Bytes other_lengths(size_t header_bytes, size_t data_bytes);

}  // namespace tessera::cluster
