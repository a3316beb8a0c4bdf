"""tessera compare: how far two pictures or textures are apart."""
import math
import os

import cli_support
from cli_support import CliTest, DIFFER, INVALID, IO, USAGE, read_bytes, run
from pictures import Picture, flat, gradient, png, ppm, read_png, with_alpha
from textures import Dds, psnr, ssim


class Measured(CliTest):
    def compare(self, a, b, *options):
        first, second = self.write("a.png", png(a)), self.write("b.png", png(b))
        return self.succeed("compare", first, second, "--json", *options).json

    def compare_files(self, *arguments):
        return self.succeed("compare", *arguments, "--json").json

    def test_identical_pictures(self):
        result = self.compare(gradient(20, 15), gradient(20, 15))
        self.assertEqual((result["psnr_rgb"], result["psnr_rgba"]), (999.0, 999.0))
        self.assertEqual((result["ssim"], result["max_error"]), (1.0, 0.0))

    def test_identical_in_different_files(self):
        a, b = self.write("a.png", png(gradient(9, 9))), self.write("b.ppm", ppm(gradient(9, 9)))
        self.assertEqual(self.succeed("compare", a, b, "--json").json["psnr_rgb"], 999.0)

    def test_a_psnr_by_hand(self):
        # Every colour sample is off by 5: 10 log10(255^2 / 25). Alpha adds a fourth sample without
        # an error.
        result = self.compare(flat(16, 16, (100, 100, 100)), flat(16, 16, (105, 95, 105)))
        self.assertAlmostEqual(result["psnr_rgb"], 20 * math.log10(255 / 5), places=9)
        self.assertAlmostEqual(result["psnr_rgba"], 10 * math.log10(255**2 / (25 * 3 / 4)), places=9)
        self.assertAlmostEqual(result["max_error"], 5 / 255, places=9)

    def test_black_against_white(self):
        result = self.compare(flat(4, 4, (0, 0, 0)), flat(4, 4, (255, 255, 255)))
        self.assertAlmostEqual(result["psnr_rgb"], 0, places=9)
        self.assertEqual(result["max_error"], 1)

    def test_errors_of_alpha_count_in_rgba_only(self):
        a = gradient(8, 8)
        result = self.compare(with_alpha(a, lambda x, y: 255), with_alpha(a, lambda x, y: 245))
        self.assertEqual(result["psnr_rgb"], 999)
        self.assertAlmostEqual(result["psnr_rgba"], 10 * math.log10(255**2 / 25), places=9)

    def test_against_our_own_measures(self):
        a, b = gradient(19, 14), gradient(19, 14, seed=1)
        result = self.compare(a, b)
        self.assertAlmostEqual(result["psnr_rgb"], psnr(a, b), places=9)
        self.assertAlmostEqual(result["ssim"], ssim(a, b), places=9)

    def test_the_worst_block(self):
        a = flat(24, 24, (50, 50, 50))
        pixels = bytearray(a.pixels)
        at = 3 * (13 * 24 + 18)
        pixels[at : at + 3] = b"\xff\xff\xff"
        b = Picture(24, 24, 3, pixels)
        worst = self.compare(a, b)["worst_block"]
        self.assertEqual((worst["x"], worst["y"]), (4, 3))
        expected = 10 * math.log10(255**2 / (205**2 / 16))
        self.assertAlmostEqual(worst["psnr_rgb"], expected, places=9)
        worst = self.compare(a, b, "--block", "6x6")["worst_block"]
        self.assertEqual((worst["x"], worst["y"]), (3, 2))

    def test_channels(self):
        a = self.write("a.png", png(flat(8, 8, (10, 20, 30))))
        b = self.write("b.png", png(flat(8, 8, (10, 25, 40))))
        compared = self.compare_files(a, b)
        expected = [999, 20 * math.log10(255 / 5), 20 * math.log10(255 / 10), 999]
        for found, wanted in zip(compared["psnr_channels"], expected):
            self.assertAlmostEqual(found, wanted, places=3)
        self.assertFalse(compared["identical"])
        self.assertTrue(self.compare_files(a, a)["identical"])
        self.assertIn("the images are identical", self.succeed("compare", a, a).text)

    def test_the_worst_block_is_one_of_the_texture(self):
        picture = self.write("p.png", png(gradient(48, 48)))
        for block in ("4x4", "8x6", "12x12"):
            self.succeed("encode", picture, "-o", self.path("t.astc"), "--block", block)
            for pair in ((picture, self.path("t.astc")), (self.path("t.astc"), picture)):
                self.assertEqual(self.compare_files(*pair)["worst_block"]["block"], block)

    def test_normals(self):
        up = self.write("up.png", png(flat(8, 8, (128, 128, 255))))
        tilted = self.write("t.png", png(flat(8, 8, (218, 128, 218))))  # by 45 degrees
        angles = self.compare_files(up, tilted, "--normal")["angular_error_degrees"]
        self.assertAlmostEqual(angles["mean"], 45, delta=0.5)
        self.assertAlmostEqual(angles["max"], 45, delta=0.5)
        self.assertNotIn("angular_error_degrees", self.compare_files(up, tilted))
        self.succeed("encode", tilted, "-o", self.path("n.astc"), "--normal")
        self.assertLess(self.compare_files(tilted, self.path("n.astc"), "--normal")["angular_error_degrees"]["max"], 1)
        self.succeed("decode", self.path("n.astc"), "-o", self.path("n.png"), "--normal")
        self.assertLess(self.compare_files(tilted, self.path("n.png"), "--normal")["angular_error_degrees"]["max"], 1)

    def test_a_picture_and_its_texture(self):
        picture = gradient(33, 17)
        a, b = self.write("a.png", png(picture)), self.path("a.dds")
        told = self.succeed("encode", a, "-o", b, "--metrics", "--json").result
        result = self.succeed("compare", a, b, "--json").json
        self.assertEqual(result["psnr_rgb"], told["psnr_rgb"])
        self.assertEqual(result["ssim"], told["ssim"])
        self.assertAlmostEqual(result["psnr_rgb"], psnr(picture, Dds(read_bytes(b)).picture()), 9)

    def test_the_text(self):
        a = self.write("a.png", png(flat(4, 4, (100, 100, 100))))
        b = self.write("b.png", png(flat(4, 4, (105, 105, 105))))
        self.assertIn("34.15", self.succeed("compare", a, b).text)
        self.assertIn("identical", self.succeed("compare", a, a).text)

    def test_quiet(self):
        a = self.write("a.png", png(gradient(4, 4)))
        outcome = self.succeed("compare", a, a, "--quiet")
        self.assertEqual((outcome.stdout, outcome.stderr), (b"", ""))

    def test_standard_input(self):
        a = self.write("a.png", png(gradient(4, 4)))
        result = self.succeed("compare", a, "-", "--json", stdin=png(gradient(4, 4))).json
        self.assertEqual(result["psnr_rgb"], 999.0)


