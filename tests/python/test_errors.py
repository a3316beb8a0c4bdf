"""What is refused, and with which exception."""

import pickle
import unittest

import numpy

import support
import tessera


class Classes(support.FolderTest):
    def check(self, call, code, base):
        with self.assertRaises(tessera.Error) as caught:
            call()
        error = caught.exception
        self.assertEqual(error.code, code)
        self.assertIsInstance(error, base)
        self.assertGreater(len(str(error)), 10)
        return str(error)

    def test_usage(self):
        pixels = support.photo()
        for keywords in (
            dict(format="jpeg"),
            dict(block="7x3"),
            dict(preset="slow"),
            dict(profile="rec709"),
            dict(swizzle="xyzw"),
            dict(container="zip"),
            dict(quality=101),
            dict(channel_weights="red"),
            dict(no_such_option=1),
            dict(backend="abacus"),
            dict(threads=-1),
        ):
            with self.subTest(**keywords):
                self.check(
                    lambda: tessera.encode(pixels, **keywords), tessera.ErrorCode.USAGE, ValueError
                )

    def test_missing_file(self):
        sentence = self.check(
            lambda: tessera.read(self.folder / "none.png"), tessera.ErrorCode.IO, OSError
        )
        self.assertIn("none.png", sentence)

    def test_names_that_are_not_utf8(self):
        path = str(self.folder / "\udcff.png")
        sentence = self.check(lambda: tessera.read(path), tessera.ErrorCode.IO, OSError)
        self.assertIn("\udcff.png", sentence)
        tessera.write(path, support.photo())
        numpy.testing.assert_array_equal(tessera.read(path), support.photo())

    def test_folder_that_does_not_exist(self):
        path = self.folder / "none" / "x.png"
        self.check(lambda: tessera.write(path, support.photo()), tessera.ErrorCode.IO, OSError)
        self.check(lambda: tessera.write(path, b"bytes"), tessera.ErrorCode.IO, OSError)

    def test_damaged_file(self):
        data = tessera.encode(support.photo(), "bc1", container="ktx2")
        call = lambda: tessera.decode(data[: len(data) // 2])
        self.check(call, tessera.ErrorCode.INVALID, ValueError)
        self.check(lambda: tessera.info(b""), tessera.ErrorCode.INVALID, ValueError)

    def test_images_of_different_size(self):
        a, b = support.photo(64, 64), support.photo(64, 60)
        self.check(lambda: tessera.compare(a, b), tessera.ErrorCode.DIFFER, ValueError)

    def test_level_that_does_not_exist(self):
        data = tessera.encode(support.photo(), "bc1")
        with self.assertRaises(tessera.Error):
            tessera.decode(data, level=1)

    def test_pickle(self):
        error = tessera.UsageError("a sentence")
        again = pickle.loads(pickle.dumps(error))
        self.assertIs(type(again), tessera.UsageError)
        self.assertEqual((str(again), again.code), ("a sentence", tessera.ErrorCode.USAGE))


class Arrays(unittest.TestCase):
    def test_types(self):
        for dtype in (bool, numpy.int8, numpy.int64, numpy.uint32, numpy.float64, complex, object):
            with self.subTest(dtype=dtype):
                with self.assertRaisesRegex(TypeError, "uint8, uint16, float16 or float32"):
                    tessera.encode(numpy.zeros((8, 8, 4), dtype))

    def test_shapes(self):
        for shape in (
            (),
            (8,),
            (0, 8, 4),
            (8, 0, 4),
            (8, 8, 0),
            (8, 8, 5),
            (1, 1, 8, 8, 4),
        ):
            with self.subTest(shape=shape):
                with self.assertRaises(tessera.UsageError):
                    tessera.encode(numpy.zeros(shape, numpy.uint8))

    def test_no_arrays(self):
        for value in (None, "photo.png", object(), b"bytes"):
            with self.subTest(value=value):
                with self.assertRaises((TypeError, ValueError)):
                    tessera.encode(value)

    def test_no_bytes(self):
        for value in (None, 5, object()):
            with self.subTest(value=value):
                with self.assertRaises(TypeError):
                    tessera.decode(value)

    def test_options_of_no_known_type(self):
        with self.assertRaisesRegex(TypeError, "method"):
            tessera.encode(support.photo(), "bc1", method=object())

    def test_progress_that_cannot_be_called(self):
        with self.assertRaisesRegex(TypeError, "progress"):
            tessera.encode(support.photo(), "bc1", progress=5)


if __name__ == "__main__":
    unittest.main()
