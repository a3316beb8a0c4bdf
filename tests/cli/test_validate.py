"""tessera validate: the rules of .ktx2, .ktx and .dds files, one by one."""
import struct

import cli_support
from cli_support import INVALID, IO, read_bytes, run
from pictures import Picture, gradient, png
from texture_support import TextureTest


class ValidateTest(TextureTest):
    def broken(self, data, name="x.ktx2"):
        """The rules that a file breaks, with what was found."""
        outcome = run("validate", self.write(name, bytes(data)), "--json")
        self.assertIn(outcome.code, (0, INVALID), str(outcome))
        result = outcome.result
        self.assertEqual(result["valid"], outcome.code == 0)
        return {rule["rule"]: rule["found"] for rule in result["rules"]
                if rule["outcome"] == "broken"}

    def check(self, data, *words, name="x.ktx2"):
        """Each of the words is in a rule that is broken."""
        found = self.broken(data, name)
        for word in words:
            self.assertTrue(any(word in rule for rule in found), (word, found))


class Good(ValidateTest):
    def test_all_that_we_write(self):
        for name, options in (("a.ktx2", ()), ("b.ktx2", ("--mips", "--zstd")),
                              ("c.ktx2", ("--format", "bc1", "--profile", "srgb", "--mips")),
                              ("d.ktx2", ("--block", "12x12", "--as", "normal")),
                              ("i.ktx", ("--mips", "--key", "author=me")),
                              ("j.ktx", ("--format", "bc1", "--yflip", "--profile", "srgb")),
                              ("e.dds", ()), ("f.dds", ("--mips",)), ("g.dds", ("--dx10",)),
                              ("h.dds", ("--profile", "srgb", "--mips"))):
            texture = self.encode(name, *options)
            outcome = self.succeed("validate", texture)
            self.assertIn(": valid, ", outcome.text)
            self.assertIn(" 0 broken, 0 not checked", outcome.text)
            self.assertEqual(self.broken(read_bytes(texture), name), {})

    def test_all_rules_are_told(self):
        texture = self.encode("a.ktx2", "--mips")
        lines = self.succeed("validate", texture, "--all").text.splitlines()
        self.assertGreater(len(lines), 40)
        self.assertEqual(self.succeed("validate", texture, "-q").text, "")


class Ktx2(ValidateTest):
    def setUp(self):
        super().setUp()
        self.good = bytearray(read_bytes(self.encode("good.ktx2", "--block", "6x6", "--mips")))

    def with_number(self, offset, value, size="<I"):
        data = bytearray(self.good)
        struct.pack_into(size, data, offset, value)
        return data

    def test_nothing_follows(self):
        self.check(self.good + b"xxxx", "nothing follows the last level")

    def test_the_header(self):
        self.check(self.with_number(16, 4), "typeSize")
        self.check(self.with_number(20, 0), "pixelWidth")
        self.check(self.with_number(24, 0), "pixelHeight")
        self.check(self.with_number(36, 3), "faceCount")
        self.check(self.with_number(36, 6), "square")
        self.check(self.with_number(44, 77), "supercompressionScheme")
        self.check(self.with_number(64, 5, "<Q"), "global data")

    def test_the_number_of_levels(self):
        self.check(self.with_number(40, 9), "levelCount")
        self.check(self.with_number(40, 4_000_000_000), "levelCount", "level index")

    def test_the_descriptor(self):
        offset = struct.unpack_from("<I", self.good, 48)[0]
        self.check(self.with_number(offset, 48), "dfdTotalSize")
        self.check(self.with_number(offset + 12, 128, "<B"), "agrees with vkFormat")
        self.check(self.with_number(offset + 14, 1, "<B"), "agrees with vkFormat")
        self.check(self.with_number(48, offset + 4), "follows the level index")
        self.check(self.with_number(52, 1 << 30), "descriptor lies within the file")

    def test_the_key_values(self):
        offset = struct.unpack_from("<I", self.good, 56)[0]
        self.check(self.with_number(offset, 1 << 20), "a pair lies within")
        data = bytearray(self.good)
        writer = self.good.index(b"KTXwriter\0")
        data[writer:writer + 9] = b"ZTXwriter"
        self.check(data, "there is a KTXwriter", "sorted")
        data[writer:writer + 9] = b"KTXwritzr"
        self.check(data, "defined ones")
        self.check(self.with_number(offset + 4, 0xFF, "<B"), "UTF-8")

    def test_the_levels(self):
        level = 80  # the entry of the largest
        place, length, unpacked = struct.unpack_from("<QQQ", self.good, level)
        self.check(self.with_number(level, place + 8, "<Q"), "level 0: it starts", "within the file")
        self.check(self.with_number(level, 100, "<Q"), "smallest to the largest")
        self.check(self.with_number(level + 8, length - 16, "<Q"), "both of its lengths")
        self.check(self.with_number(level + 16, unpacked + 16, "<Q"), "that of its blocks")
        self.check(self.good[:-20], "level 0: its bytes lie within")

    def test_levels_that_do_not_unpack(self):
        self.picture = self.write("rows.png", png(Picture(96, 96, 3, gradient(96, 1).pixels * 96)))
        data = bytearray(read_bytes(self.encode("z.ktx2", "--zstd")))
        place, length = struct.unpack_from("<QQ", data, 80)
        data[place:place + 4] = b"\0\0\0\0"  # where Zstandard's own mark is
        self.check(data, "it unpacks")
        self.assertGreater(length, 4)

    def test_several_rules_at_once(self):
        data = self.with_number(16, 4)
        struct.pack_into("<I", data, 44, 77)
        self.check(data, "typeSize", "supercompressionScheme")

    def test_nothing_is_too_damaged(self):
        for size in (12, 13, 40, 79, 80, 90, 120, 180, 250):
            self.assertNotEqual(self.broken(self.good[:size]), {}, size)
        for offset in range(12, 400, 3):
            data = bytearray(self.good)
            data[offset] ^= 0xFF
            self.broken(data)


