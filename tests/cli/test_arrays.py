"""Arrays and cube maps: several pictures, or one that is unfolded, into one texture, and back."""
import math
import os
import shutil
import struct
import subprocess
import unittest

import cli_support
from cli_support import INVALID, UNSUPPORTED, USAGE, read_bytes
from mpi_support import has_mpi, run_ranks
from pictures import Picture, flat, gradient, png, radiance, read_png
from slices_support import SlicesTest
from textures import decode_bc1, psnr

CONVERT = shutil.which("convert")


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def panorama(width, height):
    """Colours by the direction in which they are seen: +X is red, +Y green, +Z blue."""
    pixels = bytearray()
    for y in range(height):
        latitude = (0.5 - (y + 0.5) / height) * math.pi
        for x in range(width):
            longitude = ((x + 0.5) / width - 0.5) * 2 * math.pi
            direction = (math.sin(longitude) * math.cos(latitude), math.sin(latitude),
                         math.cos(longitude) * math.cos(latitude))
            pixels += bytes(round(127.5 + 120 * d) for d in direction)
    return Picture(width, height, 3, pixels)


class ArrayTest(SlicesTest):
    def pictures(self, count, width=16, height=16):
        faces = [gradient(width, height, seed=20 * i) for i in range(count)]
        return faces, [self.write(f"p{i}.png", png(face)) for i, face in enumerate(faces)]

    def assert_alike(self, pictures, decoded, least):
        self.assertEqual(len(pictures), len(decoded))
        for i, (a, b) in enumerate(zip(pictures, decoded)):
            self.assertGreater(psnr(a, b), least, f"slice {i}")


class Arrays(ArrayTest):
    def test_layers_keep_their_order(self):
        faces, names = self.pictures(3)
        names.reverse()  # layers have the numbers that the command line gives them
        faces.reverse()
        for name, format, least in (("a.ktx2", "astc", 30), ("a.ktx2", "bc1", 24), ("a.dds", "bc1", 24),
                                    ("a.ktx", "astc", 30)):
            with self.subTest(name + " " + format):
                out = self.path(name)
                result = self.succeed("encode", *names, "-o", out, "--array", "--format", format, "--json").result
                self.assertEqual((result["layers"], result["faces"]), (3, 1))
                info = self.succeed("info", out, "--json").json
                self.assertEqual((info["width"], info["layers"], info["faces"]), (16, 3, 1))
                self.assertIn("3 layers", self.succeed("info", out).text)
                self.assert_alike(faces, self.decoded_slices(out), least)
                one = self.path("one.png")
                self.succeed("decode", out, "-o", one, "--slice", "1", "--quiet")
                self.assertEqual(read_png(read_bytes(one)).pixels, self.decoded_slices(out)[1].pixels)

    def test_headers(self):
        _, names = self.pictures(3)
        self.succeed("encode", *names, "-o", self.path("a.ktx2"), "--array")
        ktx2 = read_bytes(self.path("a.ktx2"))
        self.assertEqual([u32(ktx2, at) for at in (20, 24, 28, 32, 36)], [16, 16, 0, 3, 1])
        self.succeed("encode", *names, "-o", self.path("a.dds"), "--array")
        dds = read_bytes(self.path("a.dds"))
        self.assertEqual(dds[84:88], b"DX10")
        self.assertEqual(u32(dds, 140), 3)

    def test_mip_levels_zstd_and_metrics_are_of_all_layers(self):
        faces, names = self.pictures(3, 32, 16)
        out = self.path("a.ktx2")
        result = self.succeed("encode", *names, "-o", out, "--array", "--mips", "--zstd", "--metrics",
                              "--format", "bc1", "--json").result
        self.assertEqual(result["levels"], 6)
        small = self.decoded_slices(out, "--level", "2")
        self.assertEqual([(p.width, p.height) for p in small], [(8, 4)] * 3)
        errors = []
        for a, b in zip(faces, self.decoded_slices(out)):
            errors += [(x - y) ** 2 for x, y in zip(a.rgb(), b.rgb())]
        expected = 10 * math.log10(255 * 255 / (sum(errors) / len(errors)))
        self.assertAlmostEqual(result["psnr_rgb"], expected, places=2)

    def test_threads_do_not_change_bytes_and_layers_are_those_of_pictures(self):
        _, names = self.pictures(2, 24, 24)
        made = []
        for threads in ("1", "3"):
            out = self.path(f"t{threads}.ktx2")
            self.succeed("encode", *names, "-o", out, "--array", "--mips", "--block", "4x4", "--threads", threads,
                         "--preset", "realtime")
            made.append(read_bytes(out))
        self.assertEqual(made[0], made[1])

    def test_ranks_make_the_same_file(self):
        if not has_mpi():
            self.skipTest("this build has no MPI")
        _, names = self.pictures(3, 48, 48)
        settings = ("--array", "--mips", "--preset", "fast", "--block", "6x6")
        self.succeed("encode", *names, "-o", self.path("here.ktx2"), *settings)
        outcome = run_ranks(2, "encode", *names, "-o", self.path("ranks.ktx2"), *settings, "--split-over", "0")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(read_bytes(self.path("here.ktx2")), read_bytes(self.path("ranks.ktx2")))

    def test_convert_keeps_layers(self):
        _, names = self.pictures(3)
        first = self.path("a.dds")
        self.succeed("encode", *names, "-o", first, "--array", "--mips")
        for step in ("b.ktx2", "c.ktx", "d.dds"):
            self.succeed("convert", first, "-o", self.path(step))
            first = self.path(step)
        self.assertEqual(read_bytes(self.path("a.dds")), read_bytes(self.path("d.dds")))
        self.succeed("transcode", self.path("b.ktx2"), "-o", self.path("e.ktx2"), "--format", "astc")
        self.assertEqual(self.succeed("info", self.path("e.ktx2"), "--json").json["layers"], 3)

    def test_what_cannot_be_is_refused(self):
        _, names = self.pictures(3)
        other = self.write("other.png", png(gradient(16, 12)))
        alpha = self.write("alpha.png", png(gradient(16, 16, 4)))
        out = self.path("x.ktx2")
        self.refuse(INVALID, "encode", names[0], other, "-o", out, "--array", words=("16x16", "16x12", "other.png"))
        self.refuse(INVALID, "encode", names[0], alpha, "-o", out, "--array", words=("channels", "alpha.png"))
        self.refuse(USAGE, "encode", names[0], "-o", out, "--array", words=("two layers",))
        self.refuse(USAGE, "encode", *names, "-o", out, "--array", "--volume", words=("exclude",))
        self.refuse(USAGE, "encode", *names, "-o", out, "--array", "--block", "4x4x4", words=("volumes",))
        self.refuse(USAGE, "encode", *names, "-o", self.path("") + "/", "--array", "--format", "bc1",
                    words=("one file",))
        self.refuse(UNSUPPORTED, "encode", *names, "-o", self.path("x.astc"), "--array", words=("arrays",))
        self.refuse(UNSUPPORTED, "encode", *names, "-o", self.path("x.tsf"), "--array", words=("arrays",))
        self.succeed("encode", *names, "-o", out, "--array")
        self.refuse(UNSUPPORTED, "convert", out, "-o", self.path("x.astc"), words=("no arrays",))
        self.refuse(USAGE, "transcode", out, "-o", self.path("y.ktx2"), "--array", words=("--array",))
        self.refuse(USAGE, "decode", out, "-o", self.path("y.png"), words=("3 slices", "--slice"))
        self.refuse(USAGE, "decode", out, "-o", self.path("y.png"), "--slice", "3", words=("no slice 3",))


