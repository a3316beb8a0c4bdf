"""Targets and limits instead of block sizes and presets, and tessera advise."""
import math
import os
import xml.etree.ElementTree

import cli_support
from cli_support import FAILED, IO, UNSUPPORTED, USAGE, CliTest, read_bytes, run
from test_hdr import light as light_of
from test_hdr import radiance
from pictures import Picture, gradient, png, read_png, with_alpha


class GoalTest(CliTest):
    def photo(self, name="photo.png", size="200x160", seed=1):
        path = self.path(name)
        self.succeed("sample", "-o", path, "--size", size, "--seed", seed)
        return path


class Targets(GoalTest):
    def test_a_target_is_reached(self):
        photo = self.photo()
        out = self.path("out.ktx2")
        result = self.succeed("encode", photo, "-o", out, "--target-psnr", 36, "--json",
                              "--metrics").result
        self.assertGreaterEqual(result["psnr_rgb"], 36)
        self.assertIn(result["block"] + " " + result["preset"], result["reason"])
        compared = self.succeed("compare", photo, out, "--json").json
        self.assertGreaterEqual(compared["psnr_rgb"], 36)
        # The file says what it was made with, not what was asked for.
        info = self.succeed("info", out, "--json").text
        self.assertIn("--block " + result["block"], info)
        self.assertNotIn("--target-psnr", info)

    def test_lower_targets_make_smaller_files(self):
        photo = self.photo()
        sizes = []
        for target in (42, 38, 32, 20):
            out = self.path(f"{target}.astc")
            self.succeed("encode", photo, "-o", out, "--target-psnr", target)
            sizes.append(os.path.getsize(out))
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertLess(sizes[-1], sizes[0] / 2)

    def test_a_named_preset_gets_blocks_as_large(self):
        photo = self.photo()
        for target in (33, 35, 37, 39, 41):
            free = self.succeed("encode", photo, "-o", self.path("a.astc"), "--target-psnr", target,
                                "--json").result
            named = self.succeed("encode", photo, "-o", self.path("b.astc"), "--target-psnr", target, "--preset",
                                 free["preset"], "--json").result
            self.assertEqual(named["block"], free["block"], (target, free["reason"], named["reason"]))

    def test_the_other_measures(self):
        photo = self.photo()
        out = self.path("out.astc")
        result = self.succeed("encode", photo, "-o", out, "--target-ssim", 0.96, "--json",
                              "--metrics").result
        self.assertGreaterEqual(result["ssim"], 0.96)
        result = self.succeed("encode", photo, "-o", out, "--max-error", 30, "--json",
                              "--metrics").result
        self.assertLessEqual(result["max_error"] * 255, 30)

    @staticmethod
    def channel_errors(first, second):
        """The largest error of red, green, blue and alpha, of two PNG files."""
        pixels = [read_png(read_bytes(path)).rgba() for path in (first, second)]
        return [max(abs(a - b) for a, b in zip(pixels[0][c::4], pixels[1][c::4])) for c in range(4)]

    def test_limits_of_channels(self):
        photo = self.write("alpha.png", png(with_alpha(gradient(96, 64, seed=5), lambda x, y: 250 - x - y)))
        out, back = self.path("out.astc"), self.path("back.png")
        blocks = {}
        for limits in ("40", "40,6,40,40", "12,12,12", "40,40,40,6"):
            result = self.succeed("encode", photo, "-o", out, "--max-error", limits, "--json").result
            self.succeed("decode", out, "-o", back)
            most = [int(limit) for limit in limits.split(",")]
            most = most * 4 if len(most) == 1 else (most + [255])[:4]
            for error, limit in zip(self.channel_errors(photo, back), most):
                self.assertLessEqual(error, limit, limits)
            width, height = map(int, result["block"].split("x"))
            blocks[limits] = width * height
        self.assertLess(blocks["40,6,40,40"], blocks["40"])
        for limits in ("4,4", "4,4,4,4,4", "4,", "4,x,4", "4,4,300", ""):
            self.refuse(USAGE, "encode", photo, "-o", out, "--max-error", limits)

    def test_the_preset_is_told_as_it_was_named(self):
        result = self.succeed("encode", self.photo(), "-o", self.path("out.astc"), "--target-psnr", 30,
                              "--quality", 40, "--json").result
        self.assertEqual(result["preset"], "quality 40")
        self.assertIn(" quality 40:", result["reason"])
        result = self.succeed("encode", self.photo(), "-o", self.path("out.astc"), "--quality", 40,
                              "--json").result
        self.assertEqual(result["preset"], "quality 40")

    def test_errors_of_whole_levels(self):
        """The chosen blocks are one size too small at most: no larger ones have so small errors."""
        side = 72
        photo = self.write("soft.png", png(Picture(side, side, 3, bytes(
            int(128 + 60 * math.sin(x * (0.05 + 0.02 * c) + y * 0.07) + math.sin(1.3 * x + 0.9 * y * (c + 1)))
            for y in range(side) for x in range(side) for c in range(3)))))
        sizes = ["4x4", "5x4", "5x5", "6x5", "6x6", "8x5", "8x6", "10x5", "10x6", "8x8", "10x8"]
        for limit in (4, 5, 6):
            chosen = self.succeed("encode", photo, "-o", self.path("out.astc"), "--max-error", limit,
                                  "--json").result["block"]
            largest = chosen
            for block in sizes[sizes.index(chosen):]:
                error = self.succeed("encode", photo, "-o", self.path("one.astc"), "--block", block,
                                     "--preset", "thorough", "--metrics", "--json").result["max_error"]
                largest = block if error * 255 <= limit else largest
            self.assertLessEqual(sizes.index(largest) - sizes.index(chosen), 1, (limit, chosen, largest))

    def test_limits_hold(self):
        photo = self.photo()
        for limit in (33000, 9000, 5000):
            out = self.path("out.astc")
            self.succeed("encode", photo, "-o", out, "--max-bytes", limit)
            self.assertLessEqual(os.path.getsize(out), limit)
        result = self.succeed("encode", photo, "-o", out, "--max-bpp", 2, "--json").result
        self.assertEqual(result["block"], "8x8")

    def test_limits_hold_with_zstd(self):
        photo = self.photo()
        out = self.path("out.ktx2")
        if run("encode", photo, "-o", out, "--format", "astc", "--zstd").code == UNSUPPORTED:
            self.skipTest("this build has no zstd")
        self.succeed("encode", photo, "-o", out, "--zstd", "--mips", "--max-bytes", 12000)
        self.assertLessEqual(os.path.getsize(out), 12000)

    def test_threads_do_not_matter(self):
        photo = self.photo()
        files = []
        for threads in (1, 2, 7):
            out = self.path(f"{threads}.astc")
            self.succeed("encode", photo, "-o", out, "--target-psnr", 35, "--threads", threads)
            files.append(read_bytes(out))
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])

    def test_transcoding(self):
        photo = self.photo()
        texture, out = self.path("fine.astc"), self.path("coarse.astc")
        self.succeed("encode", photo, "-o", texture, "--block", "4x4")
        result = self.succeed("transcode", texture, "-o", out, "--target-psnr", 34,
                              "--json", "--metrics").result
        self.assertGreaterEqual(result["psnr_rgb"], 34)
        self.assertLess(os.path.getsize(out), os.path.getsize(texture))


