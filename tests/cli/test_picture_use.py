"""`encode --as`: one word for what a picture is for."""
import cli_support
from cli_support import UNSUPPORTED, USAGE, CliTest, read_bytes
from pictures import gradient, png


class PictureUse(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = self.write("in.png", png(gradient(45, 30, 4, seed=5)))

    def encoded(self, *arguments, container="astc"):
        output = self.path("t." + container)
        self.succeed("encode", self.picture, "-o", output, "--preset", "fast", *arguments)
        return read_bytes(output)

    def test_is_short_for_other_options(self):
        for use, options in (("color", ("--profile", "srgb")),
                             ("alpha", ("--profile", "srgb", "--alpha-weight")),
                             ("ui", ("--profile", "srgb", "--alpha-weight")),
                             ("normal", ("--normal",)),
                             ("mask", ("--linear", "--swizzle", "rrr1")),
                             ("packed", ("--linear",))):
            self.assertEqual(self.encoded("--as", use), self.encoded(*options), use)

    def test_other_options_win(self):
        self.assertEqual(self.encoded("--as", "color", "--profile", "ldr"), self.encoded())
        self.assertEqual(self.encoded("--as", "mask", "--swizzle", "gggr"),
                         self.encoded("--linear", "--swizzle", "gggr"))
        self.assertEqual(self.encoded("--as", "normal", "--swizzle", "rgb1"),
                         self.encoded("--linear", "--swizzle", "rgb1"))

    def test_decides_how_mip_levels_are_averaged(self):
        levels = []
        for use in ((), ("--as", "color"), ("--as", "packed"), ("--linear",)):
            self.encoded("--format", "astc", "--mips", *use, container="ktx2")
            self.succeed("decode", self.path("t.ktx2"), "-o", self.path("level.ppm"), "--level", 3)
            levels.append(read_bytes(self.path("level.ppm")))
        self.assertEqual(levels[0], levels[1])
        self.assertEqual(levels[2], levels[3])
        self.assertNotEqual(levels[0], levels[2])

    def test_formats_take_what_they_can(self):
        self.assertEqual(self.encoded("--as", "alpha", container="dds"),
                         self.encoded("--profile", "srgb", container="dds"))
        self.assertEqual(self.encoded("--as", "normal", container="dds"),
                         self.encoded("--linear", container="dds"))
        self.encoded("--as", "color", container="tsf")

    def test_words_that_are_no_use(self):
        output = self.path("t.astc")
        self.refuse(USAGE, "encode", self.picture, "-o", output, "--as", "photo",
                    words=("photo", "color", "normal"))
        self.refuse(UNSUPPORTED, "encode", self.picture, "-o", self.path("t.dds"), "--as", "hdr")
        self.assertEqual(self.files(), ["in.png"])
        self.succeed("encode", self.picture, "-o", output, "--as", "hdr")

    def test_info_tells_how_a_texture_was_made(self):
        self.encoded("--format", "astc", "--block", "5x4", "--as", "normal", "--mips", "--endpoints", "bounds",
                     container="ktx2")
        told = self.succeed("info", self.path("t.ktx2"), "--json").json["made_with"]
        self.assertEqual(told, "--format astc --block 5x4 --preset fast --as normal --normal --linear "
                               "--endpoints bounds --mips")
        self.assertIn("made with " + told, self.succeed("info", self.path("t.ktx2")).text)
        again = read_bytes(self.path("t.ktx2"))
        self.succeed("encode", self.picture, "-o", self.path("t.ktx2"), *told.split())
        self.assertEqual(read_bytes(self.path("t.ktx2")), again)

    def test_luma_weights(self):
        self.assertEqual(self.encoded("--channel-weights", "luma"),
                         self.encoded("--channel-weights", "0.638,2.146,0.216,1"))
        self.assertEqual(self.encoded("--channel-weights", "luma", container="dds"),
                         self.encoded("--channel-weights", "3,10,1", container="dds"))


if __name__ == "__main__":
    cli_support.main()
