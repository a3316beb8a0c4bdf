#!/usr/bin/env bash
# Installs the Debian packages of a folder, uses what they bring, removes them, and looks whether
# anything is left:
#   tools/test_packages.sh build/deb-test/packages
# Refuses where any of it is installed already: what is there belongs to somebody.
set -euo pipefail
folder=$(realpath "$1")
packages=()
for file in "$folder"/*.deb; do
  packages+=("$(dpkg-deb -f "$file" Package)")
done
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)

fail() {
  echo "test_packages: $*" >&2
  exit 1
}

# Files and folders of the packages, and whatever else in the system has our name.
paths_of_packages() {
  for file in "$folder"/*.deb; do
    dpkg-deb --fsys-tarfile "$file" | tar -t | sed 's|^\.||; s|/$||'
  done | sort -u
}
named_paths() {
  find /usr /etc /var/lib /var/cache -xdev -name '*tessera*' 2>/dev/null | sort
}
existing_paths() {
  while read -r path; do
    if [ -n "$path" ] && { [ -e "$path" ] || [ -L "$path" ]; }; then echo "$path"; fi
  done
}

refuse_what_is_there() {
  for package in "${packages[@]}"; do
    case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true) in
      '' | not-installed) ;;
      *) fail "the package $package is installed; remove it first" ;;
    esac
  done
  local taken
  taken=$(paths_of_packages | existing_paths | while read -r path; do [ -d "$path" ] || echo "$path"; done)
  [ -z "$taken" ] || fail "files are there already: $taken"
}

work=$(mktemp -d)
installed=no
clean_up() {
  [ "$installed" = no ] || "${as_root[@]}" dpkg --purge "${packages[@]}" >/dev/null
  rm -rf "$work"
}

# What a user of each package does first. Nothing may come from elsewhere than from the packages.
use_command() {
  cd "$work"
  export PATH=/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1
  unset LD_LIBRARY_PATH PYTHONPATH PKG_CONFIG_PATH
  tessera --version
  mkdir assets
  tessera sample -o assets/photo.png --size 64x48 --quiet
  tessera encode assets/photo.png -o photo.ktx2 --mips --quiet
  tessera validate photo.ktx2
  tessera-astcenc -cl assets/photo.png photo.astc 6x6 -fastest -silent
  # This build has no benchmark; reports run rivals nevertheless, here one that fails.
  mkdir bin
  # shellcheck disable=SC2016 # the script is to expand it
  printf '#!/bin/sh\n[ "$1" = -version ] && echo "astcenc v9.9" && exit\nexit 3\n' >bin/astcenc
  chmod +x bin/astcenc
  PATH=$work/bin:$PATH tessera report assets -o report.html --setting block=6x6 --rivals 2>notes
  grep -q 'photo.png with astcenc 9.9' notes || fail "reports do not run rivals: $(cat notes)"
  [ -f /usr/share/man/man1/tessera-encode.1.gz ] || fail "there is no manual page"
}
use_library() {
  cp "$source/examples/photo_to_ktx2.c" .
  # shellcheck disable=SC2046 # several words are meant
  cc photo_to_ktx2.c $(pkg-config --cflags --libs tessera) -o program
  ./program assets/photo.png from_c.ktx2
  ldd program | grep -Eq 'libtessera[^ ]* => (/usr)?/lib/' || fail "the program uses another library"
  if [ -n "$(find "$folder" -name 'python3-*')" ]; then
    /usr/bin/python3 -c 'import tessera; print(tessera.read("assets/photo.png").shape)'
  fi
}

source=$(realpath "$(dirname "$0")/..")
refuse_what_is_there
before=$(named_paths)
folders_before=$(paths_of_packages | existing_paths)
trap clean_up EXIT
installed=yes
"${as_root[@]}" dpkg -i "$folder"/*.deb >/dev/null
(
  use_command
  use_library
)
"${as_root[@]}" dpkg --purge "${packages[@]}" >/dev/null
installed=no
[ "$(paths_of_packages | existing_paths)" = "$folders_before" ] ||
  fail "files or folders are left: $(diff <(echo "$folders_before") <(paths_of_packages | existing_paths))"
[ "$(named_paths)" = "$before" ] || fail "something is left: $(diff <(echo "$before") <(named_paths))"
echo "packages were installed, used and removed: ${packages[*]}"
