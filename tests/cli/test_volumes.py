"""Volumes: slices, pixels without a header and .ktx2 files into 3D blocks, and back."""
import os
import shutil
import struct
import subprocess
import unittest

import cli_support
from cli_support import INVALID, USAGE, read_bytes
from mpi_support import has_mpi, run_ranks
from pictures import Picture, png
from slices_support import SlicesTest, ktx2_of_pixels

ASTCENC = shutil.which("astcenc")
BLOCKS = ("3x3x3", "4x3x3", "4x4x3", "4x4x4", "5x4x4", "5x5x4", "5x5x5", "6x5x5", "6x6x5", "6x6x6")
VULKAN_UNORM = {block: 1000288000 + 3 * i for i, block in enumerate(BLOCKS)}


def volume(width, height, depth, channels=3):
    """Slices of soft colours with a hard ball in the middle."""
    slices = []
    for z in range(depth):
        pixels = bytearray()
        for y in range(height):
            for x in range(width):
                inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 + (z - depth / 2) ** 2 < width * width / 12
                color = (230, 40 + 5 * z, 20, 255) if inside else (6 * x + z, 250 - 7 * y, 30 + 9 * z, 255 - 5 * x)
                pixels += bytes(c % 256 for c in color[:channels])
        slices.append(Picture(width, height, channels, pixels))
    return slices


def raw(slices):
    return b"".join(s.pixels for s in slices)


def plain_ktx2(slices, number, width, height, depth):
    return ktx2_of_pixels(raw(slices), number, 1, width, height, depth)


def squared_error(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) / len(a)


class VolumeTest(SlicesTest):
    def write_slices(self, slices, name="slice_{}.png"):
        return [self.write(name.format(i), png(s)) for i, s in enumerate(slices)]


