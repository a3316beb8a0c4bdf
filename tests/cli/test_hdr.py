"""Pictures of high dynamic range: as ASTC textures, measured, refused, and mapped to others."""
import math
import shutil
import struct
import subprocess
import unittest

import cli_support
from cli_support import UNSUPPORTED, USAGE, CliTest, available_isas, read_bytes, run
from pictures import gradient, png, read_png

ASTCENC = shutil.which("astcenc")
BLOCKS = ("4x4", "5x4", "5x5", "6x5", "6x6", "8x5", "8x6", "8x8", "10x5", "10x6", "10x8", "10x10",
          "12x10", "12x12")


def exr(width, height, sample, channels="RGB"):
    """An OpenEXR file of 32-bit floats, not compressed; sample(x, y, channel) tells each."""
    def attribute(name, kind, value):
        return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value

    names = sorted(channels)
    box = struct.pack("<4i", 0, 0, width - 1, height - 1)
    listed = b"".join(name.encode() + b"\0" + struct.pack("<i4xii", 2, 1, 1) for name in names)
    head = struct.pack("<ii", 20000630, 2)
    head += attribute("channels", "chlist", listed + b"\0")
    head += attribute("compression", "compression", b"\0")
    head += attribute("dataWindow", "box2i", box) + attribute("displayWindow", "box2i", box)
    head += attribute("lineOrder", "lineOrder", b"\0")
    head += attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    head += attribute("screenWindowCenter", "v2f", struct.pack("<ff", 0, 0))
    head += attribute("screenWindowWidth", "float", struct.pack("<f", 1)) + b"\0"
    row_bytes = 4 * width * len(names)
    first = len(head) + 8 * height
    offsets = b"".join(struct.pack("<Q", first + y * (8 + row_bytes)) for y in range(height))
    rows = b""
    for y in range(height):
        rows += struct.pack("<ii", y, row_bytes)
        for name in names:
            rows += struct.pack(f"<{width}f",
                                *(sample(x, y, channels.index(name)) for x in range(width)))
    return head + offsets + rows


def radiance(width, height, sample):
    """A Radiance file whose pixels are stored one by one."""
    data = f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n".encode()
    for y in range(height):
        for x in range(width):
            rgb = [sample(x, y, c) for c in range(3)]
            exponent = math.frexp(max(max(rgb), 1e-9))[1]
            data += bytes(int(v * 2.0 ** (8 - exponent)) for v in rgb) + bytes([exponent + 128])
    return data


