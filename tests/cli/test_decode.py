"""tessera decode: textures back to pictures."""
import os
import struct

import cli_support
from cli_support import CliTest, INVALID, IO, UNSUPPORTED, USAGE, read_bytes, run
from pictures import Picture, gradient, png, read_png, read_ppm, read_tga
from textures import Dds, dds, decode_bc1, level_bytes

OPAQUE_BLOCKS = bytes.fromhex("00f8e0071b1b1b1b" "ffff0000e4e4e4e4" "1f0000f855aa55aa")  # c0 <= c1 last


class RoundTrip(CliTest):
    def setUp(self):
        super().setUp()
        self.texture = self.path("in.dds")
        source = self.write("source.png", png(gradient(33, 17)))
        self.succeed("encode", source, "-o", self.texture, "--mips", "--quiet")
        self.expected = Dds(read_bytes(self.texture))

    def decode(self, name, *options):
        self.succeed("decode", self.texture, "-o", self.path(name), *options)
        return read_bytes(self.path(name))

    def assert_same(self, picture, level=0):
        expected = self.expected.picture(level)
        self.assertEqual((picture.width, picture.height), (expected.width, expected.height))
        self.assertTrue(picture.rgba() == expected.rgba())

    def test_png(self):
        self.assert_same(read_png(self.decode("out.png")))

    def test_ppm(self):
        self.assert_same(read_ppm(self.decode("out.ppm")))

    def test_tga(self):
        self.assert_same(read_tga(self.decode("out.tga")))

    def test_capital_extension(self):
        self.assert_same(read_png(self.decode("OUT.PNG")))

    def test_every_level(self):
        for level in range(6):
            with self.subTest(level):
                self.assert_same(read_png(self.decode("out.png", "--level", level)), level)

    def test_all_levels_at_once(self):
        words = ("decode", self.texture, "-o", self.path("out.png"), "--all-levels")
        result = self.succeed(*words, "--json").result
        wanted = [self.path(f"out_L{level}.png") for level in range(6)]
        self.assertEqual((result["output"], result["outputs"]), (wanted[0], wanted))
        self.assertEqual((result["levels"], result["width"], result["height"]), (6, 33, 17))
        self.assertEqual(result["bytes"], sum(os.path.getsize(name) for name in wanted))
        for level, name in enumerate(wanted):
            self.assert_same(read_png(read_bytes(name)), level)
        self.assertFalse(os.path.exists(self.path("out.png")))
        self.assertIn(f"{wanted[0]} to {wanted[5]}: 33x17, ", self.succeed(*words).text)
        self.succeed("decode", "-", "-o", self.path("piped.png"), "--all-levels",
                     stdin=read_bytes(self.texture))
        self.assertEqual(read_bytes(self.path("piped_L5.png")), read_bytes(wanted[5]))

    def test_all_levels_of_all_slices(self):
        names = [self.write(f"s{i}.png", png(gradient(8, 8, seed=i))) for i in range(3)]
        texture = self.path("array.ktx2")
        self.succeed("encode", *names, "-o", texture, "--array", "--mips", "--block", "4x4")
        os.mkdir(self.path("out"))
        self.succeed("decode", texture, "-o", self.path("out/"), "--all-levels", "--all-slices")
        self.assertEqual(self.files("out"), [f"array_L{level}_{i:03}.png" for level in range(4)
                                             for i in range(3)])
        for level in range(4):
            for i in range(3):
                self.succeed("decode", texture, "-o", self.path("one.png"), "--level", level,
                             "--slice", i)
                self.assertEqual(read_bytes(self.path("out", f"array_L{level}_{i:03}.png")),
                                 read_bytes(self.path("one.png")))

    def test_one_slice_is_told_once(self):
        text = self.succeed("decode", self.texture, "-o", self.path("out.png"), "--all-slices").text
        self.assertTrue(text.startswith(self.path("out_000.png") + ": 33x17, "), text)

    def test_every_number_of_threads_gives_the_same_file(self):
        files = {self.decode("out.png", "--threads", threads) for threads in (1, 2, 7)}
        self.assertEqual(len(files), 1)

    def test_the_line_and_quiet(self):
        text = self.succeed("decode", self.texture, "-o", self.path("out.png")).text
        self.assertIn("33x17", text)
        outcome = self.succeed("decode", self.texture, "-o", self.path("out.png"), "--quiet")
        self.assertEqual((outcome.stdout, outcome.stderr), (b"", ""))

    def test_json(self):
        result = self.succeed(
            "decode", self.texture, "-o", self.path("out.png"), "--json", "--level", 1).result
        expected = {"input": self.texture, "output": self.path("out.png"), "width": 16, "height": 8,
                    "level": 1, "format": "bc1", "block": "4x4",
                    "bytes": os.path.getsize(self.path("out.png"))}
        self.assertEqual({key: result[key] for key in expected}, expected)

    def test_streams(self):
        data = read_bytes(self.texture)
        for arguments, reader in ((("--as", "ppm"), read_ppm), (("--as", "tga"), read_tga),
                                  ((), read_png)):
            with self.subTest(arguments):
                outcome = self.succeed("decode", "-", "-o", "-", *arguments, stdin=data)
                self.assert_same(reader(outcome.stdout))
                self.assertEqual(outcome.stderr, "")

    def test_folders(self):
        other = self.write("other.dds", dds(4, 4, OPAQUE_BLOCKS[:8]))
        self.succeed("decode", self.texture, other, "-o", self.path("out"), "--as", "tga")
        self.assertEqual(self.files("out"), ["in.tga", "other.tga"])
        self.assert_same(read_tga(read_bytes(self.path("out", "in.tga"))))
        self.succeed("decode", self.texture, other, "-o", self.path("out2"), "--as", ".tga")
        self.assertEqual(self.files("out2"), ["in.tga", "other.tga"])