class KtxFiles(ValidateTest):
    def setUp(self):
        super().setUp()
        texture = self.encode("good.ktx", "--block", "6x6", "--mips", "--key", "author=me")
        self.good = bytearray(read_bytes(texture))
        self.texts = struct.unpack_from("<I", self.good, 60)[0]

    def with_number(self, offset, value):
        data = bytearray(self.good)
        struct.pack_into("<I", data, offset, value)
        return data

    def test_the_header(self):
        for offset, value, word in ((12, 7, "endianness"), (16, 5, "glFormat"),
                                    (20, 4, "glTypeSize"), (24, 5, "glFormat"),
                                    (36, 0, "pixelWidth"), (40, 0, "pixelHeight"),
                                    (52, 3, "numberOfFaces"), (52, 6, "square"),
                                    (56, 9, "numberOfMipmapLevels"), (60, 1 << 30, "within the file"),
                                    (60, self.texts + 1, "multiple of 4")):
            self.check(self.with_number(offset, value), word, name="x.ktx")
        self.check(self.good[:50], "header is complete", name="x.ktx")

    def test_texts(self):
        self.check(self.with_number(64, 1 << 20), "made of pairs", name="x.ktx")
        data = self.good.replace(b"S=r,T=d", b"S=r;T=d")
        self.check(data, "KTXorientation", name="x.ktx")
        # The letters of .ktx2 files, which readers understand all the same.
        data = self.good.replace(b"S=r,T=d", b"rd\0\0\0\0\0")
        self.check(data, "KTXorientation", name="x.ktx")

    def test_texts_beyond_our_limits_are_not_wrong(self):
        pairs = (struct.pack("<I", 4) + b"a\0bc") * 5000
        data = self.good[:64] + pairs + self.good[64 + self.texts:]
        struct.pack_into("<I", data, 60, len(pairs))
        self.assertEqual(self.broken(data, "x.ktx"), {})
        self.refuse(cli_support.UNSUPPORTED, "decode", self.path("x.ktx"), "-o", self.path("x.png"), words=("4096",))

    def test_long_texts_are_shown(self):
        """Those go beyond the first piece of a file that is read."""
        texts = [option for i in range(3) for option in ("--key", f"t{i}=" + "x" * 50000)]
        for container in ("ktx", "ktx2"):
            texture = self.encode("long." + container, *texts)
            self.assertEqual(len(self.succeed("info", texture, "--json").json["keys"]["t2"]), 1000)

    def test_levels(self):
        self.check(self.with_number(64 + self.texts, 7), "level 0: imageSize", name="x.ktx")
        self.check(self.good[:-20], "its bytes lie within", name="x.ktx")
        self.check(self.good + b"xxxx", "nothing follows", name="x.ktx")

    def test_the_other_byte_order(self):
        data = bytearray(self.good)
        length = struct.unpack_from("<I", data, 64)[0]
        places = [*range(12, 64, 4), 64, 64 + 4 + -(-length // 4) * 4]
        place = 64 + self.texts
        while place < len(self.good):
            places.append(place)
            place += 4 + struct.unpack_from("<I", self.good, place)[0]
        for place in places:
            data[place:place + 4] = bytes(reversed(data[place:place + 4]))
        self.assertEqual(self.broken(data, "x.ktx"), {})
        stored = self.succeed("info", self.path("x.ktx"), "--json").json["stored"]
        self.assertEqual((stored["byte_order"], stored["key_value_bytes"]), ("big", self.texts))

    def test_nothing_is_too_damaged(self):
        for size in (12, 13, 40, 63, 64, 65, 90, 120, 180):
            self.assertNotEqual(self.broken(self.good[:size], "x.ktx"), {}, size)
        for offset in range(12, 200, 3):
            data = bytearray(self.good)
            data[offset] ^= 0xFF
            self.broken(data, "x.ktx")


class DdsFiles(ValidateTest):
    def setUp(self):
        super().setUp()
        self.good = bytearray(read_bytes(self.encode("good.dds", "--mips")))

    def test_the_header(self):
        for offset, value, word in ((4, 100, "dwSize is 124"), (76, 31, "pixel format"),
                                    (8, 0x1, "DDSD_CAPS"), (16, 0, "no side"),
                                    (28, 30, "dwMipMapCount"), (108, 0x8, "DDSCAPS_TEXTURE"),
                                    (108, 0x1000, "by the caps"), (20, 7, "LinearSize")):
            data = bytearray(self.good)
            struct.pack_into("<I", data, offset, value)
            self.check(data, word, name="x.dds")

    def test_the_size(self):
        self.check(self.good[:-1], "bytes after the header", name="x.dds")
        self.check(self.good + b"\0", "bytes after the header", name="x.dds")
        self.check(self.good[:60], "header is complete", name="x.dds")


class Mistakes(ValidateTest):
    def test_other_files(self):
        self.refuse(INVALID, "validate", self.picture, words=("p.png",))
        self.refuse(IO, "validate", self.path("none.ktx2"), words=("none.ktx2",))

    def test_one_of_several(self):
        outcome = run("validate", self.picture, self.encode("a.dds"), "--json")
        self.assertEqual(outcome.code, INVALID)
        self.assertEqual(["error" in one for one in outcome.json], [True, False])


if __name__ == "__main__":
    cli_support.main()
