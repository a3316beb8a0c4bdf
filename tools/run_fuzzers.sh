#!/usr/bin/env bash
# Runs every fuzz target of a folder for some seconds, from its corpus. Stops at the first finding,
# whose input libFuzzer leaves in the current folder.
set -euo pipefail

programs=$1
corpora=$2
seconds=$3
for program in "$programs"/fuzz_*; do
  name=$(basename "$program")
  corpus=$corpora/${name#fuzz_}
  scratch=$(mktemp -d)
  echo "$name: $seconds s"
  seeds=()
  [ -d "$corpus" ] && seeds=("$corpus")
  "$program" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=10 -max_len=65536 \
    -print_final_stats=1 "$scratch" "${seeds[@]}" >"$scratch.log" 2>&1 ||
    { tail -n 40 "$scratch.log"; exit 1; }
  grep -E 'number_of_executed_units' "$scratch.log"
  rm -rf "$scratch" "$scratch.log"
done
