"""tessera encode: one picture to one texture."""
import os

import cli_support
from cli_support import CliTest, read_bytes, run
from pictures import (flat, gradient, grey_jpeg, grey_jpeg_picture, pgm, png, png16, ppm, tga, bmp,
                      with_alpha, Picture)
from textures import Dds, level_bytes, psnr, ssim

JSON_FIELDS = {
    "input", "output", "width", "height", "format", "block", "preset", "backend", "isa", "threads",
    "encode_seconds", "mpixels_per_second", "bytes", "bpp",
}


class Inputs(CliTest):
    def encode(self, name, data, picture, smallest_psnr=30):
        """Encodes the file; what our own decoder makes of it must be near the picture."""
        source, output = self.write(name, data), self.path("out.dds")
        self.succeed("encode", source, "-o", output, "--format", "bc1")
        texture = Dds(read_bytes(output))
        self.assertEqual((texture.width, texture.height), (picture.width, picture.height))
        self.assertEqual(len(texture.levels), 1)
        self.assertGreater(psnr(picture, texture.picture()), smallest_psnr)

    def test_png(self):
        for channels in (1, 3, 4):
            with self.subTest(channels):
                picture = gradient(32, 24, channels)
                self.encode("a.png", png(picture), picture)

    def test_png_with_16_bits_a_sample(self):
        picture = gradient(16, 16)
        samples = [value * 257 for value in picture.pixels]
        self.encode("a.png", png16(16, 16, samples), picture)

    def test_ppm(self):
        picture = gradient(32, 24)
        self.encode("a.ppm", ppm(picture), picture)

    def test_plain_text_ppm(self):
        picture = gradient(9, 7)
        text = "P3 # a comment\n9 7\n255\n" + " ".join(map(str, picture.pixels)) + "\n"
        self.encode("a.ppm", text.encode(), picture, smallest_psnr=22)

    def test_pgm(self):
        picture = gradient(32, 24, 1)
        self.encode("a.pgm", pgm(picture), picture)

    def test_tga_from_both_ends(self):
        for channels in (1, 3, 4):
            for top_down in (True, False):
                with self.subTest(channels=channels, top_down=top_down):
                    picture = gradient(32, 24, channels)
                    self.encode("a.tga", tga(picture, top_down), picture)

    def test_bmp(self):
        picture = gradient(31, 24)  # rows need padding
        self.encode("a.bmp", bmp(picture), picture)

    def test_jpeg(self):
        levels = [[10, 60, 200, 128], [255, 0, 127, 90]]
        self.encode("a.jpg", grey_jpeg(levels), grey_jpeg_picture(levels), smallest_psnr=38)

    def test_the_content_counts_and_not_the_name(self):
        picture = gradient(16, 16)
        self.encode("a.png", tga(picture), picture)
        self.encode("no extension", png(picture), picture)

    def test_odd_sizes(self):
        for width, height in ((1, 1), (5, 3), (33, 17), (1, 40), (40, 1), (4, 4), (3, 4)):
            with self.subTest(f"{width}x{height}"):
                self.encode("a.png", png(gradient(width, height)), gradient(width, height), 18)

    def test_flat_colours_that_bc1_holds_are_exact(self):
        for color in ((0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 255, 255)):
            with self.subTest(color):
                self.encode("a.png", png(flat(7, 5, color)), flat(7, 5, color), 998)


