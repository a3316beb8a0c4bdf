"""Pictures in files, comparison, mip levels, samples, devices, the build."""

import json
import re
import unittest

import numpy

import support
import tessera


class Files(support.FolderTest):
    def test_written_pictures_come_back(self):
        for pixels in (
            support.photo(),
            support.rgba(),
            support.rgba()[..., :1],
            support.rgba().astype(numpy.uint16) * 255 + 3,
        ):
            path = self.folder / "x.png"
            size = tessera.write(path, pixels)
            self.assertEqual(size, path.stat().st_size)
            again = tessera.read(path)
            self.assertEqual(again.dtype, pixels.dtype)
            numpy.testing.assert_array_equal(again, pixels)

    def test_pictures_with_other_samples(self):
        pixels = support.rgba()
        path = self.write_png(pixels)
        wide = pixels * numpy.uint16(257)
        numpy.testing.assert_array_equal(tessera.read(path, dtype="uint16"), wide)
        floats = tessera.read(path, dtype="float32")
        numpy.testing.assert_array_equal(floats, (pixels / 255.0).astype(numpy.float32))
        wide = numpy.array([[0, 128, 129, 65535 - 129, 65535 - 128]], numpy.uint16)
        path = self.write_png(wide, "wide.png")
        eight = tessera.read(path, dtype=numpy.uint8)
        self.assertEqual(eight[..., 0].tolist(), [[0, 0, 1, 254, 255]])

    def test_type_by_name(self):
        path = self.folder / "picture"
        tessera.write(path, support.photo()[..., :3], type="ppm")
        numpy.testing.assert_array_equal(support.read_netpbm(path), support.photo()[..., :3])

    def test_views_are_written(self):
        path = self.folder / "x.ppm"
        view = support.photo()[10:50:2, ::3, :3]
        tessera.write(path, view)
        numpy.testing.assert_array_equal(support.read_netpbm(path), view)

    def test_bytes_are_written_as_they_are(self):
        path = self.folder / "x.bin"
        for content in (b"abc", bytearray(b"defg"), memoryview(b"hi")):
            self.assertEqual(tessera.write(path, content), len(content))
            self.assertEqual(path.read_bytes(), bytes(content))

    def test_sample_is_the_command_s(self):
        path = self.folder / "x.ppm"
        support.run_command(
            "sample", "-o", path, "--kind", "photo", "--size", "50x40", "--seed", 7, "--quiet"
        )
        numpy.testing.assert_array_equal(
            tessera.sample("photo", 50, 40, 7)[..., :3], support.read_netpbm(path)
        )


class Comparison(support.FolderTest):
    def test_same_numbers_as_the_command(self):
        pixels = support.photo()
        original = self.write_png(pixels)
        decoded = tessera.decode(tessera.encode(pixels, "bc1"))
        result = self.write_png(decoded, "result.png")
        theirs = json.loads(support.run_command("compare", original, result, "--json"))
        ours = tessera.compare(pixels, decoded)
        for name in ("psnr_rgb", "psnr_rgba", "psnr_alpha_weighted", "ssim", "max_error"):
            self.assertAlmostEqual(getattr(ours, name), theirs[name], msg=name)
        worst = theirs["worst_block"]
        self.assertEqual(ours.worst_block, (worst["x"], worst["y"], worst["slice"]))
        self.assertAlmostEqual(ours.worst_block_psnr_rgb, worst["psnr_rgb"])

    def test_equal_pictures(self):
        metrics = tessera.compare(support.photo(), support.photo())
        self.assertEqual((metrics.psnr_rgb, metrics.max_error), (999, 0))

    def test_worst_block(self):
        a = numpy.zeros((40, 40, 3), numpy.uint8)
        b = a.copy()
        b[17, 33] = 200
        self.assertEqual(tessera.compare(a, b).worst_block, (8, 4, 0))
        self.assertEqual(tessera.compare(a, b, block=(10, 5)).worst_block, (3, 3, 0))

    def test_metrics_cannot_be_changed(self):
        metrics = tessera.compare(support.photo(), support.photo())
        with self.assertRaises(AttributeError):
            metrics.ssim = 2

    def test_sheet(self):
        sheet = tessera.comparison_sheet(support.photo(), support.photo(), gain=16)
        self.assertEqual((sheet.dtype, sheet.shape[0], sheet.shape[2]), (numpy.uint8, 80, 3))
        self.assertGreaterEqual(sheet.shape[1], 3 * 96)
        told = tessera.annotated_sheet(support.photo(), support.photo(), names=("a", "b"), block=(6, 6))
        self.assertGreater(told.shape[0], sheet.shape[0])


class MipLevels(unittest.TestCase):
    def test_extents(self):
        levels = tessera.mip_levels(support.photo(96, 80))
        self.assertEqual(
            [level.shape[:2] for level in levels],
            [(40, 48), (20, 24), (10, 12), (5, 6), (2, 3), (1, 1)],
        )

    def test_linear_levels_are_plain_means(self):
        pixels = numpy.array([[0, 100], [20, 200]], numpy.uint8)
        self.assertEqual(tessera.mip_levels(pixels, linear=True)[0].item(), 80)
        self.assertGreater(tessera.mip_levels(pixels)[0].item(), 80)


class Build(unittest.TestCase):
    def test_version(self):
        self.assertRegex(tessera.version(), r"^\d+\.\d+\.\d+$")
        self.assertEqual(tessera.__version__, tessera.version())
        shown = support.run_command("--version").decode()
        self.assertIn(tessera.version(), re.findall(r"\d+\.\d+\.\d+", shown))

    def test_build_info(self):
        self.assertIn("astc", json.dumps(tessera.build_info()))

    def test_devices(self):
        for device in tessera.devices():
            self.assertIsInstance(device, tessera.Device)
            self.assertTrue(device.name)


if __name__ == "__main__":
    unittest.main()
