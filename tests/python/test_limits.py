"""What files may ask for."""

import os
import subprocess
import sys
import unittest

import numpy

import support
import tessera
from tessera import Limits

BOMBS = support.ROOT / "fuzz" / "bombs.py"


class LimitsTest(support.FolderTest):
    def setUp(self):
        super().setUp()
        self.texture = tessera.encode(support.photo(96, 80), "bc1")
        self.path = self.folder / "t.dds"
        tessera.write(self.path, self.texture)

    def refused(self, words, call):
        with self.assertRaises(tessera.FailedError) as context:
            call()
        self.assertIn(words, str(context.exception))

    def test_hold_for_paths_and_bytes(self):
        size = len(self.texture)
        for source in (self.path, self.texture):
            with self.subTest(type(source)):
                enough = Limits(max_pixels=96 * 80, max_file=size)
                pixels = tessera.decode(source, limits=enough)
                numpy.testing.assert_array_equal(pixels, tessera.decode(source))
                for words, limits in (
                    ("96x80", Limits(max_pixels=96 * 80 - 1)),
                    ("--max-memory", Limits(max_memory=1000)),
                    (f"{size - 1} bytes", Limits(max_file=size - 1)),
                ):
                    self.refused(words, lambda: tessera.decode(source, limits=limits))
                    self.refused(
                        words, lambda: tessera.transcode(source, "astc", limits=limits)
                    )

    def test_of_files_from_strangers(self):
        script = [sys.executable, BOMBS, self.folder, "8"]
        subprocess.run(script, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        untrusted = Limits(untrusted=True)
        self.assertEqual(tessera.decode(self.path, limits=untrusted).shape, (80, 96, 3))
        for name in ("flat.png", "flat.exr"):
            with self.subTest(name), self.assertRaises(tessera.FailedError):
                tessera.read(self.folder / name, limits=untrusted)

    def test_info_reads_no_more_than_the_limit(self):
        size = len(self.texture)
        self.assertEqual(tessera.info(self.path, limits=Limits(max_file=size))["width"], 96)
        self.refused("bytes", lambda: tessera.info(self.path, limits=Limits(max_file=size - 1)))

    def test_numbers_are_checked(self):
        for limits in (Limits(max_pixels=-1), Limits(max_seconds=2**32), Limits(max_file=2**64)):
            with self.subTest(limits), self.assertRaises(tessera.UsageError):
                tessera.decode(self.texture, limits=limits)


if __name__ == "__main__":
    unittest.main()
