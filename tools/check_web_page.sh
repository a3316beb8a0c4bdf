#!/usr/bin/env bash
# usage: check_web_page.sh COMMAND
# A short part of the browser's tests: every format drawn by WebGL, downloads that COMMAND decodes, and the
# example of three.js. `make web-test` runs all of them.
# Needs Chromium, `npm ci` in apps/web/page, and the modules that tools/check_web.sh builds; without them it
# says SKIPPED and exits with 77.
set -euo pipefail
TESSERA=$(realpath "$1")
export TESSERA
cd "$(dirname "$0")/../apps/web"

skip() {
  echo "############################################################"
  echo "# SKIPPED: the tests of the page need $1"
  echo "############################################################"
  exit 77
}
command -v node >/dev/null || skip "Node.js (Debian: nodejs)"
[ -n "${TESSERA_CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null ||
  skip "Chromium (Debian: chromium)"
[ -d page/node_modules/vite ] || skip "the packages of apps/web/page (npm ci, or make web)"
[ -f js/wasm/tessera.wasm ] || skip "the WebAssembly modules (make web)"
cd page
exec node tests/run.mjs formats three
