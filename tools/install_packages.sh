#!/usr/bin/env bash
# Installs the Debian packages that a list names and that are not there yet. A second word in a line
# is a command: where there is such a command, from wherever, the package is not needed.
set -euo pipefail

list=$1
missing=()
while read -r package command _; do
  case $package in '' | '#'*) continue ;; esac
  if [ -n "$command" ] && command -v "$command" >/dev/null; then
    continue
  fi
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done <"$list"
[ ${#missing[@]} -gt 0 ] || exit 0

echo "installing: ${missing[*]}"
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
