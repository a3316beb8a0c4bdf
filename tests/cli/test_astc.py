"""ASTC textures: decoded, compared with astcenc, described block by block."""
import math
import shutil
import subprocess
import unittest

import cli_support
from cli_support import INVALID, UNSUPPORTED, USAGE, CliTest, available_isas, read_bytes
from pictures import Picture, gradient, png, read_png
from textures import astc

ASTCENC = shutil.which("astcenc")


def constant_block(red, green, blue, alpha=255):
    """A void extent without an extent: 16-bit channels of v·257."""
    channels = b"".join((value * 257).to_bytes(2, "little") for value in (red, green, blue, alpha))
    return bytes.fromhex("fcfdffffffffffff") + channels


def astc_file(width, height, blocks, block=(4, 4, 1), depth=1):
    header = bytes([0x13, 0xAB, 0xA1, 0x5C, *block])
    return header + b"".join(side.to_bytes(3, "little") for side in (width, height, depth)) + blocks


class ByHand(CliTest):
    def test_constant_blocks_are_exact(self):
        blocks = constant_block(1, 2, 3) + constant_block(250, 128, 0, 7)
        texture = self.write("in.astc", astc_file(8, 4, blocks))
        for mode in ("float16", "unorm8"):
            self.succeed("decode", texture, "-o", self.path("out.png"), "--decode-mode", mode)
            picture = read_png(read_bytes(self.path("out.png")))
            self.assertEqual((picture.width, picture.height, picture.channels), (8, 4, 4))
            self.assertEqual(bytes(picture.row(0)[:4]), bytes([1, 2, 3, 255]))
            self.assertEqual(bytes(picture.row(3)[-4:]), bytes([250, 128, 0, 7]))

    def test_illegal_blocks_are_magenta(self):
        texture = self.write("in.astc", astc_file(4, 4, bytes(16)))
        self.succeed("decode", texture, "-o", self.path("out.png"))
        picture = read_png(read_bytes(self.path("out.png")))
        self.assertEqual(bytes(picture.row(0)[:3]), bytes([255, 0, 255]))

    def test_volumes_need_a_slice(self):
        blocks = constant_block(9, 9, 9) + constant_block(99, 99, 99)
        texture = self.write("in.astc", astc_file(3, 3, blocks, (3, 3, 3), depth=4))
        out = self.path("out.png")
        self.refuse(USAGE, "decode", texture, "-o", out, words=("slice",))
        self.refuse(USAGE, "decode", texture, "-o", out, "--slice", 4, words=("slice",))
        self.succeed("decode", texture, "-o", out, "--slice", 3)
        self.assertEqual(read_png(read_bytes(out)).row(0)[0], 99)

    def test_sixteen_bits(self):
        texture = self.write("in.astc", astc_file(4, 4, constant_block(1, 2, 3)))
        self.succeed("decode", texture, "-o", self.path("out.png"), "--samples", "16-bit")
        info = self.succeed("info", self.path("out.png"), "--json").json
        self.assertEqual(info["samples"], "16-bit")

    def test_wrong_options_are_refused(self):
        texture = self.write("in.astc", astc(8, 8))
        out = self.path("out.png")
        self.refuse(USAGE, "decode", texture, "-o", out, "--profile", "xyz")
        self.refuse(USAGE, "decode", texture, "-o", out, "--decode-mode", "unorm9")
        self.refuse(USAGE, "decode", texture, "-o", out, "--samples", "12-bit")
        self.refuse(USAGE, "decode", texture, "-o", out, "--level", 1)
        self.refuse(UNSUPPORTED, "decode", texture, "-o", out, "--samples", "float")
        self.assertEqual(self.files(), ["in.astc"])

    def test_hostile_sizes_end_at_once(self):
        for block in ((4, 4, 1), (12, 12, 1), (6, 6, 6)):
            claim = bytes([0x13, 0xAB, 0xA1, 0x5C, *block]) + b"\xff" * 9 + bytes(64)
            texture = self.write("in.astc", claim)
            self.refuse(INVALID, "decode", texture, "-o", self.path("out.png"), words=("in.astc",))