class Threshold(CliTest):
    def setUp(self):
        super().setUp()
        self.a = self.write("a.png", png(flat(8, 8, (100, 100, 100))))
        self.b = self.write("b.png", png(flat(8, 8, (105, 105, 105))))  # 34.151 dB

    def test_near_enough(self):
        for threshold in (0, 30, 34.15):
            self.succeed("compare", self.a, self.b, "--threshold", threshold)

    def test_too_far(self):
        for threshold in (34.16, 40, 1000):
            with self.subTest(threshold):
                self.refuse(DIFFER, "compare", self.a, self.b, "--threshold", threshold,
                            words=(self.a, self.b))

    def test_identical_pictures_pass_any_sensible_threshold(self):
        self.succeed("compare", self.a, self.a, "--threshold", 200)

    def test_the_numbers_are_printed_also_when_too_far(self):
        outcome = run("compare", self.a, self.b, "--threshold", 40, "--json")
        self.assertEqual(outcome.code, DIFFER)
        self.assertAlmostEqual(outcome.json["psnr_rgb"], 34.151, places=2)

    def test_quiet_keeps_the_sentence(self):
        outcome = self.refuse(DIFFER, "compare", self.a, self.b, "--threshold", 40, "--quiet")
        self.assertEqual(outcome.stdout, b"")

    def test_alpha_alone_can_be_too_far(self):
        clear = self.write("clear.png", png(flat(8, 8, (100, 100, 100, 0))))
        self.refuse(DIFFER, "compare", self.a, clear, "--threshold", 40)

    def test_other_sizes_differ_whatever_the_threshold(self):
        for width, height in ((8, 9), (9, 8), (4, 16)):
            other = self.write("other.png", png(flat(width, height, (100, 100, 100))))
            for options in ((), ("--threshold", 0)):
                with self.subTest(size=(width, height), options=options):
                    self.refuse(DIFFER, "compare", self.a, other, *options,
                                words=("8x8", f"{width}x{height}"))

    def test_an_array_is_no_picture(self):
        self.succeed("encode", self.a, self.a, "-o", self.path("two.ktx2"), "--array")
        self.refuse(DIFFER, "compare", self.a, self.path("two.ktx2"), words=("8x8x2",))


