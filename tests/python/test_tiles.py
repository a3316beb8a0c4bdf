"""Tiles have the blocks that they would have as pictures."""

import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy

import support
import tessera


class Tiles(unittest.TestCase):
    def setUp(self):
        self.picture = support.rgba(96, 96)

    def test_same_blocks_as_a_picture(self):
        tile = self.picture[24:72, 48:84]
        for format, block in (("astc", "6x6"), ("bc1", "4x4")):
            encoder = tessera.TileEncoder(format, block, "fast")
            alone = tessera.encode_blocks(numpy.ascontiguousarray(tile), format, block, "fast")
            with self.subTest(format=format):
                self.assertEqual(encoder.tile_size(36, 48), len(alone))
                self.assertEqual(encoder.encode(tile), alone)

    def test_same_blocks_as_the_picture_that_it_is_cut_from(self):
        """Not so for astc: how much effort a block is worth depends on the whole picture there."""
        whole = tessera.encode_blocks(self.picture, "bc1", "4x4", "fast")
        blocks = numpy.frombuffer(whole, numpy.uint8).reshape(24, 24, 8)
        encoder = tessera.TileEncoder("bc1", "4x4", "fast")
        self.assertEqual(
            encoder.encode(self.picture[24:72, 48:84]), blocks[6:18, 12:21].tobytes()
        )

    def test_into_memory_of_the_caller(self):
        encoder = tessera.TileEncoder("bc1")
        expected = encoder.encode(self.picture)
        for out in (bytearray(len(expected) + 5), numpy.zeros(len(expected), numpy.uint8)):
            self.assertEqual(encoder.encode_into(self.picture, out), len(expected))
            self.assertEqual(bytes(out)[: len(expected)], expected)

    def test_memory_that_does_not_do(self):
        encoder = tessera.TileEncoder("bc1")
        with self.assertRaisesRegex(tessera.UsageError, "room"):
            encoder.encode_into(self.picture, bytearray(10))
        with self.assertRaises(BufferError):
            encoder.encode_into(self.picture, bytes(96 * 96))

    def test_several_threads_at_once(self):
        encoder = tessera.TileEncoder("astc", "6x6", "realtime", concurrency=2)
        tiles = [self.picture[y : y + 24, x : x + 24] for y in range(0, 96, 24)
                 for x in range(0, 96, 24)]
        expected = [encoder.encode(tile) for tile in tiles]
        with ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(encoder.encode, tiles)), expected)

    def test_what_is_not_a_tile(self):
        encoder = tessera.TileEncoder("bc1")
        for wrong in (
            self.picture[..., :3],
            self.picture.astype(numpy.uint16),
            self.picture[..., 0],
            self.picture[numpy.newaxis],
        ):
            with self.assertRaisesRegex(tessera.UsageError, "tile"):
                encoder.encode(wrong)
        with self.assertRaises(tessera.UsageError):
            encoder.tile_size(0, 4)
        with self.assertRaises(tessera.Error):
            tessera.TileEncoder("fractal")


if __name__ == "__main__":
    unittest.main()
