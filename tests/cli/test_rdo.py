"""Textures that compress further: --rdo and --rdo-size."""
import os
import zlib

import cli_support
from cli_support import UNSUPPORTED, USAGE, CliTest, available_isas, read_bytes
from mpi_support import has_mpi, run_ranks
from pictures import Picture, png


class RdoTest(CliTest):
    def setUp(self):
        super().setUp()
        self.photo = self.path("photo.png")
        self.succeed("sample", "-o", self.photo, "--size", "320x256", "--seed", 2)

    def encode(self, *options, name="out.dds", **keywords):
        """The blocks, and what the command tells."""
        result = self.succeed("encode", self.photo, "-o", self.path(name), "--metrics", "--json",
                              *options, **keywords).result
        return read_bytes(self.path(name))[128:], result

    @staticmethod
    def deflated(blocks):
        return len(zlib.compress(blocks, 9))


class Bc1(RdoTest):
    def test_more_is_smaller_and_worse(self):
        plain, report = self.encode()
        size, quality = self.deflated(plain), report["psnr_rgb"]
        for number in (5, 20, 80):
            blocks, report = self.encode("--rdo", number)
            self.assertEqual(len(blocks), len(plain))
            self.assertLess(self.deflated(blocks), size)
            self.assertLess(report["psnr_rgb"], quality)
            size, quality = self.deflated(blocks), report["psnr_rgb"]
        self.assertLess(size, self.deflated(plain) * 0.8)

    def test_a_size_is_about_reached(self):
        plain = self.deflated(self.encode()[0])
        for percent in (90, 75):
            size = self.deflated(self.encode("--rdo-size", percent)[0])
            self.assertAlmostEqual(100 * size / plain, percent, delta=8)

    def test_threads_and_instruction_sets_do_not_matter(self):
        for option in (("--rdo", 20), ("--rdo-size", 80)):
            expected, _ = self.encode(*option, "--threads", 1, "--mips")
            for threads in (2, 7):
                self.assertEqual(self.encode(*option, "--threads", threads, "--mips")[0], expected)
            for isa in available_isas():
                self.assertEqual(self.encode(*option, "--mips", isa=isa)[0], expected)

    def test_ranks_do_not_matter(self):
        if not has_mpi():
            self.skipTest("this build has no MPI")
        for option in (("--rdo", 20), ("--rdo-size", 80)):
            expected, _ = self.encode(*option, "--mips")
            for unit_rows in (1, 50):
                outcome = run_ranks(3, "encode", self.photo, "-o", self.path("ranks.dds"), *option,
                                    "--mips", "--split-over", 0, "--unit-rows", unit_rows)
                self.assertEqual(outcome.code, 0, str(outcome))
                self.assertEqual(read_bytes(self.path("ranks.dds"))[128:], expected)

    def test_refusals(self):
        out = self.path("out.dds")
        for options in (("--rdo", "much"), ("--rdo", -1), ("--rdo-size", 5), ("--rdo-size", 101),
                        ("--rdo", 5, "--rdo-size", 80)):
            self.refuse(USAGE, "encode", self.photo, "-o", out, *options)
        self.refuse(USAGE, "encode", self.photo, "-o", self.path("out.tsf"), "--rdo", 5,
                    words=("rdo", "bc1"))
        self.refuse(USAGE, "encode", self.photo, "-o", self.path("out.astc"), "--rdo", 5,
                    "--rdo-size", 80, words=("exclude",))
        self.refuse(UNSUPPORTED, "encode", self.photo, "-o", self.path("out.astc"), "--rdo-size",
                    80, "--profile", "hdr", words=("low dynamic range",))
        self.refuse(UNSUPPORTED, "encode", self.photo, "-o", self.path("out.astc"), "--rdo", 5,
                    "--block", "4x4x4", words=("2D", "4x4x4"))
        self.refuse(UNSUPPORTED, "encode", self.photo, "-o", self.path("out.astc"), "--rdo", 5,
                    "--method", "fgac", "--block", "4x4", words=("fgac",))
        self.assertEqual(self.files(), ["photo.png"])


