// Starts threads, or does without.
#include "files/thread_crew.h"

#include <system_error>
#include <thread>
#include <vector>

namespace tessera {

void run_on_crew(unsigned threads, const std::function<void(unsigned member)>& work) {
  std::vector<std::thread> others;
  try {
    for (unsigned member = 1; member < threads; ++member) {
      others.emplace_back([&work, member] { work(member); });
    }
  } catch (const std::system_error&) {
    // Those that there are do it all.
  }
  work(0);
  for (std::thread& thread : others) {
    thread.join();
  }
}

}  // namespace tessera
