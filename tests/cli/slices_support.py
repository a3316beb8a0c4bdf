"""What tests of textures with several slices share."""
import glob
import os
import shutil
import struct

from cli_support import CliTest, read_bytes
from pictures import read_png


def ktx2_of_pixels(pixels, number, sample_bytes, width, height, depth):
    """A 3D texture that is not compressed; its descriptor says nothing that a reader needs here."""
    descriptor = struct.pack("<I", 4)
    at = 80 + 24 + len(descriptor)
    at += -at % 4
    head = bytes([0xAB]) + b"KTX 20" + bytes([0xBB]) + b"\r\n\x1a\n"
    head += struct.pack("<9I", number, sample_bytes, width, height, depth, 0, 1, 1, 0)
    head += struct.pack("<4I2Q", 104, len(descriptor), 0, 0, 0, 0)
    head += struct.pack("<3Q", at, len(pixels), len(pixels))
    return (head + descriptor).ljust(at, b"\0") + pixels


class SlicesTest(CliTest):
    def decoded_slices(self, texture, *options):
        """The pictures of all slices of a texture, in their order."""
        folder = self.path("decoded")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        self.succeed("decode", texture, "-o", folder + "/d.png", "--all-slices", "--quiet", *options)
        return [read_png(read_bytes(name)) for name in sorted(glob.glob(folder + "/d_*.png"))]
