"""How mip levels are made: filters, borders, cut-outs, normals, pictures of one's own."""
import math

import cli_support
from cli_support import INVALID, UNSUPPORTED, USAGE, CliTest, read_bytes
from pictures import Picture, flat, gradient, png, read_png, with_alpha


class Mips(CliTest):
    def level(self, source, level, *options):
        """A level of a texture as a picture."""
        self.succeed("encode", source, "-o", self.path("t.ktx2"), "--block", "4x4", "--preset",
                     "fast", *options)
        self.succeed("decode", self.path("t.ktx2"), "-o", self.path("l.png"), "--level", level)
        return read_png(read_bytes(self.path("l.png")))

    def test_filters_and_borders(self):
        source = self.write("p.png", png(gradient(64, 64, seed=3)))
        levels = [self.level(source, 1, "--mips", *options).pixels
                  for options in ((), ("--mip-filter", "box"), ("--mip-filter", "kaiser"),
                                  ("--mip-filter", "lanczos"),
                                  ("--mip-filter", "lanczos", "--mip-wrap", "wrap"),
                                  ("--mip-filter", "lanczos", "--mip-wrap", "clamp"))]
        self.assertEqual(levels[0], levels[1])
        self.assertEqual(levels[3], levels[5])
        self.assertEqual(len(set(levels)), 4)
        told = self.succeed("info", self.path("t.ktx2"), "--json").json["made_with"]
        self.assertTrue(told.endswith("--mips --mip-filter lanczos"), told)

    def test_words_that_are_no_filter(self):
        source = self.write("p.png", png(gradient(8, 8)))
        for option, value in (("--mip-filter", "gauss"), ("--mip-wrap", "mirror"),
                              ("--mip-coverage", "2")):
            self.refuse(USAGE, "encode", source, "-o", self.path("t.ktx2"), "--mips", option,
                        value, words=(value,))

    def test_options_without_effect_are_refused(self):
        source = self.write("p.png", png(gradient(8, 8)))
        texture = self.path("t.ktx2")
        for options, words in ((("--mip-filter", "kaiser"), ("--mip-filter needs --mips",)),
                               (("--mip-wrap", "wrap"), ("--mip-wrap needs --mips",)),
                               (("--mip-coverage", "0.5"), ("--mip-coverage needs --mips",)),
                               (("--zstd-level", 5), ("--zstd-level needs --zstd",)),
                               (("--dx10",), ("--dx10", ".dds", ".ktx2"))):
            self.refuse(USAGE, "encode", source, "-o", texture, *options, words=words)
        self.succeed("encode", source, "-o", texture, "--mips", "--mip-filter", "kaiser", "--zstd",
                     "--zstd-level", 5)
        for options in (("--zstd-level", 5), ("--dx10",)):
            self.refuse(USAGE, "convert", texture, "-o", self.path("u.ktx2"), *options,
                        words=(options[0],))
        self.refuse(USAGE, "transcode", texture, "-o", self.path("u.ktx2"), "--zstd-level", 5,
                    words=("--zstd",))
        # Rules may turn mip levels on for some of the files.
        self.write("tessera.json", b'{"rules": [{"files": "*_m.png", "mips": true}]}')
        self.succeed("encode", source, "-o", texture, "--mip-filter", "kaiser")
        self.refuse(USAGE, "encode", source, "-o", texture, "--mip-filter", "kaiser", "--no-rules",
                    words=("needs --mips",))

    def test_rules_choose_filters(self):
        source = self.write("p.png", png(gradient(32, 32)))
        expected = self.level(source, 1, "--mips", "--mip-filter", "kaiser").pixels
        self.write("tessera.json", b'{"defaults": {"mips": true, "mip-filter": "kaiser"}}')
        self.assertEqual(self.level(source, 1).pixels, expected)

    def shown(self, picture):
        return sum(alpha >= 128 for alpha in picture.rgba()[3::4]) / (picture.width * picture.height)

    def test_cut_outs_do_not_fade(self):
        fence = with_alpha(gradient(64, 64), lambda x, y: 255 if x % 8 == 0 else 0)
        source = self.write("fence.png", png(fence))
        self.assertEqual(self.shown(fence), 0.125)
        self.assertEqual(self.shown(self.level(source, 2, "--mips", "--as", "ui")), 0)
        self.assertGreater(self.shown(self.level(source, 2, "--mips", "--as", "alpha")), 0.1)
        self.assertGreater(self.shown(self.level(source, 2, "--mips", "--mip-coverage", 0.5)), 0.1)
        self.assertEqual(
            self.shown(self.level(source, 2, "--mips", "--as", "alpha", "--mip-coverage", 0)), 0)

    def test_normals_are_averaged_as_vectors(self):
        tilted, up = (238, 128, 191), (128, 128, 255)  # by 60 degrees, and not at all
        pixels = bytes(value for _ in range(16) for x in range(16)
                       for value in (tilted if x % 2 else up))
        source = self.write("n.png", png(Picture(16, 16, 3, pixels)))
        # 30 degrees: x is a half, z 0.866.
        level = self.level(source, 1, "--mips", "--as", "normal")
        self.assertAlmostEqual(level.rgba()[0], 191, delta=3)
        self.succeed("encode", source, "-o", self.path("n.dds"), "--mips", "--as", "normal")
        self.succeed("decode", self.path("n.dds"), "-o", self.path("l.png"), "--level", 1)
        x, y, z = (value / 127.5 - 1 for value in read_png(read_bytes(self.path("l.png"))).rgb()[:3])
        self.assertAlmostEqual(x, 0.5, delta=0.05)
        self.assertAlmostEqual(math.hypot(x, y, z), 1, delta=0.05)


