// oneTBB's threads behind plain pointers. The library and what it needs take a millisecond to load,
// which small pictures would wait for without any use, so they are in a plug-in of their own
// (tessera_tbb.so), which is loaded when work is first spread over threads.
#pragma once

namespace tessera {

// None of these throws.
struct TbbFunctions {
  // An arena for so many threads, the calling one among them; nullptr where there is no memory.
  void* (*make_arena)(unsigned threads) = nullptr;
  // Calls work(argument) `count` times, on as many threads where the arena has them. False where
  // oneTBB failed: then some of the calls may not have been made.
  bool (*run)(void* arena, unsigned count, void (*work)(void* argument), void* argument) = nullptr;
  void (*free_arena)(void* arena) = nullptr;
};

// The plug-in's only symbol; the name changes with the types above.
inline constexpr const char* kTbbFunctionsSymbol = "tessera_tbb_functions_1";
extern "C" __attribute__((visibility("default"))) void tessera_tbb_functions_1(
    TbbFunctions* functions);

}  // namespace tessera
