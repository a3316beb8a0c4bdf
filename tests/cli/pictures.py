"""Pictures and their files, by code of our own: nothing here comes from the program under test.

A Picture holds rows of bytes; channels is 1 (grey), 3 (RGB) or 4 (RGBA).
"""
import struct
import zlib


class Picture:
    def __init__(self, width, height, channels, pixels):
        assert len(pixels) == width * height * channels
        self.width, self.height, self.channels, self.pixels = width, height, channels, bytes(pixels)

    def row(self, y):
        stride = self.width * self.channels
        return self.pixels[y * stride : (y + 1) * stride]

    def rgba(self):
        """All pixels as one flat RGBA byte string."""
        if self.channels == 4:
            return self.pixels
        out = bytearray(b"\xff" * (self.width * self.height * 4))
        for channel in range(3):
            source = 0 if self.channels == 1 else channel
            out[channel::4] = self.pixels[source :: self.channels]
        return bytes(out)

    def rgb(self):
        rgba = self.rgba()
        out = bytearray(self.width * self.height * 3)
        for channel in range(3):
            out[channel::3] = rgba[channel::4]
        return bytes(out)


def gradient(width, height, channels=3, seed=0):
    """Colours along slopes that BC1 holds well, different at every corner and in every channel."""

    def wave(value):  # up and down between 0 and 255
        value %= 510
        return min(value, 510 - value)

    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            slope = 4 * x + 3 * y + 17 * seed + (x * 7 + y * 13 + x * y) % 5
            color = [wave(20 + slope), wave(240 - slope), wave(90 + slope // 2)]
            pixels += bytes(color[:channels] if channels < 4 else color + [255])
    return Picture(width, height, channels, pixels)


def flat(width, height, color):
    return Picture(width, height, len(color), bytes(color) * (width * height))


def with_alpha(picture, alpha_of):
    """RGBA, with alpha_of(x, y)."""
    rgba = bytearray(picture.rgba())
    for y in range(picture.height):
        for x in range(picture.width):
            rgba[4 * (y * picture.width + x) + 3] = alpha_of(x, y)
    return Picture(picture.width, picture.height, 4, rgba)


# --- writers ---------------------------------------------------------------------------------


def png_chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(picture):
    color_type = {1: 0, 3: 2, 4: 6}[picture.channels]
    rows = b"".join(b"\0" + picture.row(y) for y in range(picture.height))
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, color_type, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", header)
        + png_chunk(b"IDAT", zlib.compress(rows))
        + png_chunk(b"IEND", b"")
    )


def png16(width, height, samples):
    """RGB with 16 bits per sample."""
    rows = b""
    for y in range(height):
        row = samples[y * width * 3 : (y + 1) * width * 3]
        rows += b"\0" + struct.pack(f">{len(row)}H", *row)
    header = struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", header)
        + png_chunk(b"IDAT", zlib.compress(rows))
        + png_chunk(b"IEND", b"")
    )


def ppm(picture):
    return b"P6\n%d %d\n255\n" % (picture.width, picture.height) + picture.rgb()


def pgm(picture):
    assert picture.channels == 1
    return b"P5\n%d %d\n255\n" % (picture.width, picture.height) + picture.pixels


def _bgr(row, channels):
    out = bytearray(row)
    if channels >= 3:
        out[0::channels], out[2::channels] = row[2::channels], row[0::channels]
    return bytes(out)


def tga(picture, top_down=True):
    kind = 3 if picture.channels == 1 else 2
    descriptor = (0x20 if top_down else 0) | (8 if picture.channels == 4 else 0)
    header = struct.pack(
        "<BBBHHBHHHHBB", 0, 0, kind, 0, 0, 0, 0, 0, picture.width, picture.height,
        8 * picture.channels, descriptor,
    )
    order = range(picture.height) if top_down else reversed(range(picture.height))
    return header + b"".join(_bgr(picture.row(y), picture.channels) for y in order)


def bmp(picture):
    """24 bits per pixel, bottom row first, rows padded to four bytes."""
    rgb = Picture(picture.width, picture.height, 3, picture.rgb())
    padding = b"\0" * (-3 * picture.width % 4)
    rows = b"".join(_bgr(rgb.row(y), 3) + padding for y in reversed(range(picture.height)))
    info = struct.pack(
        "<IiiHHIIiiII", 40, picture.width, picture.height, 1, 24, 0, len(rows), 2835, 2835, 0, 0
    )
    return struct.pack("<2sIHHI", b"BM", 54 + len(rows), 0, 0, 54) + info + rows


