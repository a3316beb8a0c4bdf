"""Damaged pictures end in a picture or in a sentence: no crash, no hang, no gigabytes."""
import os
import random
import struct

import cli_support
from cli_support import CliTest, INVALID, UNSUPPORTED, read_bytes, run, limiter
from pictures import bmp, flat, gradient, grey_jpeg, pgm, png, png_chunk, ppm, tga
from textures import Dds

PICTURE = gradient(13, 9)
FILES = {
    "png": png(PICTURE),
    "ppm": ppm(PICTURE),
    "pgm": pgm(gradient(13, 9, 1)),
    "tga": tga(PICTURE),
    "bmp": bmp(PICTURE),
    "jpg": grey_jpeg([[10, 200], [90, 127]]),
}
# A flipped bit can turn these headers into those of valid files of a kind that is not served.
OTHER_KINDS = {"tga", "bmp", "jpg"}
MEMORY = 1_500_000_000  # bytes of address space


class Damaged(CliTest):
    def encode(self, name, data):
        """Runs encode on the data; the output must be there exactly when the code is 0."""
        source = self.write(name, data)
        output = self.path("out.dds")
        cli_support.write_bytes(output, b"old")
        outcome = run("encode", source, "-o", output, "--quiet",
                      limits=limiter(memory_bytes=MEMORY))
        if outcome.code == 0:
            Dds(read_bytes(output))
        else:
            self.assertEqual(read_bytes(output), b"old")
        os.unlink(source)
        self.assertEqual(self.files(), ["out.dds"])
        return outcome


class Truncated(Damaged):
    def check(self, kind):
        data = FILES[kind]
        lengths = sorted({*range(0, 30, 3), *range(30, len(data), max(1, len(data) // 30)),
                          len(data) - 1, len(data) - 2})
        for length in lengths:
            with self.subTest(kind=kind, length=length):
                outcome = self.encode(f"cut.{kind}", data[:length])
                self.assert_no_crash(outcome, (INVALID,), length)
                self.assertIn(f"cut.{kind}", outcome.stderr)

    def test_the_whole_files_are_good(self):
        for kind, data in FILES.items():
            with self.subTest(kind):
                self.assertEqual(self.encode(f"whole.{kind}", data).code, 0)

    def test_png(self):
        self.check("png")

    def test_ppm(self):
        self.check("ppm")

    def test_pgm(self):
        self.check("pgm")

    def test_tga(self):
        self.check("tga")

    def test_bmp(self):
        self.check("bmp")

    def test_jpeg(self):
        self.check("jpg")


class BitFlips(Damaged):
    def check(self, kind, count=50):
        data = FILES[kind]
        chance = random.Random(kind)  # the same bits every time
        header_bits = [8 * byte + chance.randrange(8) for byte in range(min(26, len(data)))]
        other_bits = [chance.randrange(8 * len(data)) for _ in range(count - len(header_bits))]
        codes = (0, INVALID, UNSUPPORTED) if kind in OTHER_KINDS else (0, INVALID)
        for bit in header_bits + other_bits:
            with self.subTest(kind=kind, bit=bit):
                flipped = bytearray(data)
                flipped[bit // 8] ^= 1 << bit % 8
                self.assert_no_crash(self.encode(f"flip.{kind}", flipped), codes, bit)

    def test_png_checksums_find_every_flip(self):
        data = FILES["png"]
        for bit in range(0, 8 * len(data), 89):
            with self.subTest(bit=bit):
                flipped = bytearray(data)
                flipped[bit // 8] ^= 1 << bit % 8
                self.assert_no_crash(self.encode("flip.png", flipped), (INVALID,), bit)

    def test_png(self):
        self.check("png")

    def test_ppm(self):
        self.check("ppm")

    def test_pgm(self):
        self.check("pgm")

    def test_tga(self):
        self.check("tga")

    def test_bmp(self):
        self.check("bmp")

    def test_jpeg(self):
        self.check("jpg")

    def test_bursts_of_random_bytes(self):
        chance = random.Random(7)
        for kind, data in FILES.items():
            codes = (0, INVALID, UNSUPPORTED) if kind in OTHER_KINDS else (0, INVALID)
            for _ in range(8):
                damaged = bytearray(data)
                at = chance.randrange(len(data))
                for index in range(at, min(at + 6, len(data))):
                    damaged[index] = chance.randrange(256)
                with self.subTest(kind=kind, at=at):
                    self.assert_no_crash(self.encode(f"burst.{kind}", damaged), codes, at)


class Lies(Damaged):
    """Headers that claim more than the file holds are found out before memory is taken."""

    def check(self, name, data, codes=(INVALID,)):
        self.assert_no_crash(self.encode(name, data), codes, name)

    def test_a_ppm_of_absurd_size(self):
        for sides in (b"65535 65535", b"4294967295 4294967295", b"99999999999999999999 1",
                      b"16777215 16777215", b"0 5", b"5 0", b"-5 5"):
            with self.subTest(sides):
                self.check("lie.ppm", b"P6\n" + sides + b"\n255\n" + b"x" * 100,
                           (INVALID, UNSUPPORTED))

    def test_a_ppm_with_absurd_samples(self):
        for largest in (b"0", b"65536", b"-1", b"256x"):
            with self.subTest(largest):
                self.check("lie.ppm", b"P6\n2 2\n" + largest + b"\n" + b"x" * 12)

    def test_a_png_of_absurd_size(self):
        good = png(flat(4, 4, (1, 2, 3)))
        for width, height in ((0x7FFFFFFF, 0x7FFFFFFF), (60000, 60000), (0, 4), (0x80000000, 1)):
            with self.subTest(f"{width}x{height}"):
                header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                self.check("lie.png", good[:8] + header + good[8 + 25 :], (INVALID, UNSUPPORTED))

    def test_a_tga_of_absurd_size(self):
        data = bytearray(tga(flat(4, 4, (1, 2, 3))))
        struct.pack_into("<HH", data, 12, 65535, 65535)
        self.check("lie.tga", data)

    def test_a_bmp_of_absurd_size(self):
        for width, height in ((0x7FFFFFFF, 0x7FFFFFFF), (-4, 4), (4, -0x80000000), (60000, 60000)):
            with self.subTest(f"{width}x{height}"):
                data = bytearray(bmp(flat(4, 4, (1, 2, 3))))
                struct.pack_into("<ii", data, 18, width, height)
                self.check("lie.bmp", data, (INVALID, UNSUPPORTED))

    def test_a_jpeg_of_absurd_size(self):
        data = FILES["jpg"].replace(struct.pack(">BHH", 8, 16, 16), struct.pack(">BHH", 8, 65500, 65500))
        self.assertNotEqual(data, FILES["jpg"])
        self.check("lie.jpg", data)


if __name__ == "__main__":
    cli_support.main()
