"""Encoding gives the bytes that the command writes."""

import struct
import unittest

import numpy

import support
import tessera

# The file's name for the command, the command's options, the keywords.
CASES = [
    ("a.astc", "", dict()),
    ("b.astc", "--block 4x4 --preset fast", dict(block="4x4", preset="fast")),
    ("c.astc", "--block 8x5 --preset realtime", dict(block="8x5", preset="realtime")),
    ("d.astc", "--profile srgb --preset fast", dict(profile="srgb", preset="fast")),
    ("e.astc", "--quality 30", dict(quality=30)),
    ("f.astc", "--quality 12.5", dict(quality=12.5)),
    (
        "g.astc",
        "--channel-weights 3,6,1,1 --preset fast",
        dict(channel_weights=(3, 6, 1, 1), preset="fast"),
    ),
    ("h.astc", "--decode-mode unorm8 --preset fast", dict(decode_mode="unorm8", preset="fast")),
    ("i.astc", "--alpha-weight --preset fast", dict(alpha_weight=True, preset="fast")),
    ("j.astc", "--swizzle gbr1 --preset fast", dict(swizzle="gbr1", preset="fast")),
    ("k.astc", "--normal --preset fast", dict(normal_map=True, preset="fast")),
    (
        "keys.ktx2",
        "--preset fast --key author=me --key source=scan",
        dict(container="ktx2", preset="fast", keys={"author": "me", "source": "scan"}),
    ),
    (
        "l.ktx2",
        "--format astc --mips --preset fast",
        dict(container="ktx2", mips=True, preset="fast"),
    ),
    (
        "m.ktx2",
        "--format astc --mips --linear --preset fast",
        dict(container="ktx2", mips=True, linear=True, preset="fast"),
    ),
    ("n.dds", "--format bc1", dict(format="bc1")),
    ("o.dds", "--format bc1 --mips --dx10", dict(format="bc1", mips=True, dx10=True)),
    (
        "p.dds",
        "--format bc1 --method cluster --punch-through",
        dict(format="bc1", method="cluster", punch_through=True),
    ),
    ("q.ktx2", "--format bc1 --preset realtime", dict(
        format="bc1", container="ktx2", preset="realtime")),
    ("r.tsf", "--quality 40", dict(format="fractal", quality=40)),
    ("s.tsf", "--bpp 0.5 --grey", dict(format="fractal", bpp=0.5, grey=True)),
]


class Bytes(support.FolderTest):
    def test_same_bytes_as_the_command(self):
        pixels = support.rgba()
        picture = self.write_png(pixels)
        for name, arguments, keywords in CASES:
            with self.subTest(arguments=arguments, name=name):
                theirs = self.command_encode(picture, name, *arguments.split())
                ours = tessera.encode(pixels, **keywords)
                self.assertIsInstance(ours, bytes)
                self.assertEqual(ours, theirs)

    def test_all_channel_counts(self):
        for channels in (1, 2, 3, 4):
            pixels = support.rgba()[..., :channels]
            picture = self.write_png(numpy.ascontiguousarray(pixels), f"{channels}.png")
            with self.subTest(channels=channels):
                theirs = self.command_encode(picture, "x.astc", "--preset", "fast")
                self.assertEqual(tessera.encode(pixels, preset="fast"), theirs)

    def test_sixteen_bits(self):
        pixels = support.photo().astype(numpy.uint16) * 251 + 17
        picture = self.write_png(pixels)
        theirs = self.command_encode(picture, "x.astc", "--preset", "fast")
        self.assertEqual(tessera.encode(pixels, preset="fast"), theirs)

    def test_floats(self):
        pixels = support.photo()[..., :3].astype(numpy.float32) / 255
        picture = self.folder / "in.exr"
        try:
            tessera.write(picture, pixels)
        except tessera.UnsupportedError as error:
            self.skipTest(str(error))
        stored = tessera.read(picture)
        theirs = self.command_encode(picture, "x.dds", "--format", "bc1", "--mips")
        self.assertEqual(tessera.encode(stored, format="bc1", mips=True), theirs)

    def test_one_thread_gives_the_same_bytes(self):
        pixels = support.photo()
        expected = tessera.encode(pixels, preset="fast")
        self.assertEqual(tessera.encode(pixels, preset="fast", threads=1), expected)
        self.assertEqual(tessera.encode(pixels, preset="fast", threads=3), expected)
        self.assertEqual(tessera.encode(pixels, preset="fast", backend="serial"), expected)

    def test_devices_give_the_same_bytes(self):
        devices = tessera.devices()
        if not devices:
            self.skipTest("no device")
        formats = {"opencl": "bc1", "cuda": "astc"}
        for device in devices:
            format = formats[device.backend]
            encoder = tessera.Encoder(format, backend=device.backend, device=device.number)
            self.assertEqual(encoder.backend, device.backend)
            self.assertEqual(encoder.encode(support.photo()),
                             tessera.encode(support.photo(), format))


class Blocks(unittest.TestCase):
    def test_blocks_are_the_content_of_the_file(self):
        pixels = support.rgba()
        file = tessera.encode(pixels, block="6x6", preset="fast", container="astc")
        self.assertEqual(struct.unpack_from("<I3B", file), (0x5CA1AB13, 6, 6, 1))
        blocks = tessera.encode(pixels, block="6x6", preset="fast", container="blocks")
        self.assertEqual(blocks, file[16:])
        self.assertEqual(tessera.encode_blocks(pixels, block="6x6", preset="fast"), blocks)

    def test_payload_size(self):
        pixels = support.photo(13, 7)
        encoder = tessera.Encoder("astc", "6x6", "fast", container="blocks")
        self.assertEqual(encoder.payload_size(pixels), 3 * 2 * 16)
        self.assertEqual(len(encoder.encode(pixels)), 3 * 2 * 16)

    def test_blocks_have_no_mip_levels(self):
        with self.assertRaisesRegex(tessera.UsageError, "mip levels"):
            tessera.encode(support.photo(), container="blocks", mips=True)


