"""tessera encode: several pictures into a folder."""
import os

import cli_support
from cli_support import CliTest, INVALID, IO, USAGE, read_bytes, run
from pictures import gradient, png, ppm
from textures import Dds


class Folder(CliTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        self.sources = [
            self.write("in/a.png", png(gradient(8, 8))),
            self.write("in/b.ppm", ppm(gradient(9, 5))),
            self.write("in/c.png", png(gradient(1, 1))),
        ]
        self.output = self.path("out")

    def test_every_picture_becomes_a_texture(self):
        self.succeed("encode", *self.sources, "-o", self.output, "--format", "bc1")
        self.assertEqual(self.files("out"), ["a.dds", "b.dds", "c.dds"])
        texture = Dds(read_bytes(self.path("out", "b.dds")))
        self.assertEqual((texture.width, texture.height), (9, 5))

    def test_the_folder_may_exist(self):
        os.mkdir(self.output)
        self.succeed("encode", *self.sources, "-o", self.output, "--format", "bc1")
        self.assertEqual(len(self.files("out")), 3)

    def test_one_picture_into_a_folder(self):
        os.mkdir(self.output)
        self.succeed("encode", self.sources[0], "-o", self.output, "--format", "bc1")
        self.assertEqual(self.files("out"), ["a.dds"])

    def test_a_slash_makes_a_folder(self):
        self.succeed("encode", self.sources[0], "-o", self.output + "/", "--format", "bc1")
        self.assertEqual(self.files("out"), ["a.dds"])

    def test_beside_the_pictures(self):
        self.succeed("encode", *self.sources, "-o", self.path("in"), "--format", "bc1")
        self.assertEqual(self.files("in"), ["a.dds", "a.png", "b.dds", "b.ppm", "c.dds", "c.png"])

    def test_a_line_a_picture(self):
        text = self.succeed("encode", *self.sources, "-o", self.output, "--format", "bc1").text
        self.assertEqual(len(text.splitlines()), 4)
        self.assertIn("3 files: 3 made", text.splitlines()[-1])

    def test_json_is_an_array_in_the_order_of_the_inputs(self):
        results = self.succeed(
            "encode", *self.sources, "-o", self.output, "--format", "bc1", "--json", "--metrics").json
        self.assertEqual([result["input"] for result in results], self.sources)
        for result in results:
            self.assertEqual(result["bytes"], os.path.getsize(result["output"]))
            self.assertIn("psnr_rgb", result)

    def test_quiet(self):
        outcome = self.succeed(
            "encode", *self.sources, "-o", self.output, "--format", "bc1", "--quiet")
        self.assertEqual((outcome.stdout, outcome.stderr), (b"", ""))


class SomethingWrong(CliTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        self.good = [
            self.write("in/a.png", png(gradient(8, 8))),
            self.write("in/z.png", png(gradient(9, 5))),
        ]
        self.bad = self.write("in/m.png", b"this is no picture")
        self.output = self.path("out")

    def encode(self, *inputs, options=()):
        return run("encode", *inputs, "-o", self.output, "--format", "bc1", *options)

    def test_good_pictures_are_written_in_spite_of_a_bad_one(self):
        outcome = self.encode(self.good[0], self.bad, self.good[1])
        self.assertEqual(outcome.code, INVALID)
        self.assert_one_sentence(outcome, self.bad)
        self.assertEqual(self.files("out"), ["a.dds", "z.dds"])
        self.assertEqual(Dds(read_bytes(self.path("out", "z.dds"))).width, 9)

    def test_the_bad_one_is_in_the_json_too(self):
        outcome = self.encode(self.good[0], self.bad, self.good[1], options=["--json"])
        self.assertEqual(outcome.code, INVALID)
        results = outcome.json
        self.assertEqual([result["input"] for result in results],
                         [self.good[0], self.bad, self.good[1]])
        self.assertIn(self.bad, results[1]["error"])
        self.assertEqual([("error" in result) for result in results], [False, True, False])

    def test_an_old_texture_of_the_bad_one_stays(self):
        os.mkdir(self.output)
        self.write("out/m.dds", b"old")
        self.assertEqual(self.encode(self.good[0], self.bad).code, INVALID)
        self.assertEqual(read_bytes(self.path("out", "m.dds")), b"old")

    def test_a_truncated_picture_among_good_ones(self):
        truncated = self.write("in/t.png", png(gradient(40, 40))[:-60])
        outcome = self.encode(truncated, *self.good)
        self.assertEqual(outcome.code, INVALID)
        self.assert_one_sentence(outcome, truncated)
        self.assertEqual(self.files("out"), ["a.dds", "z.dds"])

    def test_only_bad_ones(self):
        other = self.write("in/n.png", b"")
        outcome = self.encode(self.bad, other)
        self.assertEqual(outcome.code, INVALID)
        lines = outcome.stderr.splitlines()
        self.assertEqual(len(lines), 2, outcome)
        self.assertIn(self.bad, lines[0])
        self.assertIn(other, lines[1])
        self.assertEqual(self.files("out"), [])

    def test_a_missing_picture_is_refused_before_any_work(self):
        outcome = self.encode(*self.good, self.path("in", "missing.png"))
        self.assertEqual(outcome.code, IO)
        self.assert_one_sentence(outcome, "missing.png")
        self.assertFalse(os.path.exists(self.output))

    def test_a_folder_that_holds_the_pictures_again(self):
        outcome = self.encode(*self.good, self.path("in"))
        self.assertEqual(outcome.code, USAGE)
        self.assert_one_sentence(outcome, "a.dds")
        self.assertFalse(os.path.exists(self.output))

    def test_two_pictures_for_one_texture(self):
        twin = self.write("in/a.ppm", ppm(gradient(4, 4)))
        outcome = self.encode(*self.good, twin)
        self.assertEqual(outcome.code, USAGE)
        self.assert_one_sentence(outcome, "a.dds")
        self.assertFalse(os.path.exists(self.output))

    def test_the_same_picture_twice(self):
        outcome = self.encode(self.good[0], self.good[0])
        self.assertEqual(outcome.code, USAGE)
        self.assert_one_sentence(outcome, "a.dds")

    def test_a_file_where_the_folder_should_be(self):
        cli_support.write_bytes(self.output, b"a file")
        outcome = self.encode(*self.good)
        self.assertEqual(outcome.code, USAGE)
        self.assert_one_sentence(outcome, self.output)
        self.assertEqual(read_bytes(self.output), b"a file")

    def test_several_pictures_on_standard_output(self):
        outcome = run("encode", *self.good, "-o", "-", "--format", "bc1")
        self.assertEqual((outcome.code, outcome.stdout), (USAGE, b""))
        self.assert_one_sentence(outcome, "folder")

    def test_standard_input_among_several(self):
        outcome = self.encode("-", *self.good)
        self.assertEqual(outcome.code, USAGE)
        self.assert_one_sentence(outcome, "standard input")
        self.assertFalse(os.path.exists(self.output))

    def test_a_folder_in_a_missing_folder(self):
        outcome = run("encode", *self.good, "-o", self.path("no", "where"), "--format", "bc1")
        self.assertEqual(outcome.code, IO)
        self.assert_one_sentence(outcome, self.path("no", "where"))
        self.assertFalse(os.path.exists(self.path("no")))

    def test_a_folder_needs_a_format(self):
        outcome = run("encode", *self.good, "-o", self.output)
        self.assertEqual(outcome.code, USAGE)
        self.assert_one_sentence(outcome, "--format")
        self.assertFalse(os.path.exists(self.output))

    def test_a_folder_in_the_way_of_one_texture(self):
        os.makedirs(self.path("out", "a.dds"))
        outcome = self.encode(*self.good)
        self.assertEqual(outcome.code, IO)
        self.assert_one_sentence(outcome, self.path("out", "a.dds"))
        self.assertEqual(self.files("out"), ["a.dds"])


if __name__ == "__main__":
    cli_support.main()
