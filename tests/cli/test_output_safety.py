"""The output's name appears when the file is complete; stopped half-way, an old file stays."""
import os
import random
import signal
import subprocess
import time

import cli_support
from cli_support import CliTest, INTERRUPTED, IO, limiter, read_bytes, run
from pictures import gradient, png
from textures import Dds, level_bytes

WIDTH, HEIGHT = 6000, 4000


def write_large_picture(path):
    """72 MB that differ from row to row, written in a moment."""
    row = bytes((x * 7 + x // 256) % 256 for x in range(3 * WIDTH + 256))
    with open(path, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT))
        for y in range(HEIGHT):
            file.write(row[y % 256 : y % 256 + 3 * WIDTH])


class Stopped(CliTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("out"))
        self.source = self.path("large.ppm")
        write_large_picture(self.source)
        self.output = self.path("out", "texture.dds")
        self.old = b"the old texture"
        self.arguments = ("encode", self.source, "-o", self.output, "--mips")

    def stop(self, signal_number, delay, *arguments):
        """The exit code and stderr of an encode that gets the signal after `delay` seconds."""
        process = self.start(*(arguments or self.arguments))
        if signal_number != signal.SIGKILL:
            self.wait_for_handler(process, signal_number)
        time.sleep(delay)
        process.send_signal(signal_number)
        _, stderr = process.communicate(timeout=60 * cli_support.PATIENCE)
        return process.returncode, stderr.decode()

    def assert_old_or_complete(self):
        """Returns whether the old file is still there."""
        self.assertEqual(self.files("out"), ["texture.dds"])
        data = read_bytes(self.output)
        if data == self.old:
            return True
        texture = Dds(data)  # asserts that the sizes of all levels add up
        self.assertEqual((texture.width, texture.height), (WIDTH, HEIGHT))
        return False

    def whole_time(self):
        start = time.monotonic()
        self.succeed(*self.arguments, "--quiet", timeout=120)
        return time.monotonic() - start

    def test_killed_at_any_time(self):
        longest = self.whole_time()
        chance = random.Random(11)
        stopped = 0
        for _ in range(10):
            delay = chance.uniform(0.0, longest)
            with self.subTest(delay=delay):
                cli_support.write_bytes(self.output, self.old)
                code, _ = self.stop(signal.SIGKILL, delay)
                self.assertIn(code, (0, -signal.SIGKILL))
                stopped += self.assert_old_or_complete()
        self.assertGreater(stopped, 0)

    def test_killed_without_an_old_file(self):
        longest = self.whole_time()
        os.unlink(self.output)
        chance = random.Random(12)
        for _ in range(5):
            delay = chance.uniform(0.0, longest)
            with self.subTest(delay=delay):
                code, _ = self.stop(signal.SIGKILL, delay)
                if self.files("out"):
                    self.assert_old_or_complete()
                    os.unlink(self.output)
                else:
                    self.assertEqual(code, -signal.SIGKILL)

    def test_interrupted(self):
        longest = self.whole_time()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            interrupted = 0
            # On a busy machine a signal may come too late: then there are more of them.
            for share in (0.25, 0.4, 0.55, 0.7) + (0.2, 0.1, 0.05, 0.02) * 2:
                if share < 0.25 and interrupted > 0:
                    break
                with self.subTest(signal=number, share=share):
                    cli_support.write_bytes(self.output, self.old)
                    code, stderr = self.stop(number, share * longest)
                    self.assertIn(code, (0, INTERRUPTED), stderr)
                    old = self.assert_old_or_complete()
                    self.assertEqual(old, code == INTERRUPTED)
                    if old:
                        interrupted += 1
                        self.assertRegex(stderr, r"\Atessera: [^\n]*interrupted[^\n]*\n\Z")
            self.assertGreater(interrupted, 0)

    def test_interrupted_between_several_pictures(self):
        inputs = []
        for name in "abcdefghijklmnop":
            os.link(self.source, self.path(name + ".ppm"))
            inputs.append(self.path(name + ".ppm"))
        process = self.start("encode", *inputs, "-o", self.path("out"), "--format", "bc1", "--quiet")
        while process.poll() is None and not self.files("out"):
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60 * cli_support.PATIENCE)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertEqual(stderr.count(b"\n"), 1, stderr)
        written = self.files("out")
        self.assertGreater(len(written), 0)
        self.assertLess(len(written), len(inputs))
        for name in written:  # those finished before are complete
            self.assertEqual(os.path.getsize(self.path("out", name)),
                             128 + level_bytes(WIDTH, HEIGHT))

    def test_interrupted_while_waiting_for_standard_input(self):
        process = self.start("encode", "-", "-o", self.output, stdin=subprocess.PIPE)
        self.wait_for_handler(process, signal.SIGINT)
        time.sleep(0.5)  # so that it waits for input now
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), INTERRUPTED)
        stderr = process.stderr.read()
        self.assertRegex(stderr, rb"\Atessera: [^\n]*standard input[^\n]*\n\Z")
        self.assertEqual(self.files("out"), [])

    def test_decode_interrupted_or_killed(self):
        self.succeed(*self.arguments, "--quiet", timeout=120)
        texture, picture = self.output, self.path("out", "picture.png")
        for number, codes in ((signal.SIGTERM, (0, INTERRUPTED)), (signal.SIGKILL, (0, -9))):
            for delay in (0.03, 0.15, 0.3):
                with self.subTest(signal=number, delay=delay):
                    cli_support.write_bytes(picture, self.old)
                    code, stderr = self.stop(number, delay, "decode", texture, "-o", picture)
                    self.assertIn(code, codes, stderr)
                    self.assertEqual(self.files("out"), ["picture.png", "texture.dds"])
                    self.assertEqual(read_bytes(picture) == self.old, code != 0)

    def test_sample_interrupted(self):
        picture = self.path("out", "sample.ppm")
        code, stderr = self.stop(signal.SIGINT, 0.2, "sample", "--size", "2000x1500", "-o", picture)
        self.assertEqual(code, INTERRUPTED, stderr)
        self.assertEqual(self.files("out"), [])


