"""Tiles have the blocks of the picture that they are cut from."""

import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy

import support
import tessera


class Tiles(unittest.TestCase):
    def setUp(self):
        self.picture = support.rgba(96, 96)

    def test_same_blocks_as_the_picture(self):
        for format, block, bytes_per_block in (("astc", "6x6", 16), ("bc1", "4x4", 8)):
            side = int(block[0])
            encoder = tessera.TileEncoder(format, block, "fast")
            whole = tessera.encode_blocks(self.picture, format, block, "fast")
            blocks = numpy.frombuffer(whole, numpy.uint8)
            blocks = blocks.reshape(96 // side, 96 // side, bytes_per_block)
            tile = self.picture[24:72, 48:84]
            cut = blocks[24 // side : 72 // side, 48 // side : 84 // side]
            with self.subTest(format=format):
                self.assertEqual(encoder.tile_size(36, 48), cut.size)
                self.assertEqual(encoder.encode(tile), cut.tobytes())

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