def light(x, y, channel):
    """A sky with a sun: six decades of light, edges, and colour."""
    glow = 1e-3 + 40.0 / (1 + (x - 20) ** 2 + (y - 9) ** 2)
    ground = 0.02 + 0.3 * ((x // 5 + y // 3) % 2) if y > 18 else 0.0
    detail = 1 + 0.2 * math.sin(0.7 * x + 1.3 * y + channel)
    return (glow * (1, 0.8, 0.5)[channel % 3] + ground * (0.3, 0.5, 0.9)[channel % 3]) * detail


class Hdr(CliTest):
    def setUp(self):
        super().setUp()
        self.source = self.write("sky.exr", exr(43, 31, light))
        outcome = run("info", self.source)
        if outcome.code == UNSUPPORTED:
            self.skipTest("this build has no OpenEXR")

    def encode(self, name="t.astc", source=None, profile="hdr", block="6x6", preset="fast",
               options=()):
        return self.succeed("encode", source or self.source, "-o", self.path(name), "--profile",
                            profile, "--block", block, "--preset", preset, "--json",
                            *options).result


class Encoding(Hdr):
    def test_every_block_size_and_preset_comes_out_well(self):
        least = {"4x4": 40, "6x6": 30}
        for block in BLOCKS:
            result = self.encode(block=block, options=["--metrics"])
            self.assertGreater(result["mpsnr"], least.get(block, 20), block)
            self.assertEqual(result["profile"], "hdr")
        before = 0
        for preset in ("realtime", "fast", "medium", "thorough"):
            result = self.encode(preset=preset, options=["--metrics"])
            self.assertGreater(result["mpsnr"], before - 0.2, preset)
            before = result["mpsnr"]

    def test_the_exhaustive_preset_works(self):
        small = self.write("small.exr", exr(13, 9, light))
        result = self.encode(source=small, preset="exhaustive", options=["--metrics"])
        self.assertGreater(result["mpsnr"], 35)

    def test_the_bytes_are_the_same_everywhere(self):
        wide = self.write("wide.exr", exr(301, 130, lambda x, y, c: light(x % 43, y % 31, c) + x))
        blocks = set()
        for options in (["--threads", 1], ["--threads", 2], ["--threads", 7]):
            self.encode(source=wide, block="5x5", options=options)
            blocks.add(read_bytes(self.path("t.astc")))
        self.assertEqual(len(blocks), 1)
        for isa in available_isas():
            outcome = run("encode", wide, "-o", self.path("t.astc"), "--profile", "hdr", "--block",
                          "5x5", "--preset", "fast", isa=isa)
            self.assertEqual(outcome.code, 0, str(outcome))
            blocks.add(read_bytes(self.path("t.astc")))
        self.assertEqual(len(blocks), 1)

    def test_ktx2_files_say_what_they_hold(self):
        self.encode("t.ktx2", options=["--mips"])
        info = self.succeed("info", self.path("t.ktx2"), "--json").json
        self.assertTrue(info["hdr"])
        self.assertEqual(info["levels"], 6)
        number = struct.unpack_from("<I", read_bytes(self.path("t.ktx2")), 12)[0]
        self.assertEqual(number, 1000066004)  # VK_FORMAT_ASTC_6x6_SFLOAT_BLOCK_EXT
        self.succeed("validate", self.path("t.ktx2"))

    def test_radiance_files_and_small_pictures(self):
        source = self.write("sky.hdr", radiance(17, 11, light))
        result = self.encode(source=source, block="4x4", options=["--metrics"])
        self.assertGreater(result["mpsnr"], 40)
        for width, height in ((1, 1), (1, 9), (5, 1), (7, 13)):
            tiny = self.write("tiny.exr", exr(width, height, light))
            result = self.encode(source=tiny, block="6x6", options=["--metrics"])
            self.assertGreater(result["mpsnr"], 30, (width, height))

    def test_one_colour_is_exact(self):
        source = self.write("flat.exr", exr(9, 9, lambda x, y, c: (1000.0, 0.03125, 2.0)[c]))
        self.assertEqual(self.encode(source=source, options=["--metrics"])["mpsnr"], 999)

    def test_alpha_of_both_kinds(self):
        def sample(x, y, c):
            return light(x, y, c) if c < 3 else (x * y % 7) / 6 * (1 if c == 3 else 0)

        ldr = self.write("ldr.exr", exr(24, 24, sample, "RGBA"))
        bright = self.write("hdr.exr", exr(24, 24, lambda x, y, c: light(x, y, c) * 4, "RGBA"))
        for source, profile, least in ((ldr, "hdr", 26), (ldr, "hdra", 22), (bright, "hdra", 35)):
            result = self.encode(source=source, profile=profile, block="4x4", preset="medium",
                                 options=["--metrics"])
            self.assertGreater(result["mpsnr"], least, (source, profile))
            self.assertEqual(result["profile"], profile)
        # Alpha above 1 is clipped by the one, and kept by the other.
        largest = []
        for profile in ("hdr", "hdra"):
            self.encode("a.ktx2", source=bright, profile=profile, block="4x4")
            largest.append(self.succeed("compare", bright, self.path("a.ktx2"), "--json").json)
        self.assertLess(largest[1]["max_error"], largest[0]["max_error"] / 4)

    def test_pictures_of_low_dynamic_range_are_taken(self):
        source = self.write("p.png", png(gradient(40, 24)))
        result = self.encode(source=source, block="4x4", options=["--metrics"])
        self.assertGreater(result["psnr_rgb"], 36)

    def test_samples_that_no_texture_holds(self):
        odd = {(0, 0): math.nan, (1, 0): math.inf, (2, 0): -math.inf, (3, 0): -1.5, (4, 0): 1e9,
               (5, 0): 1e-42}
        source = self.write("odd.exr",
                            exr(12, 12, lambda x, y, c: odd.get((x, y), light(x, y, c))))
        words = ("encode", source, "-o", self.path("t.ktx2"), "--profile", "hdr", "--format", "astc")
        self.assertEqual(self.succeed(*words, "--json").result["clamped"],
                         {"nan": 3, "infinite": 6, "negative": 3, "too_large": 3, "alpha": 0})
        warning = "clamped: 3 not a number, 6 infinite, 3 negative, 3 above"
        self.assertIn(warning, self.succeed(*words).stderr)
        level = self.write("level.exr", exr(6, 6, light))
        self.assertIn(warning, self.succeed(*words, "--mip-file", level).stderr)
        self.succeed("decode", self.path("t.ktx2"), "-o", self.path("back.exr"))
        self.assertNotIn("clamped", self.succeed("encode", self.path("back.exr"), "-o",
                                                 self.path("t.astc"), "--profile", "hdr").stderr)

    def test_one_such_sample_spoils_no_mip_level(self):
        for odd in (math.nan, math.inf, -math.inf, -1e9):
            source = self.write("odd.exr",
                                exr(32, 32, lambda x, y, c: odd if (x, y) == (9, 4) else 0.75))
            self.encode("t.ktx2", source, "hdr", "4x4", options=["--mips"])
            for level in range(1, 6):
                self.succeed("decode", self.path("t.ktx2"), "-o", self.path("level.exr"),
                             "--level", str(level))
                flat = self.write("flat.exr", exr(32 >> level, 32 >> level, lambda x, y, c: 0.75))
                error = self.succeed("compare", flat, self.path("level.exr"), "--json").json
                bright = odd == math.inf  # the largest half is a part of the mean
                self.assertLess(error["max_error"], 65504 if bright else 0.2, (odd, level))

    def test_what_is_clamped_is_told(self):
        bright = self.write("a.exr", exr(8, 8, lambda x, y, c: 2.5 if c == 3 else light(x, y, c),
                                         "RGBA"))
        for profile, count in (("hdr", 64), ("hdra", 0)):
            self.assertEqual(self.encode(source=bright, profile=profile)["clamped"]["alpha"], count)
        odd = self.write("odd.exr", exr(8, 8, lambda x, y, c: math.nan if (x, y, c) == (1, 2, 0) else 0.5))
        for words in ((), ("--tonemap", "clip")):
            outcome = self.succeed("encode", odd, "-o", self.path("t.dds"), *words)
            self.assertIn("clamped: 1 not a number", outcome.stderr)


class Refused(Hdr):
    def test_profiles_without_high_dynamic_range(self):
        for name, words in (("t.astc", ("--profile hdr", "--tonemap")), ("t.dds", ("--tonemap",))):
            self.refuse(UNSUPPORTED, "encode", self.source, "-o", self.path(name),
                        words=("high dynamic range", *words))

    def test_formats_and_methods_without_it(self):
        self.refuse(UNSUPPORTED, "encode", self.source, "-o", self.path("t.dds"), "--profile",
                    "hdr", words=("bc1", "high dynamic range"))
        self.refuse(UNSUPPORTED, "encode", self.source, "-o", self.path("t.astc"), "--profile",
                    "hdr", "--method", "fgac", words=("fgac",))
        self.refuse(USAGE, "encode", self.source, "-o", self.path("t.astc"), "--exposure", "2",
                    words=("--tonemap",))
        self.refuse(USAGE, "decode", self.source, "-o", self.path("t.png"), "--profile", "hdra",
                    words=("profile",))

    def test_dim_light_is_no_high_dynamic_range(self):
        dim = self.write("dim.exr", exr(8, 8, lambda x, y, c: (x + y) / 14))
        self.succeed("encode", dim, "-o", self.path("t.astc"))


    def test_the_refusal_names_the_file_and_its_light(self):
        bright = self.write("bright.exr", exr(8, 8, lambda x, y, c: 5000.0 if (x, y) == (3, 2) else 0.5))
        for words in (("--profile", "srgb"), ("--profile", "ldr")):
            self.refuse(UNSUPPORTED, "encode", bright, "-o", self.path("t.ktx2"), *words, words=("bright.exr", "5000"))


class Tones(Hdr):
    def test_pictures_are_mapped(self):
        means = []
        for options in (["--tonemap", "clip"], ["--tonemap", "reinhard"],
                        ["--tonemap", "clip", "--exposure", "-3"]):
            self.succeed("encode", self.source, "-o", self.path("t.dds"), *options)
            self.succeed("decode", self.path("t.dds"), "-o", self.path("t.png"))
            picture = read_png(read_bytes(self.path("t.png")))
            means.append(sum(sum(picture.row(y)) for y in range(picture.height)))
        self.assertGreater(means[0], means[1])
        self.assertGreater(means[0], means[2])

    def test_light_becomes_srgb_once(self):
        self.encode("hdr.ktx2")
        self.succeed("decode", self.path("hdr.ktx2"), "-o", self.path("shown.png"), "--tonemap",
                     "clip")
        for options in ((), ("--as", "color"), ("--profile", "srgb")):
            words = ("encode", self.source, "-o", self.path("t.ktx2"), "--tonemap", "clip",
                     "--block", "4x4", "--json", *options)
            self.assertEqual(self.succeed(*words).json[0]["profile"], "srgb")
            self.assert_like_shown("t.ktx2")

    def assert_like_shown(self, name):
        measured = self.succeed("compare", self.path("shown.png"), self.path(name), "--json").json
        self.assertGreater(measured["psnr_rgb"], 30)

    def test_textures_are_mapped(self):
        self.encode("hdr.ktx2")
        self.succeed("decode", self.path("hdr.ktx2"), "-o", self.path("shown.png"), "--tonemap",
                     "clip")
        for name in ("t.ktx2", "t.dds"):
            self.succeed("transcode", self.path("hdr.ktx2"), "-o", self.path(name), "--tonemap",
                         "clip")
            self.assert_like_shown(name)
        self.assertTrue(self.succeed("info", self.path("t.ktx2"), "--json").json["srgb"])

    def test_what_would_change_nothing_is_refused(self):
        self.encode("hdr.ktx2")
        for name in ("t.exr", "t.hdr"):
            self.refuse(USAGE, "decode", self.path("hdr.ktx2"), "-o", self.path(name), "--tonemap", "clip",
                        words=("--tonemap", ".png"))
        self.refuse(USAGE, "encode", self.source, "-o", self.path("t.ktx2"), "--profile", "hdr", "--decode-mode",
                    "unorm8", words=("unorm8", "ldr"))
        self.refuse(USAGE, "decode", self.path("hdr.ktx2"), "-o", self.path("t.png"), "--decode-mode", "unorm8",
                    words=("unorm8", "ldr"))
        self.assertEqual(self.files(), ["hdr.ktx2", "sky.exr"])

    def test_high_dynamic_range_is_not_mapped(self):
        self.refuse(USAGE, "encode", self.source, "-o", self.path("t.ktx2"), "--profile", "hdr",
                    "--tonemap", "clip", words=("--tonemap", "profile hdr"))

    def test_advice(self):
        advice = self.succeed("advise", self.source, "--tonemap", "clip", "--json").json
        self.assertIn("recommended", advice)

    def test_another_curve_is_another_texture(self):
        states = []
        for tone in (("clip",), ("clip",), ("reinhard",), ("reinhard", "--exposure", "1")):
            words = ("encode", self.source, "-o", self.path("out/"), "--container", "ktx2",
                     "--json", "--tonemap", *tone)
            states.append(self.succeed(*words).json[0]["status"])
        self.assertEqual(states, ["made", "unchanged", "made", "made"])

    def test_previews_of_textures(self):
        self.encode("t.ktx2")
        sizes = {}
        for tone in ((), ("--tonemap", "clip"), ("--tonemap", "reinhard", "--exposure", "1")):
            self.succeed("decode", self.path("t.ktx2"), "-o", self.path("t.png"), *tone)
            sizes[tone] = read_bytes(self.path("t.png"))
        self.assertEqual(len(set(sizes.values())), 3)


class Compared(Hdr):
    def test_high_dynamic_range_is_read_as_such(self):
        for name in ("t.ktx2", "t.astc"):
            self.encode(name, options=["--metrics"])
            told = self.encode(name, options=["--metrics"])
            for order in ((self.source, self.path(name)), (self.path(name), self.source)):
                measured = self.succeed("compare", *order, "--json").json
                self.assertAlmostEqual(measured["mpsnr"], told["mpsnr"], 2)
            text = self.succeed("compare", self.source, self.path(name)).text
            self.assertIn("mPSNR", text)

    def test_figures_by_hand(self):
        # Twice the light: one octave in each of three channels, and 1 of a peak of 2.
        one = self.write("one.exr", exr(4, 4, lambda x, y, c: 2.0))
        two = self.write("two.exr", exr(4, 4, lambda x, y, c: 1.0))
        measured = self.succeed("compare", one, two, "--json").json
        self.assertAlmostEqual(measured["log_rmse"], math.sqrt(3), 5)
        self.assertAlmostEqual(measured["psnr_peak"], 20 * math.log10(2), 5)
        shown = [(min(2 * 2.0 ** stop, 1) ** (1 / 2.2) - min(2.0 ** stop, 1) ** (1 / 2.2)) ** 2
                 for stop in range(-10, 11)]
        self.assertAlmostEqual(measured["mpsnr"], -10 * math.log10(sum(shown) / 21), 4)


@unittest.skipIf(ASTCENC is None, "astcenc is not installed")
class BesideAstcenc(Hdr):
    def test_both_decode_the_same(self):
        alpha = self.write("a.exr", exr(31, 22, lambda x, y, c: light(x, y, c)
                                        if c < 3 else (x + y) % 9 / 8, "RGBA"))
        for source, profile, block, preset in (
                (self.source, "hdr", "4x4", "realtime"), (self.source, "hdr", "6x6", "thorough"),
                (self.source, "hdr", "8x8", "medium"), (self.source, "hdr", "12x12", "fast"),
                (alpha, "hdr", "5x5", "medium"), (alpha, "hdra", "6x5", "medium")):
            self.encode(source=source, profile=profile, block=block, preset=preset)
            texture, theirs, ours = (self.path(n) for n in ("t.astc", "theirs.exr", "ours.exr"))
            decoding = "-dH" if profile == "hdra" else "-dh"
            subprocess.run([ASTCENC, decoding, texture, theirs, "-silent"], check=True)
            self.succeed("decode", texture, "-o", ours, "--profile", "hdr")
            result = self.succeed("compare", theirs, ours, "--json").json
            self.assertEqual(result["max_error"], 0, (profile, block, preset))

    def test_metrics_are_those_that_it_prints(self):
        theirs = self.path("theirs.exr")
        printed = subprocess.run([ASTCENC, "-th", self.source, theirs, "6x6", "-fast"], check=True,
                                 capture_output=True).stdout.decode()
        measured = self.succeed("compare", self.source, theirs, "--json").json
        for line in printed.splitlines():
            if "mPSNR (RGB)" in line:
                self.assertAlmostEqual(measured["mpsnr"], float(line.split()[2]), 1)
            if "norm to peak" in line:
                self.assertAlmostEqual(measured["psnr_peak"], float(line.split()[5]), 1)


if __name__ == "__main__":
    cli_support.main()
