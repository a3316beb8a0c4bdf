"""The kinds of calls that astcenc's own functional test makes, in words of our own, given to tessera-astcenc and to
the astcenc command: the same exit codes, and textures whose pixels are alike.

As there, the picture has four tiles, each of one colour and of 4x4 texels, or, here, of those of a block, so that
every block is exact. Of the program's textures and of astcenc's the pixels must be the same ones."""
import os
import subprocess
import unittest

import cli_support
from cli_support import CliTest, read_bytes
from pictures import Picture, bmp, png, read_png, tga
from test_hdr import exr

ASTCENC = "/usr/bin/astcenc"
TILES = ((255, 40, 20, 255), (10, 200, 60, 255), (30, 60, 240, 128), (250, 250, 120, 64))
BLOCKS = ("4x4", "5x4", "5x5", "6x5", "6x6", "8x5", "8x6", "10x5", "10x6", "8x8", "10x8", "10x10", "12x10", "12x12")
VOLUME_BLOCKS = ("3x3x3", "4x3x3", "4x4x3", "4x4x4", "5x4x4", "5x5x4", "5x5x5", "6x5x5", "6x6x5", "6x6x6")
PRESETS = ("-fastest", "-fast", "-medium", "-thorough", "-verythorough", "-exhaustive", "0", "33.5", "100")
SWIZZLES = ("rgba", "bgra", "rrrg", "gggr", "r001", "1rg0")


