#!/usr/bin/env bash
# Measures what the fuzz targets reach: builds them with the coverage of clang, runs each from its
# corpus, and prints the rows of the table in docs/fuzzing.md: executions, edges, and how many lines
# of the code that the target is about were run.
#
# usage: fuzz_coverage.sh SECONDS [NAME...]
# With names, those targets alone. FUZZ_RUNS in the environment ends a target after so many
# executions, FUZZ_BUILD names the folder of the build (build/fuzz-coverage).
set -euo pipefail

cd "$(dirname "$(readlink -f "$0")")/.."
[ $# -gt 0 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 1; }
seconds=$1
shift
build=${FUZZ_BUILD:-build/fuzz-coverage}
targets=(fuzzers)
[ $# -eq 0 ] || targets=("${@/#/fuzz_}")

# The newest llvm-profdata and llvm-cov, which may have the version in their names.
tool() {
  compgen -c "llvm-$1" | grep -Ex "llvm-$1(-[0-9]+)?" | sort -V | tail -n 1
}
profdata=$(tool profdata)
cov=$(tool cov)
[ -n "$profdata" ] && [ -n "$cov" ] || { echo "llvm-profdata and llvm-cov are needed" >&2; exit 1; }

# The code that a target is about.
sources_of() {
  case $1 in
    image_file) echo src/files/pictures ;;
    texture_file) echo src/containers ;;
    astc_block) echo src/astc/decode src/astc/format ;;
    texture_decode) echo src/containers src/astc/decode src/bc/bc1_decode.cc ;;
    tsf_file)
      echo src/containers/tsf_file.cc src/fractal/{decode_fractal,fractal_describe,plane_stream}.cc \
        src/fractal/{deblock,paper_stream,reconstruct}.cc
      ;;
    tile_encoder) echo src/astc/encode ;;
    rank_messages) echo src/cluster ;;
    c_api) echo src/api ;;
    file_jobs) echo src/api src/files src/containers ;;
    *) echo src/codec src/astc src/bc src/containers ;;
  esac
}

cmake --preset fuzz -B "$build" -D TESSERA_TOGETHER=OFF \
  -D CMAKE_CXX_FLAGS="-fprofile-instr-generate -fcoverage-mapping" >/dev/null
cmake --build "$build" --target "${targets[@]}" >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LLVM_PROFILE_FILE="$work/%p.profraw" FUZZ_KEEP=$work/kept

[ $# -gt 0 ] || set -- $(cd "$build/fuzz" && ls -d fuzz_* | sed 's/^fuzz_//')
echo "| target | executions | edges | lines |"
echo "| --- | --- | --- | --- |"
for name in "$@"; do
  rm -f "$work"/*.profraw
  # "NAME: COUNT executions, cov: COUNT edges"
  ran=$(tools/run_fuzzers.sh "$build/fuzz" fuzz/corpus "$seconds" "$name")
  executions=$(sed -E 's/.*: ([0-9]+) executions.*/\1/' <<<"$ran")
  edges=$(sed -E 's/.*cov: ([0-9]+) .*/\1/' <<<"$ran")
  "$profdata" merge -sparse "$work"/*.profraw -o "$work/all.profdata"
  read -ra sources <<<"$(sources_of "$name")"
  lines=$("$cov" report "$build/fuzz/fuzz_$name" -instr-profile="$work/all.profdata" \
    "${sources[@]}" | awk '$1 == "TOTAL" { print $10 }')
  echo "| \`$name\` | $executions | $edges | $lines of $(sed 's/ /, /g' <<<"${sources[*]}") |"
done
