"""What the tests of the Python package share: the command, pictures, a folder for each test."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy

import tessera

COMMAND = os.environ["TESSERA_COMMAND"]
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run_command(*arguments):
    """What the command prints, as bytes."""
    return subprocess.run(
        [COMMAND, *map(str, arguments)], check=True, stdout=subprocess.PIPE, timeout=200
    ).stdout


def read_netpbm(path):
    """A binary .ppm or .pgm file of 8-bit samples, read without the library."""
    kind, width, height, most, pixels = path.read_bytes().split(maxsplit=4)
    assert most == b"255", most
    channels = {b"P5": 1, b"P6": 3}[kind]
    return numpy.frombuffer(pixels, numpy.uint8).reshape(int(height), int(width), channels)


def photo(width=96, height=80, seed=1):
    """A picture in colour."""
    return tessera.sample("photo", width, height, seed)


def rgba(width=96, height=80):
    """A picture with alpha."""
    pixels = numpy.empty((height, width, 4), numpy.uint8)
    pixels[..., :3] = photo(width, height)[..., :3]
    pixels[..., 3] = numpy.linspace(0, 255, width, dtype=numpy.uint8)
    return pixels


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write_png(self, pixels, name="in.png"):
        path = self.folder / name
        tessera.write(path, pixels)
        return path

    def command_encode(self, picture, name, *arguments):
        """The bytes that the command writes for a picture file."""
        path = self.folder / name
        run_command("encode", picture, "-o", path, "--quiet", *arguments)
        return path.read_bytes()
