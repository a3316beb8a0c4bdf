"""tessera sample: pictures made by code."""
import os
import re

import cli_support
from cli_support import CliTest, FAILED, IO, UNSUPPORTED, USAGE, limiter, read_bytes, run
from pictures import read_png, read_ppm, read_tga


def kinds():
    """Those that the help names."""
    text = " ".join(run("sample", "--help").text.split())
    names = re.search(r"--kind \S+ (?:[\w ]+: )?(.*?) --size", text).group(1)
    return re.split(r", | or ", names)


class Made(CliTest):
    def sample(self, name, *options):
        self.succeed("sample", "-o", self.path(name), "--size", "40x24", *options)
        return read_bytes(self.path(name))

    def test_every_kind(self):
        seen = set()
        self.assertGreaterEqual(len(kinds()), 6)
        for kind in kinds():
            with self.subTest(kind):
                picture = read_png(self.sample("a.png", "--kind", kind))
                self.assertEqual((picture.width, picture.height), (40, 24))
                seen.add(picture.rgba())
        self.assertEqual(len(seen), len(kinds()))

    def test_a_constant_is_one(self):
        rgba = read_png(self.sample("a.png", "--kind", "constant")).rgba()
        self.assertEqual(rgba, rgba[:4] * (40 * 24))

    def test_every_file_type(self):
        expected = read_png(self.sample("a.png")).rgba()
        self.assertEqual(read_ppm(self.sample("a.ppm")).rgba(), expected)
        self.assertEqual(read_tga(self.sample("a.tga")).rgba(), expected)

    def test_standard_output(self):
        outcome = self.succeed("sample", "-o", "-", "--size", "40x24")
        self.assertEqual(outcome.stdout, self.sample("a.png"))
        self.assertEqual(outcome.stderr, "")

    def test_the_default_size(self):
        self.succeed("sample", "-o", self.path("a.ppm"), "--kind", "constant")
        picture = self.succeed("info", self.path("a.ppm"), "--json").json
        self.assertEqual((picture["width"], picture["height"]), (768, 512))

    def test_seeds(self):
        first = self.sample("a.png", "--seed", 1)
        self.assertEqual(first, self.sample("a.png"))
        self.assertNotEqual(first, self.sample("a.png", "--seed", 2))

    def test_the_line_and_quiet(self):
        arguments = ("sample", "-o", self.path("a.png"), "--size", "5x3")
        self.assertIn("5x3", self.succeed(*arguments).text)
        outcome = self.succeed(*arguments, "--quiet")
        self.assertEqual((outcome.stdout, outcome.stderr), (b"", ""))

    def test_one_pixel(self):
        for kind in kinds():
            with self.subTest(kind):
                self.succeed("sample", "-o", self.path("a.png"), "--size", "1x1", "--kind", kind)


class Refused(CliTest):
    def check(self, code, *options, words=(), name="a.png"):
        outcome = self.refuse(code, "sample", "-o", self.path(name), *options, words=words)
        self.assertEqual(outcome.stdout, b"")
        self.assertEqual(self.files(), [])

    def test_an_unknown_kind(self):
        self.check(USAGE, "--kind", "cat", words=("cat", "photo"))

    def test_sizes_that_are_none(self):
        for size in ("", "5", "5x", "x5", "0x5", "5x0", "5x5x5", "axb", "123456x1", "5,5", "-5x5",
                     "5x-5", "5.5x5"):
            with self.subTest(size):
                self.check(USAGE, f"--size={size}", words=("size",))

    def test_a_size_beyond_memory(self):
        if not cli_support.MEMORY_LIMITED:
            self.skipTest("memory cannot be limited in this build")
        outcome = run("sample", "-o", self.path("a.png"), "--size", "99999x99999",
                      limits=limiter(memory_bytes=1_500_000_000))
        self.assertIn(outcome.code, (FAILED, UNSUPPORTED), str(outcome))
        self.assert_one_sentence(outcome, "99999x99999")
        self.assertEqual(self.files(), [])

    def test_extensions_that_cannot_be_written(self):
        for name in ("a", "a.jpg", "a.dds", "a.png.txt"):
            with self.subTest(name):
                self.check(USAGE, name=name, words=(name,))

    def test_transparent_pictures_need_png(self):
        outcome = run("sample", "-o", self.path("a.ppm"), "--kind", "sprite", "--size", "64x64")
        self.assertNotEqual(outcome.code, 0)
        self.assert_one_sentence(outcome, "transparent")
        self.assertEqual(self.files(), [])

    def test_a_missing_folder(self):
        self.check(IO, name="no/a.png", words=("a.png",))

    def test_a_folder(self):
        os.mkdir(self.path("a.png"))
        self.refuse(IO, "sample", "-o", self.path("a.png"), words=("folder",))

    def test_a_seed_that_is_none(self):
        for seed in ("x", "-1", "4294967296"):
            with self.subTest(seed):
                self.check(USAGE, f"--seed={seed}", words=("--seed",))

    def test_a_full_standard_output(self):
        with open("/dev/full", "wb") as full:
            outcome = run("sample", "-o", "-", "--size", "8x8", stdout=full)
        self.assertEqual(outcome.code, IO)
        self.assert_one_sentence(outcome, "standard output")


if __name__ == "__main__":
    cli_support.main()
