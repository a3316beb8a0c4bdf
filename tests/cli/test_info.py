"""tessera info: what a file is."""
import os

import cli_support
from cli_support import CliTest, INVALID, IO, USAGE, run
from pictures import bmp, flat, gradient, grey_jpeg, pgm, png, png16, png_chunk, ppm, tga
from textures import astc, dds

BLOCK = bytes.fromhex("00f8e0071b1b1b1b")


class Told(CliTest):
    def info(self, name, data):
        path = self.write(name, data)
        result = self.succeed("info", path, "--json").json
        self.assertEqual((result["file"], result["bytes"]), (path, len(data)))
        return result

    def assert_picture(self, name, data, kind, size, channels):
        result = self.info(name, data)
        self.assertEqual(
            (result["kind"], result["type"], result["width"], result["height"], result["channels"]),
            ("picture", kind, *size, channels))
        return result

    def test_pictures(self):
        picture = gradient(13, 7)
        self.assert_picture("a.png", png(picture), "PNG", (13, 7), 3)
        self.assert_picture("a.png", png(gradient(13, 7, 4)), "PNG", (13, 7), 4)
        self.assert_picture("a.png", png(gradient(13, 7, 1)), "PNG", (13, 7), 1)
        self.assert_picture("a.ppm", ppm(picture), "PPM or PGM", (13, 7), 3)
        self.assert_picture("a.pgm", pgm(gradient(13, 7, 1)), "PPM or PGM", (13, 7), 1)
        self.assert_picture("a.tga", tga(picture), "TGA", (13, 7), 3)
        self.assert_picture("a.bmp", bmp(picture), "BMP", (13, 7), 3)
        self.assert_picture("a.jpg", grey_jpeg([[1, 2], [3, 4], [5, 6]]), "JPEG", (16, 24), 1)

    def test_sample_types(self):
        eight = self.info("a.png", png(flat(2, 2, (1, 2, 3))))["samples"]
        sixteen = self.info("b.png", png16(2, 2, [1000] * 12))["samples"]
        self.assertIn("8", eight)
        self.assertIn("16", sixteen)

    def test_the_content_counts_and_not_the_name(self):
        self.assert_picture("a.dds", png(gradient(4, 4)), "PNG", (4, 4), 3)
        self.assertEqual(self.info("b.png", dds(4, 4, BLOCK))["kind"], "texture")

    def test_dds(self):
        expected = {"kind": "texture", "type": "dds", "format": "bc1", "block": "4x4",
                    "width": 7, "height": 5, "levels": 1, "srgb": False}
        result = self.info("a.dds", dds(7, 5, BLOCK * 4))
        self.assertEqual({key: result[key] for key in expected}, expected)

    def test_dds_with_levels_and_srgb(self):
        result = self.info("a.dds", dds(8, 8, BLOCK * 7, levels=4, dxgi_format=72))
        self.assertEqual((result["levels"], result["srgb"]), (4, True))

    def test_astc(self):
        for block, name in (((4, 4, 1), "4x4"), ((6, 6, 1), "6x6"), ((12, 10, 1), "12x10"),
                            ((4, 4, 4), "4x4x4")):
            with self.subTest(name):
                result = self.info("a.astc", astc(25, 13, block))
                expected = {"kind": "texture", "type": "astc", "format": "astc", "block": name,
                            "width": 25, "height": 13, "levels": 1}
                self.assertEqual({key: result[key] for key in expected}, expected)

    def test_numbers_of_headers(self):
        source = self.write("p.png", png(gradient(50, 40)))
        texture = self.path("t.ktx2")
        self.succeed("encode", source, "-o", texture, "--block", "6x6", "--as", "color", "--mips", "--zstd",
                     "--preset", "realtime")
        for words in ((), ("--verify",), ("--blocks",)):
            stored = self.succeed("info", texture, "--json", *words).json["stored"]
            self.assertEqual(stored["vk_format"], 166)  # VK_FORMAT_ASTC_6x6_SRGB_BLOCK
            self.assertIn(stored["supercompression"], ("none", "zstd"))
            self.assertEqual(stored["descriptor"]["color_model"], 162)  # KHR_DF_MODEL_ASTC
            self.assertEqual(stored["descriptor"]["transfer"], 2)  # KHR_DF_TRANSFER_SRGB
            levels = stored["level_table"]
            self.assertEqual([level["unpacked_bytes"] for level in levels],
                             [16 * -(-max(50 >> i, 1) // 6) * -(-max(40 >> i, 1) // 6) for i in range(6)])
            self.assertEqual(levels[0]["offset"] + levels[0]["bytes"], os.path.getsize(texture))
        text = self.succeed("info", texture).text
        self.assertIn("VkFormat 166", text)
        self.assertIn(f"level 0: {levels[0]['bytes']} bytes at {levels[0]['offset']}", text)
        self.succeed("encode", source, "-o", self.path("t.ktx"), "--block", "6x6", "--as", "color")
        stored = self.succeed("info", self.path("t.ktx"), "--json").json["stored"]
        self.assertEqual(stored["gl_internal_format"], 0x93D4)  # COMPRESSED_SRGB8_ALPHA8_ASTC_6x6
        self.assertEqual((stored["byte_order"], stored["key_value_bytes"]), ("little", 28))
        self.assertIn("OpenGL format 37844", self.succeed("info", self.path("t.ktx")).text)
        for options, code, number in (((), "DXT1", None), (("--dx10",), "DX10", 71)):
            self.succeed("encode", source, "-o", self.path("t.dds"), "--profile", "ldr", *options)
            stored = self.succeed("info", self.path("t.dds"), "--json").json["stored"]
            self.assertEqual((stored["four_cc"], stored.get("dxgi_format")), (code, number))
        self.assertIn("FourCC DX10, DXGI format 71", self.succeed("info", self.path("t.dds")).text)

    def test_a_line_a_file(self):
        a = self.write("a.png", png(gradient(13, 7)))
        b = self.write("b.dds", dds(8, 8, BLOCK * 7, levels=4, dxgi_format=72))
        c = self.write("c.astc", astc(25, 13, (6, 6, 1)))
        lines = self.succeed("info", a, b, c).text.splitlines()
        self.assertEqual(len(lines), 3)
        for line, words in zip(lines, ((a, "PNG", "13x7", "3 channels"),
                                       (b, "bc1", "8x8", "sRGB", "4 mip levels"),
                                       (c, "astc", "6x6", "25x13", "1 mip level"))):
            for word in words:
                self.assertIn(word, line)

    def test_json_of_several_files_is_an_array(self):
        a, b = self.write("a.png", png(gradient(3, 3))), self.write("b.astc", astc(4, 4))
        results = self.succeed("info", a, b, "--json").json
        self.assertEqual([result["file"] for result in results], [a, b])

    def test_standard_input(self):
        self.assertEqual(self.succeed("info", "-", "--json", stdin=astc(9, 9)).json["width"], 9)


class Large(CliTest):
    """Headers are read, and nothing else: 10 GB that are not there cost nothing."""

    def sparse(self, name, head, size):
        path = self.write(name, head)
        os.truncate(path, size)
        return path

    def cost(self, *arguments):
        """Seconds of processor time, the least of some runs."""
        least = 1e9
        for _ in range(5):
            process = self.start("info", *arguments)
            process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0, arguments)
            least = min(least, usage.ru_utime + usage.ru_stime)
        return least

    def test_ten_gigabytes_cost_no_more_than_a_few(self):
        side = 65536
        large = self.sparse("large.ppm", b"P6\n%d %d\n255\n" % (side, side),
                            len(b"P6\n65536 65536\n255\n") + 3 * side * side)
        texture = self.sparse("large.astc", astc(140000, 70000, (4, 4, 1), payload=b""),
                              16 + 35000 * 17500 * 16)
        self.assertGreater(os.path.getsize(texture), 9e9)
        self.assertGreater(os.path.getsize(large), 12e9)
        small = self.write("small.ppm", ppm(gradient(2, 2)))
        usual = self.cost(small)
        for path in (large, texture):
            self.assertLess(self.cost(path), usual + 0.01 * cli_support.PATIENCE, path)

    def test_headers_with_long_parts(self):
        # Transparency, which makes a channel more, after a long text that nobody needs.
        whole = png(gradient(9, 9, 1))
        pixels = whole.index(b"IDAT") - 4
        extra = png_chunk(b"tEXt", b"k\0" + b"x" * 300_000) + png_chunk(b"tRNS", b"\0\7")
        path = self.write("p.png", whole[:pixels] + extra + whole[pixels:])
        self.assertEqual(self.succeed("info", path, "--json").json["channels"], 2)
        self.assertEqual(self.succeed("info", "--verify", path, "--json").json["channels"], 2)


class Refused(CliTest):
    def check(self, code, path):
        for options in ((), ("--json",)):
            outcome = self.refuse(code, "info", path, *options, words=(path,))
            if not options:
                self.assertEqual(outcome.stdout, b"")
                continue
            told = outcome.json
            self.assertEqual((told["file"], told["exit_code"]), (path, code))
            self.assertEqual("tessera: " + told["error"] + "\n", outcome.stderr)

    def test_a_missing_file(self):
        self.check(IO, self.path("missing.dds"))

    def test_a_folder(self):
        self.check(IO, self.folder)

    def test_files_of_other_kinds(self):
        for name, data in (("empty", b""), ("text", b"hello\n"), ("zeros", b"\0" * 300),
                           ("gif", b"GIF89a" + b"\0" * 40), ("binary", b"\x7fELF")):
            with self.subTest(name):
                self.check(INVALID, self.write(name, data))

    def test_damage_in_pixels_is_found_by_verifying(self):
        for name, data in (("a.png", png(gradient(9, 9))[:-13]),
                           ("a.jpg", grey_jpeg([[1, 2]])[:-3])):
            with self.subTest(name):
                path = self.write(name, data)
                self.succeed("info", path)
                self.refuse(INVALID, "info", "--verify", path, words=(path,))

    def test_damaged_files(self):
        for name, data in (
            ("a.png", png(gradient(9, 9))[:30]),
            ("a.ppm", ppm(gradient(9, 9))[:-1]),
            ("a.tga", tga(gradient(9, 9))[:-1]),
            ("a.bmp", bmp(gradient(9, 9))[:-5]),
            ("a.jpg", grey_jpeg([[1, 2]])[:30]),
            ("a.dds", dds(9, 9, BLOCK * 9)[:-1]),
            ("a.astc", astc(9, 9)[:-1]),
            ("b.astc", astc(9, 9, (5, 6, 1))),
        ):
            with self.subTest(name):
                self.check(INVALID, self.write(name, data))

    def test_good_files_are_told_in_spite_of_bad_ones(self):
        good = self.write("a.png", png(gradient(3, 3)))
        bad = self.write("b.png", b"nonsense")
        outcome = run("info", bad, good)
        self.assertEqual(outcome.code, INVALID)
        self.assert_one_sentence(outcome, bad)
        self.assertIn(good, outcome.text)
        outcome = run("info", good, self.path("missing"), bad, "--json")
        self.assertEqual(outcome.code, IO)  # the first failure's
        self.assertEqual(outcome.stderr.count("\n"), 2)
        self.assertEqual([result["file"] for result in outcome.json],
                         [good, self.path("missing"), bad])
        self.assertEqual(outcome.json[0]["width"], 3)
        for result, code, line in zip(outcome.json[1:], (IO, INVALID), outcome.stderr.splitlines()):
            self.assertEqual(result["exit_code"], code)
            self.assertEqual("tessera: " + result["error"], line)
        alone = self.refuse(INVALID, "info", bad, "--json")
        self.assertEqual((alone.json["file"], alone.json["exit_code"]), (bad, INVALID))

    def test_no_file(self):
        self.refuse(USAGE, "info")
        self.refuse(USAGE, "info", "--json")


if __name__ == "__main__":
    cli_support.main()
