"""Standard streams that are closed at the start: no file takes their place and their text."""
import os
import re

import cli_support
from cli_support import CLOSED_SETS, CliTest, INVALID, IO, read_bytes, run, run_with_closed
from pictures import gradient, png


def all_verbs():
    """The verbs as the command lists them; the list lacks bench, which is a program of its own."""
    return [verb["name"] for verb in run("help", "--json").json["verbs"]] + ["bench"]


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

    def check(self, *arguments, code=0, written=0, inputs=()):
        """The same exit code and the same files, whichever streams are closed. `inputs` are the
        names and contents of files that are among the outputs."""
        expected = None
        for closed in CLOSED_SETS:
            with self.subTest(arguments=arguments, closed=closed):
                self.clear()
                for name, data in inputs:
                    self.write(os.path.join("out", name), data)
                got, stdout, stderr = run_with_closed(closed, *arguments)
                self.assertEqual(got, code, (stdout, stderr))
                self.assertEqual(len(self.files("out")), written + len(inputs))
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

    def test_transcode(self):
        self.check("transcode", self.texture, "-o", self.path("out", "t.astc"), "--json", written=1)

    def test_convert(self):
        self.check("convert", self.texture, "-o", self.path("out", "t.ktx2"), written=1)

    def test_advise(self):
        self.check("advise", self.picture, "--preset", "fast", "--chart", self.path("out", "c.svg"),
                   written=1)

    def test_validate(self):
        self.check("validate", self.texture)
        self.check("validate", self.write("b.dds", read_bytes(self.texture)[:-1]), "--json",
                   code=INVALID)

    def test_inspect(self):
        self.check("inspect", self.texture, "-o", self.path("out"), "--original", self.picture,
                   written=4)

    def test_init(self):
        self.check("init", self.path("out"), inputs=[("a.png", png(gradient(24, 16)))], written=1)

    def test_report(self):
        """Its page holds rates; all else of it is the same."""
        expected = None
        for closed in CLOSED_SETS:
            with self.subTest(closed=closed):
                self.clear()
                code, _, stderr = run_with_closed(closed, "report", self.picture, "-o",
                                                  self.path("out", "r.html"), "--setting",
                                                  "block=6x6,preset=fast")
                self.assertEqual(code, 0, stderr)
                self.assertEqual(self.files("out"), ["r.html"])
                page, count = re.subn(r'"mpixels_per_second":[0-9.e+-]+', "",
                                      read_bytes(self.path("out", "r.html")).decode())
                self.assertEqual(count, 1)
                expected = expected or page
                self.assertEqual(page, expected)

    def test_every_verb_has_a_test_here(self):
        for verb in all_verbs():
            self.assertTrue(hasattr(self, "test_" + verb), verb)

    def test_help_and_version(self):
        self.check("--version")
        self.check("--help")
        self.check("help", "--json")
        for verb in all_verbs():
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


class Output(CliTest):
    def test_a_file_is_not_written_to_a_closed_standard_output(self):
        """/dev/null takes its place for texts, and would take the file, too."""
        picture = self.write("a.png", png(gradient(24, 16)))
        texture = self.path("a.dds")
        self.succeed("encode", picture, "-o", texture)
        for verb in (("encode", picture, "-o", "-", "--format", "bc1"),
                     ("decode", texture, "-o", "-", "--as", "png"),
                     ("convert", texture, "-o", "-", "--container", "ktx2"),
                     ("transcode", texture, "-o", "-", "--format", "astc"),
                     ("report", picture, "-o", "-", "--setting", "block=6x6,preset=fast"),
                     ("sample", "--size", "24x16", "-o", "-")):
            with self.subTest(verb[0]):
                code, _, stderr = run_with_closed((1,), *verb)
                self.assertEqual(code, IO, stderr)
                self.assertIn(b"standard output", stderr)


if __name__ == "__main__":
    cli_support.main()