class Encoded(CliTest):
    def encode(self, picture, output, *arguments, **keywords):
        return self.succeed("encode", picture, "-o", output, "--preset", "realtime", "--json",
                            *arguments, **keywords).result

    def test_sizes_and_quality(self):
        picture = self.write("in.png", png(gradient(50, 37, 4, seed=2)))
        for block, across, down in (("4x4", 13, 10), ("6x6", 9, 7), ("12x12", 5, 4)):
            result = self.encode(picture, self.path("t.astc"), "--block", block, "--metrics")
            self.assertEqual(result["bytes"], 16 + across * down * 16)
            self.assertGreater(result["psnr_rgba"], 25, block)
            counts = self.succeed("info", self.path("t.astc"), "--blocks", "--json").json["blocks"]
            self.assertEqual((counts["blocks"], counts["illegal"]), (across * down, 0))

    def test_every_thread_count_and_isa_gives_the_same_bytes(self):
        picture = self.write("in.png", png(gradient(200, 150, 4, seed=3)))
        files = set()
        for threads in (1, 2, 7):
            self.encode(picture, self.path("t.astc"), "--block", "5x5", "--threads", threads)
            files.add(read_bytes(self.path("t.astc")))
        for isa in available_isas():
            result = self.encode(picture, self.path("t.astc"), "--block", "5x5", isa=isa)
            self.assertEqual(result["isa"], isa)
            files.add(read_bytes(self.path("t.astc")))
        self.assertEqual(len(files), 1)

    def quality(self, picture, *arguments):
        return self.encode(picture, self.path("t.astc"), "--block", "4x4", "--metrics",
                           *arguments)["psnr_rgb"]

    def test_presets_and_qualities_rise(self):
        picture = self.write("in.png", png(gradient(64, 48, 4, seed=9)))
        steps = [self.succeed("encode", picture, "-o", self.path("t.astc"), "--block", "5x5",
                              "--json", "--metrics", *option).result["psnr_rgba"]
                 for option in (("--preset", "realtime"), ("--preset", "fast"), ("--quality", 40),
                                ("--preset", "medium"), ("--preset", "thorough"),
                                ("--quality", 100))]
        for before, after in zip(steps, steps[1:]):
            self.assertGreater(after, before - 0.1)
        self.assertGreater(steps[-1], steps[0])

    def test_every_method_gives_a_picture(self):
        picture = self.write("in.png", png(gradient(64, 48, 3, seed=4)))
        for endpoints in ("pca", "bounds", "minmax", "accumulate"):
            self.assertGreater(self.quality(picture, "--endpoints", endpoints), 30)
        for partitions in ("off", "moments", "kmeans", "kmeans++", "table"):
            self.assertGreater(self.quality(picture, "--partitions", partitions), 30)
        for mode in ("float16", "unorm8"):
            self.assertGreater(self.quality(picture, "--decode-mode", mode), 30)
        self.assertGreater(self.quality(picture, "--alpha-weight", "--channel-weights", "1,2,1,3"),
                           25)

    def test_perceptual_is_luma(self):
        picture = self.write("in.png", png(gradient(64, 48, 3, seed=4)))
        files = []
        for words in (("--perceptual",), ("--channel-weights", "luma"), ()):
            self.encode(picture, self.path("t.astc"), *words)
            files.append(read_bytes(self.path("t.astc")))
        self.assertEqual(files[0], files[1])
        self.assertNotEqual(files[0], files[2])

    def test_rgbm_weighs_what_the_product_shows(self):
        def light(x, y):
            bright = 0.003 + 0.9 / (1 + 0.02 * ((x - 20) ** 2 + (y - 30) ** 2))
            return [bright * (0.6 + 0.4 * math.sin(0.3 * x + c) * math.cos(0.2 * y)) for c in range(3)]

        def stored(x, y):
            rgb = light(x, y)
            most = max(1, math.ceil(max(rgb) * 255))
            return [round(min(1, v * 255 / most) * 255) for v in rgb] + [most]

        size = 64
        source = Picture(size, size, 4, bytes(v for y in range(size) for x in range(size)
                                              for v in stored(x, y)))
        picture = self.write("rgbm.png", png(source))

        def squared_error(*words):
            self.encode(picture, self.path("t.astc"), "--linear", "--block", "6x6", *words)
            self.succeed("decode", self.path("t.astc"), "-o", self.path("back.png"))
            pairs = zip(source.rgba(), read_png(read_bytes(self.path("back.png"))).rgba())
            texels = list(pairs)
            return sum((texels[i + c][0] * texels[i + 3][0] - texels[i + c][1] * texels[i + 3][1]) ** 2
                       for i in range(0, len(texels), 4) for c in range(3))

        self.assertLess(squared_error("--rgbm"), 0.8 * squared_error())
        self.assertLess(squared_error("--rgbm"), squared_error("--alpha-weight"))

    def test_blocks_that_nobody_sees_have_one_colour(self):
        def kinds(block, *words):
            self.encode(picture, self.path("t.astc"), "--block", block, *words)
            return read_bytes(self.path("t.astc"))[16:]

        size = 48
        texels = [(x * 37 % 256, y * 91 % 256, (x ^ y) * 5 % 256, 0 if x >= 24 else 255)
                  for y in range(size) for x in range(size)]
        picture = self.write("hidden.png", png(Picture(size, size, 4, bytes(v for one in texels for v in one))))
        for words, expected in ((("--alpha-weight",), 18), (("--as", "ui"), 18), ((), 0)):
            blocks = kinds("8x8", *words)
            constant = [blocks[i:i + 16] for i in range(0, len(blocks), 16) if blocks[i:i + 2] == b"\xfc\xfd"]
            self.assertEqual(len(constant), expected, words)
            self.assertEqual({block[14:] for block in constant}, {b"\0\0"} if expected else set())
        self.encode(picture, self.path("t.astc"), "--block", "8x8", "--alpha-weight")
        self.succeed("decode", self.path("t.astc"), "-o", self.path("back.png"))
        back = read_png(read_bytes(self.path("back.png"))).rgba()
        for c in range(3):
            mean = sum(texels[y * size + 24 + x][c] for y in range(8) for x in range(8)) / 64
            self.assertAlmostEqual(back[4 * 24 + c], mean, delta=1)

    def test_channels_that_do_not_count(self):
        picture = self.write("in.png", png(gradient(64, 48, 4, seed=9)))
        self.encode(picture, self.path("all.astc"), "--block", "8x8")
        self.encode(picture, self.path("t.astc"), "--block", "8x8", "--channel-weights", "1,0,1,0")
        errors = []
        for name in ("all.astc", "t.astc"):
            compared = self.succeed("compare", picture, self.path(name), "--json").json
            errors.append(compared["psnr_channels"])
        self.assertGreater(errors[1][0], errors[0][0])
        self.assertGreater(errors[1][2], errors[0][2])
        self.assertLess(errors[1][1], errors[0][1])
        self.encode(picture, self.path("t.astc"), "--channel-weights", "0,0,0,1")
        for weights in ("0,0,0,0", "0,0,-1,1", "0.0001,1,1,1"):
            self.refuse(USAGE, "encode", picture, "-o", self.path("t.astc"), "--channel-weights", weights,
                        words=("weight",))

    def test_weights_are_said_once(self):
        picture = self.write("in.png", png(gradient(16, 16, 3)))
        for words in (("--perceptual", "--channel-weights", "1,1,1"), ("--perceptual", "--normal"),
                      ("--rgbm", "--channel-weights", "1,1,1"), ("--rgbm", "--profile", "hdr"),
                      ("--alpha-weight", "--profile", "hdra")):
            self.refuse(USAGE, "encode", picture, "-o", self.path("t.astc"), *words,
                        words=(words[0],))

    def test_normal_maps_tell_their_angles(self):
        self.succeed("sample", "-o", self.path("n.png"), "--kind", "normal-map", "--size", "64x64")
        result = self.encode(self.path("n.png"), self.path("n.astc"), "--block", "6x6",
                             "--normal", "--metrics")
        angles = result["angular_error_degrees"]
        self.assertLess(angles["mean"], 3)
        self.assertGreaterEqual(angles["max"], angles["mean"])
        counts = self.succeed("info", self.path("n.astc"), "--blocks", "--json").json["blocks"]
        self.assertEqual(counts["illegal"], 0)
        self.assertNotIn("angular_error_degrees",
                         self.encode(self.path("n.png"), self.path("n.astc"), "--metrics"))

    def test_mip_levels_in_ktx2(self):
        picture = self.write("in.png", png(gradient(40, 20)))
        self.encode(picture, self.path("t.ktx2"), "--format", "astc", "--mips", "--profile", "srgb")
        info = self.succeed("info", self.path("t.ktx2"), "--json").json
        self.assertEqual((info["format"], info["levels"], info["srgb"]), ("astc", 6, True))
        self.succeed("decode", self.path("t.ktx2"), "-o", self.path("out.png"), "--level", 5)


