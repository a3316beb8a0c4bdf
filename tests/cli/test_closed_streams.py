"""Standard streams that are closed at the start: no file takes their place and their text."""
import itertools
import os
import subprocess

import cli_support
from cli_support import CliTest, INVALID, IO, read_bytes
from pictures import gradient, png

STREAMS = (0, 1, 2)
CLOSED_SETS = [
    closed for count in range(len(STREAMS) + 1) for closed in itertools.combinations(STREAMS, count)
]


def run_with_closed(closed, *arguments):
    """The exit code, with these descriptors closed, and what the open ones of 1 and 2 carried."""

    def close():
        for descriptor in closed:
            os.close(descriptor)

    done = subprocess.run(
        [cli_support.command(), *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=close,
        timeout=60 * cli_support.PATIENCE,
        env=cli_support.environment(),
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


class Closed(CliTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("out"))
        self.picture = self.write("a.png", png(gradient(24, 16)))
        self.texture = self.path("a.dds")
        self.succeed("encode", self.picture, "-o", self.texture)

    def contents(self):
        """Every file of the test's folder, by name."""
        found = {}
        for folder, _, names in os.walk(self.folder):
            for name in names:
                found[os.path.join(folder, name)] = read_bytes(os.path.join(folder, name))
        return found

    def clear(self):
        for name in os.listdir(self.path("out")):  # with the note of what was made
            os.unlink(self.path("out", name))

    def check(self, *arguments, code=0, written=0):
        """The same exit code and the same files, whichever streams are closed."""
        expected = None
        for closed in CLOSED_SETS:
            with self.subTest(arguments=arguments, closed=closed):
                self.clear()
                got, stdout, stderr = run_with_closed(closed, *arguments)
                self.assertEqual(got, code, (stdout, stderr))
                self.assertEqual(len(self.files("out")), written)
                if 1 in closed:
                    self.assertEqual(stdout, b"")
                if 2 in closed:
                    self.assertEqual(stderr, b"")
                if expected is None:
                    expected = self.contents()
                self.assertEqual(self.contents(), expected)

    def test_encode(self):
        for name in ("t.dds", "t.astc", "t.tsf"):
            self.check("encode", self.picture, "-o", self.path("out", name), written=1)
        self.check("encode", self.picture, "-o", self.path("out", "t.ktx2"), "--format", "astc",
                   written=1)

    def test_encode_with_a_report(self):
        self.check("encode", self.picture, "-o", self.path("out", "t.dds"), "--metrics", "--json",
                   written=1)

    def test_encode_of_several_pictures_one_of_them_broken(self):
        broken = self.write("b.png", png(gradient(24, 16))[:60])
        self.check("encode", broken, self.picture, "-o", self.path("out"), "--format", "bc1",
                   code=INVALID, written=1)

    def test_encode_of_a_file_that_is_not_there(self):
        self.check("encode", self.path("no.png"), "-o", self.path("out", "t.dds"), code=IO)

    def test_decode(self):
        self.check("decode", self.texture, "-o", self.path("out", "t.png"), written=1)

    def test_compare(self):
        self.check("compare", self.picture, self.texture, "--sheet", self.path("out", "s.png"),
                   written=1)

    def test_info(self):
        self.check("info", self.texture)
        self.check("info", self.picture, "--json")

    def test_sample(self):
        self.check("sample", "--size", "24x16", "-o", self.path("out", "s.png"), written=1)

    def test_help_and_version(self):
        self.check("--version")
        self.check("--help")
        for verb in ("encode", "decode", "compare", "info", "bench", "sample"):
            self.check(verb, "--help")

    def test_a_wrong_option(self):
        self.check("--frobnicate", code=cli_support.USAGE)

    def test_bench(self):
        """Its table holds times; all else of it is the same."""
        os.mkdir(self.path("images"))
        self.write("images/a.png", png(gradient(8, 8)))
        table = self.path("out", "table.csv")
        for closed in CLOSED_SETS:
            with self.subTest(closed=closed):
                self.clear()
                code, _, stderr = run_with_closed(
                    closed, "bench", "--images", self.path("images"), "--format", "bc1", "--presets",
                    "fast", "--rivals", "none", "--repeats", 1, "--csv", table)
                self.assertEqual(code, 0, stderr)
                self.assertEqual(self.files("out"), ["table.csv"])
                lines = read_bytes(table).decode().splitlines()
                self.assertEqual({line.count(",") for line in lines}, {lines[0].count(",")}, lines)
                self.assertTrue(lines[0].startswith("codec,"), lines)
                self.assertEqual(len(lines), 2, lines)


class Input(CliTest):
    def test_a_closed_standard_input_is_an_empty_one(self):
        """And not the first file that is opened."""
        code, _, stderr = run_with_closed((0,), "encode", "-", "-o", self.path("t.dds"))
        self.assertEqual(code, INVALID, stderr)
        self.assertIn(b"standard input", stderr)
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    cli_support.main()
