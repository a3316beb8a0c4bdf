#!/usr/bin/env bash
# usage: check_web.sh COMMAND
# Builds the WebAssembly modules of the JavaScript package and compares what it makes in Node.js with
# what COMMAND, the native one, makes.
# Needs Debian's emscripten and nodejs; without them it says SKIPPED and exits with 77.
set -euo pipefail
TESSERA_COMMAND=$(realpath "$1")
export TESSERA_COMMAND
cd "$(dirname "$0")/.."

for command in emcc node; do
  if ! command -v "$command" >/dev/null; then
    echo "SKIPPED: $command is not installed (Debian: emscripten, nodejs)"
    exit 77
  fi
done
tools/build_wasm.sh tessera_web
node --test apps/web/js/test/bytes.test.js apps/web/js/test/size.test.js