class Described(CliTest):
    def test_statistics_count_every_block(self):
        blocks = constant_block(1, 2, 3) * 3 + bytes(16)
        texture = self.write("in.astc", astc_file(16, 4, blocks))
        counts = self.succeed("info", texture, "--blocks", "--json").json["blocks"]
        self.assertEqual((counts["blocks"], counts["void_extents"], counts["illegal"]), (4, 3, 1))
        self.assertIn("void_extents", self.succeed("info", texture, "--blocks").text)

    def test_one_block_in_words_and_json(self):
        texture = self.write("in.astc", astc_file(8, 4, constant_block(1, 2, 3) + bytes(16)))
        block = self.succeed("info", texture, "--block", "0,0", "--json").json["block_at"]
        self.assertEqual(block["kind"], "void extent")
        self.assertEqual(block["color"], [257, 514, 771, 65535])
        self.assertIn("one colour", self.succeed("info", texture, "--block", "0,0").text)
        self.assertIn("not a legal block", self.succeed("info", texture, "--block", "1,0").text)

    def test_blocks_that_are_not_there(self):
        texture = self.write("in.astc", astc_file(8, 4, bytes(32)))
        for position in ("2,0", "0,1", "0,0,1", "x,y", "1", "1,", "-1,0", "0,0,0,0", ""):
            with self.subTest(position):
                if position:
                    self.refuse(USAGE, "info", texture, f"--block={position}")

    def test_only_astc_has_blocks_to_describe(self):
        picture = self.write("in.png", png(gradient(8, 8)))
        self.refuse(USAGE, "info", picture, "--blocks")
        self.succeed("encode", picture, "-o", self.path("t.dds"), "--quiet")
        self.refuse(UNSUPPORTED, "info", self.path("t.dds"), "--blocks")


