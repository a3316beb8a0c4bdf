"""Textures go to other programs and come from them: ImageMagick and the NVIDIA Texture Tools."""
import os
import subprocess
import unittest

import cli_support
from cli_support import CliTest, read_bytes
from pictures import gradient, png, read_png, read_ppm, with_alpha
from textures import Dds, psnr

IMAGEMAGICK = "/usr/bin/convert-im6.q16"
NVCOMPRESS = "/usr/bin/nvcompress"


def run_other(*arguments):
    return subprocess.run(arguments, capture_output=True, timeout=60 * cli_support.PATIENCE, check=False)


@unittest.skipUnless(os.access(IMAGEMAGICK, os.X_OK), f"{IMAGEMAGICK} is not installed")
class ImageMagick(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = gradient(60, 36)
        self.source = self.write("source.png", png(self.picture))

    def convert(self, *arguments):
        done = run_other(IMAGEMAGICK, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def assert_reads_as_we_do(self, *options):
        texture = self.path("ours.dds")
        self.succeed("encode", self.source, "-o", texture, *options, "--quiet")
        self.succeed("decode", texture, "-o", self.path("ours.png"), "--quiet")
        ours = read_png(read_bytes(self.path("ours.png")))
        self.convert(texture + "[0]", "-alpha", "off", "-depth", "8", self.path("theirs.ppm"))
        theirs = read_ppm(read_bytes(self.path("theirs.ppm")))
        self.assertEqual((theirs.width, theirs.height), (ours.width, ours.height))
        self.assertTrue(theirs.rgb() == ours.rgb(), "the pixels differ")
        self.assertTrue(ours.rgba() == Dds(read_bytes(texture)).picture().rgba())

    def test_reads_our_textures_to_the_same_pixels(self):
        for preset in ("realtime", "medium", "exhaustive"):
            with self.subTest(preset):
                self.assert_reads_as_we_do("--preset", preset)

    def test_reads_our_textures_of_odd_sizes(self):
        for width, height in ((1, 1), (5, 3), (33, 17)):
            with self.subTest(f"{width}x{height}"):
                self.source = self.write("source.png", png(gradient(width, height)))
                self.assert_reads_as_we_do()

    def test_reads_our_mip_levels(self):
        self.assert_reads_as_we_do("--mips")

    def decode_theirs(self, *defines):
        texture = self.path("theirs.dds")
        self.convert(self.source, "-define", "dds:compression=dxt1", *defines, texture)
        self.succeed("decode", texture, "-o", self.path("out.png"), "--quiet")
        self.assertGreater(psnr(self.picture, read_png(read_bytes(self.path("out.png")))), 25)
        return self.succeed("info", texture, "--json").json

    def test_we_read_its_textures(self):
        info = self.decode_theirs("-define", "dds:mipmaps=0")
        self.assertEqual((info["levels"], info["width"], info["height"]), (1, 60, 36))

    def test_we_read_its_mip_levels(self):
        self.picture = gradient(64, 32)
        self.source = self.write("source.png", png(self.picture))
        info = self.decode_theirs()
        self.assertGreater(info["levels"], 1)
        for level in range(info["levels"]):
            self.succeed("decode", self.path("theirs.dds"), "-o", self.path("out.png"), "--quiet",
                         "--level", level)
            self.assertEqual(read_png(read_bytes(self.path("out.png"))).width, max(1, 64 >> level))

    def test_we_refuse_its_other_formats(self):
        texture = self.path("dxt5.dds")
        clear = self.write("clear.png", png(with_alpha(self.picture, lambda x, y: 4 * x)))
        self.convert(clear, "-define", "dds:compression=dxt5", texture)
        self.refuse(cli_support.UNSUPPORTED, "decode", texture, "-o", self.path("out.png"),
                    words=(texture,))
        self.convert(self.source, "-define", "dds:compression=none", texture)
        self.refuse(cli_support.UNSUPPORTED, "decode", texture, "-o", self.path("out.png"),
                    words=(texture,))

    def test_our_pictures_are_its_pictures(self):
        texture = self.path("ours.dds")
        self.succeed("encode", self.source, "-o", texture, "--quiet")
        expected = Dds(read_bytes(texture)).picture().rgb()
        for name in ("a.png", "a.tga", "a.ppm"):
            with self.subTest(name):
                self.succeed("decode", texture, "-o", self.path(name), "--quiet")
                # It keeps the rows of a .tga file as they come, and the order as a note.
                self.convert(self.path(name), "-auto-orient", "-depth", "8", self.path("check.ppm"))
                self.assertTrue(read_ppm(read_bytes(self.path("check.ppm"))).rgb() == expected)

    def test_we_read_its_pictures(self):
        for name, options in (
            ("a.jpg", ("-quality", "97", "-sampling-factor", "4:4:4")),
            ("a.jpg", ("-interlace", "JPEG", "-quality", "97")),
            ("a.bmp", ()), ("a.ppm", ()), ("a.tga", ("-orient", "TopLeft")),
            ("a.tga", ("-orient", "TopLeft", "-compress", "RLE")),
            ("a.ppm", ("-compress", "none")), ("a.png", ("-interlace", "PNG")),
            ("a.png", ("-depth", "16")), ("a.png", ("-colors", "200", "-type", "Palette")),
        ):
            with self.subTest(name=name, options=options):
                self.convert(self.source, *options, self.path(name))
                result = self.succeed("compare", self.source, self.path(name), "--json").json
                self.assertGreater(result["psnr_rgb"], 25)


@unittest.skipUnless(os.access(NVCOMPRESS, os.X_OK), f"{NVCOMPRESS} is not installed")
class NvidiaTextureTools(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = gradient(64, 32)
        self.source = self.write("source.png", png(self.picture))

    def compress(self, *options):
        texture = self.path("theirs.dds")
        done = run_other(NVCOMPRESS, "-nocuda", *options, self.source, texture)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return texture

    def assert_near(self, texture, level=0):
        self.succeed("decode", texture, "-o", self.path("out.png"), "--quiet", "--level", level)
        decoded = read_png(read_bytes(self.path("out.png")))
        if level == 0:
            self.assertGreater(psnr(self.picture, decoded), 25)
        return decoded

    def test_we_read_its_textures(self):
        texture = self.compress("-bc1", "-nomips")
        self.assert_near(texture)
        self.assertEqual(self.succeed("info", texture, "--json").json["levels"], 1)

    def test_we_read_its_mip_levels(self):
        texture = self.compress("-bc1")
        self.assert_near(texture)
        self.assertEqual(self.succeed("info", texture, "--json").json["levels"], 7)
        for level in range(7):
            self.assertEqual(self.assert_near(texture, level).height, max(1, 32 >> level))

    def test_we_read_textures_of_odd_sizes(self):
        for width, height in ((33, 17), (5, 3), (1, 1)):
            with self.subTest(f"{width}x{height}"):
                self.picture = gradient(width, height)
                self.source = self.write("source.png", png(self.picture))
                self.assert_near(self.compress("-bc1", "-nomips"))
                self.assert_near(self.compress("-bc1"))

    def test_we_read_its_dx10_headers(self):
        if b"-dds10" not in run_other(NVCOMPRESS).stdout + run_other(NVCOMPRESS).stderr:
            self.skipTest("this nvcompress has no -dds10")
        self.assert_near(self.compress("-bc1", "-nomips", "-dds10"))

    def test_we_refuse_its_other_formats(self):
        texture = self.compress("-bc3", "-nomips")
        self.refuse(cli_support.UNSUPPORTED, "decode", texture, "-o", self.path("out.png"),
                    words=(texture,))


if __name__ == "__main__":
    cli_support.main()
