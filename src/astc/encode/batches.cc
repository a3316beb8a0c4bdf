#include "astc/encode/batches.h"

namespace tessera::astc {
namespace {

size_t batch_key(const Chunk& chunk, size_t block) {
  return static_cast<size_t>(chunk.list[block]) * kMaxCandidates +
         static_cast<size_t>(chunk.candidate[block]);
}

}  // namespace

void sort_into_batches(const Chunk& chunk, Batches& batches) {
  batches.first.fill(0);
  for (size_t i = 0; i < chunk.count; ++i) {
    if (chunk.list[i] != kConstantBlock) {
      ++batches.first[batch_key(chunk, i) + 1];
    }
  }
  for (unsigned key = 0; key < kMaxBatches; ++key) {
    batches.first[key + 1] = static_cast<uint16_t>(batches.first[key + 1] + batches.first[key]);
  }
  // Filling moves the starts to the ends of the groups, which are the starts of
  // the next ones.
  for (size_t i = 0; i < chunk.count; ++i) {
    if (chunk.list[i] != kConstantBlock) {
      batches.blocks[batches.first[batch_key(chunk, i)]++] = static_cast<uint16_t>(i);
    }
  }
  for (unsigned key = kMaxBatches; key > 0; --key) {
    batches.first[key] = batches.first[key - 1];
  }
  batches.first[0] = 0;
}

}  // namespace tessera::astc
