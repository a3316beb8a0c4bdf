"""What tests of textures with several slices share."""
import glob
import os
import shutil

from cli_support import CliTest, read_bytes
from pictures import read_png


class SlicesTest(CliTest):
    def decoded_slices(self, texture, *options):
        """The pictures of all slices of a texture, in their order."""
        folder = self.path("decoded")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        self.succeed("decode", texture, "-o", folder + "/d.png", "--all-slices", "--quiet", *options)
        return [read_png(read_bytes(name)) for name in sorted(glob.glob(folder + "/d_*.png"))]
