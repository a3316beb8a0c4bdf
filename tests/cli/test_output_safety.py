"""The output's name appears when the file is complete; stopped half-way, an old file stays."""
import array
import errno
import fcntl
import os
import random
import signal
import subprocess
import termios
import time

import cli_support
from cli_support import CliTest, INTERRUPTED, IO, limiter, read_bytes, run
from pictures import gradient, png
from textures import Dds, level_bytes

WIDTH, HEIGHT = 3000, 2000
HEADER = b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT)
ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # the command is asked to stop, and does


def write_large_picture(path):
    """18 MB that differ from row to row, written in a moment."""
    row = bytes((x * 7 + x // 256) % 256 for x in range(3 * WIDTH + 256))
    with open(path, "wb") as file:
        file.write(HEADER)
        for y in range(HEIGHT):
            file.write(row[y % 256 : y % 256 + 3 * WIDTH])


class Stopped(CliTest):
    """Every wait is for something that can be observed; the deadlines only end a test that hangs."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("out"))
        self.output = self.path("out", "texture.dds")
        self.old = b"the old texture"

    def large_picture(self):
        write_large_picture(self.path("large.ppm"))
        return self.path("large.ppm")

    def wait_until(self, what, process, condition):
        deadline = time.monotonic() + 60 * cli_support.PATIENCE
        while not condition():
            self.assertIsNone(process.poll(), what)
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.001)

    def stat_fields(self, process):
        """The fields of /proc/PID/stat after the command's name; the first is the state."""
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()

    def cpu_seconds(self, process):
        fields = self.stat_fields(process)
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def finish(self, process):
        _, stderr = process.communicate(timeout=60 * cli_support.PATIENCE)
        return process.returncode, stderr.decode()

    def feed(self, process, pipe, data):
        """Writes into the pipe and returns when the process has read it and waits for more."""
        os.write(pipe, data)

        def waits():
            unread = array.array("i", [0])
            fcntl.ioctl(pipe, termios.FIONREAD, unread)
            return unread[0] == 0 and self.stat_fields(process)[0] == "S"

        self.wait_until("the command does not wait for input", process, waits)

    def open_fifo(self, process, path):
        """The end to write to, once somebody has opened the other one."""
        opened = []

        def try_to_open():
            try:
                opened.append(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            except OSError as error:
                self.assertEqual(error.errno, errno.ENXIO)
            return opened

        self.wait_until("nobody reads " + path, process, try_to_open)
        os.set_blocking(opened[0], True)
        self.addCleanup(os.close, opened[0])
        return opened[0]

    def assert_stopped(self, number, code, stderr):
        if number == signal.SIGKILL:
            self.assertEqual(code, -signal.SIGKILL)
        else:
            self.assertEqual(code, INTERRUPTED, stderr)
            self.assertRegex(stderr, r"\Atessera: [^\n]*interrupted[^\n]*\n\Z")

    def check_stopped_while_reading(self, arguments, start_of_input):
        fifo = self.path("input")
        os.mkfifo(fifo)
        for number in (*ASKING, signal.SIGKILL):
            for old in (self.old, None):
                with self.subTest(signal=number, old=old):
                    if old is not None:
                        cli_support.write_bytes(self.output, old)
                    elif os.path.exists(self.output):
                        os.unlink(self.output)
                    process = self.start(*arguments, fifo, "-o", self.output)
                    self.feed(process, self.open_fifo(process, fifo), start_of_input)
                    process.send_signal(number)
                    self.assert_stopped(number, *self.finish(process))
                    self.assertEqual(self.files("out"), [os.path.basename(self.output)] if old else [])
                    if old is not None:
                        self.assertEqual(read_bytes(self.output), old)

    def test_encode_stopped_while_reading(self):
        self.check_stopped_while_reading(("encode", "--format", "bc1"), HEADER + bytes(1000))

    def test_decode_stopped_while_reading(self):
        self.output = self.path("out", "picture.png")
        texture = self.path("t.dds")
        self.succeed("encode", self.write("in.png", png(gradient(64, 64))), "-o", texture)
        self.check_stopped_while_reading(("decode",), read_bytes(texture)[:1000])

    def test_interrupted_while_waiting_for_standard_input(self):
        process = self.start("encode", "-", "-o", self.output, stdin=subprocess.PIPE)
        self.feed(process, process.stdin.fileno(), HEADER)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60 * cli_support.PATIENCE), INTERRUPTED)
        stderr = process.stderr.read()
        self.assertRegex(stderr, rb"\Atessera: [^\n]*standard input[^\n]*\n\Z")
        self.assertEqual(self.files("out"), [])

    def test_stopped_while_encoding(self):
        """Two threads would take long, so that a signal cannot come too late."""
        source, output = self.large_picture(), self.path("out", "texture.astc")
        preset = "exhaustive" if cli_support.PATIENCE == 1 else "thorough"
        for number in (*ASKING, signal.SIGKILL):
            with self.subTest(signal=number):
                cli_support.write_bytes(output, self.old)
                process = self.start("encode", source, "-o", output, "--preset", preset,
                                     "--threads", 2)
                self.wait_until("it does not compute", process,
                                lambda: self.cpu_seconds(process) > 0.2)
                process.send_signal(number)
                self.assert_stopped(number, *self.finish(process))
                self.assertEqual(self.files("out"), ["texture.astc"])
                self.assertEqual(read_bytes(output), self.old)

    def test_interrupted_between_several_pictures(self):
        """The second picture never comes, so that the batch cannot end."""
        first, second = self.write("a.png", png(gradient(64, 64))), self.path("b.ppm")
        os.mkfifo(second)
        process = self.start("encode", first, second, "-o", self.path("out"), "--format", "bc1",
                             "--quiet", "--threads", 1)
        self.feed(process, self.open_fifo(process, second), HEADER)
        self.wait_until("the first texture is not written", process, lambda: self.files("out"))
        process.send_signal(signal.SIGINT)
        self.assert_stopped(signal.SIGINT, *self.finish(process))
        self.assertEqual(self.files("out"), ["a.dds"])
        Dds(read_bytes(self.path("out", "a.dds")))  # asserts that it is complete

    def check_stopped_at_any_moment(self, arguments, is_complete):
        """What must hold wherever the signal strikes, the end included."""
        before = os.times()
        self.succeed(*arguments, "-o", self.output, "--quiet", timeout=120)
        after = os.times()
        whole = (after.children_user + after.children_system
                 - before.children_user - before.children_system)
        chance = random.Random(11)
        for number in (signal.SIGKILL,) * 5 + ASKING:
            moment = chance.uniform(0.0, whole)
            with self.subTest(signal=number, moment=moment):
                cli_support.write_bytes(self.output, self.old)
                process = self.start(*arguments, "-o", self.output)
                if number in ASKING:
                    self.wait_for_handler(process, number)
                while process.poll() is None and self.cpu_seconds(process) < moment:
                    time.sleep(0.001)
                process.send_signal(number)
                code, stderr = self.finish(process)
                self.assertEqual(self.files("out"), [os.path.basename(self.output)])
                if read_bytes(self.output) == self.old:
                    self.assert_stopped(number, code, stderr)
                else:
                    is_complete(read_bytes(self.output))
                    # The command may be kept from running between the last step and its end, until
                    # the time that a signal leaves it is over.
                    self.assertIn(code, (0, -number, INTERRUPTED if number in ASKING else 0), stderr)

    def test_encode_stopped_at_any_moment(self):
        def is_complete(data):
            texture = Dds(data)  # asserts that the sizes of all levels add up
            self.assertEqual((texture.width, texture.height), (WIDTH, HEIGHT))

        self.check_stopped_at_any_moment(
            ("encode", self.large_picture(), "--mips", "--preset", "thorough"), is_complete)

    def test_decode_stopped_at_any_moment(self):
        texture = self.path("large.dds")
        self.succeed("encode", self.large_picture(), "-o", texture, "--quiet")
        self.output = self.path("out", "picture.ppm")
        self.check_stopped_at_any_moment(
            ("decode", texture),
            lambda data: self.assertEqual(len(data), len(HEADER) + 3 * WIDTH * HEIGHT))

    def test_sample_interrupted(self):
        """A larger picture each time that the signal came too late, as on a busy machine."""
        picture = self.path("out", "sample.ppm")
        for size in ("1500x1000", "4000x3000", "12000x8000"):
            process = self.start("sample", "--size", size, "-o", picture)
            self.wait_for_handler(process, signal.SIGINT)
            process.send_signal(signal.SIGINT)
            code, stderr = self.finish(process)
            if code != 0:
                break
            os.unlink(picture)
        self.assert_stopped(signal.SIGINT, code, stderr)
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