class Refused(GoalTest):
    def test_what_cannot_be_reached_writes_nothing(self):
        photo = self.photo(size="48x48")
        out = self.path("out.astc")
        self.refuse(FAILED, "encode", photo, "-o", out, "--target-psnr", 150,
                    words=("photo.png", "150 dB", "cannot be reached", "4x4"))
        self.refuse(FAILED, "encode", photo, "-o", out, "--max-bytes", 50,
                    words=("photo.png", "50 bytes", "12x12"))
        self.refuse(FAILED, "encode", photo, "-o", out, "--max-bpp", 0.5, words=("12x12", "0.89"))
        self.refuse(FAILED, "encode", photo, "-o", out, "--target-psnr", 45, "--max-bpp", 1,
                    words=("45 dB", "limits"))
        self.assertEqual(self.files(), ["photo.png"])

    def test_what_makes_no_sense(self):
        photo = self.photo(size="16x16")
        out = self.path("out.astc")
        for arguments in (("--target-psnr", "high"), ("--target-psnr", "-3"),
                          ("--target-ssim", "1.5"), ("--max-error", "300"), ("--max-bytes", "0"),
                          ("--target-psnr", "30", "--block", "4x4", "--preset", "fast"),
                          ("--target-psnr", "30", "--method", "fgac")):
            self.refuse(USAGE, "encode", photo, "-o", out, *arguments)
        self.refuse(USAGE, "encode", photo, "-o", self.path("out.dds"), "--format", "bc1",
                    "--target-psnr", 30, words=("block sizes",))
        self.assertEqual(self.files(), ["photo.png"])