class EncoderClass(unittest.TestCase):
    def test_encodes_again_and_again(self):
        encoder = tessera.Encoder("astc", "5x5", "fast")
        for seed in (1, 2, 3):
            pixels = support.photo(seed=seed)
            self.assertEqual(encoder.encode(pixels), tessera.encode(pixels, "astc", "5x5", "fast"))

    def test_properties(self):
        encoder = tessera.Encoder("bc1", preset="thorough", container="ktx2", threads=2)
        self.assertEqual(encoder.format, "bc1")
        self.assertEqual(encoder.preset, "thorough")
        self.assertEqual(encoder.profile, "ldr")
        self.assertEqual(encoder.container, "ktx2")
        self.assertEqual(encoder.block, (4, 4, 1))
        self.assertEqual(encoder.block_bytes, 8)
        self.assertEqual(encoder.threads, 2)
        self.assertEqual(encoder.backend, "cpu")
        self.assertEqual(
            repr(encoder),
            "tessera.Encoder(format='bc1', block='4x4', preset='thorough', container='ktx2')",
        )

    def test_defaults(self):
        encoder = tessera.Encoder()
        self.assertEqual((encoder.format, encoder.preset), ("astc", "medium"))
        self.assertEqual((encoder.block, encoder.block_bytes), ((6, 6, 1), 16))
        self.assertEqual(encoder.container, "astc")

    def test_use(self):
        pixels = support.rgba()
        self.assertEqual(
            tessera.encode(pixels, preset="fast", use="alpha"),
            tessera.encode(pixels, preset="fast", profile="srgb", alpha_weight=True),
        )
        self.assertEqual(
            tessera.encode(pixels, preset="fast", use="color", profile="ldr"),
            tessera.encode(pixels, preset="fast"),
        )
        with self.assertRaises(tessera.UsageError):
            tessera.Encoder(use="photo")

    def test_report(self):
        pixels = support.rgba()
        encoder = tessera.Encoder("bc1", mips=True, metrics=True)
        data, report = encoder.encode_with_report(pixels)
        self.assertEqual(data, encoder.encode(pixels))
        self.assertEqual((report.width, report.height, report.levels), (96, 80, 7))
        self.assertEqual(report.file_bytes, len(data))
        self.assertTrue(report.alpha_dropped)
        self.assertGreater(report.encoded_pixels, 96 * 80)
        self.assertGreater(report.encode_seconds, 0)
        self.assertIsNone(report.angular_error_mean)
        decoded = tessera.decode(data)
        measured = tessera.compare(numpy.ascontiguousarray(pixels[..., :3]), decoded)
        self.assertAlmostEqual(report.metrics.psnr_rgb, measured.psnr_rgb)

    def test_report_without_metrics(self):
        _, report = tessera.Encoder("bc1").encode_with_report(support.photo())
        self.assertIsNone(report.metrics)
        self.assertFalse(report.alpha_dropped)

    def test_report_of_a_normal_map(self):
        normals = tessera.sample("normal-map", 64, 64)
        encoder = tessera.Encoder("astc", "4x4", "fast", normal_map=True, metrics=True)
        _, report = encoder.encode_with_report(normals)
        self.assertGreater(report.angular_error_max, report.angular_error_mean)
        self.assertGreater(report.angular_error_mean, 0)


class Advice(unittest.TestCase):
    def test_sizes_and_recommendation(self):
        encoder = tessera.Encoder(preset="fast", target_psnr=33)
        advice = encoder.advise(support.photo())
        self.assertEqual(len(advice["sizes"]), 14)
        (chosen,) = (one for one in advice["sizes"] if one["block"] == advice["recommended"])
        self.assertGreaterEqual(chosen["psnr"], 33)
        self.assertIn(advice["recommended"], advice["reason"])

    def test_volume(self):
        volume = numpy.zeros((6, 9, 10, 3), numpy.uint8)
        advice = tessera.Encoder(preset="fast").advise(volume, volume=True)
        self.assertEqual(advice["recommended"], "6x6x6")


class Options(unittest.TestCase):
    def test_list(self):
        options = {option.name: option for option in tessera.encode_option_list()}
        self.assertEqual(options["channel_weights"].kind, "text")
        self.assertIn("bc1", options["punch_through"].formats)
        self.assertEqual(options["punch_through"].kind, "flag")
        self.assertEqual((options["quality"].least, options["quality"].most), (0, 100))
        self.assertTrue(all(option.help for option in options.values()))

    def test_none_means_the_default(self):
        pixels = support.photo()
        self.assertEqual(
            tessera.encode(pixels, "bc1", method=None), tessera.encode(pixels, "bc1")
        )

    def test_scalars_and_lists_of_numpy(self):
        pixels = support.photo()
        self.assertEqual(
            tessera.encode(pixels, "bc1", channel_weights=numpy.array([3, 6, 1])),
            tessera.encode(pixels, "bc1", channel_weights="3,6,1"),
        )
        self.assertEqual(
            tessera.encode(pixels, "bc1", dx10=numpy.bool_(True), passes=numpy.int64(3)),
            tessera.encode(pixels, "bc1", dx10=True, passes=3),
        )


if __name__ == "__main__":
    unittest.main()
