#!/usr/bin/env bash
# usage: check_neon.sh OUTPUT_HASHES
# Compiles the encoders and decoders for 64-bit ARM, runs them in an emulator and compares the
# hashes of what they write with those of OUTPUT_HASHES, the same program of this machine's build.
# Needs Debian's g++-aarch64-linux-gnu and qemu-user; without them it says SKIPPED and exits with 77.
set -euo pipefail
native=$(realpath "$1")
cd "$(dirname "$0")/.."

for command in aarch64-linux-gnu-g++ qemu-aarch64; do
  if ! command -v "$command" >/dev/null; then
    echo "SKIPPED: $command is not installed (Debian: g++-aarch64-linux-gnu, qemu-user)"
    exit 77
  fi
done

folder=build/neon
rm -rf "$folder"
mkdir -p "$folder/include" "$folder/objects"
# Highway's headers serve every machine, but the cross compiler does not look where they are.
ln -s /usr/include/hwy "$folder/include/hwy"

sources=(tests/spmd/output_hashes.cc src/base/*.cc src/image/*.cc src/spmd/*.cc
  src/astc/{format,decode,encode}/*.cc src/containers/{tsf_file,format_table,texture}.cc src/bc/bc1_encode.cc
  src/bc/encode_*.cc src/bc/solid_table.cc)
for source in src/fractal/*.cc; do
  case $source in
    *_codec.cc | *_options.cc) ;; # what the pipeline sees
    *) sources+=("$source") ;;
  esac
done
export COMPILE="${CMAKE_CXX_COMPILER_LAUNCHER:-} aarch64-linux-gnu-g++ -std=c++20 -O1
  -march=armv8-a+crypto -ffp-contract=off -DTESSERA_ONE_TARGET
  -fno-tree-slp-vectorize -Isrc -I$folder/include"
# As many at a time as there are cores.
for source in "${sources[@]}"; do
  echo "$folder/objects/${source//\//_}.o $source"
done | xargs -P "$(nproc)" -L 1 bash -c '$COMPILE -c "$1" -o "$0"'
aarch64-linux-gnu-g++ "$folder"/objects/*.o -static -pthread -o "$folder/output_hashes"

# The rest of the portable core must at least compile: codecs, containers, what runs them.
ls src/{codec,exec,containers,bc,astc,fractal}/*.cc | grep -v opencl |
  xargs -P "$(nproc)" -n 8 $COMPILE -I"$(dirname "$native")/../src/codec/lists" '-DTESSERA_VERSION="-"' -fsyntax-only

"$native" short >"$folder/native.txt"
qemu-aarch64 "$folder/output_hashes" short >"$folder/aarch64.txt"
count=$(wc -l <"$folder/native.txt")
if [ "$count" -eq 0 ] || ! diff "$folder/native.txt" "$folder/aarch64.txt"; then
  echo "64-bit ARM writes other bytes"
  exit 1
fi
echo "64-bit ARM writes the same bytes: $count textures"
