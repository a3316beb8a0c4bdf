"""The package's types: mypy accepts a program that uses it well, and refuses one that does not."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import support
import tessera

GOOD = """
import pathlib
import numpy
import tessera

pixels = numpy.zeros((8, 8, 4), numpy.uint8)
data: bytes = tessera.encode(pixels, "astc", "6x6", "fast", zstd=True, progress=print)
again = tessera.decode(pathlib.Path("x.ktx2"), dtype="float16")
psnr: float = tessera.compare(pixels, again).psnr_rgb
size: int = tessera.TileEncoder("bc1").encode_into(pixels, bytearray(32))
report: tessera.EncodeReport = tessera.Encoder("bc1").encode_with_report(pixels)[1]
code: tessera.ErrorCode = tessera.Error("x").code
"""

BAD = """
import numpy
import tessera

pixels = numpy.zeros((8, 8, 4), numpy.uint8)
text: str = tessera.encode(pixels)
tessera.encode(pixels, block=6)
tessera.decode(5)
tessera.compare(pixels, pixels).quality
"""


class Types(support.FolderTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.cache = folder.name

    def run_python(self, *arguments):
        package = pathlib.Path(tessera.__path__[0])
        environment = dict(os.environ, MYPYPATH=str(package.parent), MYPY_CACHE_DIR=self.cache)
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self.folder,
            env=environment,
            timeout=250,
        )

    def setUp(self):
        super().setUp()
        if self.run_python("mypy", "--version").returncode != 0:
            self.skipTest("mypy is not installed (packages-python.txt)")

    def check(self, program):
        (self.folder / "client.py").write_text(program)
        return self.run_python("mypy", "--strict", "client.py")

    def test_good_program(self):
        result = self.check(GOOD)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_bad_program(self):
        result = self.check(BAD)
        lines = [line.split(":")[1] for line in result.stdout.splitlines() if ": error:" in line]
        self.assertEqual(lines, ["6", "7", "8", "9"], result.stdout)

    def test_the_compiled_part_has_what_its_types_say(self):
        # Classes of pybind11 have a metaclass of their own, which their users need not know.
        allowed = self.folder / "allowed"
        allowed.write_text(r"tessera\._native\.[A-Z]\w*" + "\n")
        result = self.run_python(
            "mypy.stubtest",
            "tessera._native",
            "--ignore-missing-stub",
            "--ignore-positional-only",
            "--concise",
            "--allowlist",
            str(allowed),
        )
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