class HandMade(CliTest):
    """Textures that our encoder would not make."""

    def decode(self, data):
        texture = self.write("in.dds", data)
        self.succeed("decode", texture, "-o", self.path("out.png"))
        return read_png(read_bytes(self.path("out.png")))

    def test_every_kind_of_block(self):
        for width, height in ((12, 4), (11, 3), (9, 1)):
            with self.subTest(f"{width}x{height}"):
                expected = decode_bc1(OPAQUE_BLOCKS, width, height)
                self.assertEqual(self.decode(dds(width, height, OPAQUE_BLOCKS)).rgba(), expected.rgba())

    def test_transparent_texels(self):
        block = struct.pack("<HHI", 100, 60000, 0b11_00_11_01 << 12)
        picture = self.decode(dds(4, 4, block))
        self.assertEqual(picture.channels, 4)
        self.assertEqual(picture.pixels, decode_bc1(block, 4, 4).pixels)

    def test_random_blocks(self):
        blocks = bytes((i * i * 31 + i * 17 + 5) % 251 for i in range(level_bytes(64, 64)))
        self.assertEqual(self.decode(dds(64, 64, blocks)).rgba(), decode_bc1(blocks, 64, 64).rgba())

    def test_dx10_headers(self):
        for dxgi_format in (70, 71, 72):
            with self.subTest(dxgi_format):
                picture = self.decode(dds(4, 4, OPAQUE_BLOCKS[:8], dxgi_format=dxgi_format))
                self.assertEqual(picture.rgba(), decode_bc1(OPAQUE_BLOCKS[:8], 4, 4).rgba())

    def test_a_level_count_of_zero_means_one(self):
        self.decode(dds(4, 4, OPAQUE_BLOCKS[:8], levels=0))

    def test_a_partial_chain_of_levels(self):
        blocks = OPAQUE_BLOCKS[:8] * 5
        self.decode(dds(8, 8, blocks, levels=2))
        self.succeed("decode", self.path("in.dds"), "-o", self.path("out.png"), "--level", 1)
        self.assertEqual(read_png(read_bytes(self.path("out.png"))).width, 4)


