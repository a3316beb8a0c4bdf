// Finds the plug-in with oneTBB, and uses it.
#include "exec/tbb/tbb_arena.h"

#include <dlfcn.h>

namespace tessera {
namespace {

// The plug-in is looked for where the program or library that holds this code has its own
// (RUNPATH), then where it was installed. It stays loaded.
TbbFunctions load_functions() {
  TbbFunctions functions;
#ifdef TESSERA_TBB_BUILT_IN
  tessera_tbb_functions_1(&functions);
#else
  static void* const plugin = [] {
    void* const found = ::dlopen("tessera_tbb.so", RTLD_NOW | RTLD_LOCAL);
    return found != nullptr
               ? found
               : ::dlopen(TESSERA_PLUGIN_FOLDER "/tessera_tbb.so", RTLD_NOW | RTLD_LOCAL);
  }();
  using GetFunctions = void (*)(TbbFunctions*);
  if (plugin != nullptr) {
    if (const auto get = reinterpret_cast<GetFunctions>(::dlsym(plugin, kTbbFunctionsSymbol))) {
      get(&functions);
    }
  }
#endif
  return functions;
}

}  // namespace

TbbArena::TbbArena(unsigned threads) : functions_(load_functions()) {
  if (functions_.make_arena != nullptr) {
    arena_ = functions_.make_arena(threads);
  }
}

TbbArena::~TbbArena() {
  if (arena_ != nullptr) {
    functions_.free_arena(arena_);
  }
}

bool TbbArena::run(unsigned count, const std::function<void()>& work) {
  const auto call = [](void* argument) {
    (*static_cast<const std::function<void()>*>(argument))();
  };
  return arena_ != nullptr &&
         functions_.run(arena_, count, call, const_cast<std::function<void()>*>(&work));
}

}  // namespace tessera