class Options(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = gradient(33, 17)
        self.source = self.write("in.png", png(self.picture))
        self.output = self.path("out.dds")

    def encode(self, *options, **keywords):
        return self.succeed("encode", self.source, "-o", self.output, *options, **keywords)

    def texture(self, *options, **keywords):
        self.encode(*options, **keywords)
        return Dds(read_bytes(self.output))

    def test_the_extension_tells_the_format(self):
        self.assertEqual(self.texture().code, b"DXT1")

    def test_the_extension_may_be_in_capitals(self):
        self.output = self.path("OUT.DDS")
        self.assertEqual(self.texture().code, b"DXT1")

    def test_mip_levels_down_to_one_texel(self):
        texture = self.texture("--mips")
        self.assertEqual(len(texture.levels), 6)  # 33, 16, 8, 4, 2, 1
        self.assertTrue(texture.flags & 0x20000)
        self.assertEqual(texture.caps & 0x400008, 0x400008)
        self.assertEqual(len(texture.levels[5]), 8)
        average = [sum(self.picture.pixels[c::3]) / (33 * 17) for c in range(3)]
        last = texture.picture(5).pixels
        for channel in range(3):  # averages in light are brighter than averages of bytes
            self.assertAlmostEqual(last[channel], average[channel], delta=45)

    def test_mip_levels_of_linear_samples_average_bytes(self):
        checks = Picture(8, 8, 1, bytes(255 * ((x + y) % 2) for y in range(8) for x in range(8)))
        self.source = self.write("checks.png", png(checks))
        linear = self.texture("--mips", "--linear").picture(1).pixels[0]
        light = self.texture("--mips").picture(1).pixels[0]
        self.assertAlmostEqual(linear, 128, delta=5)
        self.assertAlmostEqual(light, 188, delta=5)  # half the light, in sRGB

    def test_without_mips_there_is_one_level(self):
        texture = self.texture()
        self.assertEqual(texture.level_count, 1)
        self.assertFalse(texture.flags & 0x20000)

    def test_the_dx10_header(self):
        texture = self.texture("--dx10")
        self.assertEqual((texture.code, texture.dxgi_format), (b"DX10", 71))
        self.assertEqual((texture.dimension, texture.misc, texture.array_size), (3, 0, 1))
        self.assertEqual(texture.levels, self.texture().levels)

    def test_the_srgb_profile_is_written_down(self):
        texture = self.texture("--profile", "srgb")
        self.assertEqual((texture.code, texture.dxgi_format), (b"DX10", 72))

    def test_mips_with_the_dx10_header(self):
        texture = self.texture("--mips", "--dx10")
        self.assertEqual((texture.dxgi_format, len(texture.levels)), (71, 6))

    def test_every_preset_encodes(self):
        for preset in ("realtime", "fast", "medium", "thorough", "exhaustive"):
            with self.subTest(preset):
                result = self.encode("--preset", preset, "--json").result
                self.assertEqual(result["preset"], preset)
                self.assertGreater(psnr(self.picture, Dds(read_bytes(self.output)).picture()), 28)

    def test_the_bounds_method(self):
        result = self.encode("--method", "bounds", "--json").result
        self.assertEqual(result["method"], "bounds")

    def test_backends_in_the_build(self):
        for backend in ("auto", "cpu"):
            self.assertEqual(self.encode("--backend", backend, "--json").result["backend"], "cpu")

    def test_swizzles(self):
        self.source = self.write("flat.png", png(flat(4, 4, (255, 0, 255))))
        for swizzle, expected in (
            ("rgba", (255, 0, 255)), ("gggg", (0, 0, 0)), ("grga", (0, 255, 0)),
            ("0011", (0, 0, 255)), ("1rba", (255, 255, 255)),
        ):
            with self.subTest(swizzle):
                pixels = self.texture("--swizzle", swizzle).picture().pixels
                self.assertEqual(tuple(pixels[:3]), expected)

    def test_an_existing_file_is_replaced_and_keeps_its_permissions(self):
        cli_support.write_bytes(self.output, b"old")
        os.chmod(self.output, 0o640)
        self.texture()
        self.assertEqual(os.stat(self.output).st_mode & 0o777, 0o640)

    def test_a_new_file_has_ordinary_permissions(self):
        before = os.umask(0o022)
        self.addCleanup(os.umask, before)
        self.texture()
        self.assertEqual(os.stat(self.output).st_mode & 0o777, 0o644)

    def test_a_link_is_followed(self):
        target = self.write("target.dds", b"old")
        os.symlink("target.dds", self.output)
        self.texture()
        self.assertTrue(os.path.islink(self.output))
        self.assertEqual(Dds(read_bytes(target)).width, 33)

    def test_nothing_else_is_left_in_the_folder(self):
        self.encode("--mips", "--metrics")
        self.assertEqual(self.files(), ["in.png", "out.dds"])

    def test_special_characters_in_names(self):
        for name in ("with space.dds", "ümläut.dds", "-dash.dds", "quote'\".dds", "%s%n.dds"):
            with self.subTest(name):
                self.output = self.path(name)
                self.texture()


class Output(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = gradient(33, 17)
        self.source = self.write("in.png", png(self.picture))
        self.output = self.path("out.dds")

    def encode(self, *options, **keywords):
        return self.succeed("encode", self.source, "-o", self.output, *options, **keywords)

    def test_one_line_tells_what_was_made(self):
        outcome = self.encode()
        self.assertEqual(outcome.text.count("\n"), 1)
        for words in (self.output, "33x17", "bc1", f"{os.path.getsize(self.output)} bytes"):
            self.assertIn(words, outcome.text)
        self.assertEqual(outcome.stderr, "")

    def test_metrics_in_the_line(self):
        text = self.encode("--metrics").text
        expected = psnr(self.picture, Dds(read_bytes(self.output)).picture())
        self.assertIn(f"PSNR {expected:.2f} dB", text)

    def test_quiet_prints_nothing(self):
        outcome = self.encode("--quiet", "--metrics")
        self.assertEqual((outcome.stdout, outcome.stderr), (b"", ""))

    def test_the_json_fields(self):
        result = self.encode("--json").result
        self.assertLessEqual(JSON_FIELDS, set(result))
        self.assertNotIn("psnr_rgb", result)
        expected = {
            "input": self.source, "output": self.output, "width": 33, "height": 17,
            "format": "bc1", "block": "4x4", "preset": "medium", "backend": "cpu",
            "threads": len(os.sched_getaffinity(0)),
            "bytes": os.path.getsize(self.output),
        }
        self.assertEqual({key: result[key] for key in expected}, expected)
        self.assertEqual(result["bytes"], 128 + level_bytes(33, 17))
        self.assertAlmostEqual(result["bpp"], 8 * result["bytes"] / (33 * 17), places=9)
        self.assertGreater(result["encode_seconds"], 0)
        self.assertAlmostEqual(
            result["mpixels_per_second"] * result["encode_seconds"] * 1e6, 33 * 17, delta=0.1)
        self.assertEqual(result["isa"], cli_support.available_isas()[0])

    def test_the_json_of_mip_levels(self):
        result = self.encode("--json", "--mips").result
        self.assertEqual(result["levels"], 6)
        pixels = 33 * 17 + 16 * 8 + 8 * 4 + 4 * 2 + 2 * 1 + 1
        self.assertAlmostEqual(
            result["mpixels_per_second"] * result["encode_seconds"] * 1e6, pixels, delta=0.1)
        self.assertEqual(result["bytes"], os.path.getsize(self.output))

    def test_thread_counts_in_json(self):
        for threads in (1, 2, 7):
            self.assertEqual(self.encode("--json", "--threads", threads).result["threads"], threads)

    def test_json_is_quiet_elsewhere(self):
        self.assertEqual(self.encode("--json").stderr, "")

    def test_metrics_agree_with_our_own(self):
        result = self.encode("--json", "--metrics").result
        decoded = Dds(read_bytes(self.output)).picture()
        self.assertAlmostEqual(result["psnr_rgb"], psnr(self.picture, decoded), places=6)
        self.assertAlmostEqual(result["psnr_rgba"], psnr(self.picture, decoded, 4), places=6)
        self.assertAlmostEqual(result["ssim"], ssim(self.picture, decoded), places=6)

    def test_metrics_of_every_size_agree_with_our_own(self):
        for width, height in ((1, 1), (5, 3), (16, 16)):
            with self.subTest(f"{width}x{height}"):
                picture = gradient(width, height, seed=3)
                self.source = self.write("in.png", png(picture))
                result = self.encode("--json", "--metrics").result
                decoded = Dds(read_bytes(self.output)).picture()
                self.assertAlmostEqual(result["psnr_rgb"], psnr(picture, decoded), places=6)

    def test_metrics_of_transparent_pictures(self):
        picture = with_alpha(gradient(16, 16), lambda x, y: 255 if x < 8 else 16 * y)
        self.source = self.write("in.png", png(picture))
        result = self.encode("--json", "--metrics").result
        self.assertIs(result["alpha_dropped"], True)
        decoded = Dds(read_bytes(self.output)).picture()
        self.assertAlmostEqual(result["psnr_rgba"], psnr(picture, decoded, 4), places=6)
        self.assertLess(result["psnr_rgba"], result["psnr_rgb"])

    def test_dropped_alpha_is_said(self):
        self.source = self.write("in.png", png(flat(4, 4, (9, 9, 9, 100))))
        self.assertIn("dropped its alpha", self.encode().stderr)
        self.assertEqual(self.encode("--quiet").stderr, "")

    def test_opaque_alpha_is_not_worth_a_note(self):
        self.source = self.write("in.png", png(flat(4, 4, (9, 9, 9, 255))))
        outcome = self.encode()
        self.assertEqual(outcome.stderr, "")
        self.assertIs(self.encode("--json").result["alpha_dropped"], False)


class SameBytes(CliTest):
    """The same file, whatever machinery makes it."""

    def setUp(self):
        super().setUp()
        self.source = self.path("in.png")
        self.succeed("sample", "-o", self.source, "--size", "517x291", "--quiet")

    def encode(self, *options, **keywords):
        output = self.path("out.dds")
        result = self.succeed(
            "encode", self.source, "-o", output, "--mips", "--json", "--metrics", *options, **keywords
        ).result
        return read_bytes(output), result

    def test_for_every_number_of_threads(self):
        reference, first = self.encode("--threads", 1)
        for threads in (2, 7, 0):
            with self.subTest(threads):
                data, result = self.encode("--threads", threads)
                self.assertTrue(data == reference)
                self.assertEqual(result["ssim"], first["ssim"])

    def test_for_every_instruction_set_and_preset(self):
        isas = cli_support.available_isas()
        for preset in ("realtime", "medium", "exhaustive"):
            reference, _ = self.encode("--preset", preset)
            for isa in isas:
                with self.subTest(isa=isa, preset=preset):
                    data, result = self.encode("--preset", preset, isa=isa)
                    self.assertEqual(result["isa"], isa)
                    self.assertTrue(data == reference)

    def test_every_time(self):
        self.assertTrue(self.encode()[0] == self.encode()[0])

    def test_other_pictures_give_other_bytes(self):
        before = self.encode()[0]
        self.succeed("sample", "-o", self.source, "--size", "517x291", "--seed", 2, "--quiet")
        self.assertFalse(self.encode()[0] == before)


class Streams(CliTest):
    def setUp(self):
        super().setUp()
        self.data = png(gradient(33, 17))
        self.source = self.write("in.png", self.data)
        self.succeed("encode", self.source, "-o", self.path("expected.dds"), "--format", "bc1")
        self.expected = read_bytes(self.path("expected.dds"))

    def test_from_standard_input(self):
        result = self.succeed("encode", "-", "-o", self.path("x.dds"), "--json", stdin=self.data).result
        self.assertEqual(result["input"], "-")
        self.assertEqual(read_bytes(self.path("x.dds")), self.expected)

    def test_to_standard_output(self):
        outcome = self.succeed("encode", self.source, "-o", "-", "--format", "bc1")
        self.assertEqual(outcome.stdout, self.expected)

    def test_from_stream_to_stream(self):
        outcome = self.succeed(
            "encode", "-", "-o", "-", "--format", "bc1", "--quiet", stdin=self.data)
        self.assertEqual(outcome.stdout, self.expected)
        self.assertEqual(outcome.stderr, "")

    def test_errors_name_standard_input(self):
        outcome = run("encode", "-", "-o", "-", "--format", "bc1", stdin=b"nonsense")
        self.assertEqual((outcome.code, outcome.stdout), (cli_support.INVALID, b""))
        self.assert_one_sentence(outcome, "standard input")

    def test_empty_standard_input(self):
        outcome = run("encode", "-", "-o", self.path("x.dds"), stdin=b"")
        self.assertEqual(outcome.code, cli_support.INVALID)
        self.assert_one_sentence(outcome, "standard input", "empty")
        self.assertEqual(self.files(), ["expected.dds", "in.png"])

    def test_a_device_takes_the_file(self):
        self.succeed("encode", self.source, "-o", "/dev/null", "--format", "bc1")
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))

    def test_standard_output_needs_a_format(self):
        self.refuse(cli_support.USAGE, "encode", self.source, "-o", "-", words=("--format",))

    def test_json_and_the_file_cannot_share_standard_output(self):
        outcome = self.refuse(
            cli_support.USAGE, "encode", self.source, "-o", "-", "--format", "bc1", "--json",
            words=("--json",))
        self.assertEqual(outcome.stdout, b"")

    def test_a_full_device(self):
        self.refuse(cli_support.IO, "encode", self.source, "-o", "/dev/full", "--format", "bc1",
                    words=("/dev/full",))

    def test_a_full_standard_output(self):
        with open("/dev/full", "wb") as full:
            outcome = run("encode", self.source, "-o", "-", "--format", "bc1", stdout=full)
        self.assertEqual(outcome.code, cli_support.IO)
        self.assert_one_sentence(outcome, "standard output")


if __name__ == "__main__":
    cli_support.main()