class Folders(GoalTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("assets"))
        self.write("assets/smooth.png", png(gradient(96, 64)))
        self.photo("assets/photo.png", "96x64")
        self.succeed("sample", "-o", self.path("assets/noise.png"), "--kind", "noise", "--size",
                     "64x48")

    def encode(self, *arguments, code=0):
        outcome = run("encode", self.path("assets"), "-o", self.path("out"), "--container", "ktx2",
                      *arguments)
        self.assertEqual(outcome.code, code, str(outcome))
        return outcome

    def test_each_file_has_its_own_reason(self):
        results = {os.path.basename(one["input"]): one
                   for one in self.encode("--target-psnr", 28, "--max-bpp", 8, "--json", "--metrics",
                                          "--exclude", "noise.png").json}
        self.assertEqual(len(results), 2)
        for result in results.values():
            self.assertIn("reaches 28 dB", result["reason"])
            self.assertGreaterEqual(result["psnr_rgb"], 28)

    def test_lines_tell_the_reason(self):
        lines = self.encode("--max-bpp", 4).text.splitlines()
        self.assertEqual(sum("is the best that fits 4 bits per pixel" in one for one in lines), 3)

    def test_a_file_that_misses_the_target_fails_alone(self):
        outcome = self.encode("--target-psnr", 36, "--json", code=FAILED)
        states = {os.path.basename(one["input"]): one["status"] for one in outcome.json}
        self.assertEqual(self.files("out"), ["photo.ktx2", "smooth.ktx2"])
        self.assertNotEqual(states["noise.png"], states["photo.png"])

    def test_outputs_are_kept_while_the_target_stays(self):
        self.encode("--target-psnr", 30, "--exclude", "noise.png")
        again = self.encode("--target-psnr", 30, "--exclude", "noise.png", "--json").json
        self.assertEqual({one["status"] for one in again}, {"unchanged"})
        other = self.encode("--target-psnr", 31, "--exclude", "noise.png", "--json").json
        self.assertNotIn("unchanged", {one["status"] for one in other})

    def test_rules_may_have_targets(self):
        self.write("assets/tessera.json",
                   b'{"rules": [{"files": "smooth.png", "target-psnr": 45}]}')
        results = self.encode("--json").json
        reasons = {os.path.basename(one["input"]): one.get("reason") for one in results}
        self.assertIn("45 dB", reasons["smooth.png"])
        self.assertIsNone(reasons["photo.png"])


