#!/usr/bin/env bash
# usage: build_wasm.sh TARGET
# Builds a target of the CMake preset `wasm`, in build/wasm; what the configuration says is shown
# where it fails.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
if ! cmake --preset wasm >build/wasm_configure.log 2>&1; then
  cat build/wasm_configure.log
  echo "the build for WebAssembly cannot be configured"
  exit 1
fi
# Emscripten's scripts use packages of Debian's, which a Node.js from elsewhere does not look for.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
cmake --build --preset wasm --parallel "$(nproc)" --target "$1"
