"""tessera bench: rate and quality in a table."""
import csv
import io
import os

import cli_support
from cli_support import CliTest, INVALID, IO, UNSUPPORTED, USAGE, read_bytes, run
from pictures import gradient, png, ppm
from textures import Dds, level_bytes, psnr

HEADER = ["codec", "format", "block", "preset", "image", "width", "height", "psnr_rgb", "ssim",
          "bytes", "seconds", "mpixels_per_second"]


def has_rival(name):
    return name in run("--version").text.split("rivals:")[1]


class Bench(CliTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("images"))
        self.pictures = {"a.png": gradient(32, 16), "b,c.ppm": gradient(17, 9)}
        self.write("images/a.png", png(self.pictures["a.png"]))
        self.write("images/b,c.ppm", ppm(self.pictures["b,c.ppm"]))
        self.images = self.path("images")

    def arguments(self, *options):
        return ("bench", "--images", self.images, "--threads", 1, "--repeats", 3, *options)

    def rows(self, *options):
        table = self.path("table.csv")
        self.succeed(*self.arguments("--csv", table, *options))
        lines = list(csv.reader(io.StringIO(read_bytes(table).decode())))
        self.assertEqual(lines[0], HEADER)
        for line in lines:
            self.assertEqual(len(line), len(HEADER), line)
        return [dict(zip(HEADER, line)) for line in lines[1:]]


class Tables(Bench):
    def test_one_row_a_preset_and_image(self):
        rows = self.rows("--format", "bc1", "--rivals", "none", "--presets", "realtime,medium")
        self.assertEqual(
            [(row["codec"], row["preset"], row["image"]) for row in rows],
            [("tessera", preset, image) for preset in ("realtime", "medium")
             for image in ("a.png", "b,c.ppm")])

    def test_the_numbers(self):
        for row in self.rows("--rivals", "none"):
            picture = self.pictures[row["image"]]
            self.assertEqual((row["format"], row["block"]), ("bc1", "4x4"))
            self.assertEqual((int(row["width"]), int(row["height"])), (picture.width, picture.height))
            self.assertEqual(int(row["bytes"]), level_bytes(picture.width, picture.height))
            self.assertGreater(float(row["seconds"]), 0)
            rate = picture.width * picture.height / 1e6 / float(row["seconds"])
            self.assertAlmostEqual(float(row["mpixels_per_second"]) / rate, 1, delta=0.05)
            self.assertTrue(0.5 < float(row["ssim"]) <= 1)

    def test_the_quality_is_that_of_encode(self):
        for row in self.rows("--rivals", "none"):
            picture = self.pictures[row["image"]]
            source, texture = self.path("images", row["image"]), self.path("out.dds")
            self.succeed("encode", source, "-o", texture, "--quiet")
            expected = psnr(picture, Dds(read_bytes(texture)).picture())
            self.assertAlmostEqual(float(row["psnr_rgb"]), expected, places=3)

    def test_a_rival(self):
        if not has_rival("stb_dxt"):
            self.skipTest("stb_dxt is not in this build")
        rows = self.rows("--rivals", "stb_dxt")
        own = [row for row in rows if row["codec"] == "tessera"]
        rival = [row for row in rows if row["codec"] == "stb_dxt"]
        self.assertEqual(len(own), 2)
        self.assertEqual(len(rival) % 2, 0)
        self.assertEqual(len(own) + len(rival), len(rows))
        self.assertGreater(len(rival), 0)
        for row in rival:
            picture = self.pictures[row["image"]]
            self.assertEqual(int(row["bytes"]), level_bytes(picture.width, picture.height))
            self.assertTrue(20 < float(row["psnr_rgb"]) < 999, row)
            self.assertGreater(float(row["seconds"]), 0)

    def test_a_method(self):
        rows = self.rows("--rivals", "none", "--method", "bounds", "--presets", "fast,medium")
        self.assertEqual([row["preset"] for row in rows], ["bounds", "bounds"])

    def test_streaming_gives_the_same_table_but_for_times(self):
        def timeless(rows):
            return [{key: row[key] for key in HEADER[:10]} for row in rows]

        self.assertEqual(timeless(self.rows("--rivals", "none", "--streaming")),
                         timeless(self.rows("--rivals", "none")))

    def test_the_table_on_standard_output_is_alone_there(self):
        text = self.succeed(*self.arguments("--rivals", "none", "--csv", "-")).text
        lines = list(csv.reader(io.StringIO(text)))
        self.assertEqual(lines[0], HEADER)
        self.assertEqual(len(lines), 3)

    def test_the_text(self):
        outcome = self.succeed(*self.arguments("--rivals", "none"))
        self.assertIn("2 images, 1 thread,", outcome.text)
        self.assertIn("tessera", outcome.text)
        self.assertEqual(outcome.stderr, "")

    def test_quiet(self):
        outcome = self.succeed(*self.arguments("--rivals", "none", "--quiet"))
        self.assertEqual((outcome.stdout, outcome.stderr), (b"", ""))

    def test_other_files_in_the_folder_are_passed_over(self):
        self.write("images/readme.txt", b"nothing to see")
        os.mkdir(self.path("images", "folder"))
        self.assertEqual(len(self.rows("--rivals", "none")), 2)

    def test_pictures_made_by_code(self):
        table = self.succeed("bench", "--rivals", "none", "--repeats", 1, "--presets", "realtime",
                             "--csv", "-").text
        self.assertGreaterEqual(len(table.splitlines()), 4)


