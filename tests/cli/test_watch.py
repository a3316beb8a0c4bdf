"""`encode --watch`: what changes is made again, until a signal ends it."""
import os
import signal
import time

import cli_support
from cli_support import INTERRUPTED, USAGE, CliTest, read_bytes
from pictures import gradient, png


class Watch(CliTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("assets", "deep"))
        self.write("assets/a.png", png(gradient(24, 24)))
        self.write("assets/deep/b.png", png(gradient(16, 16)))

    def until(self, condition, what):
        end = time.monotonic() + 60 * cli_support.PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            self.assertIsNone(self.process.poll(), what)
            time.sleep(0.02)

    def watch(self, *options):
        self.process = self.start("encode", self.path("assets"), "-o", self.path("out"), "--format", "astc",
                                  "--watch", *options)
        # Several threads make the files, so that each of them may be the last one.
        for made in (("a.astc",), ("deep", "b.astc")):
            self.until(lambda made=made: os.path.exists(self.path("out", *made)), "the first run")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30 * cli_support.PATIENCE)
        self.assertEqual(self.process.returncode, INTERRUPTED)
        return out.decode(), err.decode()

    def test_changes_are_made(self):
        self.watch()
        first, other = read_bytes(self.path("out", "a.astc")), read_bytes(self.path("out", "deep", "b.astc"))
        # As programs do that write a file beside it and rename it.
        self.write("assets/.a.tmp", png(gradient(24, 24, seed=9)))
        os.rename(self.path("assets", ".a.tmp"), self.path("assets", "a.png"))
        self.until(lambda: read_bytes(self.path("out", "a.astc")) != first, "a change")
        self.write("assets/deep/c.png", png(gradient(8, 8)))
        self.until(lambda: os.path.exists(self.path("out", "deep", "c.astc")), "a new file")
        os.makedirs(self.path("assets", "new", "er"))
        self.write("assets/new/er/d.png", png(gradient(8, 8)))
        self.until(lambda: os.path.exists(self.path("out", "new", "er", "d.astc")), "a file in a new folder")
        self.assertEqual(read_bytes(self.path("out", "deep", "b.astc")), other)
        self.stop()

    def test_broken_files_do_not_end_it(self):
        self.watch()
        self.write("assets/broken.png", b"no picture")
        self.write("assets/e.png", png(gradient(8, 8)))
        self.until(lambda: os.path.exists(self.path("out", "e.astc")), "the other file")
        # The round that makes this one sees the broken file for certain: it was there before the round began.
        self.write("assets/f.png", png(gradient(8, 8)))
        self.until(lambda: os.path.exists(self.path("out", "f.astc")), "after the broken one")
        os.remove(self.path("assets", "broken.png"))
        self.write("assets/g.png", png(gradient(8, 8)))
        self.until(lambda: os.path.exists(self.path("out", "g.astc")), "without the broken one")
        self.assertIn("broken.png", self.stop()[1])

    def test_a_slip_in_a_file_of_rules_does_not_end_it(self):
        self.watch("--json-lines")
        self.write("assets/tessera.json", b'{"defaults": {"blokc": "8x8"}}')
        while b"blokc" not in self.process.stdout.readline():
            self.assertIsNone(self.process.poll())
        self.write("assets/tessera.json", b'{"defaults": {"block": "8x8"}}')
        self.write("assets/f.png", png(gradient(8, 8)))
        self.until(lambda: os.path.exists(self.path("out", "f.astc")), "after the slip")
        self.until(lambda: read_bytes(self.path("out", "f.astc"))[4:6] == b"\x08\x08", "the rule")
        self.assertIn("blokc", self.stop()[1])

    def test_a_file_of_rules_elsewhere(self):
        os.mkdir(self.path("elsewhere"))
        rules = self.write("elsewhere/r.json", b'{"defaults": {"block": "6x6"}}')
        self.watch("--rules", rules)
        self.write("elsewhere/r.json", b'{"defaults": {"block": "10x5"}}')
        self.until(lambda: read_bytes(self.path("out", "a.astc"))[4:6] == b"\x0a\x05", "a change")
        self.stop()

    def test_what_a_list_names(self):
        os.mkdir(self.path("lists"))
        os.mkdir(self.path("other"))
        self.write("other/x.png", png(gradient(24, 24)))
        listed = self.write("lists/all.txt", os.fsencode(self.path("assets") + "\n"))
        self.process = self.start("encode", "@" + listed, "-o", self.path("out"), "--format", "astc",
                                  "--watch")
        self.until(lambda: os.path.exists(self.path("out", "a.astc")), "the first run")
        self.write("assets/deep/new.png", png(gradient(8, 8)))
        self.until(lambda: os.path.exists(self.path("out", "deep", "new.astc")), "a new file")
        # What is listed later is watched, too.
        self.write("lists/all.txt", os.fsencode(self.path("assets") + "\n" + self.path("other/x.png")))
        self.until(lambda: os.path.exists(self.path("out", "x.astc")), "another entry")
        first = read_bytes(self.path("out", "x.astc"))
        self.write("other/x.png", png(gradient(24, 24, seed=5)))
        self.until(lambda: read_bytes(self.path("out", "x.astc")) != first, "a change of it")
        self.stop()

    def test_lists_that_name_each_other(self):
        """Each is read once to find what to watch; the run refuses them."""
        names = [self.path(name) for name in ("one.txt", "other.txt")]
        for name, other in (names, reversed(names)):
            self.write(name, os.fsencode(f"@{other}\n" * 20))
        self.refuse(USAGE, "encode", "@" + names[0], "-o", self.path("out"), "--format", "astc", "--watch",
                    words=("name each other",))

    def test_lists_that_cannot_be_read_again(self):
        os.mkfifo(self.path("pipe"))
        for name in ("-", self.path("pipe")):
            self.refuse(USAGE, "encode", "@" + name, "-o", self.path("out"), "--format", "astc", "--watch",
                        words=("--watch",))

    def test_names_that_cannot_be_do_not_end_it(self):
        listed = self.write("all.txt", os.fsencode("x" * 300 + "\n" + self.path("assets") + "\n"))
        self.process = self.start("encode", "@" + listed, "-o", self.path("out"), "--format", "astc",
                                  "--watch")
        self.assertIn(b"x" * 300, self.process.stderr.readline())
        self.write("all.txt", os.fsencode(self.path("assets") + "\n"))
        self.until(lambda: os.path.exists(self.path("out", "a.astc")), "the run without it")
        self.stop()

    def test_what_it_does_not_go_with(self):
        for options in (("--json",), ("--dry-run",)):
            self.refuse(USAGE, "encode", self.path("assets"), "-o", self.path("out"), "--format", "astc", "--watch",
                        *options, words=("--watch",))
        self.refuse(USAGE, "encode", self.path("assets"), "-o", self.path("out"), "--watch", words=("--format",))


if __name__ == "__main__":
    cli_support.main()
