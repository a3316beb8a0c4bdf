// The plug-in with all calls of oneTBB.
#include "exec/tbb/tbb_plugin.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace tessera {
namespace {

void* make_arena(unsigned threads) {
  try {
    // oneTBB makes no more threads than cores by itself: raise the limit for those who ask for
    // more. It is one for the whole process, and the lowest of several would win.
    constexpr size_t kManyThreads = 4096;
    static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                           kManyThreads);
    return new tbb::task_arena(static_cast<int>(threads));
  } catch (...) {
    return nullptr;
  }
}

bool run(void* arena, unsigned count, void (*work)(void*), void* argument) {
  try {
    static_cast<tbb::task_arena*>(arena)->execute([&] {
      tbb::parallel_for(
          0U, count, [&](unsigned) { work(argument); }, tbb::simple_partitioner());
    });
    return true;
  } catch (...) {
    return false;
  }
}

void free_arena(void* arena) {
  delete static_cast<tbb::task_arena*>(arena);
}

}  // namespace

extern "C" void tessera_tbb_functions_1(TbbFunctions* functions) {
  *functions = {make_arena, run, free_arena};
}

}  // namespace tessera
