#!/usr/bin/env python3
"""Installs the library into an empty folder, builds every example against it with CMake and with
pkg-config, static and shared, runs them, and compares what they write with what the command writes.

usage: test_install.py --source FOLDER --build FOLDER --command PROGRAM --cxx COMPILER --cc COMPILER
                       [--document]    only the program of docs/library.md"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SIDE = 256  # pixels of the picture in tiles_in_a_render_loop.cc
TILE = 64
BLOCK_BYTES = 16


def run(*command, **options):
    """The output of a command that must succeed."""
    texts = [str(part) for part in command]
    done = subprocess.run(texts, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(texts)}\nexited with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(condition, sentence):
    if not condition:
        sys.exit(sentence)


class Installed:
    """The library in a folder of its own, and what the command makes of a sample."""

    def __init__(self, arguments, folder: pathlib.Path):
        self.arguments = arguments
        self.folder = folder
        self.prefix = folder / "prefix"
        self.examples = arguments.source / "examples"
        for component in ("shared", "library"):
            run("cmake", "--install", arguments.build, "--prefix", self.prefix, "--component", component)
        self.library_folder = next(self.prefix.rglob("libtessera.a")).parent
        self.environment = {
            **os.environ,
            "LD_LIBRARY_PATH": str(self.library_folder),
            "PKG_CONFIG_PATH": str(self.library_folder / "pkgconfig"),
        }
        self.make_expected()

    def make_expected(self):
        command = self.arguments.command
        self.photo = self.folder / "photo.png"
        self.ktx2 = self.folder / "expected.ktx2"
        self.dds = self.folder / "expected.dds"
        run(command, "sample", "-o", self.photo, "--size", "160x96", "--quiet")
        run(command, "encode", self.photo, "-o", self.ktx2, "--format", "astc", "--block", "6x6",
            "--mips", "--quiet")
        run(command, "encode", self.photo, "-o", self.dds, "--preset", "fast", "--quiet")
        self.metrics = json.loads(run(command, "compare", self.photo, self.dds, "--json"))
        self.tiles = [self.make_tiles(number) for number in range(3)]

    def make_tiles(self, number):
        """The blocks of one frame of the render loop, in the order of its tiles."""
        pixels = bytearray()
        for y in range(SIDE):
            for x in range(SIDE):
                pixels += bytes(((x + number) & 255, y & 255, ((x ^ y) + 2 * number) & 255))
        picture = self.folder / "frame.ppm"
        texture = self.folder / "frame.astc"
        picture.write_bytes(f"P6\n{SIDE} {SIDE}\n255\n".encode() + pixels)
        run(self.arguments.command, "encode", picture, "-o", texture, "--block", "4x4", "--preset",
            "realtime", "--quiet")
        blocks = texture.read_bytes()[16:]
        across, per_tile = SIDE // 4, TILE // 4
        ordered = b""
        for top in range(0, across, per_tile):
            for left in range(0, across, per_tile):
                for row in range(top, top + per_tile):
                    begin = (row * across + left) * BLOCK_BYTES
                    ordered += blocks[begin:begin + per_tile * BLOCK_BYTES]
        return ordered

    def check_programs(self, folder: pathlib.Path, how: str):
        """Runs the examples in `folder`."""
        def example(name, *arguments):
            return run(folder / name, *arguments, env=self.environment)

        made = self.folder / "made"
        for name in ("photo_to_ktx2", "photo_to_ktx2_c"):
            example(name, self.photo, made)
            expect(made.read_bytes() == self.ktx2.read_bytes(), f"{how}: {name} wrote other bytes")
        example("own_thread_pool", self.photo, made)
        expect(made.read_bytes() == self.dds.read_bytes(), f"{how}: own_thread_pool wrote other bytes")
        text = example("decode_and_measure", self.photo, self.dds)
        expect(text.startswith(f"PSNR of RGB {self.metrics['psnr_rgb']:.2f} dB"), f"{how}: {text}")
        example("tiles_in_a_render_loop", made)
        expect(made.read_bytes() == b"".join(self.tiles), f"{how}: the tiles have other bytes")
        print(f"{how}: ok")

    def check_with_cmake(self, is_static: bool):
        how = "CMake, " + ("static" if is_static else "shared")
        build = self.folder / ("cmake_static" if is_static else "cmake_shared")
        run("cmake", "-S", self.examples, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DTESSERA_USE_STATIC_LIBRARY={'ON' if is_static else 'OFF'}",
            f"-DCMAKE_C_COMPILER={self.arguments.cc}", f"-DCMAKE_CXX_COMPILER={self.arguments.cxx}")
        run("cmake", "--build", build)
        self.check_programs(build, how)

    def check_with_pkg_config(self, is_static: bool):
        how = "pkg-config, " + ("static" if is_static else "shared")
        build = self.folder / ("pc_static" if is_static else "pc_shared")
        build.mkdir()
        asked = ["--static"] if is_static else []
        flags = run("pkg-config", "--cflags", "tessera", env=self.environment).split()
        libraries = run("pkg-config", "--libs", *asked, "tessera", env=self.environment).split()
        if is_static:
            libraries = ["-l:libtessera.a" if item == "-ltessera" else item for item in libraries]
        for source in sorted(self.examples.glob("*.c*")):
            is_c = source.suffix == ".c"
            name = source.stem + ("_c" if source.name == "photo_to_ktx2.c" else "")
            compiler = [self.arguments.cc, "-std=c11"] if is_c else [self.arguments.cxx, "-std=c++20"]
            run(*compiler, "-Wall", "-Wextra", "-Werror", *flags, source, "-o", build / name,
                *libraries, "-pthread")
        self.check_programs(build, how)

    def check_document(self):
        """The program of docs/library.md, compiled as it says."""
        text = (self.arguments.source / "docs" / "library.md").read_text(encoding="utf-8")
        source, made = self.folder / "program.cc", self.folder / "made"
        source.write_text(text.split("```cpp\n")[1].split("```")[0])
        asked = next(line for line in text.splitlines() if "pkg-config --cflags" in line)
        command = asked.strip().replace("c++ ", f"{self.arguments.cxx} ", 1)
        run("sh", "-c", command, cwd=self.folder, env=self.environment)
        run(self.folder / "program", self.photo, made, env=self.environment)
        expect(made.read_bytes() == self.ktx2.read_bytes(), "the program of docs/library.md wrote other bytes")
        print("docs/library.md: ok")

    def check_files(self):
        """Nothing of the inside of the library is installed."""
        headers = {path.name for path in self.prefix.rglob("*.h*")}
        parts = {f"{part}.{kind}" for part in ("basics", "encode", "decode", "files", "tessera")
                 for kind in ("h", "hpp")}
        expect(headers == {"cuda.hpp", *parts}, f"installed headers: {headers}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--source", "--build", "--command"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--document", action="store_true", help="only the program of docs/library.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        installed = Installed(arguments, pathlib.Path(folder))
        if arguments.document:
            installed.check_document()
            return
        installed.check_files()
        for is_static in (False, True):
            installed.check_with_cmake(is_static)
            installed.check_with_pkg_config(is_static)


if __name__ == "__main__":
    main()
