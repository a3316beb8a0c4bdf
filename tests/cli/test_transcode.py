"""tessera transcode: textures to other textures, with the bytes of decoding and encoding."""
import cli_support
from cli_support import FAILED, INVALID, UNSUPPORTED, USAGE, CliTest, read_bytes
from pictures import gradient, png


class Transcode(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = self.write("in.png", png(gradient(70, 45, 4, seed=5)))

    def made(self, name, *arguments):
        self.succeed(*arguments, "-o", self.path(name))
        return read_bytes(self.path(name))

    def by_hand(self, source, name, *options, read=()):
        """What decoding to a picture and encoding that gives."""
        self.made("between.png", "decode", self.path(source), *read)
        return self.made(name, "encode", self.path("between.png"), *options)

    def test_gives_the_bytes_of_decoding_and_encoding(self):
        self.made("a.astc", "encode", self.picture, "--block", "6x6", "--preset", "fast")
        cases = (("b.dds", ()), ("b.dds", ("--punch-through",)),
                 ("b.astc", ("--block", "8x8", "--preset", "fast")),
                 ("b.ktx2", ("--format", "bc1", "--preset", "realtime", "--profile", "ldr")), ("b.tsf", ()))
        for name, options in cases:
            with self.subTest(name, options=options):
                self.assertEqual(self.made(name, "transcode", self.path("a.astc"), *options),
                                 self.by_hand("a.astc", "hand-" + name, *options))

    def test_keeps_all_levels(self):
        self.made("a.ktx2", "encode", self.picture, "--format", "astc", "--mips", "--preset",
                  "fast")
        self.made("b.dds", "transcode", self.path("a.ktx2"))
        levels = self.succeed("info", self.path("b.dds"), "--json").json["levels"]
        self.assertEqual(len(levels) if isinstance(levels, list) else levels, 7)
        for level in (0, 3):
            self.made(f"l{level}.dds", "encode", self.decoded_level("a.ktx2", level))
            self.assertEqual(self.level_of("b.dds", level), self.level_of(f"l{level}.dds", 0))

    def decoded_level(self, name, level):
        self.made("level.png", "decode", self.path(name), "--level", level)
        return self.path("level.png")

    def level_of(self, name, level):
        return self.made("level.ppm", "decode", self.path(name), "--level", level)

    def test_makes_levels_of_a_texture_without_any(self):
        self.made("a.astc", "encode", self.picture, "--preset", "fast")
        self.made("b.dds", "transcode", self.path("a.astc"), "--mips")
        self.assertEqual(self.level_of("b.dds", 6)[:2], b"P6")

    def test_srgb_stays_srgb(self):
        self.made("a.ktx2", "encode", self.picture, "--format", "astc", "--profile", "srgb",
                  "--preset", "fast")
        self.made("b.ktx2", "transcode", self.path("a.ktx2"), "--format", "bc1")
        self.assertTrue(self.succeed("info", self.path("b.ktx2"), "--json").json["srgb"])
        self.made("c.ktx2", "transcode", self.path("a.ktx2"), "--format", "bc1", "--profile", "ldr")
        self.assertFalse(self.succeed("info", self.path("c.ktx2"), "--json").json["srgb"])
        # Files that do not say what they are can be told.
        self.made("a.astc", "encode", self.picture, "--profile", "srgb", "--preset", "fast")
        self.assertEqual(
            self.made("d.dds", "transcode", self.path("a.astc"), "--source-profile", "srgb"),
            self.by_hand("a.astc", "e.dds", "--profile", "srgb", read=("--profile", "srgb")))

    def test_reports_as_encoding_does(self):
        self.made("a.astc", "encode", self.picture, "--preset", "fast")
        report = self.succeed("transcode", self.path("a.astc"), "-o", self.path("b.dds"), "--json",
                              "--metrics").result
        self.assertEqual((report["width"], report["height"], report["format"]), (70, 45, "bc1"))
        self.assertGreater(report["psnr_rgb"], 25)

    def test_has_no_options_of_pictures(self):
        self.made("a.astc", "encode", self.picture, "--preset", "fast")
        shown = self.succeed("transcode", "--help").text
        for option, *value in (("--volume",), ("--array",), ("--cube",), ("--cube-size", "8"),
                               ("--size", "70x45"), ("--channels", "4"), ("--samples", "8-bit")):
            self.assertNotIn(option + " ", shown)
            self.refuse(USAGE, "transcode", self.path("a.astc"), "-o", self.path("b.dds"), option,
                        *value, words=(option,))

    def test_bad_inputs(self):
        self.refuse(INVALID, "transcode", self.picture, "-o", self.path("b.dds"),
                    words=("picture",))
        self.made("a.astc", "encode", self.picture, "--preset", "fast")
        cut = self.write("cut.astc", read_bytes(self.path("a.astc"))[:100])
        self.refuse(INVALID, "transcode", cut, "-o", self.path("b.dds"), words=("cut.astc",))
        self.made("m.ktx2", "encode", self.picture, "--format", "astc", "--mips", "--preset",
                  "fast")
        self.refuse(UNSUPPORTED, "transcode", self.path("m.ktx2"), "-o", self.path("m.astc"),
                    words=("level",))
        self.refuse(USAGE, "transcode", self.path("a.astc"), "-o", self.path("b.dds"),
                    "--source-profile", "x", words=("profile",))
        self.refuse(FAILED, "transcode", self.path("a.astc"), "-o", self.path("b.dds"),
                    "--max-pixels", 1000, words=("--max-pixels",))
        self.assertNotIn("b.dds", self.files())


if __name__ == "__main__":
    cli_support.main()
