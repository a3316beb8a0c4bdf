#!/usr/bin/env bash
# compare_outputs.sh VECTORS PLAIN: both programs must print the same hashes, one line per texture.
# The first one runs on each instruction set that it has.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$2" >"$folder/plain.txt"
lines=$(wc -l <"$folder/plain.txt")
[ "$lines" -gt 300 ] || { echo "only $lines textures"; exit 1; }
for isa in $("$1" isas); do
  TESSERA_ISA=$isa "$1" >"$folder/$isa.txt"
  diff "$folder/$isa.txt" "$folder/plain.txt" || { echo "$isa and plain lanes differ"; exit 1; }
done
echo "$lines textures are the same with vectors and with plain lanes"
