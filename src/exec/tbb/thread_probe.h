// For machines that do not give as many threads as were asked for: oneTBB ends the process when it
// cannot start one.
#pragma once

#include <functional>

namespace tessera {

// As many as `wanted`, or fewer where the system makes no more beside the calling one; at least 1.
unsigned available_threads(unsigned wanted);

// Calls `work` on so many threads, the calling one among them, or on fewer where they cannot be
// started any more. It must not throw.
void run_on_few_threads(unsigned threads, const std::function<void()>& work);

}  // namespace tessera