class Refused(CliTest):
    def setUp(self):
        super().setUp()
        self.texture = self.write("in.dds", dds(8, 8, OPAQUE_BLOCKS[:8] * 5, levels=2))
        self.output = self.path("out.png")

    def check(self, code, texture, *options, words=(), output=None):
        before = self.files()
        self.refuse(code, "decode", texture, "-o", output or self.output, *options, words=words)
        self.assertEqual(self.files(), before)

    def test_a_level_that_is_not_there(self):
        for level in (2, 3, 31, 32, 4294967295):
            with self.subTest(level):
                self.check(USAGE, self.texture, "--level", level, words=(self.texture, str(level)))

    def test_levels_that_are_no_number(self):
        for level in ("-1", "x", "4294967296"):
            with self.subTest(level):
                self.check(USAGE, self.texture, f"--level={level}", words=("--level",))

    def test_all_levels_and_something_else(self):
        texture = self.write("a.dds", dds(4, 4, OPAQUE_BLOCKS[:8]))
        self.refuse(USAGE, "decode", texture, "-o", self.path("x.png"), "--all-levels", "--level",
                    "0", words=("--level",))
        self.refuse(USAGE, "decode", texture, "-o", "-", "--all-levels",
                    words=("standard output",))

    def test_pictures_beside_textures_are_kept(self):
        """They may be what the textures were made of."""
        picture = png(gradient(8, 8))
        os.mkdir(self.path("both"))
        self.write("both/a.png", picture)
        self.succeed("encode", self.path("both/a.png"), "-o", self.path("both/a.dds"))
        words = ("decode", self.path("both"), "-o", self.path("both"))
        for options in ((), ("--dry-run",)):
            self.refuse(USAGE, *words, *options, words=(self.path("both/a.png"), "--force"))
            self.assertEqual(read_bytes(self.path("both/a.png")), picture)
        # What a run has made may be made again.
        self.succeed(*words, "--as", "tga")
        self.write("both/a.dds", dds(4, 4, OPAQUE_BLOCKS[:8]))
        self.succeed(*words, "--as", "tga")
        self.assertEqual(read_tga(read_bytes(self.path("both/a.tga"))).width, 4)
        self.succeed("decode", self.path("both"), "-o", self.path("elsewhere"))
        self.succeed(*words, "--force")
        self.assertNotEqual(read_bytes(self.path("both/a.png")), picture)

    def test_pictures_beside_textures_are_kept_from_slices_and_levels(self):
        os.mkdir(self.path("both"))
        slices = [self.write(f"both/v_{i:03}.png", png(gradient(8, 8, seed=i))) for i in range(2)]
        texture = self.path("both", "v.ktx2")
        self.succeed("encode", *slices, "-o", texture, "--array", "--mips", "--block", "4x4")
        before = [read_bytes(name) for name in slices]
        words = ("decode", texture, "-o", self.path("both") + "/", "--all-slices")
        self.refuse(USAGE, *words, words=(slices[0], "--force"))
        self.assertEqual([read_bytes(name) for name in slices], before)
        # The second one alone, after a first one that could be written.
        os.rename(slices[0], self.path("v_000.png"))
        self.refuse(USAGE, *words, words=(slices[1], "--force"))
        self.assertEqual(self.files("both"), ["v.ktx2", "v_001.png"])
        # Files of levels have other names, and what a run has made may be made again.
        both = (*words, "--all-levels")
        for _ in range(2):
            self.succeed(*both)
        self.assertEqual(read_bytes(slices[1]), before[1])
        # A run with several files for each texture has not made the one of their common name.
        picture = self.write("both/v.png", before[0])
        self.succeed(*both)
        self.refuse(USAGE, "decode", texture, "-o", self.path("both") + "/", "--slice", "0", words=(picture, "--force"))
        self.succeed(*words, "--force")
        self.assertNotEqual(read_bytes(slices[1]), before[1])

    def test_slices_of_a_level_that_has_fewer(self):
        os.mkdir(self.path("both"))
        slices = [self.write(f"both/v_{i:03}.png", png(gradient(8, 8, seed=i))) for i in range(8)]
        texture = self.path("both", "v.ktx2")
        self.succeed("encode", *slices, "-o", texture, "--volume", "--mips", "--block", "4x4")
        words = ("decode", texture, "-o", self.path("both") + "/", "--all-slices", "--level", "1")
        for name in slices[:4]:
            self.refuse(USAGE, *words, words=(name, "--force"))
            os.remove(name)
        self.succeed(*words)
        self.assertEqual(read_bytes(slices[4]), png(gradient(8, 8, seed=4)))

    def test_levels_that_were_made_before_one_that_cannot_be(self):
        self.write("p.png", png(Picture(96, 96, 3, gradient(96, 1).pixels * 96)))
        os.mkdir(self.path("both"))
        texture = self.path("both", "t.ktx2")
        self.succeed("encode", self.path("p.png"), "-o", texture, "--mips", "--zstd", "--block", "4x4")
        data = bytearray(read_bytes(texture))
        (place,) = struct.unpack_from("<Q", data, 80 + 24)
        data[place:place + 4] = bytes(4)  # where Zstandard's own mark is
        self.write("both/t.ktx2", data)
        for _ in range(2):  # the second run replaces what the first one has made
            self.refuse(INVALID, "decode", texture, "-o", self.path("both") + "/", "--all-levels", words=(texture,))
            self.assertEqual(self.files("both"), ["t.ktx2", "t_L0.png"])

    def test_a_slice_that_is_not_in_all_levels(self):
        slices = [self.write(f"s{i}.png", png(gradient(8, 8, seed=i))) for i in range(8)]
        texture = self.path("v.ktx2")
        self.succeed("encode", *slices, "-o", texture, "--volume", "--mips", "--block", "4x4")
        self.refuse(USAGE, "decode", texture, "-o", self.path("d.png"), "--all-levels", "--slice", "5",
                    words=(texture, "4 slices in level 1", "slice 5"))
        self.assertFalse(os.path.exists(self.path("d_L0.png")))
        self.succeed("decode", texture, "-o", self.path("d.png"), "--all-levels", "--slice", "0")
        self.assertTrue(os.path.exists(self.path("d_L3.png")))

    def test_a_picture_is_no_texture(self):
        picture = self.write("picture.png", png(gradient(4, 4)))
        self.check(INVALID, picture, words=(picture,))

    def test_files_of_other_kinds(self):
        for data in (b"", b"D", b"DDS", b"hello, world", b"\0" * 1000, b"dds " + b"\0" * 200):
            with self.subTest(data[:10]):
                self.check(INVALID, self.write("odd.dds", data), words=("odd.dds",))

    def test_texts_are_neither(self):
        name = self.write("bad.ktx2", b"no texture, whatever its name says")
        for words in (("decode", name, "-o", self.path("x.png")), ("info", name)):
            self.refuse(INVALID, *words, words=("nor a texture (", ".ktx2"))

    def test_a_missing_file(self):
        self.check(IO, self.path("missing.dds"), words=("missing.dds",))

    def test_a_folder(self):
        os.mkdir(self.path("folder.dds"))
        self.check(IO, self.path("folder.dds"), words=("folder.dds",))

    def test_extensions_that_cannot_be_written(self):
        for name in ("out", "out.dds", "out.jpg", "out.bmp", "png"):
            with self.subTest(name):
                self.check(USAGE, self.texture, output=self.path(name), words=(name,))

    def test_a_type_that_cannot_be_written(self):
        for name in ("jpg", "bmp", "", "nonsense", ".png/x"):
            with self.subTest(name):
                outcome = run("decode", self.texture, "-o", "-", "--as", name)
                self.assertEqual((outcome.code, outcome.stdout), (USAGE, b""))
                self.assert_one_sentence(outcome)

    def test_a_missing_output_folder(self):
        self.check(IO, self.texture, output=self.path("no", "out.png"), words=("out.png",))

    def test_a_folder_with_a_name_like_a_file(self):
        os.mkdir(self.output)
        self.succeed("decode", self.texture, "-o", self.output)  # a folder is a folder
        self.assertEqual(self.files("out.png"), ["in.png"])

    def test_the_input_as_output(self):
        twin = self.write("twin.png", read_bytes(self.texture))
        self.check(USAGE, twin, output=twin, words=("twin.png",))
        self.assertEqual(read_bytes(twin), read_bytes(self.texture))

    def test_two_textures_for_one_picture(self):
        os.mkdir(self.path("other"))
        other = self.write("other/in.dds", read_bytes(self.texture))
        self.refuse(USAGE, "decode", self.texture, other, "-o", self.path("out"), words=("in.png",))

    def test_json_on_the_same_stream(self):
        outcome = run("decode", self.texture, "-o", "-", "--json")
        self.assertEqual((outcome.code, outcome.stdout), (USAGE, b""))
        self.assert_one_sentence(outcome, "--json")

    def test_a_full_device(self):
        self.check(IO, self.texture, output="/dev/full", words=("/dev/full",))

    def test_backends_that_are_not_there(self):
        self.check(UNSUPPORTED, self.texture, "--backend", "cuda")
        self.check(USAGE, self.texture, "--backend", "abacus", words=("abacus",))

    def test_colours_do_not_fit_a_pgm_file(self):
        for name in ("out.pgm", "OUT.PGM"):
            with self.subTest(name):
                self.check(USAGE, self.texture, output=self.path(name), words=(name,))

    def test_colours_do_not_fit_a_pgm_stream(self):
        outcome = run("decode", self.texture, "-o", "-", "--as", "pgm")
        self.assertEqual((outcome.code, outcome.stdout[:2]), (USAGE, b""))
        self.assert_one_sentence(outcome)

    def test_transparency_does_not_fit_a_ppm_file(self):
        block = struct.pack("<HHI", 100, 60000, 0xFFFFFFFF)
        outcome = run("decode", self.write("clear.dds", dds(4, 4, block)), "-o", self.path("out.ppm"))
        self.assertIn(outcome.code, (USAGE, INVALID, UNSUPPORTED))
        self.assert_one_sentence(outcome, "transparent")
        self.assertFalse(os.path.exists(self.path("out.ppm")))

    def test_a_bad_texture_among_good_ones(self):
        bad = self.write("bad.dds", read_bytes(self.texture)[:-1])
        good = self.write("good.dds", read_bytes(self.texture))
        outcome = run("decode", self.texture, bad, good, "-o", self.path("out"))
        self.assertEqual(outcome.code, INVALID)
        self.assert_one_sentence(outcome, bad)
        self.assertEqual(self.files("out"), ["good.png", "in.png"])

    def test_textures_of_other_formats(self):
        for code in (b"DXT3", b"DXT5", b"ATI2", b"\0\0\0\0"):
            with self.subTest(code):
                self.check(UNSUPPORTED, self.write("odd.dds", dds(4, 4, b"\0" * 16, code=code)),
                           words=("odd.dds",))
        for dxgi_format in (0, 28, 74, 77, 98, 0xFFFFFFFF):
            with self.subTest(dxgi_format):
                data = dds(4, 4, b"\0" * 16, dxgi_format=dxgi_format)
                self.check(UNSUPPORTED, self.write("odd.dds", data), words=("odd.dds",))

    def test_cube_maps_and_volumes(self):
        for keywords, code in (({"caps2": 0x200}, UNSUPPORTED), ({"depth": 4}, UNSUPPORTED),
                               ({"caps2": 0x200000}, INVALID)):
            with self.subTest(keywords):
                data = dds(4, 4, OPAQUE_BLOCKS[:8], **keywords)
                self.check(code, self.write("odd.dds", data), words=("odd.dds",))


if __name__ == "__main__":
    cli_support.main()
