"""Textures and measures, by code of our own: the oracle for what the command writes."""
import math
import struct

from pictures import Picture

DDS_HEADER_BYTES = 128
DX10_HEADER_BYTES = 20


def level_bytes(width, height):
    """Of BC1 blocks."""
    return 8 * -(-width // 4) * -(-height // 4)


def level_sides(width, height, level):
    return max(1, width >> level), max(1, height >> level)


def _expand(color):
    red, green, blue = color >> 11, color >> 5 & 63, color & 31
    return (red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2)


def decode_bc1(blocks, width, height):
    """An RGBA Picture."""
    pixels = bytearray(width * height * 4)
    across = -(-width // 4)
    assert len(blocks) == level_bytes(width, height)
    for index in range(len(blocks) // 8):
        first, second, selectors = struct.unpack_from("<HHI", blocks, 8 * index)
        a, b = _expand(first), _expand(second)
        if first > second:
            third = tuple((2 * p + q) // 3 for p, q in zip(a, b)) + (255,)
            fourth = tuple((p + 2 * q) // 3 for p, q in zip(a, b)) + (255,)
        else:
            third = tuple((p + q) // 2 for p, q in zip(a, b)) + (255,)
            fourth = (0, 0, 0, 0)
        palette = [bytes(a + (255,)), bytes(b + (255,)), bytes(third), bytes(fourth)]
        left, top = index % across * 4, index // across * 4
        for texel in range(16):
            x, y = left + texel % 4, top + texel // 4
            if x < width and y < height:
                at = 4 * (y * width + x)
                pixels[at : at + 4] = palette[selectors >> 2 * texel & 3]
    return Picture(width, height, 4, pixels)


def dds(width, height, payload, levels=1, dxgi_format=None, flags=None, code=None, depth=0, caps2=0):
    """A .dds file with the fields as given, however wrong."""
    if flags is None:
        flags = 0x1 | 0x2 | 0x4 | 0x1000 | 0x80000 | (0x20000 if levels != 1 else 0)
    if code is None:
        code = b"DXT1" if dxgi_format is None else b"DX10"
    header = b"DDS " + struct.pack("<7I", 124, flags, height, width, 0, depth, levels) + b"\0" * 44
    header += struct.pack("<II", 32, 4) + code + b"\0" * 20
    header += struct.pack("<5I", 0x1000, caps2, 0, 0, 0)
    assert len(header) == DDS_HEADER_BYTES
    if dxgi_format is not None:
        header += struct.pack("<5I", dxgi_format, 3, 0, 1, 0)
    return header + payload


class Dds:
    """A parsed .dds file of BC1 blocks; levels[i] is that mip level's blocks."""

    def __init__(self, data):
        assert data[:4] == b"DDS "
        size, self.flags, self.height, self.width, self.linear_size, _, self.level_count = (
            struct.unpack_from("<7I", data, 4)
        )
        assert size == 124 and struct.unpack_from("<I", data, 76)[0] == 32
        self.code = data[84:88]
        self.caps = struct.unpack_from("<I", data, 108)[0]
        position = DDS_HEADER_BYTES
        self.dxgi_format = None
        if self.code == b"DX10":
            self.dxgi_format, self.dimension, self.misc, self.array_size, _ = struct.unpack_from(
                "<5I", data, position
            )
            position += DX10_HEADER_BYTES
        self.levels = []
        for level in range(self.level_count):
            length = level_bytes(*level_sides(self.width, self.height, level))
            self.levels.append(data[position : position + length])
            position += length
        assert position == len(data), (position, len(data))

    def picture(self, level=0):
        return decode_bc1(self.levels[level], *level_sides(self.width, self.height, level))


def astc(width, height, block=(4, 4, 1), depth=1, payload=None):
    """A .astc file; without a payload, one of constant-colour blocks (void extents)."""
    if payload is None:
        count = -(-width // block[0]) * -(-height // block[1]) * -(-depth // block[2])
        payload = (b"\xfc\xfd" + b"\xff" * 6 + struct.pack("<4H", 65535, 0, 0, 65535)) * count

    def three_bytes(value):
        return struct.pack("<I", value)[:3]

    return (
        struct.pack("<I3B", 0x5CA1AB13, *block)
        + three_bytes(width)
        + three_bytes(height)
        + three_bytes(depth)
        + payload
    )


def psnr(a, b, channels=3):
    """Of the first `channels` channels of RGBA; 999 for identical pictures, as the command says."""
    first, second = a.rgba(), b.rgba()
    total = sum(
        (first[i] - second[i]) ** 2 for i in range(len(first)) if i % 4 < channels
    )
    if total == 0:
        return 999.0
    return 10 * math.log10(255**2 / (total / (len(first) // 4 * channels)))


def ssim(a, b):
    """Mean SSIM of Rec. 709 luma, 11x11 Gaussian windows (sigma 1.5) wholly inside. Sides >= 11."""

    def luma(picture):
        rgba = picture.rgba()
        return [
            (0.2126 * rgba[i] + 0.7152 * rgba[i + 1] + 0.0722 * rgba[i + 2]) / 255
            for i in range(0, len(rgba), 4)
        ]

    first, second, width = luma(a), luma(b), a.width
    line = [math.exp(-((i - 5) ** 2) / (2 * 1.5**2)) for i in range(11)]
    scale = sum(line) ** 2
    window = [(dx, dy, line[dx] * line[dy] / scale) for dx in range(11) for dy in range(11)]
    values = []
    for y in range(a.height - 10):
        for x in range(width - 10):
            taps = [(first[(y + dy) * width + x + dx], second[(y + dy) * width + x + dx], w)
                    for dx, dy, w in window]
            p = sum(u * w for u, _, w in taps)
            q = sum(v * w for _, v, w in taps)
            pp = sum(u * u * w for u, _, w in taps) - p * p
            qq = sum(v * v * w for _, v, w in taps) - q * q
            pq = sum(u * v * w for u, v, w in taps) - p * q
            values.append(
                (2 * p * q + 1e-4) * (2 * pq + 9e-4) / ((p * p + q * q + 1e-4) * (pp + qq + 9e-4))
            )
    return sum(values) / len(values)