class Sheet(CliTest):
    def setUp(self):
        super().setUp()
        self.first, self.second = flat(20, 10, (100, 100, 100)), flat(20, 10, (103, 100, 100))
        self.a = self.write("a.png", png(self.first))
        self.b = self.write("b.png", png(self.second))

    def sheet(self, *options):
        self.succeed("compare", self.a, self.b, "--plain-sheet", "--sheet", self.path("sheet.png"), *options)
        return read_png(read_bytes(self.path("sheet.png")))

    def test_a_plain_sheet_is_a_sheet(self):
        self.refuse(USAGE, "compare", self.a, self.b, "--plain-sheet", words=("--sheet",))

    def test_three_pictures_side_by_side(self):
        sheet = self.sheet()
        self.assertEqual((sheet.width, sheet.height), (3 * 20 + 16, 10))
        row = sheet.rgb()[: 3 * sheet.width]
        self.assertEqual(row[: 3 * 20], self.first.row(0))
        self.assertEqual(row[3 * 28 : 3 * 48], self.second.row(0))

    def test_labels_and_the_worst_block(self):
        self.succeed("encode", self.a, "-o", self.path("t.astc"), "--block", "5x4")
        self.succeed("compare", self.a, self.path("t.astc"), "--sheet", self.path("s.png"))
        sheet = read_png(read_bytes(self.path("s.png")))
        zoom = 216 // 20  # the picture is narrower than a panel, and shown as a whole
        self.assertEqual((sheet.width, sheet.height), (3 * 216 + 16, 17 + 10 + 8 + 17 + 10 * zoom))
        row = sheet.rgb()[17 * 3 * sheet.width:18 * 3 * sheet.width]
        self.assertEqual(row[: 3 * 20], self.first.row(0))
        self.assertIn(bytes((255, 214, 10)) * 10, sheet.rgb())  # the frame of the worst block

    def test_the_gain_amplifies_the_error(self):
        def error_pixel(gain):
            return self.sheet("--gain", gain).rgb()[3 * 60 : 3 * 61]

        weak, strong = error_pixel(1), error_pixel(20)
        self.assertNotEqual(weak, strong)
        self.assertEqual(abs(strong[0] - strong[1]), 20 * abs(weak[0] - weak[1]))

    def test_names_that_cannot_be_written(self):
        for name in ("sheet", "sheet.jpg", "sheet.dds"):
            with self.subTest(name):
                self.refuse(USAGE, "compare", self.a, self.b, "--sheet", self.path(name), words=(name,))
        self.assertEqual(self.files(), ["a.png", "b.png"])

    def test_places_that_cannot_be_written(self):
        self.refuse(IO, "compare", self.a, self.b, "--sheet", self.path("no", "s.png"), words=("s.png",))
        os.mkdir(self.path("folder.png"))
        self.refuse(IO, "compare", self.a, self.b, "--sheet", self.path("folder.png"))

    def test_no_sheet_of_different_sizes(self):
        other = self.write("other.png", png(flat(3, 3, (1, 2, 3))))
        self.refuse(DIFFER, "compare", self.a, other, "--sheet", self.path("sheet.png"))
        self.assertFalse(os.path.exists(self.path("sheet.png")))

    def test_gains_that_make_no_sense(self):
        for gain in ("0", "-1", "x"):
            with self.subTest(gain):
                self.refuse(USAGE, "compare", self.a, self.b, f"--gain={gain}")

    def test_the_sheet_does_not_replace_a_picture_compared(self):
        before = read_bytes(self.a)
        outcome = run("compare", self.a, self.b, "--sheet", self.a)
        self.assertEqual(read_bytes(self.a), before, str(outcome))
        self.assertEqual(outcome.code, USAGE)
        self.assert_one_sentence(outcome, self.a)


class Refused(CliTest):
    def setUp(self):
        super().setUp()
        self.a = self.write("a.png", png(gradient(8, 8)))

    def test_missing_files(self):
        missing = self.path("missing.png")
        self.refuse(IO, "compare", missing, self.a, words=(missing,))
        self.refuse(IO, "compare", self.a, missing, words=(missing,))

    def test_a_folder(self):
        self.refuse(IO, "compare", self.a, self.folder, words=(self.folder,))

    def test_files_that_are_no_pictures(self):
        for data in (b"", b"nonsense", png(gradient(8, 8))[:-20]):
            with self.subTest(data[:8]):
                bad = self.write("bad.png", data)
                self.refuse(INVALID, "compare", self.a, bad, words=(bad,))
                self.refuse(INVALID, "compare", bad, self.a, words=(bad,))

    def test_a_damaged_texture(self):
        self.succeed("encode", self.a, "-o", self.path("t.dds"), "--quiet")
        bad = self.write("bad.dds", read_bytes(self.path("t.dds"))[:-1])
        self.refuse(INVALID, "compare", self.a, bad, words=(bad,))

    def test_blocks_that_are_none(self):
        for block in ("", "4", "0x0", "axb"):
            with self.subTest(block):
                self.refuse(USAGE, "compare", self.a, self.a, f"--block={block}")

    def test_a_threshold_that_is_no_number(self):
        self.refuse(USAGE, "compare", self.a, self.a, "--threshold", "high", words=("--threshold",))

    def test_one_file_only_and_three(self):
        self.refuse(USAGE, "compare", self.a)
        self.refuse(USAGE, "compare", self.a, self.a, self.a)


if __name__ == "__main__":
    cli_support.main()
