#!/usr/bin/env python3
"""Small files that are valid and stand for very much: inputs of tests, and good seeds for fuzzers.

usage: bombs.py FOLDER [SCALE]
Writes them to FOLDER. SCALE (1 to 64) makes what they stand for, and so the files, larger; with
"steps" there are files of rising sizes instead."""
import pathlib
import struct
import sys
import zlib


def deflated(block, count):
    """The block `count` times, compressed without holding all of it."""
    packer = zlib.compressobj(9)
    parts = [packer.compress(block) for _ in range(count)]
    return b"".join(parts) + packer.flush()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, data, color_type=0, bits=8, before=b""):
    header = struct.pack(">IIBBBBB", width, height, bits, color_type, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + chunk(b"IDAT", data) +
            chunk(b"IEND", b""))


def png_text(mebibytes):
    """One pixel, and a text that is unpacked to so much."""
    text = b"Comment\0\0" + deflated(b"A" * (1 << 20), mebibytes)
    return png(1, 1, zlib.compress(b"\0\0"), before=chunk(b"zTXt", text))


def png_profile(mebibytes):
    profile = b"p\0\0" + deflated(b"\0" * (1 << 20), mebibytes)
    return png(1, 1, zlib.compress(b"\0\0"), before=chunk(b"iCCP", profile))