class OwnFiles(CliTest):
    def setUp(self):
        super().setUp()
        self.base = self.write("b.png", png(flat(24, 10, (200, 0, 0))))
        self.first = self.write("1.png", png(flat(12, 5, (0, 200, 0))))
        self.second = self.write("2.png", png(flat(6, 2, (0, 0, 200))))

    def encode(self, *options):
        return ("encode", self.base, "-o", self.path("t.ktx2"), "--block", "4x4", *options)

    def colors(self, levels):
        found = []
        for level in range(levels):
            self.succeed("decode", self.path("t.ktx2"), "-o", self.path("l.ppm"), "--level", level)
            found.append("RGB"[max(range(3), key=lambda c: read_bytes(self.path("l.ppm"))[c - 3])])
        return "".join(found)

    def test_levels(self):
        files = ("--mip-file", self.first, "--mip-file", self.second)
        report = self.succeed(*self.encode(*files, "--json")).result
        self.assertEqual((report["levels"], self.colors(3)), (3, "RGB"))
        report = self.succeed(*self.encode(*files, "--mips", "--json")).result
        self.assertEqual((report["levels"], self.colors(5)), (5, "RGBBB"))

    def test_what_is_no_level(self):
        self.refuse(INVALID, *self.encode("--mip-file", self.second), words=("6x2", "12x5"))
        files = [("--mip-file", self.write(f"{i}.png", png(flat(*size, (9, 9, 9)))))
                 for i, size in enumerate(((12, 5), (6, 2), (3, 1), (1, 1), (1, 1)))]
        self.refuse(USAGE, *self.encode(*(word for pair in files for word in pair)),
                    words=("no level 5",))
        self.refuse(cli_support.IO, *self.encode("--mip-file", self.path("none.png")))
        self.assertNotIn("t.ktx2", self.files())

    def test_where_they_cannot_be(self):
        for output in ("t.astc", "t.tsf"):
            outcome = cli_support.run("encode", self.base, "-o", self.path(output), "--mip-file",
                                      self.first)
            self.assertIn(outcome.code, (USAGE, UNSUPPORTED), str(outcome))
        self.refuse(USAGE, "encode", self.base, self.first, "-o", self.path("out"), "--format",
                    "astc", "--container", "ktx2", "--mip-file", self.first, words=("one picture",))


if __name__ == "__main__":
    cli_support.main()
