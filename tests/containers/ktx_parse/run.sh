#!/usr/bin/env bash
# Lets ktx-parse read the .ktx2 files that SAMPLES writes, and SAMPLES the files that ktx-parse
# writes. Everything happens in FOLDER. Ends with 77 when Node.js or the package cannot be had.
set -euo pipefail

samples=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)

skip() {
  echo "SKIPPED: $1; .ktx2 files were NOT compared with an independent reader"
  exit 77
}

command -v node >/dev/null && command -v npm >/dev/null || skip "Node.js or npm is not installed"
mkdir -p "$folder/files"
if ! cmp -s "$here/package-lock.json" "$folder/package-lock.json" ||
  [ ! -d "$folder/node_modules/ktx-parse" ]; then
  rm -rf "$folder/node_modules"
  cp "$here/package.json" "$here/package-lock.json" "$folder/"
  (cd "$folder" && timeout 120 npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1) ||
    { rm -f "$folder/package-lock.json"; skip "npm cannot install ktx-parse"; }
fi
rm -f "$folder"/files/*
"$samples" write "$folder/files"
node "$here/check.mjs" "$folder/files" "$folder"
"$samples" check "$folder/files"
