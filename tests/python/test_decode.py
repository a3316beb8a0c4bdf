"""Decoding gives the pixels that the command decodes, and information is the command's."""

import json
import struct
import unittest

import numpy

import support
import tessera


class Pixels(support.FolderTest):
    def decode_both(self, name, data, arguments="", **keywords):
        """Pixels of ours, and those of the command as a .ppm or .pgm file."""
        file = self.folder / name
        file.write_bytes(data)
        ours = tessera.decode(file, **keywords)
        picture = self.folder / ("out.pgm" if ours.shape[-1] == 1 else "out.ppm")
        support.run_command("decode", file, "-o", picture, "--quiet", *arguments.split())
        return ours, support.read_netpbm(picture)

    def check(self, name, data, arguments="", **keywords):
        ours, theirs = self.decode_both(name, data, arguments, **keywords)
        self.assertEqual(ours.dtype, numpy.uint8)
        numpy.testing.assert_array_equal(ours[..., : theirs.shape[-1]], theirs)

    def test_textures(self):
        pixels = support.photo()
        self.check("a.astc", tessera.encode(pixels, "astc", "6x6", "fast"))
        self.check("b.dds", tessera.encode(pixels, "bc1"))
        self.check("c.ktx2", tessera.encode(pixels, "astc", "4x4", "fast", container="ktx2"))
        self.check("d.tsf", tessera.encode(pixels, "fractal"))

    def test_options(self):
        data = tessera.encode(support.photo(), "astc", "8x8", "fast")
        self.check("a.astc", data, "--profile srgb", profile="srgb")
        self.check("b.astc", data, "--decode-mode unorm8", decode_mode="unorm8")
        data = tessera.encode(support.photo(), "bc1")
        self.check("c.dds", data, "--decoder nvidia", decoder="nvidia")
        data = tessera.encode(support.photo(), "fractal")
        self.check("d.tsf", data, "--scale 2", scale=2)

    def test_levels(self):
        data = tessera.encode(support.photo(), "bc1", mips=True)
        for level in (0, 1, 4):
            self.check("a.dds", data, f"--level {level}", level=level)
        self.assertEqual(tessera.decode(data, level=2).shape[:2], (20, 24))

    def test_bytes_and_paths(self):
        data = tessera.encode(support.photo(), "bc1")
        path = self.folder / "x.dds"
        path.write_bytes(data)
        expected = tessera.decode(path)
        for source in (str(path), data, bytearray(data), memoryview(data)):
            numpy.testing.assert_array_equal(tessera.decode(source), expected)
        numpy.testing.assert_array_equal(tessera.read(path), expected)

    def test_threads(self):
        data = tessera.encode(support.photo(), "astc", preset="fast")
        expected = tessera.decode(data)
        numpy.testing.assert_array_equal(tessera.decode(data, threads=1), expected)


class Samples(unittest.TestCase):
    def test_sample_types(self):
        data = tessera.encode(support.photo(), "astc", "4x4", "fast")
        eight = tessera.decode(data)
        for dtype in ("uint8", numpy.uint16, numpy.dtype("float16"), "float32"):
            decoded = tessera.decode(data, dtype=dtype)
            self.assertEqual(decoded.dtype, numpy.dtype(dtype))
            most = 1 if decoded.dtype.kind == "f" else numpy.iinfo(decoded.dtype).max
            error = numpy.abs(decoded.astype(float) / most - eight / 255.0).max()
            self.assertLess(error, 1 / 255)

    def test_hdr_textures_are_floats(self):
        # A block of one colour in half floats: 2, 1/2, 1/4, 3/4.
        block = bytes.fromhex("fcffffffffffffff") + numpy.array(
            [2, 0.5, 0.25, 0.75], numpy.float16
        ).tobytes()
        file = struct.pack("<I3B", 0x5CA1AB13, 4, 4, 1) + b"\4\0\0" * 2 + b"\1\0\0" + block
        decoded = tessera.decode(file, profile="hdr")
        self.assertEqual(decoded.dtype, numpy.float16)
        self.assertEqual(decoded.shape, (4, 4, 4))
        self.assertEqual(decoded[3, 3].tolist(), [2, 0.5, 0.25, 0.75])

    def test_alpha_of_opaque_textures_is_left_out(self):
        self.assertEqual(tessera.decode(tessera.encode(support.photo())).shape, (80, 96, 3))
        self.assertEqual(tessera.decode(tessera.encode(support.rgba())).shape, (80, 96, 4))

    def test_other_types_are_refused(self):
        data = tessera.encode(support.photo(), "bc1")
        with self.assertRaisesRegex(TypeError, "float64"):
            tessera.decode(data, dtype="float64")


class Blocks(unittest.TestCase):
    def test_same_pixels_as_the_file(self):
        pixels = support.photo(61, 47)
        for format, block in (("astc", "6x6"), ("bc1", "4x4")):
            decoded = tessera.decode(tessera.encode(pixels, format, block, "fast"))
            blocks = tessera.encode_blocks(pixels, format, block, "fast")
            ours = tessera.decode_blocks(blocks, format, block, decoded.shape)
            numpy.testing.assert_array_equal(ours, decoded)

    def test_wrong_sizes(self):
        blocks = tessera.encode_blocks(support.photo(64, 64), "bc1")
        with self.assertRaises(tessera.Error):
            tessera.decode_blocks(blocks[:-1], "bc1", "4x4", (64, 64, 4))
        with self.assertRaises(tessera.Error):
            tessera.decode_blocks(blocks, "bc1", "5x5", (64, 64, 4))
        with self.assertRaises(tessera.Error):
            tessera.decode_blocks(blocks, "bc9", "4x4", (64, 64, 4))


class Information(support.FolderTest):
    def test_same_as_the_command(self):
        path = self.folder / "x.astc"
        path.write_bytes(tessera.encode(support.photo(), "astc", preset="fast"))
        for arguments, keywords in (
            ([], {}),
            (["--blocks"], dict(statistics=True)),
            (["--block", "2,3"], dict(block=(2, 3))),
        ):
            theirs = json.loads(support.run_command("info", path, "--json", *arguments))
            ours = tessera.info(path, **keywords)
            self.assertEqual({key: ours[key] for key in theirs if key in ours},
                             {key: theirs[key] for key in theirs if key in ours})
            self.assertGreater(len(ours), 5)

    def test_content(self):
        data = tessera.encode(support.photo(), "bc1", mips=True, container="ktx2")
        info = tessera.info(data)
        self.assertEqual((info["kind"], info["format"], info["type"]), ("texture", "bc1", "ktx2"))
        self.assertEqual((info["width"], info["height"], info["levels"]), (96, 80, 7))

    def test_decode_options(self):
        self.assertIn("decode_mode", {option.name for option in tessera.decode_option_list()})


if __name__ == "__main__":
    unittest.main()