def png_thin(rows):
    """One pixel wide."""
    return png(1, rows, deflated(b"\0" * 2 * (rows // 16), 16))


def png_chunks(side, count):
    """So many empty texts, of twelve bytes each, around the pixels."""
    texts = chunk(b"tEXt", b"") * (count // 2)
    pixels = deflated(b"\0" * 16 * (1 + side), side // 16)
    whole = png(side, side, pixels, before=texts)
    end = chunk(b"IEND", b"")
    return whole[:-len(end)] + texts + end


def png_flat(side):
    row = b"\0" * (1 + 3 * side)
    return png(side, side, deflated(row * 16, side // 16), color_type=2)


def png_words(side):
    """Four channels of 16 bits."""
    row = b"\0" * (1 + 8 * side)
    return png(side, side, deflated(row * 16, side // 16), color_type=6, bits=16)


def zstd_zeros(size):
    """A Zstandard frame of zeros: blocks that repeat one byte."""
    frame = struct.pack("<IBQ", 0xFD2FB528, 0xE0, size)  # one segment, with an 8-byte size
    most = 128 << 10
    while size > 0:
        part = min(size, most)
        size -= part
        frame += struct.pack("<I", part << 3 | 1 << 1 | (size == 0))[:3] + b"\0"
    return frame


def bc1_descriptor():
    """The data format descriptor of BC1 without alpha."""
    head = struct.pack("<IIHHBBBBBBBBBBBBBBBB", 44, 0, 2, 40, 128, 1, 1, 0, 3, 3, 0, 0,
                       8, 0, 0, 0, 0, 0, 0, 0)
    return head + struct.pack("<HBBBBBBII", 0, 63, 0, 0, 0, 0, 0, 0, 0xFFFFFFFF)


def byte_descriptor(channels):
    """The data format descriptor of bytes for red, green, blue and alpha."""
    size = 28 + 16 * channels
    head = struct.pack("<IIHHBBBBBBBBBBBBBBBB", size, 0, 2, size - 4, 1, 1, 1, 0, 0, 0, 0, 0,
                       channels, 0, 0, 0, 0, 0, 0, 0)
    return head + b"".join(
        struct.pack("<HBBBBBBII", 8 * c, 7, (0, 1, 2, 15)[c], 0, 0, 0, 0, 0, 255)
        for c in range(channels))


def ktx2(number, width, height, layers, sizes, descriptor, keys=b""):
    """A file whose levels are zeros, compressed with Zstandard."""
    payloads = [zstd_zeros(size) for size in sizes]
    offset = 80 + 24 * len(sizes)
    position = offset + len(descriptor) + len(keys)
    header = b"\xabKTX 20\xbb\r\n\x1a\n" + struct.pack(
        "<IIIIIIIII", number, 1, width, height, 0, layers, 1, len(sizes), 2)
    index = struct.pack("<IIIIQQ", offset, len(descriptor),
                        offset + len(descriptor) if keys else 0, len(keys), 0, 0)
    levels = []
    for size, payload in reversed(list(zip(sizes, payloads))):  # the smallest comes first
        levels.insert(0, struct.pack("<QQQ", position, len(payload), size))
        position += len(payload)
    return header + index + b"".join(levels) + descriptor + keys + b"".join(reversed(payloads))


def ktx2_layers(layers):
    """An array of very many pictures of 4x4 pixels."""
    return ktx2(131, 4, 4, layers, [layers * 8], bc1_descriptor())


def ktx2_mips(side):
    sides = [side >> level for level in range(side.bit_length())]
    return ktx2(131, side, side, 0, [((one + 3) // 4) ** 2 * 8 for one in sides], bc1_descriptor())


def ktx2_pixels(side):
    return ktx2(37, side, side, 0, [side * side * 4], byte_descriptor(4))


def ktx2_keys(count):
    pairs = b"".join(struct.pack("<I", 9) + b"%07x\0\0" % i + b"\0" * 3 for i in range(count))
    return ktx2(131, 4, 4, 0, [8], bc1_descriptor(), pairs)


def ktx2_pair(key, value):
    pair = key + b"\0" + value
    return ktx2(131, 4, 4, 0, [8], bc1_descriptor(),
                struct.pack("<I", len(pair)) + pair + b"\0" * (-len(pair) % 4))


def ktx2_value(size):
    """One key with so many bytes."""
    return ktx2_pair(b"key", b"v" * (size - 1) + b"\0")


def ktx2_escapes():
    """A key and a value that a terminal would obey."""
    return ktx2_pair(b"KTXred\x1b[31m\xc2\x9b31m", b"\x1b]0;title\x07\x7f\0")


def dds_flat(side):
    pixel_format = struct.pack("<II4sIIIII", 32, 4, b"DXT1", 0, 0, 0, 0, 0)
    head = struct.pack("<IIIIIII", 124, 0x1007, side, side, 0, 0, 1) + bytes(44) + pixel_format
    return b"DDS " + head + struct.pack("<IIIII", 0x1000, 0, 0, 0, 0) + bytes((side // 4) ** 2 * 8)


def astc_flat(width, height):
    """Blocks of 12x12 texels of one colour: nine texels for a byte."""
    block = struct.pack("<QQ", 0xFFFFFFFFFFFFFDFC, 0)
    count = -(-width // 12) * -(-height // 12)
    sides = b"".join(struct.pack("<I", side)[:3] for side in (width, height, 1))
    return struct.pack("<IBBB", 0x5CA1AB13, 12, 12, 1) + sides + block * count


def ktx_flat(side):
    size = (-(-side // 12)) ** 2 * 16
    return (b"\xabKTX 11\xbb\r\n\x1a\n" +
            struct.pack("<13I", 0x04030201, 0, 1, 0, 0x93BD, 0x1908, side, side, 0, 0, 1, 1, 0) +
            struct.pack("<I", size) + struct.pack("<QQ", 0xFFFFFFFFFFFFFDFC, 0) * (size // 16))




def tsf(side, stream=b"\x1f\xff\xff\xff" + b"\0" * 14):
    """A fractal image of tiles that all have the same short stream, that of one grey."""
    tiles = (side // 1024) ** 2
    header = b"TSF1" + struct.pack("<BBBBIIBBBB", 1, 1, 1, 64, side, side, 50, 0, 1, 0)
    return header + (struct.pack("<I", len(stream)) + stream) * tiles


def tga_runs(width, height):
    runs = b"\xff\0\0\0" * (width * height // 128)
    return struct.pack("<BBBHHBHHHHBB", 0, 0, 10, 0, 0, 0, 0, 0, width, height, 24, 0) + runs


def hdr_runs(height):
    """Rows of 16,000 pixels of one colour in the older encoding."""
    row = b"\x80\x80\x80\x80" + bytes((1, 1, 1, 15999 & 255)) + bytes((1, 1, 1, 15999 >> 8))
    return b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X 16000\n" % height + row * height


def hdr_row(width):
    """One row of one colour in the older encoding."""
    data, left = b"\x80\x80\x80\x80", width - 1
    while left > 0:  # the numbers of runs that follow each other are digits of 8 bits
        data += bytes((1, 1, 1, left & 255))
        left >>= 8
    return b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X %d\n" % width + data + b"\0" * 8192


def bmp_bits(side):
    """One bit for a pixel."""
    size = side // 8 * side
    return (b"BM" + struct.pack("<IHHI", 62 + size, 0, 0, 62) +
            struct.pack("<IiiHHIIiiII", 40, side, side, 1, 1, 0, 0, 0, 0, 2, 0) +
            b"\0\0\0\0\xff\xff\xff\0" + b"\0" * size)


def jpeg_segment(marker, data):
    return struct.pack(">BBH", 0xFF, marker, 2 + len(data)) + data


def jpeg_scans(side, scans):
    """A grey progressive picture whose coefficients come bit by bit: every scan makes a reader visit
    all blocks, and costs the file some fourteen bytes. Honest files have about ten scans."""
    blocks = (side // 8) ** 2
    run = min(blocks.bit_length() - 1, 14)  # one code stands for 2^run blocks without coefficients

    def zeros(bits):  # filled up with ones, as the standard wants it
        return b"\0" * (bits // 8) + (bytes([0xFF >> bits % 8]) if bits % 8 else b"")

    def table(kind, symbol):  # its code is one bit, 0
        return jpeg_segment(0xC4, bytes([kind, 1] + [0] * 15 + [symbol]))

    def scan(first, last, high, low):
        return jpeg_segment(0xDA, bytes([1, 1, 0, first, last, high << 4 | low]))

    data = b"\xff\xd8" + jpeg_segment(0xDB, b"\0" + b"\1" * 64)
    data += jpeg_segment(0xC2, struct.pack(">BHHB", 8, side, side, 1) + b"\1\x11\0")
    data += table(0, 0) + table(0x10, run << 4) + scan(0, 0, 0, 0) + zeros(blocks)
    steps = [(k, bit) for k in range(1, 64) for bit in range(13, -1, -1)]
    for k, bit in steps[:scans - 1]:
        data += scan(k, k, 0 if bit == 13 else bit + 1, bit) + zeros((1 + run) * (blocks >> run))
    return data + b"\xff\xd9"


def exr_attribute(name, kind, value):
    return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value


def exr_header(side, names, tile=b"", note=b""):
    """Of a square picture of halves, compressed by ZIP. `tile`: sides and mode of tiles."""
    channels = b"".join(name + b"\0" + struct.pack("<IIII", 1, 0, 1, 1) for name in names)
    box = struct.pack("<iiii", 0, 0, side - 1, side - 1)
    header = struct.pack("<II", 0x01312F76, 2 | (0x200 if tile else 0))
    for name, kind, value in (
        (b"channels", b"chlist", channels + b"\0"), (b"compression", b"compression", b"\x03"),
        (b"dataWindow", b"box2i", box), (b"displayWindow", b"box2i", box),
        (b"lineOrder", b"lineOrder", b"\0"), (b"pixelAspectRatio", b"float", struct.pack("<f", 1)),
        (b"screenWindowCenter", b"v2f", struct.pack("<ff", 0, 0)),
        (b"screenWindowWidth", b"float", struct.pack("<f", 1)),
        (b"tiles", b"tiledesc", tile), (b"note", b"string", note),
    ):
        header += exr_attribute(name, kind, value) if value else b""
    return header + b"\0"


def exr_flat(side, note=b""):
    """Black, compressed by ZIP, sixteen rows at a time."""
    header = exr_header(side, (b"B", b"G", b"R"), note=note)
    count = side // 16
    # The predictor of the format makes zeros of samples that do not change, after the first byte.
    packed = zlib.compress(b"\0" + b"\x80" * (side * 6 * 16 - 1), 9)
    first = len(header) + 8 * count
    offsets = b"".join(struct.pack("<Q", first + i * (8 + len(packed))) for i in range(count))
    return header + offsets + b"".join(struct.pack("<ii", 16 * i, len(packed)) + packed
                                       for i in range(count))


def exr_tile(side, tile_side=0):
    """One tile, as large as the picture or larger: whoever wants a row unpacks all of it."""
    tile_side = tile_side or side
    tile = struct.pack("<IIB", tile_side, tile_side, 0)
    header = exr_header(side, (b"A", b"B", b"G", b"R"), tile=tile)
    packer = zlib.compressobj(9)
    row = b"\x80" * (8 * side)
    packed = packer.compress(b"\0" + row[1:]) + b"".join(packer.compress(row)
                                                         for _ in range(side - 1)) + packer.flush()
    return (header + struct.pack("<Q", len(header) + 8) +
            struct.pack("<iiiii", 0, 0, 0, 0, len(packed)) + packed)


def all_bombs(scale=1):
    """The files by name. With a scale of 1 each is read in a moment."""
    return {
        "text.png": png_text(4 * scale),
        "profile.png": png_profile(4 * scale),
        "thin.png": png_thin((1 << 18) * min(scale, 64)),
        "flat.png": png_flat(1024 * min(scale, 16)),
        "layers.ktx2": ktx2_layers((1 << 16) * scale),
        "tiles.tsf": tsf(1024 * min(scale, 16)),
        "runs.tga": tga_runs(1024 * min(scale, 16), 1024),
        "runs.hdr": hdr_runs(16 * scale),
        "bits.bmp": bmp_bits(1024 * min(scale, 16)),
        "scans.jpg": jpeg_scans(512 * min(scale, 4), 99 if scale == 1 else 880),
        "flat.exr": exr_flat(512 * min(scale, 16)),
        "tile.exr": exr_tile(256 * min(scale, 16)),
        "note.exr": exr_flat(64, b"n" * (scale << 18)),
        "row.hdr": hdr_row((1 << 16) * min(scale, 256)),
        "chunks.png": png_chunks(64 * min(scale, 48), 4096 * scale),
        "value.ktx2": ktx2_value(scale << 18),
        "escapes.ktx2": ktx2_escapes(),
        "words.png": png_words(512 * min(scale, 16)),
        "mips.ktx2": ktx2_mips(1024 * min(scale, 16)),
        "pixels.ktx2": ktx2_pixels(512 * min(scale, 16)),
        "keys.ktx2": ktx2_keys(1024 * scale),
        "flat.dds": dds_flat(512 * min(scale, 8)),
        "flat.astc": astc_flat(1200 * min(scale, 4), 1200),
        "tall.astc": astc_flat(1, 6000 * scale),
        "flat.ktx": ktx_flat(1200 * min(scale, 4)),
    }


def steps():
    """Pictures and textures of rising sizes, up to those that --untrusted refuses to encode: the
    largest one that is not refused shows whether the memory of a job is counted in full."""
    files = {}
    for i in (5, 8, 10):
        files[f"words_{i}.png"] = png_words(256 * i)
        files[f"flat_{i}.png"] = png_flat(400 * i // 16 * 16)
        files[f"runs_{i}.hdr"] = hdr_runs(28 * i)
        files[f"row_{i}.hdr"] = hdr_row((i << 22) // 11)
        files[f"tile_{i}.exr"] = exr_tile(128 * i)
        files[f"within_tile_{i}.exr"] = exr_tile(16, 200 * i)
        files[f"flat_{i}.exr"] = exr_flat(256 * i)
        files[f"pixels_{i}.ktx2"] = ktx2_pixels(256 * i)
        files[f"mips_{i}.ktx2"] = ktx2_mips(640 * i)
        files[f"scans_{i}.jpg"] = jpeg_scans(384 * i, 20)
    for i in (1, 2, 3):
        files[f"tiles_{i}.tsf"] = tsf(1024 * i)
        files[f"thin_{i}.png"] = png_thin((1 << 16) << 2 * i)
        files[f"tall_{i}.astc"] = astc_flat(1, 6000 << 2 * i)
    return files


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    scale = sys.argv[2] if len(sys.argv) > 2 else "1"
    for name, data in (steps() if scale == "steps" else all_bombs(int(scale))).items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