class Volumes(VolumeTest):
    def test_slices_become_a_volume_of_every_block_size(self):
        slices = volume(13, 11, 10)
        names = self.write_slices(slices)
        for block in BLOCKS:
            with self.subTest(block):
                out = self.path("v.astc")
                result = self.succeed("encode", *names, "-o", out, "--block", block, "--preset", "fast", "--json")
                self.assertEqual(result.result["depth"], 10)
                self.assertEqual(result.result["block"], block)
                info = self.succeed("info", out, "--json").json
                self.assertEqual((info["width"], info["height"], info["depth"]), (13, 11, 10))
                pictures = self.decoded_slices(out)
                self.assertEqual(len(pictures), 10)
                error = squared_error(raw(slices), b"".join(p.rgb() for p in pictures))
                self.assertLess(error, 900)

    def test_slices_come_in_the_order_of_their_numbers(self):
        slices = volume(8, 8, 12)
        names = self.write_slices(slices)  # slice_10.png comes before slice_2.png by letters
        self.succeed("encode", *names, "-o", self.path("a.astc"), "--block", "4x4x4")
        self.succeed("encode", *sorted(names), "-o", self.path("b.astc"), "--block", "4x4x4")
        self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("b.astc")))
        os.mkdir(self.path("folder"))
        for name in names:
            shutil.copy(name, self.path("folder"))
        self.succeed("encode", self.path("folder"), "-o", self.path("c.astc"), "--block", "4x4x4")
        self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("c.astc")))

    def test_raw_pixels_and_ktx2_give_the_bytes_of_slices(self):
        slices = volume(9, 10, 11)
        names = self.write_slices(slices)
        options = ("--block", "5x5x4", "--preset", "fast")
        self.succeed("encode", *names, "-o", self.path("a.astc"), *options)
        source = self.write("v.raw", raw(slices))
        self.succeed("encode", source, "--size", "9x10x11", "--channels", "3", "-o", self.path("b.astc"), *options)
        self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("b.astc")))
        for number in (23, 29):
            source = self.write("v.ktx2", plain_ktx2(slices, number, 9, 10, 11))
            self.succeed("encode", source, "-o", self.path("c.astc"), *options)
            self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("c.astc")))
        self.succeed("compare", source, self.path("c.astc"), "--threshold", "20")

    def test_ktx2_files_of_other_channels(self):
        for channels, number in ((1, 9), (2, 16), (4, 37)):
            with self.subTest(channels):
                slices = volume(6, 6, 6, channels)
                source = self.write("v.ktx2", plain_ktx2(slices, number, 6, 6, 6))
                self.succeed("encode", source, "-o", self.path("out.astc"), "--block", "3x3x3")
                first = self.decoded_slices(self.path("out.astc"))[0].rgba()
                given = slices[0].pixels
                want = {1: lambda i: (given[i],) * 3, 2: lambda i: (given[2 * i], given[2 * i + 1], 0),
                        4: lambda i: tuple(given[4 * i:4 * i + 3])}[channels]
                flat = bytes(c for i in range(36) for c in want(i))
                colors = bytes(c for i in range(36) for c in first[4 * i:4 * i + 3])
                self.assertLess(squared_error(flat, colors), 900)

    def test_pixels_without_a_header_are_colours_or_numbers(self):
        for size, channels, srgb in (("8x8", 3, True), ("8x8", 4, True), ("8x8", 1, False), ("8x8x4", 1, False),
                                     ("8x8x4", 3, False)):
            depth = 4 if size.count("x") == 2 else 1
            source = self.write("v.raw", raw(volume(8, 8, depth, channels)))
            block = "4x4x4" if depth > 1 else "4x4"
            self.succeed("encode", source, "--size", size, "--channels", channels, "-o", self.path("v.ktx2"),
                         "--format", "astc", "--block", block)
            info = self.succeed("info", self.path("v.ktx2"), "--json").json
            self.assertEqual(info["srgb"], srgb, (size, channels))
        self.succeed("encode", source, "--size", size, "--channels", channels, "-o", self.path("v.ktx2"),
                     "--format", "astc", "--block", block, "--as", "color")
        self.assertTrue(self.succeed("info", self.path("v.ktx2"), "--json").json["srgb"])

    def test_ktx2_files_with_blue_first(self):
        for channels, number in ((3, 30), (3, 36), (4, 44), (4, 50)):
            (one,) = volume(8, 8, 1, channels)
            swapped = bytearray(one.pixels)
            swapped[0::channels], swapped[2::channels] = one.pixels[2::channels], one.pixels[0::channels]
            source = self.write("p.ktx2", plain_ktx2([Picture(8, 8, channels, swapped)], number, 8, 8, 0))
            self.assertEqual(self.succeed("info", source, "--json").json["channels"], channels)
            compared = self.succeed("compare", self.write("p.png", png(one)), source, "--json").json
            self.assertTrue(compared["identical"], number)

    def test_smaller_levels_of_ktx2_pixels_are_told(self):
        (one,) = volume(8, 8, 1)
        file = bytearray(plain_ktx2([one], 23, 8, 8, 0))
        plain = self.write("plain.ktx2", file)
        self.assertEqual(self.succeed("encode", plain, "-o", self.path("a.astc")).stderr, "")
        # A level of 4x4 behind the first one; the index has 24 more bytes then.
        shift = 24
        file[40:44] = struct.pack("<I", 2)
        for at, kind in ((48, "<I"), (80, "<Q")):
            (offset,) = struct.unpack_from(kind, file, at)
            struct.pack_into(kind, file, at, offset + shift)
        end = len(file) + shift
        file[104:104] = struct.pack("<3Q", end, 48, 48)
        leveled = self.write("levels.ktx2", bytes(file) + bytes(48))
        outcome = self.succeed("encode", leveled, "-o", self.path("b.astc"))
        self.assertIn("levels.ktx2 has smaller mip levels, which are not read", outcome.stderr)
        self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("b.astc")))

    def test_all_notes_of_a_picture_are_told(self):
        pixels = bytes(c for i in range(64) for c in (i, 9, 9, 4 * i))
        file = bytearray(plain_ktx2([Picture(8, 8, 4, pixels)], 37, 8, 8, 0))
        shift = 24
        file[40:44] = struct.pack("<I", 2)
        for at, kind in ((48, "<I"), (80, "<Q")):
            (offset,) = struct.unpack_from(kind, file, at)
            struct.pack_into(kind, file, at, offset + shift)
        file[104:104] = struct.pack("<3Q", len(file) + shift, 64, 64)
        leveled = self.write("levels.ktx2", bytes(file) + bytes(64))
        told = self.succeed("encode", leveled, "-o", self.path("b.dds")).stderr.splitlines()
        self.assertEqual(len(told), 2)
        self.assertIn("smaller mip levels", told[0])
        self.assertIn("dropped its alpha", told[1])

    def test_targets_choose_blocks_of_3d(self):
        slices = volume(16, 16, 12)
        source = self.write("v.ktx2", plain_ktx2(slices, 23, 16, 16, 12))
        result = self.succeed("encode", source, "-o", self.path("v.astc"), "--target-psnr", 24, "--metrics",
                              "--json").result
        self.assertIn(result["block"], BLOCKS)
        self.assertGreaterEqual(result["psnr_rgb"], 24)
        advice = self.succeed("advise", source, "--json").json
        self.assertEqual(sorted(one["block"] for one in advice["sizes"]), sorted(BLOCKS))
        self.assertEqual(advice["depth"], 12)

    def test_samples_of_sixteen_bits(self):
        slices = volume(8, 8, 8, 1)
        wide = b"".join(struct.pack("<H", 257 * v) for v in raw(slices))
        options = ("--size", "8x8x8", "--channels", "1", "--block", "4x4x4")
        self.succeed("encode", self.write("a.raw", raw(slices)), "-o", self.path("a.astc"), *options)
        self.succeed("encode", self.write("b.raw", wide), "-o", self.path("b.astc"), "--samples", "16-bit", *options)
        self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("b.astc")))

    def test_light(self):
        """Volumes of floats, from pixels without a header and from .ktx2 files of every kind of samples."""
        side = 12
        light = [0.01 + 30 / (1 + (x - 4) ** 2 + (y - 6) ** 2 + (z - 7) ** 2) * (0.5 + 0.2 * c)
                 for z in range(side) for y in range(side) for x in range(side) for c in range(4)]
        sizes = ("--size", f"{side}x{side}x{side}", "--channels", "4", "--samples")
        files = {}
        for name, code, number, size in (("half", "e", 97, 2), ("float", "f", 109, 4)):
            pixels = struct.pack(f"<{len(light)}{code}", *light)
            source = self.write("v.raw", pixels)
            texture = self.write("v.ktx2", ktx2_of_pixels(pixels, number, size, side, side, side))
            for block in BLOCKS:
                for profile in ("hdr", "hdra"):
                    options = ("--block", block, "--profile", profile, "--preset", "fast")
                    self.succeed("encode", source, *sizes, name, "-o", self.path("a.astc"), *options)
                    told = self.succeed("encode", texture, "-o", self.path("b.astc"), *options, "--metrics", "--json")
                    self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("b.astc")))
                    self.assertGreater(told.result["mpsnr"], 20, (block, profile))
                    self.assertEqual(files.setdefault((block, profile), read_bytes(self.path("a.astc"))),
                                     read_bytes(self.path("a.astc")), "half floats hold all that is encoded")
        wide = struct.pack(f"<{len(light)}H", *(int(v * 1000) for v in light))
        self.succeed("encode", self.write("w.raw", wide), *sizes, "16-bit", "-o", self.path("a.astc"), "--block", "4x4x4")
        texture = self.write("w.ktx2", ktx2_of_pixels(wide, 91, 2, side, side, side))
        self.succeed("encode", texture, "-o", self.path("b.astc"), "--block", "4x4x4")
        self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("b.astc")))
        self.refuse(INVALID, "encode", self.write("x.ktx2", ktx2_of_pixels(wide, 91, 1, side, side, side)), "-o",
                    self.path("c.astc"), "--block", "4x4x4", words=("typeSize", "2"))

    @unittest.skipUnless(ASTCENC, "astcenc is not installed")
    def test_astcenc_decodes_light_to_our_values(self):
        side = 9
        light = [2.0 ** ((5 * x + 3 * y + 7 * z + c) % 24 - 12) for z in range(side) for y in range(side)
                 for x in range(side) for c in range(3)]
        source = self.write("v.raw", struct.pack(f"<{len(light)}f", *light))
        for block in ("3x3x3", "4x4x3", "5x5x5", "6x6x6"):
            self.succeed("encode", source, "--size", "9x9x9", "--channels", "3", "--samples", "float", "-o",
                         self.path("v.astc"), "--block", block, "--profile", "hdr", "--preset", "medium")
            subprocess.run([ASTCENC, "-dh", self.path("v.astc"), self.path("theirs.exr"), "-silent"], check=True,
                           timeout=60)
            self.succeed("decode", self.path("v.astc"), "-o", self.path("ours.exr"), "--slice", "0", "--profile",
                         "hdr")
            result = self.succeed("compare", self.path("theirs.exr"), self.path("ours.exr"), "--json").json
            self.assertEqual(result["max_error"], 0, block)

    def test_ktx2_says_what_its_blocks_are(self):
        names = self.write_slices(volume(12, 12, 7))
        for block in ("3x3x3", "6x6x6"):
            for profile, step in (("ldr", 0), ("srgb", 1)):
                out = self.path("v.ktx2")
                self.succeed("encode", *names, "-o", out, "--block", block, "--profile", profile, "--preset", "realtime")
                header = struct.unpack_from("<9I", read_bytes(out), 12)
                self.assertEqual(header[0], VULKAN_UNORM[block] + step)
                self.assertEqual(header[2:5], (12, 12, 7))
                self.succeed("validate", out)
                self.assertEqual(len(self.decoded_slices(out)), 7)

    def test_dds(self):
        """Volumes of BC1: slices of 4x4 blocks one behind the other."""
        slices = volume(20, 12, 5)
        names = self.write_slices(slices)
        for options, header in ((("--profile", "srgb"), 148), ((), 128)):
            dds, ktx2 = self.path("v.dds"), self.path("v.ktx2")
            self.succeed("encode", *names, "-o", dds, "--volume", "--mips", *options)
            data = read_bytes(dds)
            self.assertEqual(len(data), header + 8 * (15 * 5 + 6 * 2 + 2 + 1 + 1))
            self.assertEqual(struct.unpack_from("<I", data, 24)[0], 5)
            info = self.succeed("info", dds, "--json").json
            self.assertEqual((info["depth"], info["layers"], info["levels"]), (5, 1, 5))
            self.succeed("validate", dds)
            for ours, found in zip(slices, self.decoded_slices(dds)):
                self.assertLess(squared_error(ours.rgb(), found.rgb()), 150)
            self.succeed("convert", dds, "-o", ktx2)
            self.succeed("convert", ktx2, "-o", self.path("again.dds"))
            self.assertEqual(read_bytes(self.path("again.dds")), data)

    def test_files_of_slices_are_told(self):
        names = self.write_slices(volume(6, 6, 4))
        self.succeed("encode", *names, "-o", self.path("v.astc"), "--block", "3x3x3")
        words = ("decode", self.path("v.astc"), "-o", self.path("d.png"), "--all-slices")
        result = self.succeed(*words, "--json").result
        wanted = [self.path(f"d_{i:03}.png") for i in range(4)]
        self.assertEqual(result["outputs"], wanted)
        self.assertEqual(result["output"], wanted[0])
        self.assertEqual(result["bytes"], sum(os.path.getsize(name) for name in wanted))
        self.assertIn(f"{wanted[0]} to {wanted[3]}: 6x6, ", self.succeed(*words).text)

    def test_mip_levels_halve_the_depth(self):
        names = self.write_slices(volume(16, 12, 9))
        out = self.path("v.ktx2")
        self.succeed("encode", *names, "-o", out, "--block", "4x4x4", "--mips", "--preset", "realtime")
        self.succeed("validate", out)
        self.assertEqual(self.succeed("info", out, "--json").json["levels"], 5)
        self.assertEqual(len(self.decoded_slices(out, "--level", "1")), 4)

    def test_threads_and_presets(self):
        names = self.write_slices(volume(31, 29, 27))
        for preset in ("realtime", "fast", "medium"):
            outputs = set()
            for threads in (1, 2, 7):
                out = self.path(f"{threads}.astc")
                self.succeed("encode", *names, "-o", out, "--block", "4x4x4", "--preset", preset, "--threads", threads)
                outputs.add(read_bytes(out))
            self.assertEqual(len(outputs), 1, preset)
        small = self.write_slices(volume(7, 6, 6), "small_{}.png")
        for preset in ("thorough", "exhaustive"):
            self.succeed("encode", *small, "-o", self.path("s.astc"), "--block", "6x6x6", "--preset", preset)

    def test_ranks_write_the_same_bytes(self):
        if not has_mpi():
            self.skipTest("this build has no MPI")
        names = self.write_slices(volume(21, 20, 19))
        for block in ("4x4x4", "6x6x5", "6x6"):
            options = ("--volume", "--block", block, "--preset", "fast")
            self.succeed("encode", *names, "-o", self.path("one.astc"), *options)
            outcome = run_ranks(3, "encode", *names, "-o", self.path("ranks.astc"), *options, "--split-over", "1",
                                "--unit-rows", "1")
            self.assertEqual(outcome.code, 0, str(outcome))
            self.assertEqual(read_bytes(self.path("one.astc")), read_bytes(self.path("ranks.astc")), block)

    @unittest.skipUnless(ASTCENC, "astcenc is not installed")
    def test_astcenc_decodes_to_our_values(self):
        names = self.write_slices(volume(13, 11, 9, 4))
        for block in BLOCKS:
            for way, profile in (("-dl", "ldr"), ("-ds", "srgb")):
                out = self.path("v.astc")
                self.succeed("encode", *names, "-o", out, "--block", block, "--profile", profile, "--preset", "fast")
                ours = self.decoded_slices(out, "--profile", profile)
                # A .ktx file holds all slices: RGBA behind a header of 64 bytes, texts, and a length.
                subprocess.run([ASTCENC, way, out, self.path("theirs.ktx"), "-silent"], check=True, timeout=60)
                theirs = read_bytes(self.path("theirs.ktx"))
                theirs = theirs[64 + struct.unpack_from("<I", theirs, 60)[0] + 4:]
                self.assertEqual(theirs, b"".join(p.rgba() for p in ours), f"{block} {profile}")


