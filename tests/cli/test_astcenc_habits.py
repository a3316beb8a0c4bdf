"""tessera-astcenc beside the astcenc command: the same calls, exit codes, files and figures."""
import math
import os
import re
import subprocess
import unittest

import cli_support
from cli_support import CLOSED_SETS, CliTest, read_bytes, run_with_closed
from pictures import Picture, gradient, png, read_png, with_alpha
from test_hdr import exr

ASTCENC = "/usr/bin/astcenc"
FIGURE = re.compile(r"^    ([A-Z][\w ()-]*):\s+(-?[0-9.]+)(?: (dB|s|MT/s|degrees))?$", re.MULTILINE)


def figures(text):
    """What a script finds in the output: {label: (number, unit)}."""
    return {label: (float(number), unit) for label, number, unit in FIGURE.findall(text)}


def psnr(reference, test, channels):
    """Of two RGBA byte strings, over the first so many channels, in dB."""
    error = sum((a - b) ** 2 for i, (a, b) in enumerate(zip(reference, test)) if i % 4 < channels)
    count = len(reference) // 4 * channels
    return 10 * math.log10(255 ** 2 * count / error) if error else 999


class Program(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = with_alpha(gradient(37, 26), lambda x, y: (x * 9 + y * 5) % 256)
        self.write("in.png", png(self.picture))

    def ours(self, *words):
        return cli_support.run(*words, cwd=self.folder)

    def done(self, *words):
        outcome = self.ours(*words)
        self.assertEqual(outcome.code, 0, f"{words}: {outcome}")
        self.assertEqual(outcome.stderr, "", words)
        return outcome

    def write_light(self):
        """A picture of floats from 0 to 4.5; False where this build cannot read it."""
        self.write("light.exr", exr(24, 24, lambda x, y, c: (x * 9 + y * 5 + c) / 75, "RGB"))
        return self.ours("-ch", "light.exr", "t.astc", "6x6", "-fast", "-silent").code == 0

    def pixels(self, name):
        return read_png(read_bytes(self.path(name))).rgba()


class Alone(Program):
    def test_metrics_are_those_of_the_pixels(self):
        text = self.done("-tl", "in.png", "out.png", "6x6", "-medium", "-silent").text
        found = figures(text)
        before, after = self.picture.rgba(), self.pixels("out.png")
        self.assertAlmostEqual(found["PSNR (LDR-RGBA)"][0], psnr(before, after, 4), places=3)
        self.assertAlmostEqual(found["PSNR (LDR-RGB)"][0], psnr(before, after, 3), places=3)
        self.assertNotIn("Source image", text)

    def test_files_are_those_of_the_command(self):
        self.done("-cl", "in.png", "a.astc", "5x4", "-fast")
        tessera = os.path.join(os.path.dirname(cli_support.command()), "tessera")
        tessera = tessera if os.access(tessera, os.X_OK) else os.environ.get("TESSERA", "")
        if not tessera:
            self.skipTest("the command is not beside the program")
        subprocess.run([tessera, "encode", self.path("in.png"), "-o", self.path("b.astc"), "--block",
                        "5x4", "--quality", "25", "-q"], check=True)
        self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("b.astc")))

    def test_quality_grows(self):
        found = [figures(self.done("-tl", "in.png", "o.png", "8x8", quality).text)["PSNR (LDR-RGBA)"][0]
                 for quality in ("-fastest", "-medium", "-exhaustive")]
        self.assertLess(found[0], found[1])
        self.assertLessEqual(found[1], found[2] + 0.05)
        self.assertEqual(
            figures(self.done("-tl", "in.png", "o.png", "8x8", "60").text)["PSNR (LDR-RGBA)"][0], found[1])

    def test_flipping(self):
        self.done("-cl", "in.png", "plain.astc", "4x4", "-fast")
        self.done("-cl", "in.png", "flipped.astc", "4x4", "-fast", "-yflip")
        self.done("-dl", "flipped.astc", "turned.png")
        self.done("-dl", "flipped.astc", "back.png", "-yflip")
        turned, back = self.pixels("turned.png"), self.pixels("back.png")
        row = 37 * 4
        self.assertEqual(back, b"".join(turned[y * row:(y + 1) * row] for y in reversed(range(26))))
        self.assertGreater(psnr(self.picture.rgba(), back, 4), 25)
        self.assertNotEqual(read_bytes(self.path("plain.astc")), read_bytes(self.path("flipped.astc")))

    def test_weights_and_swizzles(self):
        plain = figures(self.done("-tl", "in.png", "plain.png", "8x8", "-fast").text)
        before = self.picture.rgba()
        self.done("-tl", "in.png", "green.png", "8x8", "-fast", "-cw", "1", "40", "1", "1")

        def green(name):
            error = sum((a - b) ** 2 for a, b in zip(before[1::4], self.pixels(name)[1::4]))
            return error

        self.assertLess(green("green.png"), green("plain.png"))
        self.done("-cl", "in.png", "s.astc", "4x4", "-thorough", "-esw", "bgra")
        self.done("-dl", "s.astc", "s.png", "-dsw", "bgra")
        self.assertGreater(psnr(before, self.pixels("s.png"), 4), plain["PSNR (LDR-RGBA)"][0])
        self.done("-dl", "s.astc", "z.png", "-dsw", "0r1a")
        self.assertEqual(set(self.pixels("z.png")[0::4]), {0})
        self.assertEqual(set(self.pixels("z.png")[2::4]), {255})
        for words in (("-ssw", "ra"), ("-a", "0"), ("-perceptual",), ("-rgbm", "5"), ("-mask",),
                      ("-decode_unorm8",), ("-repeats", "3"), ("-j", "1"), ("-mpsnr", "-5", "5"),
                      ("-pp-normalize",), ("-pp-premultiply",)):
            self.done("-tl", "in.png", "x.png", "8x8", "-fast", *words)

    def test_normals(self):
        pixels = bytearray()
        for y in range(24):
            for x in range(24):
                a, b = math.sin(x / 5) * 0.6, math.cos(y / 4) * 0.6
                for value in (a, b, math.sqrt(1 - a * a - b * b)):
                    pixels.append(round((value + 1) * 127.5))
        self.write("n.png", png(Picture(24, 24, 3, bytes(pixels))))
        found = figures(self.done("-tl", "n.png", "o.png", "5x5", "-medium", "-normal").text)
        self.assertLess(found["Mean Angular Error"][0], 3)
        self.assertGreaterEqual(found["Worst Angular Error"][0], found["Mean Angular Error"][0])
        self.assertGreater(found["PSNR (LDR-RGB)"][0], 28)

    def test_preprocessing(self):
        self.done("-cl", "in.png", "p.astc", "4x4", "-thorough", "-pp-premultiply")
        self.done("-dl", "p.astc", "p.png")
        rgba = self.picture.rgba()
        expected = bytes(round(value * rgba[i // 4 * 4 + 3] / 255) if i % 4 < 3 else value
                         for i, value in enumerate(rgba))
        self.assertGreater(psnr(expected, self.pixels("p.png"), 4), 30)

    def test_files_of_both_kinds_of_samples(self):
        if "OpenEXR" in self.ours("-tl", "in.png", "o.exr", "4x4", "-medium").stderr:
            self.skipTest("this build has no OpenEXR")
        self.done("-tl", "o.exr", "o.png", "4x4", "-medium")
        self.assertGreater(psnr(self.picture.rgba(), self.pixels("o.png"), 4), 25)
        self.done("-tl", "in.png", "o.hdr", "4x4", "-fast")  # which has no alpha
        self.done("-tl", "o.hdr", "back.png", "4x4", "-fast")
        self.assertEqual(set(self.pixels("back.png")[3::4]), {255})

    def test_alpha_of_high_dynamic_range(self):
        self.write("a.exr", exr(8, 8, lambda x, y, c: 4.0 if c == 3 else 0.5, "RGBA"))
        if "OpenEXR" in self.ours("-th", "a.exr", "o.exr", "4x4", "-medium").stderr:
            self.skipTest("this build has no OpenEXR")
        for profile, wrong in (("h", 3), ("H", 0)):
            found = figures(self.done(f"-t{profile}", "a.exr", "o.exr", "4x4", "-medium").text)
            worse = found["PSNR (LDR-RGBA)"][0] < 20
            self.assertEqual(worse, wrong > 0, (profile, found))

    def test_light_is_cut_off_for_low_dynamic_range(self):
        if not self.write_light():
            self.skipTest("this build has no OpenEXR")
        odd = {(0, 0): math.nan, (1, 0): -math.nan, (9, 9): -1.0, (20, 20): math.inf}
        even = {(0, 0): 0.0, (1, 0): 0.0, (9, 9): 0.0, (20, 20): 1.0}
        for name, texels in (("odd.exr", odd), ("even.exr", even)):
            self.write(name, exr(24, 24, lambda x, y, c, texels=texels: texels.get((x, y), 0.25)))
        for profile in "ls":
            for name in ("light", "odd", "even"):
                self.done(f"-c{profile}", name + ".exr", name + ".astc", "4x4", "-medium")
            self.assertEqual(read_bytes(self.path("odd.astc")), read_bytes(self.path("even.astc")))
            self.done(f"-d{profile}", "light.astc", "light.png")
            picture = self.pixels("light.png")
            for x, y in ((0, 0), (3, 2), (8, 0), (23, 23)):
                expected = min(1, (x * 9 + y * 5) / 75) * 255
                self.assertAlmostEqual(picture[4 * (y * 24 + x)], expected, delta=12)

    def test_volumes(self):
        first = gradient(16, 12, seed=3)
        self.write("v_0.png", png(first))
        self.write("v_1.png", png(gradient(16, 12, seed=9)))
        self.done("-tl", "v.png", "o.png", "3x3x3", "-thorough", "-zdim", "2")
        self.assertGreater(psnr(first.rgba(), self.pixels("o.png"), 4), 25)  # the first slice

    def test_closed_streams(self):
        """No file takes their place and their text."""
        for words in (("-cl", self.path("in.png"), self.path("x.astc"), "6x6", "-fast"),
                      ("-dl", self.path("whole.astc"), self.path("x.png"))):
            self.done(*words)
            whole = read_bytes(words[2])
            if words[0] == "-cl":
                self.write("whole.astc", whole)
            for closed in CLOSED_SETS:
                with self.subTest(words[0], closed=closed):
                    os.unlink(words[2])
                    code, _, stderr = run_with_closed(closed, *words)
                    self.assertEqual(code, 0, stderr)
                    self.assertEqual(read_bytes(words[2]), whole)
        self.assertEqual(self.files(), ["in.png", "whole.astc", "x.astc", "x.png"])

    def test_what_is_refused(self):
        self.done("-cl", "in.png", "t.astc", "6x6", "-fast")
        for words, named in ((("-dl", "t.astc", "o.png", "-zdim", "1"), "-zdim"),
                             (("-cl", "in.png", "a.astc", "6x6", "-fast", "-zdim", "2"), "-zdim"),
                             (("-cl", "in.png", "a.astc", "6x6", "-fast", "-cw", "0", "0", "0", "0"), "-cw"),
                             (("-cl", "in.png", "a.astc", "6x6", "nan"), "nan"),
                             (("-cl", "in.png", "a.astc", "6x6", "-fast", "-dblimit", "30"), "-dblimit"),
                             (("-cl", "in.png", "a.astc", "6x6", "-fast", "-bogus"), "-bogus"),
                             (("-xx",), "-xx"),
                             (("-cl", "in.png", "a.astc", "6x6", "-fast", "-esw", "rgx1"), "-esw"),
                             (("-cl", "in.png", "a.astc", "6x6", "-fast", "-cw", "1", "2"), "-cw"),
                             (("-cl", "in.png", "a.dds", "6x6", "-fast"), ".dds")):
            outcome = self.ours(*words)
            self.assertEqual(outcome.code, 1, words)
            self.assertTrue(outcome.stderr.startswith("ERROR: ") and named in outcome.stderr, outcome)
            self.assertEqual(outcome.stderr.count("\n"), 1)
        self.assertEqual(self.files(), ["in.png", "t.astc"])


@unittest.skipUnless(os.access(ASTCENC, os.X_OK), f"{ASTCENC} is not installed")
class Beside(Program):
    def theirs(self, *words):
        done = subprocess.run([ASTCENC, *words], capture_output=True, cwd=self.folder, check=False,
                              timeout=60 * cli_support.PATIENCE)
        return done.returncode, done.stdout.decode()

    def test_exit_codes(self):
        self.theirs("-cl", "in.png", "t.astc", "6x6", "-fast")
        self.write("bad.png", b"\x89PNG and no more")
        self.write("s_0.png", png(gradient(16, 12)))
        self.write("s_1.png", png(gradient(16, 12)))
        self.write("cut.astc", read_bytes(self.path("t.astc"))[:100])
        for words in (("-cl", "in.png", "o.astc", "6x6", "-fast"), ("-dl", "t.astc", "o.png"),
                      ("-tl", "in.png", "o.png", "6x6", "-fast"), ("-ts", "in.png", "o.png", "6x6", "10"),
                      ("-cs", "in.png", "o.astc", "12x12", "-fastest"), ("-help",), ("-version",), (),
                      ("-cl", "none.png", "o.astc", "6x6", "-fast"), ("-cl", "in.png"), ("-cl",),
                      ("-cl", "in.png", "o.astc", "7x6", "-fast"), ("-cl", "in.png", "o.astc", "6x6"),
                      ("-cl", "in.png", "o.xyz", "6x6", "-fast"), ("-dl", "t.astc", "o.xyz"),
                      ("-cl", "in.png", "o.astc", "6x6", "-quick"), ("-cl", "bad.png", "o.astc", "6x6", "-fast"),
                      ("-cl", "in.png", "o.astc", "6x6", "-fast", "-nothing"), ("-dl", "cut.astc", "o.png"),
                      ("-dl", "in.png", "o.png"), ("-cl", "in.png", "o.astc", "6x6", "-fast", "-esw", "rg"),
                      ("-cl", "in.png", "o.astc", "6x6", "-fast", "-yflip", "-j", "1", "-silent"),
                      ("-tl", "in.png", "o.tga", "6x6", "-fast", "-normal", "-perceptual"),
                      ("-tl", "in.png", "o.hdr", "6x6", "-fast"),
                      ("-dl", "t.astc", "o.hdr"), ("-dl", "t.astc", "o.png", "-zdim", "1"),
                      ("-cl", "in.png", "o.astc", "6x6", "nan"), ("-cl", "in.png", "o.ktx", "6x6", "-fast"),
                      ("-cl", "in.png", "o.astc", "6x6", "-fast", "-cw", "0", "0", "0", "0"),
                      ("-cl", "s.png", "o.astc", "4x4", "-fast", "-zdim", "2"),
                      ("-tl", "s.png", "o.png", "4x4x4", "-fast", "-zdim", "2"),
                      ("-tl", "s.png", "o.png", "4x4x4", "-fast", "-zdim", "3")):
            self.assertEqual(self.ours(*words).code, self.theirs(*words)[0], words)

    def test_each_reads_what_the_other_wrote(self):
        for block in ("4x4", "8x5", "12x12"):
            self.done("-cl", "in.png", "ours.astc", block, "-medium")
            self.assertEqual(self.theirs("-cl", "in.png", "theirs.astc", block, "-medium")[0], 0)
            for source in ("ours", "theirs"):
                self.done("-dl", source + ".astc", "a.png")
                self.assertEqual(self.theirs("-dl", source + ".astc", "b.png")[0], 0)
                self.assertEqual(self.pixels("a.png"), self.pixels("b.png"), (source, block))

    def test_figures_have_the_same_names_and_units(self):
        for words in (("-tl", "in.png", "o.png", "6x6", "-medium"),
                      ("-tl", "in.png", "o.png", "6x6", "-medium", "-silent"),
                      ("-ts", "in.png", "o.png", "8x8", "-fast", "-normal"),
                      ("-cl", "in.png", "o.astc", "6x6", "-fast"), ("-dl", "o.astc", "o.png")):
            ours, theirs = figures(self.done(*words).text), figures(self.theirs(*words)[1])
            known = {label: unit for label, (_, unit) in ours.items()}
            for label, (_, unit) in theirs.items():
                if "cutoff" not in label:  # of their search
                    self.assertEqual(known.get(label, "missing"), unit, (words, label))

    def test_figures_of_light_that_is_cut_off(self):
        """They are of the source as it is: what was cut off is an error."""
        if not self.write_light():
            self.skipTest("this build has no OpenEXR")
        for way in ("-tl", "-ts"):
            words = (way, "light.exr", "o.png", "4x4", "-medium", "-silent")
            code, text = self.theirs(*words)
            self.assertEqual(code, 0, text)
            ours, theirs = figures(self.done(*words).text), figures(text)
            self.assertLess(theirs["PSNR (LDR-RGB)"][0], 5)
            for label in ("PSNR (LDR-RGBA)", "PSNR (LDR-RGB)"):
                self.assertAlmostEqual(ours[label][0], theirs[label][0], delta=0.1)

    def test_figures_mean_the_same(self):
        """Their picture, measured by us: lossless blocks of their result give their figures."""
        _, text = self.theirs("-tl", "in.png", "o.png", "6x6", "-fast", "-silent")
        theirs, result = figures(text), self.pixels("o.png")
        before = self.picture.rgba()
        self.assertAlmostEqual(theirs["PSNR (LDR-RGBA)"][0], psnr(before, result, 4), places=3)
        found = figures(self.done("-tl", "in.png", "p.png", "6x6", "-medium", "-silent").text)
        weighted = sum((e * (before[i // 4 * 4 + 3] / 255 if i % 4 < 3 else 1)) ** 2
                       for i, e in enumerate(a - b for a, b in zip(before, self.pixels("p.png"))))
        self.assertAlmostEqual(found["Alpha-weighted PSNR"][0],
                               10 * math.log10(255 ** 2 * len(before) / weighted), places=3)


if __name__ == "__main__":
    cli_support.main()