class Advise(GoalTest):
    def test_table_and_sentence(self):
        lines = self.succeed("advise", self.photo(size="128x96")).text.splitlines()
        self.assertEqual(len(lines), 1 + 14 + 1)
        self.assertTrue(lines[-1].startswith("Take "))
        self.assertEqual(sum("<-" in one for one in lines), 1)

    def test_json(self):
        advice = self.succeed("advise", self.photo(size="128x96"), "--json", "--preset", "fast",
                              "--target-psnr", 33).json
        self.assertEqual([one["block"] for one in advice["sizes"]][0], "4x4")
        self.assertEqual(len(advice["sizes"]), 14)
        chosen = next(one for one in advice["sizes"] if one["block"] == advice["recommended"])
        self.assertGreaterEqual(chosen["psnr"], 33)
        self.assertEqual(advice["preset"], "fast")

    def test_bytes_are_those_of_the_file(self):
        photo = self.photo(size="128x96")
        for options, name in (((), "a.astc"), (("--mips",), "a.ktx2")):
            size = self.succeed("advise", photo, "--preset", "thorough", *options, "--json").json["sizes"][0]
            out = self.path(name)
            self.succeed("encode", photo, "-o", out, "--block", size["block"], "--preset", "thorough", *options)
            self.assertEqual(os.path.getsize(out), size["bytes"])
        # What fits by its blocks alone does not.
        advice = self.succeed("advise", photo, "--max-bytes", 128 * 96 + 8, "--json").json
        self.assertNotEqual(advice["recommended"], "4x4")
        chosen = self.succeed("encode", photo, "-o", self.path("b.astc"), "--max-bytes", 128 * 96 + 8, "--json")
        self.assertEqual(chosen.result["block"], advice["recommended"])

    def test_options_that_change_qualities(self):
        photo = self.photo(size="64x64")
        plain = self.succeed("advise", photo, "--json").json["sizes"]
        self.assertNotEqual(self.succeed("advise", photo, "--perceptual", "--json").json["sizes"], plain)
        light = self.write("light.png", png(with_alpha(gradient(64, 64, seed=3), lambda x, y: 40 + 3 * x)))
        sizes = [self.succeed("advise", light, *words, "--json").json["sizes"] for words in ((), ("--rgbm",))]
        self.assertNotEqual(sizes[0], sizes[1])
        if run("encode", photo, "-o", self.path("z.ktx2"), "--format", "astc", "--zstd").code != UNSUPPORTED:
            small = self.succeed("advise", self.write("flat.png", png(gradient(64, 64, seed=2))), "--zstd",
                                 "--mips", "--json").json["sizes"]
            self.assertLess(small[0]["bytes"], 64 * 64 * 4 // 3)

    def test_high_dynamic_range(self):
        light = self.write("light.hdr", radiance(48, 40, light_of))
        advice = self.succeed("advise", light, "--profile", "hdr", "--json").json
        self.assertEqual(advice["measure"], "mpsnr")
        self.assertEqual(len(advice["sizes"]), 14)
        self.assertGreater(advice["sizes"][0]["mpsnr"], advice["sizes"][-1]["mpsnr"])
        self.assertNotIn("psnr", advice["sizes"][0])
        lines = self.succeed("advise", light, "--profile", "hdr").text
        self.assertIn("mPSNR dB", lines)
        chart = self.path("chart.svg")
        self.succeed("advise", light, "--profile", "hdr", "--chart", chart)
        self.assertIn(b"mPSNR, dB", read_bytes(chart))
        out = self.path("out.ktx2")
        result = self.succeed("encode", light, "-o", out, "--profile", "hdr", "--target-psnr", 34, "--metrics",
                              "--json").result
        self.assertGreaterEqual(result["mpsnr"], 34)
        self.assertIn("34 dB mPSNR", result["reason"])
        for options in (("--target-ssim", 0.9), ("--max-error", 3)):
            self.refuse(UNSUPPORTED, "encode", light, "-o", out, "--profile", "hdr", *options, words=("mPSNR",))

    def test_a_name_that_is_not_utf_8(self):
        photo, chart = os.fsencode(self.path("b")) + b"\xffd.png", self.path("chart.svg")
        os.rename(self.photo(size="48x48"), photo)
        self.succeed("advise", photo, "--chart", chart)
        self.assertIn("b\N{REPLACEMENT CHARACTER}d.png",
                      "".join(xml.etree.ElementTree.parse(chart).getroot().itertext()))

    def test_chart(self):
        chart = self.path("chart.svg")
        self.succeed("advise", self.photo("a<b&c.png", size="64x64"), "--chart", chart)
        root = xml.etree.ElementTree.parse(chart).getroot()
        self.assertTrue(root.tag.endswith("svg"))
        circles = [one for one in root.iter() if one.tag.endswith("circle")]
        self.assertEqual(len(circles), 14)

    def test_refusals(self):
        photo = self.photo(size="32x32")
        self.refuse(USAGE, "advise", photo, "--chart", self.path("chart.png"), words=(".svg",))
        self.refuse(FAILED, "advise", photo, "--target-psnr", 199, words=("photo.png",))
        self.refuse(IO, "advise", self.path("none.png"))
        self.refuse(USAGE, "advise", photo, "--preset", "best")
        self.assertEqual(self.files(), ["photo.png"])


if __name__ == "__main__":
    cli_support.main()
