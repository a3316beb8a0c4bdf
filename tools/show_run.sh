#!/usr/bin/env bash
# Compresses a picture, measures the result and draws it beside the original.
set -euo pipefail

tessera=$1
out=$2
image=$3
if [ -z "$image" ]; then
  image=$out/sample.png
  "$tessera" sample -o "$image"
fi
name=$(basename "${image%.*}")
echo
"$tessera" encode "$image" -o "$out/$name.dds" --format bc1 --metrics
echo
"$tessera" compare "$image" "$out/$name.dds" --sheet "$out/$name-bc1.png"
echo
echo "original, result and 8 times the error: $out/$name-bc1.png"
