"""tessera decode and info on damaged and hostile textures: quick, small, and in one sentence."""
import os
import random
import struct

import cli_support
from cli_support import (CliTest, INVALID, UNSUPPORTED, children_seconds, limiter, read_bytes,
                         run)
from pictures import read_png
from textures import DDS_HEADER_BYTES, astc, dds, level_bytes

BLOCKS = bytes.fromhex("00f8e0071b1b1b1b") * 9
TEXTURES = {
    "plain": dds(12, 12, BLOCKS),
    "mips": dds(8, 8, BLOCKS[: 8 * 6], levels=3),
    "dx10": dds(12, 12, BLOCKS, dxgi_format=71),
}
MEMORY = 1_500_000_000  # bytes of address space
SECONDS = 2.0  # of processor time: other programs may keep the command from running


class Hostile(CliTest):
    def decode(self, data, codes):
        """Decodes the data, under limits; a picture must be there exactly when the code is 0."""
        texture = self.write("in.dds", data)
        before = children_seconds()
        outcome = run("decode", texture, "-o", self.path("out.png"), "--quiet",
                      limits=limiter(memory_bytes=MEMORY))
        self.assertLess(children_seconds() - before, SECONDS * cli_support.PATIENCE)
        self.assert_no_crash(outcome, codes, data[:160].hex())
        if outcome.code == 0:
            read_png(read_bytes(self.path("out.png")))
            os.unlink(self.path("out.png"))
        else:
            self.assertIn("in.dds", outcome.stderr)
        self.assertEqual(self.files(), ["in.dds"])
        return outcome

    def info(self, data, codes):
        outcome = run("info", self.write("in.dds", data),
                      limits=limiter(memory_bytes=MEMORY))
        self.assert_no_crash(outcome, codes, data[:160].hex())


class Truncated(Hostile):
    def test_every_part_of_a_texture_is_refused(self):
        for name, data in TEXTURES.items():
            for length in range(0, len(data), 5):
                with self.subTest(texture=name, length=length):
                    self.decode(data[:length], (INVALID,))

    def test_info_refuses_them_too(self):
        for length in (0, 3, 4, 60, 127, 128, 150, len(TEXTURES["plain"]) - 1):
            with self.subTest(length=length):
                self.info(TEXTURES["plain"][:length], (INVALID,))

    def test_too_long_is_refused(self):
        for name, data in TEXTURES.items():
            with self.subTest(name):
                self.decode(data + b"\0", (INVALID,))

    def test_the_whole_textures_are_good(self):
        for name, data in TEXTURES.items():
            with self.subTest(name):
                self.assertEqual(self.decode(data, (0,)).code, 0)


class BitFlips(Hostile):
    def test_in_every_byte_of_the_header(self):
        chance = random.Random(3)
        for name in ("mips", "dx10"):
            data = TEXTURES[name]
            header = DDS_HEADER_BYTES + (20 if name == "dx10" else 0)
            for byte in range(header):
                with self.subTest(texture=name, byte=byte):
                    flipped = bytearray(data)
                    flipped[byte] ^= 1 << chance.randrange(8)
                    self.decode(flipped, (0, INVALID, UNSUPPORTED))

    def test_in_blocks_any_bits_are_colours(self):
        chance = random.Random(4)
        for _ in range(10):
            flipped = bytearray(TEXTURES["plain"])
            flipped[chance.randrange(DDS_HEADER_BYTES, len(flipped))] ^= 1 << chance.randrange(8)
            self.assertEqual(self.decode(flipped, (0,)).code, 0)


class Lies(Hostile):
    def check(self, data):
        self.decode(data, (INVALID, UNSUPPORTED))
        self.info(data, (INVALID, UNSUPPORTED))

    def test_absurd_sides(self):
        for width, height in (
            (2**31, 2**31), (2**32 - 1, 2**32 - 1), (2**32 - 1, 1), (1, 2**32 - 1), (65536, 65536),
            (2**31, 1), (0, 0), (0, 12), (12, 0), (13, 12), (2**16 + 12, 12),
        ):
            with self.subTest(f"{width}x{height}"):
                self.check(dds(width, height, BLOCKS))
                self.check(dds(width, height, BLOCKS, dxgi_format=71))

    def test_absurd_sides_whose_bytes_wrap_around(self):
        # 2^31 x 2^31 texels are 2^61 bytes; these come to 2^64 and to 0 in 32 bits.
        for width, height in ((2**32 - 1, 2**32 - 1), (2**17, 2**17), (2**18, 2**16)):
            with self.subTest(f"{width}x{height}"):
                self.check(dds(width, height, b""))

    def test_absurd_numbers_of_levels(self):
        for levels in (65535, 2**31, 2**32 - 1, 33, 32, 5):
            with self.subTest(levels):
                self.check(dds(12, 12, BLOCKS, levels=levels))
                self.check(dds(2**31, 2**31, BLOCKS, levels=levels))

    def test_absurd_arrays(self):
        for array_size in (0, 2, 2**32 - 1):
            with self.subTest(array_size):
                data = bytearray(TEXTURES["dx10"])
                struct.pack_into("<I", data, DDS_HEADER_BYTES + 12, array_size)
                self.check(data)

    def test_other_dimensions(self):
        for dimension in (0, 1, 2, 4, 2**32 - 1):
            with self.subTest(dimension):
                data = bytearray(TEXTURES["dx10"])
                struct.pack_into("<I", data, DDS_HEADER_BYTES + 4, dimension)
                self.check(data)

    def test_wrong_header_sizes(self):
        for offset in (4, 76):
            for size in (0, 1, 123, 125, 2**32 - 1):
                with self.subTest(offset=offset, size=size):
                    data = bytearray(TEXTURES["plain"])
                    struct.pack_into("<I", data, offset, size)
                    self.check(data)

    def test_absurd_astc_files(self):
        for data in (
            astc(2**24 - 1, 2**24 - 1, payload=b"\0" * 16),
            astc(2**24 - 1, 2**24 - 1, depth=2**24 - 1, block=(3, 3, 3), payload=b""),
            astc(8, 8, block=(0, 0, 0), payload=b"\0" * 64),
            astc(8, 8, block=(255, 255, 255), payload=b"\0" * 16),
            astc(8, 8, block=(7, 7, 1), payload=b"\0" * 64),
            astc(0, 8, payload=b""),
            astc(8, 8)[:-1],
            astc(8, 8) + b"\0",
            astc(8, 8)[:15],
            astc(8, 8)[:4],
        ):
            with self.subTest(data[:16].hex()):
                self.decode(data, (INVALID,))
                self.info(data, (INVALID,))

    def test_a_large_honest_texture_needs_no_more_than_its_pixels(self):
        # 4096x4096: 8 MiB of blocks, 64 MiB of pixels.
        data = dds(4096, 4096, b"\0\0\0\0\0\0\0\0" * (level_bytes(4096, 4096) // 8))
        texture = self.write("in.dds", data)
        self.succeed("decode", texture, "-o", self.path("out.png"), "--quiet", "--threads", 1,
                     limits=limiter(memory_bytes=700_000_000))


if __name__ == "__main__":
    cli_support.main()
