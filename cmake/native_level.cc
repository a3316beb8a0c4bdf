// Prints the level of x86-64 whose instructions the best target of this machine has, for a build
// that is for this machine alone (TESSERA_ISAS=NATIVE).
#include <cstdio>

#include "spmd/processor.h"

int main() {
  const int level = tessera::processor_runs_avx3() ? 4 : tessera::processor_runs_avx2() ? 3 : 2;
  return std::printf("%d", level) == 1 ? 0 : 1;
}
