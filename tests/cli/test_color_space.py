"""What pictures say about their colours, and options that contradict it."""
import struct

import cli_support
from cli_support import CliTest, USAGE, read_bytes
from pictures import flat, gradient, png, png_chunk


def with_chunks(data, *chunks):
    """A PNG file with chunks after its header."""
    end = 8 + 12 + 13
    return data[:end] + b"".join(png_chunk(kind, content) for kind, content in chunks) + data[end:]


LINEAR = (b"gAMA", struct.pack(">I", 100000))
USUAL = (b"gAMA", struct.pack(">I", 45455))
SRGB = (b"sRGB", b"\0")
PROFILE = (b"iCCP", b"some profile\0\0" + b"x" * 40)


class Png(CliTest):
    def setUp(self):
        super().setUp()
        self.plain = png(gradient(64, 32))

    def mips(self, *chunks, options=()):
        """The blocks of a texture with mip levels, which are averaged as light or as they are."""
        source = self.write("p.png", with_chunks(self.plain, *chunks))
        self.succeed("encode", source, "-o", self.path("t.dds"), "--mips", *options)
        return read_bytes(self.path("t.dds"))

    def test_a_gamma_of_one_is_linear(self):
        linear = self.mips(options=["--linear"])
        self.assertNotEqual(linear, self.mips())
        self.assertEqual(self.mips(LINEAR), linear)

    def test_what_counts_more_than_a_gamma(self):
        usual = self.mips()
        for chunks in ((USUAL,), (SRGB,), (LINEAR, SRGB), (SRGB, LINEAR), (PROFILE, LINEAR),
                       (LINEAR, PROFILE)):
            self.assertEqual(self.mips(*chunks), usual, chunks)

    def test_damaged_gammas_mean_nothing(self):
        usual = self.mips()
        for content in (b"", b"\0", b"\xff" * 4, b"\0" * 5):
            self.assertEqual(self.mips((b"gAMA", content)), usual, content)


class Contradictions(CliTest):
    def test_linear_and_srgb(self):
        source = self.write("p.png", png(gradient(8, 8)))
        self.refuse(USAGE, "encode", source, "-o", self.path("t.ktx2"), "--linear", "--profile",
                    "srgb", words=("--linear", "--profile srgb"))

    def test_linear_uses_and_srgb(self):
        source = self.write("p.png", png(gradient(8, 8)))
        for options in (("--as", "normal"), ("--as", "mask"), ("--as", "packed"), ("--normal",)):
            self.refuse(USAGE, "encode", source, "-o", self.path("t.ktx2"), "--profile", "srgb",
                        *options, words=(options[-1], "--profile srgb"))

    def test_a_use_gives_way_to_linear(self):
        source = self.write("p.png", png(gradient(8, 8)))
        for options, srgb in (((), True), (("--linear",), False), (("--normal",), False)):
            self.succeed("encode", source, "-o", self.path("t.ktx2"), "--as", "color", *options)
            info = self.succeed("info", self.path("t.ktx2"), "--json").json
            self.assertEqual(info["srgb"], srgb)


class Ktx2(CliTest):
    """The transfer function of .ktx2 files, the mip filter and the profile say the same."""

    def made(self, source, *options, name="t.ktx2"):
        report = self.succeed("encode", source, "-o", self.path(name), "--mips", "--json",
                              *options).result
        info = self.succeed("info", self.path(name), "--json").json
        self.assertEqual(info["srgb"], report["profile"] == "srgb")
        return report["profile"], read_bytes(self.path(name))

    def test_follows_the_picture(self):
        plain = png(gradient(40, 32))
        srgb = self.write("srgb.png", plain)
        linear = self.write("linear.png", with_chunks(plain, LINEAR))
        for options in (("--block", "6x6"), ("--format", "bc1")):
            profile, blocks = self.made(srgb, *options)
            self.assertEqual(profile, "srgb")
            self.assertEqual(self.made(srgb, "--profile", "srgb", *options), (profile, blocks))
            profile, blocks = self.made(linear, *options)
            self.assertEqual(profile, "ldr")
            as_linear = self.made(srgb, "--linear", *options)
            self.assertEqual(as_linear[0], "ldr")
            self.assertEqual(self.levels(blocks), self.levels(as_linear[1]))
            # Who reads plain numbers gets levels that are averaged as such.
            as_numbers = self.made(srgb, "--profile", "ldr", *options)
            self.assertEqual(self.levels(as_numbers[1]), self.levels(as_linear[1]))

    def levels(self, data):
        """The bytes of all levels of a .ktx2 file."""
        count = struct.unpack_from("<I", data, 40)[0]
        places = [struct.unpack_from("<QQ", data, 80 + 24 * i) for i in range(count)]
        return [data[offset:offset + length] for offset, length in places]

    def test_says_how_it_was_made(self):
        source = self.write("p.png", png(gradient(16, 16)))
        self.made(source)
        self.assertIn("--profile srgb",
                      self.succeed("info", self.path("t.ktx2"), "--json").json["made_with"])

    def test_other_containers_do_not_change(self):
        source = self.write("p.png", png(gradient(16, 16)))
        for name in ("t.dds", "t.astc"):
            report = self.succeed("encode", source, "-o", self.path(name), "--json").result
            self.assertEqual(report["profile"], "ldr")
            self.succeed("encode", source, "-o", self.path("ldr-" + name), "--profile", "ldr")
            self.assertEqual(read_bytes(self.path(name)), read_bytes(self.path("ldr-" + name)))

    def test_linear_light_becomes_srgb(self):
        grey = png(flat(8, 8, (55, 55, 55)))  # of linear light, which is 128 of 255 in sRGB
        source = self.write("p.png", with_chunks(grey, LINEAR))
        for options in (("--profile", "srgb"), ("--as", "color")):
            self.assertEqual(self.made(source, *options)[0], "srgb")
            self.succeed("decode", self.path("t.ktx2"), "-o", self.path("t.ppm"))
            self.assertEqual(set(read_bytes(self.path("t.ppm"))[-8 * 8 * 3:]), {128})


if __name__ == "__main__":
    cli_support.main()