@unittest.skipUnless(ASTCENC, "astcenc is not installed: no independent judge of ASTC decoding")
class Astcenc(CliTest):
    def encode(self, block, option="-cl"):
        picture = self.write("in.png", png(gradient(61, 47, 4, seed=5)))
        texture = self.path("t.astc")
        subprocess.run([ASTCENC, option, picture, texture, block, "-fast", "-silent"], check=True)
        return texture

    def check(self, block, profile, coding, decoding):
        texture = self.encode(block, coding)
        theirs = self.path("theirs.png")
        subprocess.run([ASTCENC, decoding, texture, theirs, "-silent"], check=True)
        ours = self.path("ours.png")
        self.succeed("decode", texture, "-o", ours, "--profile", profile)
        result = self.succeed("compare", theirs, ours, "--json").json
        self.assertEqual(result["max_error"], 0, f"{block} {profile}")

    def test_pixels_are_the_same(self):
        for block in ("4x4", "6x6", "8x5", "12x12"):
            self.check(block, "ldr", "-cl", "-dl")
            self.check(block, "srgb", "-cs", "-ds")

    def test_what_we_encode_is_the_same_to_both(self):
        picture = self.path("in.png")
        self.succeed("sample", "-o", picture, "--kind", "sprite", "--size", "61x47")
        for block, preset in (("4x4", "realtime"), ("8x6", "realtime"), ("10x10", "fast"),
                              ("4x4", "medium"), ("6x6", "thorough"), ("5x4", "exhaustive")):
            texture = self.path("t.astc")
            self.succeed("encode", picture, "-o", texture, "--preset", preset, "--block", block)
            theirs = self.path("theirs.png")
            subprocess.run([ASTCENC, "-dl", texture, theirs, "-silent"], check=True)
            self.succeed("decode", texture, "-o", self.path("ours.png"))
            result = self.succeed("compare", theirs, self.path("ours.png"), "--json").json
            self.assertEqual(result["max_error"], 0, block)

    def test_exr_files_say_the_same_to_both(self):
        # astcenc reads and writes OpenEXR by a library of its own.
        picture = self.path("in.png")
        self.succeed("sample", "-o", picture, "--size", "40x28")
        texture, theirs, ours = (self.path(name) for name in ("t.astc", "theirs.exr", "ours.exr"))
        subprocess.run([ASTCENC, "-ch", picture, texture, "4x4", "-fast", "-silent"], check=True)
        subprocess.run([ASTCENC, "-dh", texture, theirs, "-silent"], check=True)
        outcome = cli_support.run("decode", texture, "-o", ours, "--profile", "hdr")
        if outcome.code == UNSUPPORTED:
            self.skipTest("this build has no OpenEXR")
        self.assertEqual(self.succeed("compare", theirs, ours, "--json").json["max_error"], 0)
        again = []
        for name in (theirs, ours):
            subprocess.run([ASTCENC, "-ch", name, texture, "6x6", "-fast", "-silent"], check=True)
            again.append(read_bytes(texture))
        self.assertEqual(again[0], again[1])

    def test_the_threads_do_not_matter(self):
        texture = self.encode("5x5")
        pictures = []
        for threads in (1, 2, 7):
            self.succeed("decode", texture, "-o", self.path("out.png"), "--threads", threads)
            pictures.append(read_bytes(self.path("out.png")))
        self.assertEqual(pictures[0], pictures[1])
        self.assertEqual(pictures[0], pictures[2])

    def test_statistics_add_up(self):
        texture = self.encode("6x6")
        counts = self.succeed("info", texture, "--blocks", "--json").json["blocks"]
        self.assertEqual(counts["blocks"], 11 * 8)
        self.assertEqual(counts["illegal"], 0)
        weighted = counts["blocks"] - counts["void_extents"]
        self.assertEqual(sum(counts["partitions"].values()), weighted)
        self.assertEqual(sum(counts["grids"].values()), weighted)
        self.assertEqual(sum(counts["weight_levels"].values()), weighted)


if __name__ == "__main__":
    cli_support.main()