class Refused(VolumeTest):
    def test_slices_of_different_sizes(self):
        names = [self.write("s0.png", png(volume(8, 8, 1)[0])), self.write("s1.png", png(volume(8, 7, 1)[0]))]
        out = self.path("v.astc")
        self.refuse(INVALID, "encode", *names, "-o", out, "--block", "4x4x4", words=("8x8", "8x7"))
        self.assertFalse(os.path.exists(out))

    def test_a_3d_block_for_a_picture(self):
        name = self.write("a.png", png(volume(8, 8, 1)[0]))
        self.refuse(USAGE, "encode", name, "-o", self.path("v.astc"), "--block", "4x4x4", words=("4x4x4", "volume"))

    def test_raw_files_of_the_wrong_length(self):
        for length in (0, 383, 385, 4000):
            name = self.write("v.raw", bytes(length))
            self.refuse(INVALID, "encode", name, "--size", "4x4x8", "--channels", "3", "-o", self.path("v.astc"),
                        "--block", "4x4x4", words=("384", str(length)))

    def test_sizes_that_are_none(self):
        name = self.write("v.raw", bytes(64))
        for size in ("4", "4x", "0x4x4", "4x4x4x4", "4x4x", "axb", "-4x4x4", "99999999999x1x1"):
            self.refuse(USAGE, "encode", name, "--size", size, "-o", self.path("v.astc"), "--block", "4x4x4",
                        words=("size",))
        self.refuse(USAGE, "encode", name, "--channels", "3", "-o", self.path("v.astc"), words=("--size",))

    def test_a_volume_needs_one_output(self):
        names = self.write_slices(volume(8, 8, 4))
        os.mkdir(self.path("out"))
        self.refuse(USAGE, "encode", *names, "-o", self.path("out"), "--block", "4x4x4", "--format", "astc",
                    "--volume", words=("folder",))

    def test_damaged_ktx2_files(self):
        whole = plain_ktx2(volume(6, 6, 6), 23, 6, 6, 6)
        for cut in (40, 90, 200, len(whole) - 1):
            self.refuse(INVALID, "encode", self.write("v.ktx2", whole[:cut]), "-o", self.path("v.astc"),
                        "--block", "3x3x3")
        deeper = bytearray(whole)
        struct.pack_into("<I", deeper, 28, 7)
        self.refuse(INVALID, "encode", self.write("v.ktx2", bytes(deeper)), "-o", self.path("v.astc"),
                    "--block", "3x3x3")

    def test_all_slices_do_not_fit_standard_output(self):
        names = self.write_slices(volume(6, 6, 6))
        self.succeed("encode", *names, "-o", self.path("v.astc"), "--block", "3x3x3")
        self.refuse(USAGE, "decode", self.path("v.astc"), "-o", "-", "--all-slices", words=("standard output",))


if __name__ == "__main__":
    cli_support.main()
