#!/usr/bin/env bash
# usage: check_wasm.sh OUTPUT_HASHES
# Builds the portable library for WebAssembly, where addresses have 32 bits and the standard library
# is another one, runs the encoders and decoders in Node.js and compares the hashes of what they
# write with those of OUTPUT_HASHES, the same program of this machine's build. Also checks the
# functions for memory that only the modules of browsers have.
# Needs Debian's emscripten and nodejs; without them it says SKIPPED and exits with 77.
set -euo pipefail
native=$(realpath "$1")
cd "$(dirname "$0")/.."

for command in em++ node; do
  if ! command -v "$command" >/dev/null; then
    echo "SKIPPED: $command is not installed (Debian: emscripten, nodejs)"
    exit 77
  fi
done
folder=build/wasm
tools/build_wasm.sh tessera_static
# Emscripten's scripts use packages of Debian's, which a Node.js from elsewhere does not look for.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
# -O1 leaves the library's code as it is: more would be spent on what runs for two seconds.
em++ -std=c++20 -O1 -Isrc tests/spmd/output_hashes.cc "$folder/libtessera.a" \
  -sALLOW_MEMORY_GROWTH=1 -sENVIRONMENT=node -sWASM_ASYNC_COMPILATION=0 -o "$folder/output_hashes.js"

# The modules' own functions for memory.
em++ -std=c++20 -O2 -msimd128 -fno-builtin -fno-vectorize tests/web/copy_memory_check.cc \
  apps/web/wasm/copy_memory.cc -sENVIRONMENT=node -sWASM_ASYNC_COMPILATION=0 -o "$folder/copy_memory_check.js"
node "$folder/copy_memory_check.js"

# The build for browsers does not encode HDR.
"$native" short | grep -v '^hdr ' >"$folder/native.txt"
node "$folder/output_hashes.js" short >"$folder/wasm.txt"
count=$(wc -l <"$folder/native.txt")
if [ "$count" -eq 0 ] || ! diff "$folder/native.txt" "$folder/wasm.txt"; then
  echo "WebAssembly writes other bytes"
  exit 1
fi
echo "WebAssembly writes the same bytes: $count textures"