class Refused(Bench):
    def check(self, code, *options, words=()):
        table = self.path("table.csv")
        outcome = self.refuse(code, *self.arguments("--csv", table, *options), words=words)
        self.assertEqual(outcome.stdout, b"")
        self.assertFalse(os.path.exists(table))

    def test_an_empty_folder(self):
        os.mkdir(self.path("empty"))
        self.images = self.path("empty")
        self.check(INVALID, words=(self.images,))

    def test_a_folder_without_pictures(self):
        os.mkdir(self.path("texts"))
        self.write("texts/a.txt", b"hello")
        self.images = self.path("texts")
        self.check(INVALID, words=(self.images,))

    def test_a_missing_folder(self):
        self.images = self.path("missing")
        self.check(IO, words=(self.images,))

    def test_a_file_as_folder(self):
        self.images = self.path("images", "a.png")
        self.check(IO, words=(self.images,))

    def test_a_damaged_picture(self):
        bad = self.write("images/z.png", png(gradient(9, 9))[:-20])
        self.check(INVALID, words=(bad,))

    def test_an_unknown_rival(self):
        self.check(USAGE, "--rivals", "nvidia", words=("nvidia", "stb_dxt"))
        self.check(USAGE, "--rivals", "stb_dxt,nvidia", words=("nvidia",))

    def test_an_unknown_preset(self):
        self.check(USAGE, "--presets", "best", words=("best",))
        self.check(USAGE, "--presets", "medium,best", words=("best",))

    def test_an_unknown_format(self):
        self.check(USAGE, "--format", "bc9", words=("bc9",))

    def test_options_of_fractal_images(self):
        self.check(USAGE, "--color", words=("--color", "fractal"))
        self.check(USAGE, "--roofline", self.path("plots"), words=("--roofline", "fractal"))

    def test_backends_that_it_does_not_measure(self):
        for name in ("cuda", "mpi"):
            self.refuse(UNSUPPORTED, *self.arguments("--backend", name), words=("benchmark", name))
        self.refuse(USAGE, *self.arguments("--backend", "abacus"), words=("abacus",))
        self.assertNotIn("mpi", self.succeed("bench", "--help").text)

    def test_an_unknown_method(self):
        self.check(UNSUPPORTED, "--rivals", "none", "--method", "nonsense", words=("nonsense",))

    def test_blocks(self):
        self.check(USAGE, "--block", "6x6", words=("6x6",))
        self.check(USAGE, "--block", "many", words=("many",))

    def test_numbers_of_repeats(self):
        for repeats in ("0", "1001", "-1", "x"):
            with self.subTest(repeats):
                outcome = run("bench", "--images", self.images, f"--repeats={repeats}")
                self.assertEqual(outcome.code, USAGE)
                self.assert_one_sentence(outcome, "--repeats")

    def test_a_table_that_cannot_be_written_is_told_before_measuring(self):
        """Not even the pictures are read before: one of them is damaged."""
        self.write("images/a.png", b"no picture")
        self.refuse(IO, *self.arguments("--csv", self.path("no", "table.csv")), words=("table.csv",))

    def test_a_full_device(self):
        outcome = run(*self.arguments("--rivals", "none", "--quiet", "--csv", "/dev/full"))
        self.assertEqual(outcome.code, IO)
        self.assert_one_sentence(outcome, "/dev/full")


if __name__ == "__main__":
    cli_support.main()