def tile_at(x, y, width=4, height=4):
    return TILES[2 * (y // height) + x // width]


def tiles(channels=4, width=4, height=4):
    return Picture(2 * width, 2 * height, channels, bytes(c for y in range(2 * height) for x in range(2 * width)
                                                          for c in tile_at(x, y, width, height)[:channels]))


@unittest.skipUnless(os.access(ASTCENC, os.X_OK), f"{ASTCENC} is not installed")
class Cases(CliTest):
    def setUp(self):
        super().setUp()
        self.write("in.png", png(tiles()))
        self.write("rgb.png", png(tiles(3)))
        self.write("in.tga", tga(tiles()))
        self.write("in.bmp", bmp(tiles(3)))
        self.write("in.exr", exr(8, 8, lambda x, y, c: tile_at(x, y)[c] / 100))
        for i in range(2):
            self.write(f"v_{i}.png", png(tiles()))

    def ours(self, *words):
        return cli_support.run(*words, cwd=self.folder).code

    def theirs(self, *words):
        return subprocess.run([ASTCENC, *words], capture_output=True, cwd=self.folder, check=False,
                              timeout=60 * cli_support.PATIENCE).returncode

    def same_code(self, expected, *words):
        found = [run(*words) for run in (self.ours, self.theirs)]
        self.assertEqual(found, [expected, expected], words)

    def pixels(self, name):
        return read_png(read_bytes(self.path(name))).rgba()

    def alike(self, mode, source, block, *options, quality="-fastest", decoding=()):
        """Both make a texture, astcenc decodes both, and the pixels are these."""
        results = []
        for run, name in ((self.ours, "ours"), (self.theirs, "theirs")):
            words = ("-c" + mode, source, name + ".astc", block, quality, *options)
            self.assertEqual(run(*words), 0, (name, words))
            self.assertEqual(self.theirs("-d" + mode, name + ".astc", name + ".png", *decoding), 0, words)
            results.append(self.pixels(name + ".png"))
        differences = [abs(a - b) for a, b in zip(*results)]
        self.assertLessEqual(max(differences), 1, (mode, source, block, options))
        return results[0]

    def test_profiles_block_sizes_and_presets(self):
        for mode in "ls":
            for block in BLOCKS:
                picture = tiles(4, *map(int, block.split("x")))
                self.assertEqual(self.alike(mode, self.write("blocks.png", png(picture)), block), picture.rgba())
        for preset in PRESETS:
            self.assertEqual(self.alike("l", "in.png", "4x4", quality=preset), tiles().rgba())
        for mode in "hH":
            self.alike(mode, "in.exr", "4x4")

    def test_kinds_of_files(self):
        for source in ("in.png", "rgb.png", "in.tga", "in.bmp"):
            self.alike("l", source, "4x4")
        for result in ("o.png", "o.tga", "o.exr", "o.hdr"):
            self.same_code(0, "-tl", "in.png", result, "4x4", "-fastest")
            self.same_code(0, "-th", "in.exr", result, "4x4", "-fastest")
        self.same_code(0, "-cl", "in.png", "o.ktx", "4x4", "-fastest")
        self.same_code(0, "-dl", "o.ktx", "o.png")

    def test_from_end_to_end_is_the_same_as_in_two_steps(self):
        for mode in "ls":
            for block in ("4x4", "6x6", "12x12"):
                for run in (self.ours, self.theirs):
                    self.assertEqual(run("-c" + mode, "in.png", "t.astc", block, "-fast"), 0)
                    self.assertEqual(run("-d" + mode, "t.astc", "two.png"), 0)
                    self.assertEqual(run("-t" + mode, "in.png", "one.png", block, "-fast"), 0)
                    self.assertEqual(self.pixels("one.png"), self.pixels("two.png"), (mode, block))

    def test_swizzles(self):
        for swizzle in SWIZZLES:
            picked = self.alike("l", "in.png", "4x4", "-esw", swizzle)
            places = ["rgba01".index(letter) for letter in swizzle]
            expected = bytes((*pixel, 0, 255)[i] for pixel in self.texels() for i in places)
            self.assertEqual(picked, expected, swizzle)
            self.alike("l", "in.png", "4x4", decoding=("-dsw", swizzle))
            self.alike("l", "in.png", "4x4", "-esw", "gbar", decoding=("-dsw", swizzle))
        self.same_code(0, "-tl", "in.png", "o.png", "4x4", "-fastest", "-esw", "rrrg", "-dsw", "rg0z")
        for name in ("-esw", "-dsw"):
            for swizzle in ("rgb", "rgbax", "rgbx", ""):
                self.same_code(1, "-tl", "in.png", "o.png", "4x4", "-fastest", name, swizzle)
            self.same_code(1, "-tl", "in.png", "o.png", "4x4", "-fastest", name)

    @staticmethod
    def texels():
        return [tile_at(x, y) for y in range(8) for x in range(8)]

    def test_flips(self):
        flipped = self.alike("l", "in.png", "4x4", "-yflip")
        self.assertEqual(flipped[:4 * 8], tiles().rgba()[-4 * 8:])
        self.assertEqual(self.alike("l", "in.png", "4x4", "-yflip", decoding=("-yflip",)), tiles().rgba())
        self.assertEqual(self.alike("l", "in.png", "4x4", decoding=("-yflip",)), flipped)
        self.same_code(0, "-tl", "in.png", "o.png", "4x4", "-fastest", "-yflip")
        self.assertEqual(self.pixels("o.png"), tiles().rgba())

    def test_options_that_weigh_and_prepare(self):
        for options in (("-cw", "1", "2", "3", "4"), ("-a", "1"), ("-a", "0"), ("-normal",), ("-perceptual",),
                        ("-rgbm", "5"), ("-mpsnr", "-4", "4"), ("-j", "1"), ("-j", "3"), ("-silent",),
                        ("-pp-normalize",), ("-pp-premultiply",), ("-cw", "1", "1", "1", "0", "-silent", "-j", "1")):
            self.same_code(0, "-tl", "in.png", "o.png", "4x4", "-fastest", *options)
        for words in (("-cw",), ("-cw", "1"), ("-cw", "1", "2", "3"), ("-a",), ("-j",), ("-mpsnr",), ("-mpsnr", "1"),
                      ("-rgbm",), ("-zdim",), ("-nothing",), ("-cw", "0", "0", "0", "0")):
            self.same_code(1, "-tl", "in.png", "o.png", "4x4", "-fastest", *words)

    def test_volumes(self):
        for block in VOLUME_BLOCKS:
            self.same_code(0, "-tl", "v.png", "o.png", block, "-fastest", "-zdim", "2")
        for words in (("4x4x4", "-fastest", "-zdim", "3"), ("4x4", "-fastest", "-zdim", "2"),
                      ("4x4x4", "-fastest", "-zdim"), ("4x4x2", "-fastest", "-zdim", "2")):
            self.same_code(1, "-tl", "v.png", "o.png", *words)

    def test_words_that_are_missing_or_wrong(self):
        self.assertEqual(self.theirs("-cl", "in.png", "t.astc", "4x4", "-fastest"), 0)
        calls = [("-c" + mode, "in.png", "o.astc", "4x4", "-fastest") for mode in "ls"]
        calls += [("-t" + mode, "in.png", "o.png", "4x4", "-fastest") for mode in "ls"]
        calls += [("-d" + mode, "t.astc", "o.png") for mode in "ls"]
        for call in calls:
            self.same_code(0, *call)
            for length in range(1, len(call)):
                self.same_code(1, *call[:length])
            for place, wrong in ((1, "none.png"), (1, "in.xyz"), (2, "o.xyz"), (2, "none/o.astc"), (2, "none/o.png"),
                                 (3, "3x4"), (3, "4x4x"), (3, "axb"), (4, "-slow"), (4, "many")):
                if place < len(call):
                    self.same_code(1, *call[:place], wrong, *call[place + 1:])
            self.same_code(1, *call, "-unknown")
        self.same_code(1, "-zz", "in.png", "o.astc", "4x4", "-fastest")


if __name__ == "__main__":
    cli_support.main()