class Cubes(ArrayTest):
    def test_six_files_are_a_cube_map(self):
        faces, names = self.pictures(6)
        for name, format in (("c.ktx2", "astc"), ("c.ktx2", "bc1"), ("c.dds", "bc1"), ("c.ktx", "bc1")):
            with self.subTest(name + " " + format):
                out = self.path(name)
                result = self.succeed("encode", *names, "-o", out, "--cube", "--mips", "--format", format,
                                      "--metrics", "--json").result
                self.assertEqual((result["layers"], result["faces"], result["levels"]), (6, 6, 5))
                info = self.succeed("info", out, "--json").json
                self.assertEqual((info["layers"], info["faces"]), (6, 6))
                self.assertIn("cube map", self.succeed("info", out).text)
                self.assert_alike(faces, self.decoded_slices(out), 24)
                if not name.endswith(".ktx"):
                    self.succeed("validate", out)

    def test_twelve_files_are_two(self):
        faces, names = self.pictures(12)
        for name in ("c.ktx2", "c.dds", "c.ktx"):
            out = self.path(name)
            self.succeed("encode", *names, "-o", out, "--cube", "--format", "bc1", "--mips")
            info = self.succeed("info", out, "--json").json
            self.assertEqual((info["layers"], info["faces"]), (12, 6))
            self.assertIn("2 cube maps", self.succeed("info", out).text)
            self.assert_alike(faces, self.decoded_slices(out), 24)

    def test_headers(self):
        _, names = self.pictures(6)
        self.succeed("encode", *names, "-o", self.path("c.ktx2"), "--cube")
        ktx2 = read_bytes(self.path("c.ktx2"))
        self.assertEqual([u32(ktx2, at) for at in (32, 36)], [0, 6])
        self.succeed("encode", *names, "-o", self.path("c.dds"), "--cube", "--mips")
        dds = read_bytes(self.path("c.dds"))
        self.assertEqual(dds[84:88], b"DXT1")
        self.assertEqual((u32(dds, 108), u32(dds, 112)), (0x401008, 0xFE00))
        self.succeed("encode", *names, "-o", self.path("x.dds"), "--cube", "--dx10")
        dx10 = read_bytes(self.path("x.dds"))
        self.assertEqual((u32(dx10, 136), u32(dx10, 140)), (4, 1))

    @unittest.skipUnless(CONVERT, "no ImageMagick")
    def test_imagemagick_reads_the_first_face(self):
        faces, names = self.pictures(6)
        out = self.path("c.dds")
        self.succeed("encode", *names, "-o", out, "--cube", "--mips")
        raw = subprocess.run([CONVERT, out + "[0]", "-depth", "8", "rgb:-"], capture_output=True, check=True).stdout
        # Rounding of the two colours between the stored ones is the reader's affair.
        expected = decode_bc1(read_bytes(out)[128:128 + 128], 16, 16).rgb()
        self.assertLessEqual(max(abs(a - b) for a, b in zip(raw, expected)), 1)

    def test_crosses(self):
        faces, names = self.pictures(6, 8, 8)
        self.succeed("encode", *names, "-o", self.path("six.ktx2"), "--cube", "--format", "bc1", "--mips")
        layouts = {"across": [[9, 2, 9, 9], [1, 4, 0, 5], [9, 3, 9, 9]],
                   "down": [[9, 2, 9], [1, 4, 0], [9, 3, 9], [9, 5, 9]]}
        for name, rows in layouts.items():
            with self.subTest(name):
                pixels = bytearray()
                for row in rows:
                    for y in range(8):
                        for face in row:
                            if face == 9:
                                pixels += bytes(24)
                            elif face == 5 and name == "down":
                                turned = faces[face].row(7 - y)
                                pixels += b"".join(turned[3 * x:3 * x + 3] for x in reversed(range(8)))
                            else:
                                pixels += faces[face].row(y)
                cross = self.write("cross.png", png(Picture(8 * len(rows[0]), 8 * len(rows), 3, pixels)))
                out = self.path(name + ".ktx2")
                self.succeed("encode", cross, "-o", out, "--cube", "--format", "bc1", "--mips")
                self.assertEqual(read_bytes(out), read_bytes(self.path("six.ktx2")))

    def test_a_panorama(self):
        picture = self.write("sky.png", png(panorama(64, 32)))
        out = self.path("sky.ktx2")
        self.succeed("encode", picture, "-o", out, "--cube", "--block", "4x4", "--mips")
        faces = self.decoded_slices(out)
        self.assertEqual([(f.width, f.height) for f in faces], [(16, 16)] * 6)
        for face, color in zip(faces, ((248, 128, 128), (8, 128, 128), (128, 248, 128),
                                       (128, 8, 128), (128, 128, 248), (128, 128, 8))):
            middle = face.rgb()[3 * (8 * 16 + 8):][:3]
            self.assertLess(max(abs(a - b) for a, b in zip(middle, color)), 14, (middle, color))
        self.succeed("encode", picture, "-o", out, "--cube", "--cube-size", "10")
        self.assertEqual(self.succeed("info", out, "--json").json["width"], 10)

    def test_a_panorama_of_high_dynamic_range(self):
        sky = self.write("sky.hdr", radiance(64, 32, lambda x, y: (200, 100, 50, 136 if y < 16 else 129)))
        out = self.path("sky.ktx2")
        result = self.succeed("encode", sky, "-o", out, "--cube", "--profile", "hdr", "--mips", "--metrics",
                              "--json").result
        self.assertEqual((result["layers"], result["faces"], result["profile"]), (6, 6, "hdr"))
        self.assertGreater(result["mpsnr"], 30)

    def test_a_folder_of_skies_by_rule(self):
        os.mkdir(self.path("in"))
        self.write("in/sky.png", png(panorama(32, 16)))
        self.write("in/wall.png", png(gradient(16, 16)))
        self.write("in/tessera.json", b'{"rules": [{"files": "sky*", "cube": true}]}')
        self.succeed("encode", self.path("in"), "-o", self.path("out"), "--container", "ktx2", "--block", "4x4")
        self.assertEqual(self.succeed("info", self.path("out/sky.ktx2"), "--json").json["faces"], 6)
        self.assertEqual(self.succeed("info", self.path("out/wall.ktx2"), "--json").json["faces"], 1)

    def test_what_cannot_be_is_refused(self):
        _, names = self.pictures(6)
        wide = self.write("wide.png", png(flat(30, 10, (1, 2, 3))))
        out = self.path("x.ktx2")
        self.refuse(USAGE, "encode", *names[:5], "-o", out, "--cube", words=("six square faces", "5 of 16x16"))
        self.refuse(USAGE, "encode", names[0], "-o", out, "--cube", words=("six square faces",))
        self.refuse(INVALID, "encode", wide, "-o", out, "--cube", words=("4:3", "30x10"))
        self.refuse(USAGE, "encode", *names, "-o", out, "--cube-size", "8", words=("--cube-size needs --cube",))
        self.refuse(UNSUPPORTED, "encode", *names, "-o", self.path("x.astc"), "--cube", words=("cube maps",))
        self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    cli_support.main()
