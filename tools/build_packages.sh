#!/bin/sh
# Builds the Debian packages into a folder, and checks them with lintian where that is installed:
#   tools/build_packages.sh out
#   tools/build_packages.sh build/deb-test/packages -D TESSERA_ISAS=NATIVE
# What follows the folder is for CMake, and gives the build a place of its own.
set -eu
out=$1
shift
build=build/deb
[ $# -eq 0 ] || build=build/deb-test
cmake -S . -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX=/usr \
  -D TESSERA_BUILD_TESTS=OFF -D TESSERA_BUILD_BENCH=OFF -D TESSERA_BUILD_PYTHON=ON \
  -D TESSERA_PYTHON_INSTALL_DIR=lib/python3/dist-packages "$@" > /dev/null
cmake --build "$build"
rm -f "$build"/*.deb # of earlier versions
mkdir -p "$out"
(cd "$build" && cpack -G DEB > /dev/null)
cp "$build"/*.deb "$out"/
ls -l "$out"/*.deb
if command -v lintian > /dev/null; then
  lintian --fail-on error "$out"/*.deb
else
  echo "lintian is not installed: the packages have not been checked"
fi
