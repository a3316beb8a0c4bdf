#!/usr/bin/env bash
# usage: check_web_page.sh COMMAND
# The page's tests in a browser, about two minutes; COMMAND decodes the downloads.
# Needs Chromium, `npm ci` in apps/web/page, and the modules that tools/check_web.sh builds; without them it
# says SKIPPED and exits with 77, or fails where the variable TESSERA_WEB_REQUIRED is set.
set -euo pipefail
TESSERA=$(realpath "$1")
export TESSERA
cd "$(dirname "$0")/../apps/web"

skip() {
  local outcome=SKIPPED
  [ -z "${TESSERA_WEB_REQUIRED:-}" ] || outcome=FAILED
  echo "############################################################"
  echo "# $outcome: the tests of the page need $1"
  echo "############################################################"
  [ "$outcome" = FAILED ] && exit 1
  exit 77
}
command -v node >/dev/null || skip "Node.js (Debian: nodejs)"
[ -n "${TESSERA_CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null ||
  skip "Chromium (Debian: chromium)"
[ -d page/node_modules/vite ] || skip "the packages of apps/web/page (npm ci, or make web)"
[ -f js/wasm/tessera.wasm ] || skip "the WebAssembly modules (make web)"
cd page
exec node tests/run.mjs
