// What the processor and the operating system can run.
#pragma once

namespace tessera {

bool processor_runs_baseline();
bool processor_runs_avx2();
bool processor_runs_avx3();
bool processor_runs_avx3_dl();

}  // namespace tessera
