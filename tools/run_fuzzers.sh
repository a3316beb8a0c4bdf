#!/usr/bin/env bash
# Runs every fuzz target of a folder for some seconds, from its corpus and from small files that
# stand for very much. Before that every reader gets larger ones of those, with all the pixels that
# its limits allow. Stops at the first finding, whose input libFuzzer leaves in the current folder.
#
# usage: run_fuzzers.sh PROGRAMS CORPORA SECONDS [NAME...]
# With names, those targets alone. FUZZ_RUNS in the environment ends a target after so many
# executions, FUZZ_KEEP names a folder that keeps what the targets find worth keeping.
set -euo pipefail

programs=$1
corpora=$2
seconds=$3
shift 3
here=$(dirname "$(readlink -f "$0")")
bombs=$(mktemp -d)
trap 'rm -rf "$bombs"' EXIT
PYTHONDONTWRITEBYTECODE=1 "$here/../fuzz/bombs.py" "$bombs/small" 1
PYTHONDONTWRITEBYTECODE=1 "$here/../fuzz/bombs.py" "$bombs/large" 16
[ $# -gt 0 ] || set -- $(cd "$programs" && ls -d fuzz_* | sed 's/^fuzz_//')

for name in "$@"; do
  program=$programs/fuzz_$name
  scratch=$bombs/scratch
  log=$bombs/$name.log
  mkdir -p "$scratch"
  seeds=()
  [ -d "$corpora/$name" ] && seeds+=("$corpora/$name")
  if [ "$name" = file_jobs ]; then  # whatever is a file
    seeds+=("$corpora/image_file" "$corpora/texture_file" "$corpora/tsf_file")
  fi
  options=(-rss_limit_mb=2048 -timeout=60 -max_len=65536)
  case $name in
    *_file | *_jobs | texture_decode)  # readers
      seeds+=("$bombs/small")
      TESSERA_FUZZ_ALL_PIXELS=1 "$program" "${options[@]}" "$bombs"/large/* >"$log" 2>&1 ||
        { tail -n 40 "$log"; exit 1; }
      ;;
    round_trip)
      # Every 500th texture goes to another decoder, too, where there is one.
      if command -v astcenc >/dev/null; then
        export TESSERA_FUZZ_ASTCENC=${TESSERA_FUZZ_ASTCENC:-500}
      fi
      ;;
  esac
  kept=$scratch
  if [ -n "${FUZZ_KEEP:-}" ]; then
    kept=$FUZZ_KEEP/$name
    mkdir -p "$kept"
  fi
  "$program" -max_total_time="$seconds" "${options[@]}" -runs="${FUZZ_RUNS:--1}" \
    -print_final_stats=1 "$kept" "${seeds[@]}" >"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1)
  echo "$name: $executed executions, $coverage edges"
  rm -rf "$scratch"
done
