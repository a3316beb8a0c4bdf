#!/usr/bin/env python3
"""Takes the source in as part of another project, without anything that the library can do without,
and compiles a file of that project: neither our packages nor our warnings may be asked of it.

usage: test_subproject.py --source FOLDER --cxx COMPILER --cc COMPILER"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

PROJECT = """cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_subdirectory({source} tessera)
add_executable(user main.cc)
target_link_libraries(user PRIVATE tessera::tessera)
"""
# A warning of -Wconversion, which is nobody's business but the project's.
MAIN = """#include <tessera/tessera.hpp>
int main(int count, char**) {
  const char narrow = count;
  return tessera::version().empty() ? narrow : 0;
}
"""
# Packages that must not be looked for.
NEEDLESS = ["CLI11", "GTest", "JPEG", "MPI", "OpenCL", "PkgConfig", "TBB", "nlohmann_json"]
LEFT_OUT = ["TESSERA_WITH_FILES", "TESSERA_USE_TBB", "TESSERA_USE_OPENCL", "TESSERA_USE_ZSTD"]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "CMakeLists.txt").write_text(PROJECT.format(source=arguments.source.resolve()))
        (folder / "main.cc").write_text(MAIN)
        build = folder / "build"
        subprocess.run(
            ["cmake", "-S", folder, "-B", build, "-G", "Ninja",
             f"-DCMAKE_C_COMPILER={arguments.cc}", f"-DCMAKE_CXX_COMPILER={arguments.cxx}",
             *[f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in NEEDLESS],
             *[f"-D{part}=OFF" for part in LEFT_OUT]],
            check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", build, "--target", "CMakeFiles/user.dir/main.cc.o"],
                       check=True, stdout=subprocess.DEVNULL)
        commands = json.loads((build / "compile_commands.json").read_text())
        own = next(entry["command"] for entry in commands if entry["file"].endswith("main.cc"))
        for flag in ("-Werror", "-Wconversion", f"-I{arguments.source.resolve()}/src"):
            if flag in own:
                print(f"{flag} reaches the files of the project: {own}")
                return 1
        built = {pathlib.Path(entry["file"]).relative_to(arguments.source.resolve()).parts[0]
                 for entry in commands if str(arguments.source.resolve()) in entry["file"]}
        if built - {"src", "build"}:
            print(f"more than the library would be built: {built}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
