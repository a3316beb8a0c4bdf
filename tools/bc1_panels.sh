#!/usr/bin/env bash
# Draws a picture beside its BC1 result and the error, once for each way that docs/bc1.md compares.
# usage: bc1_panels.sh TESSERA FOLDER PICTURE
set -euo pipefail

tessera=$1
out=$2
image=$3
mkdir -p "$out"
panel() {
  local name=$1
  shift
  "$tessera" encode "$image" -o "$out/$name.dds" --format bc1 --quiet "$@"
  "$tessera" compare "$image" "$out/$name.dds" --sheet "$out/$name.png"
}
panel bounds --method bounds
panel cluster --method cluster
panel lspiro-1 --method lspiro --lspiro-steps 1
panel lspiro-12 --method lspiro --lspiro-steps 2
panel lspiro-123 --method lspiro --lspiro-steps 3
echo "original, result and 8 times the error: $out/*.png"
