"""Which arrays are taken, and that pixels are copied only where they must be."""

import gc
import tracemalloc
import unittest

import numpy

import support
import tessera


def encode(pixels):
    return tessera.encode(pixels, "bc1", container="blocks")


def bytes_allocated_by_numpy(call):
    """The most memory that Python and NumPy held at once during a call."""
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class Views(unittest.TestCase):
    def setUp(self):
        self.pixels = support.rgba(96, 80)

    def check_view(self, view):
        self.assertEqual(encode(view), encode(numpy.array(view, order="C")))

    def test_strided_rows(self):
        self.check_view(self.pixels[3:51, 10:90])
        self.check_view(self.pixels[::2])

    def test_views_that_need_a_copy(self):
        for view in (
            self.pixels[:, ::2],
            self.pixels[..., :3],
            self.pixels[..., ::-1],
            self.pixels[::-1],
            self.pixels[:, ::-1],
            self.pixels.transpose(1, 0, 2),
            numpy.asfortranarray(self.pixels),
            numpy.broadcast_to(self.pixels[:1], self.pixels.shape),
        ):
            self.check_view(view)

    def test_one_pixel_wide_or_high(self):
        self.check_view(self.pixels[:1])
        self.check_view(self.pixels[5:6, ::2])
        self.check_view(self.pixels[:, 7:8])
        self.check_view(self.pixels[3:4, 7:8])

    def test_grey(self):
        grey = numpy.ascontiguousarray(self.pixels[..., 0])
        self.assertEqual(encode(grey), encode(grey[..., numpy.newaxis]))
        self.check_view(grey[:, ::3])

    def test_unaligned_samples(self):
        wide = self.pixels.astype(numpy.uint16) * 257
        memory = bytearray(wide.nbytes + 1)
        shifted = numpy.frombuffer(memory, numpy.uint8)[1:].view(numpy.uint16)
        shifted = shifted.reshape(wide.shape)
        shifted[...] = wide
        self.assertFalse(shifted.flags.aligned)
        self.assertEqual(encode(shifted), encode(wide))

    def test_other_byte_order(self):
        wide = self.pixels.astype(numpy.uint16) * 257
        self.assertEqual(encode(wide.astype(wide.dtype.newbyteorder())), encode(wide))

    def test_read_only(self):
        expected = encode(self.pixels)
        self.pixels.flags.writeable = False
        self.assertEqual(encode(self.pixels), expected)

    def test_objects_that_numpy_understands(self):
        class Picture:
            def __array__(self, dtype=None, copy=None):
                return support.rgba(96, 80)

        self.assertEqual(encode(Picture()), encode(self.pixels))

    def test_sample_types(self):
        eight = self.pixels
        for scaled in (
            eight.astype(numpy.uint16) * 257,
            (eight / 255).astype(numpy.float32),
        ):
            self.assertEqual(encode(scaled), encode(eight))
        half = (eight / 255).astype(numpy.float16)
        self.assertEqual(encode(half), encode(half.astype(numpy.float32)))


class Slices(unittest.TestCase):
    def test_layers(self):
        layers = numpy.stack([support.photo(seed=seed) for seed in (1, 2, 3)])
        blocks = encode(layers)
        self.assertEqual(blocks, b"".join(encode(layer) for layer in layers))
        self.assertEqual(encode(layers[::2]), encode(layers[0]) + encode(layers[2]))
        # Rows of the slices take turns in memory.
        self.assertEqual(encode(layers.copy().transpose(1, 0, 2, 3).copy().transpose(1, 0, 2, 3)),
                         blocks)

    def test_layers_in_a_file(self):
        layers = numpy.stack([support.photo(seed=seed) for seed in (1, 2, 3)])
        data = tessera.encode(layers, "bc1", container="ktx2")
        self.assertEqual(tessera.info(data)["layers"], 3)
        decoded = tessera.decode(data)
        self.assertEqual(decoded.shape, (3, 80, 96, decoded.shape[-1]))
        for layer, result in zip(layers, decoded):
            alone = tessera.decode(tessera.encode(layer, "bc1"))
            numpy.testing.assert_array_equal(result, alone)


class Copies(unittest.TestCase):
    """NumPy tells tracemalloc of the memory of its arrays."""

    def test_views_of_whole_rows_are_not_copied(self):
        large = numpy.zeros((700, 600, 4), numpy.uint8)
        view = large[20:, 40:]
        self.assertLess(bytes_allocated_by_numpy(lambda: encode(view)), view.nbytes / 2)

    def test_the_measure_sees_copies(self):
        large = numpy.zeros((700, 600, 4), numpy.uint8)
        view = large[:, ::-1]
        self.assertGreaterEqual(bytes_allocated_by_numpy(lambda: encode(view)), view.nbytes)

    def test_decoded_pixels_are_the_library_s_memory(self):
        data = tessera.encode(support.photo(256, 256), "bc1")
        results = []
        used = bytes_allocated_by_numpy(lambda: results.append(tessera.decode(data)))
        pixels = results[0]
        self.assertLess(used, pixels.nbytes / 2)
        self.assertFalse(pixels.flags.owndata)
        self.assertTrue(pixels.flags.writeable)
        view = pixels[5:7]
        expected = view.copy()
        del pixels, results
        gc.collect()
        tessera.decode(data)  # would take the memory if it had been given back
        numpy.testing.assert_array_equal(view, expected)
        view[...] = 0


if __name__ == "__main__":
    unittest.main()
