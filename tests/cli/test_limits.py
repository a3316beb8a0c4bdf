"""What inputs may ask for: pixels, memory, bytes and time, and files that ask for very much."""
import os
import struct
import subprocess
import sys
import time
import unittest

import cli_support
from cli_support import CliTest, FAILED, INTERRUPTED, INVALID, USAGE, run, write_bytes
from pictures import flat, gradient, png, read_png
from textures import dds

FUZZ = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fuzz")
BOMBS = os.path.join(FUZZ, "bombs.py")
MEBIBYTE = 1 << 20
# Bombs that are pictures, and those that are textures.
PICTURES = ("text.png", "profile.png", "thin.png", "flat.png", "runs.tga", "runs.hdr", "bits.bmp",
            "scans.jpg", "flat.exr", "words.png", "pixels.ktx2", "tile.exr", "note.exr", "row.hdr",
            "chunks.png")
TEXTURES = ("layers.ktx2", "tiles.tsf", "mips.ktx2", "keys.ktx2", "flat.dds", "flat.astc",
            "tall.astc", "flat.ktx", "value.ktx2", "escapes.ktx2")
CAN_MEASURE = cli_support.MEMORY_LIMITED  # sanitizers keep memory of their own


def peak(*arguments):
    """The exit code and the most memory that the command had at a time, in bytes."""
    process = subprocess.Popen([cli_support.command(), *arguments], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * 1024


class LimitsTest(CliTest):
    @classmethod
    def setUpClass(cls):
        # In a process of its own: the memory of this one counts as that of the commands it starts.
        import tempfile
        cls.bombs = tempfile.TemporaryDirectory(prefix="tessera-bombs-")
        cls.addClassCleanup(cls.bombs.cleanup)
        subprocess.run([sys.executable, BOMBS, cls.bombs.name, "64"], check=True)

    def bomb(self, name):
        return os.path.join(self.bombs.name, name)

    def runs_of(self, name):
        """All that can be done with a file."""
        out = self.path("out")
        yield "info", self.bomb(name)
        yield "info", "--verify", self.bomb(name)
        yield "compare", self.bomb(name), self.bomb(name)
        if name in PICTURES:
            yield "encode", self.bomb(name), "-o", out + ".dds"
            yield "encode", self.bomb(name), "-o", out + ".astc", "--preset", "realtime"
        else:
            yield "validate", self.bomb(name)
            yield "convert", self.bomb(name), "-o", out + ".ktx2"
            yield "decode", self.bomb(name), "-o", out + ".png", "--slice", "0"
            yield "decode", self.bomb(name), "-o", out + ".png"

    @staticmethod
    def works_of(path, is_picture, out):
        """All that takes memory for pixels or blocks."""
        realtime = ("--preset", "realtime")
        yield "compare", path, path
        yield "compare", path, path, "--sheet", out + "s.png"
        if is_picture:
            yield "encode", path, "-o", out + ".dds"
            yield "encode", path, "-o", out + ".dds", "--mips"
            yield "encode", path, "-o", out + ".ktx2", "--mips", "--zstd", *realtime
            yield "encode", path, "-o", out + ".astc", "--metrics", *realtime
            yield "encode", path, "-o", out + "d/", "--format", "bc1"
            yield "advise", path, *realtime
            yield "report", path, "-o", out + ".html", "--setting", "block=6x6,preset=realtime"
        else:
            yield "validate", path
            yield "decode", path, "-o", out + ".png", "--slice", "0"
            yield "decode", path, "-o", out + ".exr"
            yield "transcode", path, "-o", out + ".astc", *realtime
            yield "convert", path, "-o", out + "2.ktx2", "--zstd"
            yield "inspect", path, "-o", out + "i"


class Bombs(LimitsTest):
    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_untrusted_files_take_no_more_than_their_size_justifies(self):
        for name in PICTURES + TEXTURES:
            for arguments in self.runs_of(name):
                size = sum(os.path.getsize(file) for file in arguments if file == self.bomb(name))
                allowed = 64 * size + 64 * MEBIBYTE  # two files count together
                with self.subTest(name=name, arguments=arguments[:2]):
                    code, memory = peak(*arguments, "--untrusted")
                    self.assertIn(code, (0, USAGE, INVALID, FAILED, cli_support.UNSUPPORTED))
                    self.assertLessEqual(memory, allowed)

    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_what_is_just_not_refused_takes_no_more_either(self):
        folder = self.path("steps")
        subprocess.run([sys.executable, BOMBS, folder, "steps"], check=True)
        done = 0
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            is_picture = not name.endswith((".tsf", ".astc")) and not name.startswith("mips")
            for arguments in self.works_of(path, is_picture, self.path("out")):
                files = sum(argument == path for argument in arguments)
                allowed = 64 * os.path.getsize(path) * files + 64 * MEBIBYTE
                with self.subTest(name=name, arguments=arguments):
                    code, memory = peak(*arguments, "--untrusted")
                    done += code == 0
                    self.assertLessEqual(memory, allowed)
        self.assertGreater(done, 50)  # not all is refused

    def test_thin_pictures_do_not_multiply_on_sheets(self):
        picture = self.write("thin.png", png(flat(1, 100000, (1, 2, 3))))
        other = self.write("other.png", png(flat(1, 100000, (9, 2, 3))))
        code, memory = peak("compare", picture, other, "--sheet", self.path("sheet.png"))
        self.assertEqual(code, 0)
        sheet = read_png(cli_support.read_bytes(self.path("sheet.png")))
        self.assertEqual((sheet.width, sheet.height), (5, 100000))
        if CAN_MEASURE:
            self.assertLess(memory, 48 * MEBIBYTE)  # this process has some 32 when it starts another

    def test_refusals_name_the_limit_and_the_option(self):
        for name, words in (("flat.png", ("16384x16384", "67108864", "--max-pixels")),
                            ("flat.exr", ("MiB", "--max-memory")),
                            ("tiles.tsf", ("16384x16384", "--max-pixels"))):
            with self.subTest(name):
                path = self.bomb(name)
                self.refuse(FAILED, "info", "--verify", path, "--untrusted", words=(path, *words))
                arguments = (("decode", path, "-o", self.path("o.png")) if name in TEXTURES
                             else ("encode", path, "-o", self.path("o.dds"), "--mips"))
                self.refuse(FAILED, *arguments, "--untrusted", words=(path, *words))
                self.assertEqual(self.files(), [])

    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_texts_and_profiles_are_not_unpacked(self):
        for name in ("text.png", "profile.png"):  # 256 MiB
            code, memory = peak("encode", self.bomb(name), "-o", self.path("o.dds"))
            self.assertEqual(code, 0)
            self.assertLess(memory, 64 * MEBIBYTE)

    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_one_slice_is_decoded_when_one_is_asked_for(self):
        code, memory = peak("decode", self.bomb("layers.ktx2"), "-o", self.path("o.png"), "--slice",
                            str((1 << 22) - 1))
        self.assertEqual(code, 0)
        self.assertLess(memory, 128 * MEBIBYTE)
        picture = read_png(cli_support.read_bytes(self.path("o.png")))
        self.assertEqual((picture.width, picture.height), (4, 4))
        code, memory = peak("decode", self.bomb("layers.ktx2"), "-o", self.path("o.png"))
        self.assertEqual(code, USAGE)  # which one?
        self.assertLess(memory, 64 * MEBIBYTE)

    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_thin_pictures_take_what_their_pixels_take(self):
        code, memory = peak("encode", self.bomb("thin.png"), "-o", self.path("o.dds"))
        self.assertEqual(code, 0)
        self.assertLess(memory, 256 * MEBIBYTE)  # 2^24 pixels

    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_fractal_images_that_end_early_cost_nothing(self):
        data = bytearray(cli_support.read_bytes(self.bomb("tiles.tsf")))
        stream = struct.pack("<I", 18) + b"\x1f\xff\xff\xff" + b"\0" * 14
        self.assertTrue(data.endswith(stream))
        broken = self.write("b.tsf", data[:-len(stream)] + struct.pack("<I", 0))
        code, memory = peak("decode", broken, "-o", self.path("o.png"), "--scale", "2")
        self.assertEqual(code, cli_support.INVALID)
        self.assertLess(memory, 128 * MEBIBYTE)


class Counted(LimitsTest):
    """What readers and encoders take is known before they take it."""

    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_one_tile_is_not_unpacked_for_every_strip(self):
        for limit in ("--untrusted", "--max-memory=80M"):
            with self.subTest(limit):
                code, memory = peak("encode", self.bomb("tile.exr"), "-o", self.path("o.dds"), limit)
                self.assertEqual(code, FAILED)  # 128 MiB, and as much again to unpack them
                self.assertLess(memory, 64 * MEBIBYTE)

    def test_large_pictures_are_encoded_by_rows_as_their_size_justifies(self):
        """Its blocks alone take more than what any file may take."""
        path = self.write("l.pgm", b"P5\n7200 7200\n255\n")
        os.truncate(path, os.path.getsize(path) + 7200 * 7200)
        self.succeed("encode", path, "-o", self.path("o.dds"), "--untrusted", "--max-seconds", 600,
                     timeout=120)

    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_leaves_are_counted_one_tile_after_the_other(self):
        picture = self.write("p.pgm", b"P5\n1024 1024\n255\n" + bytes(
            128 + ((x >> 2) + (y >> 2)) % 2 * 40 for y in range(1024) for x in range(1024)))
        self.succeed("encode", picture, "-o", self.path("p.tsf"), "--quality", 30, timeout=120)
        tile = cli_support.read_bytes(self.path("p.tsf"))
        side = struct.pack("<II", 8192, 8192)
        path = self.write("t.tsf", tile[:8] + side + tile[16:20] + tile[20:] * 64)
        code, memory = peak("info", "--verify", path, "--untrusted", "--max-seconds", "600")
        self.assertEqual(code, 0)
        self.assertLess(memory, 64 * MEBIBYTE)

    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_faces_of_panoramas_have_the_size_that_is_asked_for(self):
        picture = self.write("p.ppm", b"P6\n64 32\n255\n" + bytes(64 * 32 * 3))
        verb = ("encode", picture, "-o", self.path("o.ktx2"), "--format", "bc1", "--cube",
                "--cube-size")
        self.refuse(FAILED, *verb, 4096, "--max-pixels", "1M", words=("4096x4096x6", "--max-pixels"))
        code, memory = peak(*verb, "1024", "--max-memory", "64M")
        self.assertEqual(code, FAILED)
        self.assertLess(memory, 64 * MEBIBYTE)
        code, memory = peak(*verb, "1024", "--max-memory", "128M")
        self.assertEqual(code, 0)
        self.assertLess(memory, 128 * MEBIBYTE)

    def test_headers_and_keys_have_a_limit(self):
        out = self.path("out")
        for arguments in (("info", self.bomb("note.exr")),
                          ("info", "--verify", self.bomb("note.exr")),
                          ("encode", self.bomb("note.exr"), "-o", out + ".dds")):
            self.refuse(cli_support.UNSUPPORTED, *arguments, words=("16 MiB", "header"))
        for arguments in (("info", "--verify", self.bomb("value.ktx2")),
                          ("convert", self.bomb("value.ktx2"), "-o", out + ".dds"),
                          ("decode", self.bomb("value.ktx2"), "-o", out + ".png")):
            self.refuse(cli_support.UNSUPPORTED, *arguments, words=("1048576 bytes", "key"))
        outcome = self.succeed("validate", "--all", self.bomb("value.ktx2"))
        self.assertIn("1048576 bytes", outcome.text)
        self.assertLess(len(outcome.text), 10000)

    def test_pieces_of_pictures_are_not_read_one_by_one(self):
        """With as many calls as a file has chunks, a file of 250 MB would take minutes."""
        process = self.start("encode", self.bomb("chunks.png"), "-o", self.path("o.dds"))
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with open(f"/proc/{process.pid}/io", encoding="ascii") as counts:
            calls = int(next(line for line in counts if line.startswith("syscr:")).split()[1])
        process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertLess(calls, 10000)  # 262,144 chunks


class Terminals(LimitsTest):
    """A terminal would obey what files hold, and be told another title, say."""

    def test_texts_of_files_are_printable(self):
        named = self.path("\x1b[31mred\n\udc9b\u009b.ktx2")
        os.rename(self.write("e.ktx2", cli_support.read_bytes(self.bomb("escapes.ktx2"))), named)
        for arguments in (("validate", "--all", named), ("info", named), ("info", "--verify", named),
                          ("convert", named, "-o", named[:-5] + ".dds"),
                          ("decode", named, "-o", named[:-5] + ".png")):
            outcome = run(*arguments)
            with self.subTest(arguments[0], text=outcome.text):
                self.assertIn("?[31mred", outcome.text + outcome.stderr)
                for sign in "\x1b\x07\x7f\x9b":
                    self.assertNotIn(sign, outcome.text + outcome.stderr)
                self.assertNotIn(b"\x9b", (outcome.stdout + outcome.stderr.encode()))


class Options(LimitsTest):
    def setUp(self):
        super().setUp()
        self.picture = self.write("p.png", png(gradient(40, 30)))
        self.texture = self.write("t.dds", dds(40, 32, b"\0" * 8 * 80))
        self.out = self.path("out")

    def verbs(self):
        yield "encode", self.picture, "-o", self.out + ".dds"
        yield "decode", self.texture, "-o", self.out + ".png"
        yield "compare", self.picture, self.picture
        yield "compare", self.texture, self.texture
        yield "info", "--verify", self.picture

    def test_pixels(self):
        for arguments in self.verbs():
            with self.subTest(arguments[0]):
                pixels = 40 * 32 if self.texture in arguments else 40 * 30
                self.refuse(FAILED, *arguments, "--max-pixels", pixels - 1,
                            words=("40x3", str(pixels - 1), "--max-pixels"))
                self.succeed(*arguments, "--max-pixels", pixels)

    def test_memory(self):
        for arguments in self.verbs():
            with self.subTest(arguments[0]):
                self.refuse(FAILED, *arguments, "--max-memory", "1M",
                            words=("MiB", "1 MiB", "--max-memory"))
                self.succeed(*arguments, "--max-memory", "64M")

    def test_memory_of_the_whole_job_is_counted(self):
        picture = self.write("l.png", png(flat(2000, 2000, (1, 2, 3))))  # 12 MB of pixels
        output = ("encode", picture, "-o", self.out + ".dds")
        self.succeed(*output, "--max-memory", "33M")  # some rows at a time
        self.refuse(FAILED, *output, "--max-memory", "18M", words=("--max-memory",))
        self.refuse(FAILED, *output, "--max-memory", "40M", "--mips", words=("--max-memory",))
        self.succeed(*output, "--max-memory", "64M", "--mips")
        self.succeed("info", "--verify", picture, "--max-memory", "33M")
        self.refuse(FAILED, *output, "--max-memory", "50M", "--metrics", words=("--max-memory",))

    def test_bytes_of_a_file(self):
        for arguments in self.verbs():
            path = self.texture if self.texture in arguments else self.picture
            size = os.path.getsize(path)
            with self.subTest(arguments[0]):
                self.refuse(FAILED, *arguments, "--max-file", size - 1,
                            words=(path, str(size - 1), "--max-file"))
                self.succeed(*arguments, "--max-file", size)

    def test_bytes_of_a_pipe(self):
        data = cli_support.read_bytes(self.picture)
        self.refuse(FAILED, "encode", "-", "-o", self.out + ".dds", "--max-file", len(data) - 1,
                    stdin=data, words=("standard input", "--max-file"))

    def test_untrusted_can_be_widened(self):
        path = self.bomb("flat.exr")
        self.refuse(FAILED, "info", "--verify", path, "--untrusted", words=("--max-memory",))
        self.succeed("info", "--verify", path, "--untrusted", "--max-memory", "900M")

    def test_ordinary_files_are_trusted_enough(self):
        picture = self.write("o.png", png(gradient(500, 400, 4)))
        self.succeed("encode", picture, "-o", self.out + ".astc", "--untrusted")
        self.succeed("decode", self.out + ".astc", "-o", self.out + ".png", "--untrusted")

    def test_amounts(self):
        for good in ("1", "7K", "64M", "2G", "1T", "18446744073709551615"):
            self.succeed("info", self.picture, "--max-pixels", good)
        for bad in ("0", "-1", "x", "1X", "1KK", "", "99999999T", "1.5G"):
            with self.subTest(bad):
                self.refuse(USAGE, "info", self.picture, "--max-pixels", bad)
        self.refuse(USAGE, "info", self.picture, "--max-seconds", 0)


class Endless(LimitsTest):
    @unittest.skipUnless(CAN_MEASURE, "sanitizers keep memory of their own")
    def test_what_is_no_picture_is_not_read_to_the_limit(self):
        for path in ("/dev/zero", "/dev/urandom"):
            for arguments in (("info", path), ("info", "--verify", path), ("compare", path, path),
                              ("encode", path, "-o", self.path("o.dds")),
                              ("decode", path, "-o", self.path("o.png"))):
                with self.subTest(arguments):
                    code, memory = peak(*arguments)
                    self.assertEqual(code, cli_support.INVALID)
                    self.assertLess(memory, 64 * MEBIBYTE)

    def test_lists_and_indices(self):
        """Files of names have a limit of their own."""
        self.refuse(FAILED, "encode", "@/dev/zero", "-o", self.path("out/"), "--format", "bc1",
                    words=("/dev/zero", "64 MiB", "list of files"))
        picture = self.write("p.png", png(gradient(8, 8)))
        os.mkdir(self.path("out"))
        with open(self.path("out/.tessera-index"), "wb") as file:
            file.truncate(2 << 30)
        code, memory = peak("encode", picture, "-o", self.path("out/"), "--format", "bc1")
        self.assertEqual(code, 0)
        if CAN_MEASURE:
            self.assertLess(memory, 128 * MEBIBYTE)

    def test_lists_and_indices_of_files_that_are_not_trusted(self):
        picture = self.write("p.png", png(gradient(8, 8)))
        names = self.write("names", b"no-such-picture.png\n" * (9 * MEBIBYTE // 20))
        self.refuse(FAILED, "encode", "@" + names, "-o", self.path("out/"), "--format", "bc1",
                    "--untrusted", words=(names, "8 MiB", "list of files"))
        os.mkdir(self.path("out"))
        with open(self.path("out/.tessera-index"), "wb") as file:
            for i in range(9 * MEBIBYTE // 20):  # one by one: memory of this process counts, too
                file.write(b"1\t%x\t1\t1\ts\tn%x\n" % (i, i))
        code, memory = peak("encode", picture, "-o", self.path("out/"), "--format", "bc1",
                            "--untrusted")
        self.assertEqual(code, 0)
        if CAN_MEASURE:
            self.assertLess(memory, 64 * MEBIBYTE)
        # What nobody reads any more does not grow.
        self.assertLess(os.path.getsize(self.path("out/.tessera-index")), 1000)

    def test_lists_that_name_many_lists(self):
        """Seven short files could stand for 40 million names."""
        os.mkdir(self.path("lists"))
        for i in range(7):
            line = f"@{self.path('lists', str(i + 1))}\n" if i < 6 else "p.png\n"
            self.write(f"lists/{i}", os.fsencode(line * 20))
        self.refuse(FAILED, "encode", "@" + self.path("lists", "0"), "-o", self.path("out/"), "--format", "bc1",
                    words=("lists of files", "64 MiB"))

    def test_info_reads_no_more_of_what_has_a_short_header(self):
        bad = bytearray(dds(64, 64, b"")[:128])
        bad[12:16] = bytes(4)  # no height
        path = self.write("bad.dds", bad)
        os.truncate(path, 100 << 20)
        process = self.start("info", path)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with open(f"/proc/{process.pid}/io", encoding="ascii") as counts:
            read = int(next(line for line in counts if line.startswith("rchar:")).split()[1])
        process.communicate()
        self.assertEqual(process.returncode, INVALID)
        self.assertLess(read, 1 * MEBIBYTE)

    def endless_pipe(self, head):
        """A process that writes the beginning of a file, and then zeros for ever."""
        beginning = self.write("head", head)
        writer = subprocess.Popen(["cat", beginning, "/dev/zero"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
        self.addCleanup(self._reap, writer)
        return writer.stdout

    def test_an_endless_pipe_is_read_up_to_the_limit(self):
        for verb in (("encode", "-", "-o", self.path("o.dds")), ("info", "-"),
                     ("decode", "-", "-o", self.path("o.png"))):
            with self.subTest(verb[0]):
                head = dds(64, 64, b"")[:128] if verb[0] == "decode" else png(gradient(9, 9))[:40]
                process = self.start(*verb, "--max-file", "20M", stdin=self.endless_pipe(head))
                error = process.communicate(timeout=30 * cli_support.PATIENCE)[1].decode()
                self.assertEqual(process.returncode, FAILED, error)
                self.assertIn("--max-file", error)

    def test_a_slow_input_ends_after_its_time(self):
        os.mkfifo(self.path("pipe"))
        for arguments in (("info", self.path("pipe")),
                          ("encode", self.path("pipe"), "-o", self.path("o.dds"))):
            start = time.monotonic()
            self.refuse(FAILED, *arguments, "--max-seconds", 1, words=("1 s", "--max-seconds"))
            self.assertGreater(time.monotonic() - start, 0.9)


if __name__ == "__main__":
    cli_support.main()
