#!/bin/sh
# Builds the Debian packages into a folder, and checks them with lintian where that is installed:
#   tools/build_packages.sh out
set -eu
out=$1
build=build/deb
cmake -S . -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX=/usr \
  -D TESSERA_BUILD_TESTS=OFF -D TESSERA_BUILD_BENCH=OFF -D TESSERA_BUILD_PYTHON=ON \
  -D TESSERA_PYTHON_INSTALL_DIR=lib/python3/dist-packages > /dev/null
cmake --build "$build"
mkdir -p "$out"
(cd "$build" && cpack -G DEB > /dev/null)
cp "$build"/*.deb "$out"/
ls -l "$out"/*.deb
if command -v lintian > /dev/null; then
  lintian --fail-on error "$out"/*.deb
else
  echo "lintian is not installed: the packages have not been checked"
fi