class _Bits:
    """JPEG's entropy-coded bits: most significant first, 0xff followed by a zero."""

    def __init__(self):
        self.text = ""

    def put(self, value, count):
        if count:
            self.text += format(value, f"0{count}b")

    def bytes(self):
        text = self.text + "1" * (-len(self.text) % 8)
        data = bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))
        return data.replace(b"\xff", b"\xff\x00")


def radiance(width, height, texel_of):
    """A Radiance file of plain RGBE texels."""
    data = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (height, width)
    return data + b"".join(bytes(texel_of(x, y)) for y in range(height) for x in range(width))


def grey_jpeg(levels):
    """A grey JPEG whose 8x8 blocks are flat: levels is a list of rows of grey values.

    With all steps 8 a block's DC coefficient is its grey value less 128, and nothing is rounded.
    """

    def segment(marker, data):
        return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data

    dc_categories = 12  # all with codes of four bits: 0 to 11
    dc_table = bytes([0x00] + [0, 0, 0, dc_categories] + [0] * 12 + list(range(dc_categories)))
    ac_table = bytes([0x10, 1] + [0] * 15 + [0])  # one code, "0": end of block
    bits = _Bits()
    before = 0
    for row in levels:
        for level in row:
            difference = level - 128 - before
            before = level - 128
            size = abs(difference).bit_length()
            bits.put(size, 4)
            bits.put(difference if difference > 0 else difference + (1 << size) - 1, size)
            bits.put(0, 1)
    width, height = 8 * len(levels[0]), 8 * len(levels)
    return (
        b"\xff\xd8"
        + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
        + segment(0xDB, bytes([0] + [8] * 64))
        + segment(0xC0, struct.pack(">BHHBBBB", 8, height, width, 1, 1, 0x11, 0))
        + segment(0xC4, dc_table)
        + segment(0xC4, ac_table)
        + segment(0xDA, bytes([1, 1, 0x00, 0, 63, 0]))
        + bits.bytes()
        + b"\xff\xd9"
    )


def grey_jpeg_picture(levels):
    """What grey_jpeg's file shows."""
    pixels = b"".join(b"".join(bytes([level]) * 8 for level in row) * 8 for row in levels)
    return Picture(8 * len(levels[0]), 8 * len(levels), 1, pixels)


# --- readers of what the command writes --------------------------------------------------------


def read_ppm(data):
    fields = data.split(None, 4)
    assert fields[0] == b"P6" and fields[3] == b"255", data[:20]
    width, height = int(fields[1]), int(fields[2])
    return Picture(width, height, 3, data[-width * height * 3 :])


def read_tga(data):
    id_length, map_type, kind = data[0], data[1], data[2]
    width, height, bits, descriptor = struct.unpack_from("<HHBB", data, 12)
    assert map_type == 0 and kind in (2, 3), (map_type, kind)
    channels = bits // 8
    start, stride = 18 + id_length, width * channels
    rows = [_bgr(data[start + y * stride : start + (y + 1) * stride], channels) for y in range(height)]
    return Picture(width, height, channels, b"".join(rows if descriptor & 0x20 else rows[::-1]))


def _unfilter(kind, row, above, step):
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        up = above[i]
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            estimate = left + up - corner
            distances = [abs(estimate - left), abs(estimate - up), abs(estimate - corner)]
            guess = (left, up, corner)[distances.index(min(distances))]
        row[i] = (row[i] + guess) & 255


def read_png(data):
    """Eight bits per sample, not interlaced; every checksum is checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, packed, header = 8, b"", None
    while position < len(data):
        (length,) = struct.unpack_from(">I", data, position)
        body = data[position + 4 : position + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, position + 8 + length)
        assert zlib.crc32(body) == checksum
        if body[:4] == b"IHDR":
            header = struct.unpack(">IIBBBBB", body[4:])
        if body[:4] == b"IDAT":
            packed += body[4:]
        position += 12 + length
    width, height, depth, color_type, _, _, interlaced = header
    assert depth == 8 and interlaced == 0, header
    channels = {0: 1, 2: 3, 6: 4}[color_type]
    raw, stride = zlib.decompress(packed), width * channels
    above, pixels = bytearray(stride), b""
    for y in range(height):
        row = bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        if raw[y * (stride + 1)]:
            _unfilter(raw[y * (stride + 1)], row, above, channels)
        pixels += row
        above = row
    return Picture(width, height, channels, pixels)