class FullDisk(CliTest):
    """A limit on the size of files stands for a full disk."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("out"))
        self.source = self.path("in.ppm")
        self.succeed("sample", "-o", self.source, "--size", "256x256", "--quiet")

    def check(self, name, *arguments):
        output = self.path("out", name)
        for old in (b"old content", None):
            for limit in (0, 1000, 4096):
                with self.subTest(old=old, limit=limit):
                    if old is not None:
                        cli_support.write_bytes(output, old)
                    elif os.path.exists(output):
                        os.unlink(output)
                    outcome = run(*arguments, output, limits=limiter(file_bytes=limit))
                    self.assertEqual(outcome.code, IO, str(outcome))
                    self.assert_one_sentence(outcome, output)
                    self.assertEqual(self.files("out"), [name] if old else [])
                    if old:
                        self.assertEqual(read_bytes(output), old)

    def test_encode(self):
        self.check("out.dds", "encode", self.source, "--mips", "-o")

    def test_decode(self):
        self.succeed("encode", self.source, "-o", self.path("t.dds"), "--quiet")
        self.check("out.png", "decode", self.path("t.dds"), "-o")

    def test_sample(self):
        self.check("out.png", "sample", "--size", "100x100", "-o")

    def test_the_sheet_of_compare(self):
        self.check("out.png", "compare", self.source, self.source, "--quiet", "--sheet")

    def test_the_table_of_bench(self):
        os.mkdir(self.path("images"))
        self.write("images/a.png", png(gradient(8, 8)))
        output = self.path("out", "table.csv")
        cli_support.write_bytes(output, b"old")
        self.refuse(IO, "bench", "--images", self.path("images"), "--repeats", 1, "--rivals", "none",
                    "--csv", output, limits=limiter(file_bytes=10), words=(output,))
        self.assertEqual(read_bytes(output), b"old")
        self.assertEqual(self.files("out"), ["table.csv"])

    def test_enough_room_is_enough(self):
        output = self.path("out", "out.dds")
        self.succeed("encode", self.source, "-o", output,
                     limits=limiter(file_bytes=128 + level_bytes(256, 256)))
        Dds(read_bytes(output))

    def test_the_other_pictures_of_a_batch_are_written(self):
        small = self.write("small.png", png(gradient(4, 4)))
        outcome = run("encode", self.source, small, "-o", self.path("out"), "--format", "bc1",
                      "--quiet", limits=limiter(file_bytes=1000))
        self.assertEqual(outcome.code, IO)
        self.assert_one_sentence(outcome, self.path("out", "in.dds"))
        self.assertEqual(self.files("out"), ["small.dds"])


if __name__ == "__main__":
    cli_support.main()
