// Starts as many threads as the system gives.
#include "exec/tbb/thread_probe.h"

#include <latch>
#include <system_error>
#include <thread>
#include <vector>

namespace tessera {
namespace {

// Up to `count`, each of which does the work.
std::vector<std::thread> start_threads(unsigned count, const std::function<void()>& work) {
  std::vector<std::thread> threads;
  try {
    while (threads.size() < count) {
      threads.emplace_back(work);
    }
  } catch (const std::system_error&) {
    // There are as many as there can be.
  }
  return threads;
}

void join_all(std::vector<std::thread>& threads) {
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace

unsigned available_threads(unsigned wanted) {
  std::latch end(1);  // all are there at once
  std::vector<std::thread> threads = start_threads(wanted - 1, [&end] { end.wait(); });
  end.count_down();
  join_all(threads);
  return static_cast<unsigned>(threads.size()) + 1;
}

void run_on_few_threads(unsigned threads, const std::function<void()>& work) {
  std::vector<std::thread> others = start_threads(threads - 1, work);
  work();
  join_all(others);
}

}  // namespace tessera
