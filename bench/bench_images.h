// The pictures of a benchmark.
#pragma once

#include <string>
#include <vector>

#include "contender.h"

namespace tessera::bench {

// All pictures in a folder, by name; other files are passed over. Fails when there is none.
Result<std::vector<BenchImage>> load_bench_images(const std::string& folder);

// For who names no folder: photographs, interface, sprites and a normal map, made by code.
Result<std::vector<BenchImage>> make_bench_images();

}  // namespace tessera::bench
