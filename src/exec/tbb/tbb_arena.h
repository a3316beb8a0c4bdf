// Threads by oneTBB, which stay for the next use.
#pragma once

#include <functional>

#include "exec/tbb/tbb_plugin.h"

namespace tessera {

class TbbArena {
 public:
  // Loads the plug-in.
  explicit TbbArena(unsigned threads);
  ~TbbArena();
  TbbArena(const TbbArena&) = delete;
  TbbArena& operator=(const TbbArena&) = delete;

  // Calls `work` `count` times, on as many threads. It must not throw. False where the plug-in, or
  // a library that it needs, is missing, or has failed: then some of the calls have not been made.
  bool run(unsigned count, const std::function<void()>& work);

 private:
  TbbFunctions functions_;
  void* arena_ = nullptr;
};

}  // namespace tessera