class Astc(RdoTest):
    OPTIONS = ("--format", "astc", "--block", "6x6", "--preset", "fast", "--mips")

    def encode(self, *options, name="out.ktx2", **keywords):
        self.succeed("encode", self.photo, "-o", self.path(name), *self.OPTIONS, *options,
                     **keywords)
        return read_bytes(self.path(name))

    def test_more_is_smaller_and_worse(self):
        sizes, qualities = [], []
        for number in (0, 10, 40, 160):
            sizes.append(self.deflated(self.encode("--rdo", number)))
            qualities.append(self.succeed("compare", self.photo, self.path("out.ktx2"),
                                          "--json").json["psnr_rgb"])
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertEqual(qualities, sorted(qualities, reverse=True))
        self.assertLess(sizes[-1], sizes[0] * 0.8)

    def test_a_size_is_about_reached(self):
        plain = self.deflated(self.encode("--rdo", 0))
        for percent in (95, 85):
            size = self.deflated(self.encode("--rdo-size", percent))
            self.assertAlmostEqual(100 * size / plain, percent, delta=5)

    def test_a_size_out_of_reach_ruins_no_level(self):
        self.photo = self.path("small.png")
        self.succeed("sample", "-o", self.photo, "--size", "192x128", "--seed", 4)
        texture = self.path("out.ktx2")

        def qualities(*options):
            self.encode(*options)
            result = []
            for level in range(5):
                back, plain = self.path(f"{level}.png"), self.path(f"plain{level}.png")
                self.succeed("decode", texture, "-o", back, "--level", level)
                if not options:
                    os.rename(back, plain)
                else:
                    result.append(self.succeed("compare", plain, back, "--json").json["psnr_rgb"])
            return result

        qualities()
        outcome = self.succeed("encode", self.photo, "-o", texture, *self.OPTIONS, "--rdo-size", 20)
        self.assertIn("more than --rdo-size asks for", outcome.text)
        told = self.succeed("encode", self.photo, "-o", texture, *self.OPTIONS, "--rdo-size", 20,
                            "--json").result["rdo_size"]
        self.assertFalse(told["reached"])
        self.assertGreater(told["percent"], 21)
        self.assertGreater(min(qualities("--rdo-size", 20)), 24)
        told = self.succeed("encode", self.photo, "-o", texture, *self.OPTIONS, "--rdo-size", 95,
                            "--json").result["rdo_size"]
        self.assertTrue(told["reached"])
        self.assertAlmostEqual(told["percent"], 95, delta=3)

    def test_threads_and_ranks_do_not_matter(self):
        for options in (("--rdo", 30), ("--rdo-size", 90)):
            expected = self.encode(*options, "--threads", 1)
            self.assertEqual(self.encode(*options, "--threads", 7), expected)
            for isa in available_isas():
                self.assertEqual(self.encode(*options, isa=isa), expected)
            if has_mpi():
                outcome = run_ranks(3, "encode", self.photo, "-o", self.path("ranks.ktx2"),
                                    *self.OPTIONS, *options, "--split-over", 0, "--unit-rows", 3)
                self.assertEqual(outcome.code, 0, str(outcome))
                self.assertEqual(read_bytes(self.path("ranks.ktx2")), expected)

    def test_hidden_colours_are_free(self):
        """Colours under alpha 0 that differ keep nothing from being repeated, where they do not count."""
        hidden = Picture(96, 96, 4, bytes(v for y in range(96) for x in range(96)
                                          for v in (x * 37 % 256, y * 91 % 256, (x ^ y) % 256,
                                                    255 if (x // 24 + y // 24) % 2 else 0)))
        self.photo = self.write("hidden.png", png(hidden))
        sizes = [self.deflated(self.encode("--rdo", 30, *words)) for words in ((), ("--alpha-weight",))]
        self.assertLess(sizes[1], 0.8 * sizes[0])

    def test_alpha_counts(self):
        sprite = self.path("sprite.png")
        self.succeed("sample", "-o", sprite, "--kind", "sprite", "--size", "128x128")
        self.photo = sprite
        qualities = []
        for number in (0, 20):
            self.encode("--rdo", number)
            qualities.append(self.succeed("compare", sprite, self.path("out.ktx2"),
                                          "--json").json["psnr_rgba"])
        self.assertGreater(qualities[1], qualities[0] - 3)


if __name__ == "__main__":
    cli_support.main()
