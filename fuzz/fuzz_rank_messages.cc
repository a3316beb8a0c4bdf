// Messages that no honest rank sends, to the real sides of the conversation between ranks.
#include "../tests/cluster/hostile_peers.h"
#include "measured.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tessera;
  if (size == 0) {
    return 0;
  }
  const fuzz::Measured measured(size);
  const auto victim = static_cast<cluster::Victim>(data[0] % cluster::kVictims);
  const std::string problem = cluster::attack(victim, ByteSpan(data + 1, size - 1));
  fuzz::require(problem.empty(), problem.c_str());
  return 0;
}
