// Some threads that do the same work together.
#pragma once

#include <functional>

namespace tessera {

// Calls work(i) on up to `threads` threads, the calling one among them, with i from 0 on; on fewer
// where the system does not start as many. Returns when all calls have returned. `work` must not
// throw.
void run_on_crew(unsigned threads, const std::function<void(unsigned member)>& work);

}  // namespace tessera
