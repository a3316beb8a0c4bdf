#!/usr/bin/env bash
# Compiles the encoders for 64-bit ARM, runs them in an emulator and compares the hashes of what they
# write with this machine's. Needs Debian's g++-aarch64-linux-gnu and qemu-user.
set -euo pipefail
cd "$(dirname "$0")/.."

for command in aarch64-linux-gnu-g++ qemu-aarch64; do
  if ! command -v "$command" >/dev/null; then
    echo "SKIPPED: $command is not installed (Debian: g++-aarch64-linux-gnu, qemu-user)"
    exit 0
  fi
done

folder=build/neon
mkdir -p "$folder/include"
# Highway's headers serve every machine, but the cross compiler does not look where they are.
ln -sfn /usr/include/hwy "$folder/include/hwy"

sources=(tests/neon/output_hashes.cc src/base/*.cc src/image/*.cc src/spmd/*.cc src/astc/{format,decode,encode}/*.cc)
options=(-std=c++20 -O1 -ffp-contract=off -DTESSERA_ONE_TARGET -DHWY_BROKEN_EMU128=0
  -fno-tree-slp-vectorize -Isrc)

# build COMPILER FOLDER [OPTIONS]: all sources, as many at a time as there are cores.
build() {
  local compiler=$1 objects=$2
  export COMPILE="$compiler ${options[*]} ${*:3}"
  rm -rf "$objects"
  mkdir -p "$objects"
  for source in "${sources[@]}"; do
    echo "$objects/${source//\//_}.o $source"
  done | xargs -P "$(nproc)" -L 1 bash -c '$COMPILE -c "$1" -o "$0"'
  "$compiler" "$objects"/*.o -static -pthread -o "$objects/output_hashes"
}

build g++ "$folder/native"
build aarch64-linux-gnu-g++ "$folder/aarch64" -march=armv8-a+crypto -I"$folder/include"
"$folder/native/output_hashes" >"$folder/native.txt"
qemu-aarch64 "$folder/aarch64/output_hashes" >"$folder/aarch64.txt"
if ! diff "$folder/native.txt" "$folder/aarch64.txt"; then
  echo "64-bit ARM writes other bytes"
  exit 1
fi
echo "64-bit ARM writes the same bytes: $(wc -l <"$folder/native.txt") textures"
