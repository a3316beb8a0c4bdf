"""What runs tell: JSON, lines of JSON, the summary, progress on a terminal; and help and hints."""
import json
import os
import pty
import signal
import subprocess
import time

import cli_support
from cli_support import (CliTest, INTERRUPTED, INVALID, IO, PATIENCE, USAGE, read_bytes, run,
                         write_bytes)
from pictures import gradient, png


class ResultTest(CliTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        for i in range(3):
            self.write(f"in/{i}.png", png(gradient(8 + i, 8)))
        self.bad = self.write("bad.png", b"this is no picture")
        self.output = self.path("out")


class Json(ResultTest):
    def test_always_an_array_of_the_same_objects(self):
        one = self.succeed("encode", self.path("in/0.png"), "-o", self.path("a.dds"), "--json").json
        many = self.succeed("encode", self.path("in"), "-o", self.output, "--format", "bc1",
                            "--json").json
        self.assertEqual((len(one), len(many)), (1, 3))
        self.assertEqual(set(one[0]), set(many[0]))
        back = self.succeed("decode", self.path("a.dds"), "-o", self.path("a.png"), "--json").json
        self.assertEqual([result["status"] for result in one + many + back], ["made"] * 5)

    def test_the_only_file_fails(self):
        for verb, output in (("encode", "a.dds"), ("decode", "a.png"), ("transcode", "a.dds")):
            outcome = run(verb, self.bad, "-o", self.path(output), "--json")
            self.assertEqual(outcome.code, INVALID)
            self.assert_one_sentence(outcome, "bad.png")
            result = outcome.result
            self.assertEqual((result["input"], result["status"], result["exit_code"]),
                             (self.bad, "failed", INVALID))
            self.assertIn("bad.png", result["error"])

    def test_an_error_before_any_file(self):
        """In JSON, each of the inputs has failed by it."""
        os.mkdir(self.path("empty"))
        good, missing = self.path("in/0.png"), self.path("missing.png")
        requests = [
            (IO, "missing.png", ("encode", missing, "-o", self.path("a.dds"))),
            (IO, "missing.png", ("encode", good, missing, "-o", self.output, "--format", "bc1")),
            (IO, "nowhere", ("encode", good, "-o", self.path("nowhere/a.dds"))),
            (IO, "empty", ("encode", self.path("empty"), "-o", self.output, "--format", "bc1")),
            (USAGE, "7x7", ("encode", good, "-o", self.path("a.astc"), "--block", "7x7")),
            (USAGE, "--mips", ("encode", good, "-o", self.path("a.ktx2"), "--mip-filter", "box")),
            (IO, "missing.dds", ("decode", self.path("missing.dds"), "-o", self.path("a.png"))),
            (IO, "missing.dds", ("transcode", self.path("missing.dds"), "-o", self.path("a.ktx2"))),
            (IO, "missing.dds", ("convert", self.path("missing.dds"), "-o", self.path("a.ktx2"))),
            (USAGE, "container", ("convert", self.path("missing.dds"), "-o", self.path("a.xyz"))),
        ]
        for code, word, words in requests:
            inputs = list(words[1:words.index("-o")])
            output = words[words.index("-o") + 1]
            for kind in ("--json", "--json-lines"):
                with self.subTest(words=words, kind=kind):
                    outcome = self.refuse(code, *words, kind, words=(word,))
                    results = outcome.json if kind == "--json" else \
                        [json.loads(line) for line in outcome.text.splitlines()]
                    self.assertEqual([result["input"] for result in results], inputs)
                    for result in results:
                        self.assertEqual((result["output"], result["status"], result["exit_code"]),
                                         (output, "failed", code))
                        self.assertIn(word, result["error"])
                        self.assertEqual(outcome.stderr, "tessera: " + result["error"] + "\n")

    def test_an_interrupted_run_tells_what_it_made(self):
        """A signal comes when all but the last file, which never comes, have been made. A process that
        gets no time after a signal ends without a word, so that there are several trials."""
        os.mkfifo(self.path("last.png"))
        for trial in range(50):
            out = self.path(f"out{trial}")
            process = self.start("encode", self.path("in"), self.path("last.png"), "-o", out,
                                 "--format", "bc1", "--json", "--threads", 2)
            while process.poll() is None and not os.path.exists(os.path.join(out, "2.dds")):
                time.sleep(0.01)
            time.sleep(0.02 * trial)
            process.send_signal(signal.SIGINT)
            text, stderr = process.communicate(timeout=60 * PATIENCE)
            self.assertEqual(process.returncode, INTERRUPTED, stderr)
            if text:
                break
        self.assertEqual([result["status"] for result in json.loads(text)], ["made"] * 3)

    def test_bytes_of_what_is_unchanged(self):
        words = ("encode", self.path("in"), "-o", self.output, "--format", "bc1", "--json")
        first, second = self.succeed(*words).json, self.succeed(*words).json
        self.assertEqual([result["status"] for result in second], ["unchanged"] * 3)
        self.assertEqual([result["bytes"] for result in second],
                         [result["bytes"] for result in first])

    def test_lines(self):
        outcome = run("encode", self.path("in/0.png"), self.bad, self.path("in/1.png"), "-o",
                      self.output, "--format", "bc1", "--json-lines")
        self.assertEqual(outcome.code, INVALID)
        results = [json.loads(line) for line in outcome.text.splitlines()]
        self.assertEqual([result["status"] for result in results], ["made", "failed", "made"])

    def test_lines_come_while_it_runs(self):
        """The last picture comes through a pipe, after the lines of the others have been read."""
        last = self.path("last.png")
        os.mkfifo(last)
        process = self.start("encode", self.path("in"), last, "-o", self.output, "--format", "astc",
                             "--json-lines", "--threads", 1)
        for i in range(3):
            made = json.loads(process.stdout.readline())
            self.assertTrue(made["output"].endswith(f"{i}.astc"), made)
        self.assertEqual(self.files("out"), ["0.astc", "1.astc", "2.astc"])
        write_bytes(last, png(gradient(8, 8)))
        text, stderr = process.communicate(timeout=60 * PATIENCE)
        self.assertEqual(process.returncode, 0, stderr)
        self.assertTrue(json.loads(text)["output"].endswith("last.astc"), text)

    def test_one_kind_of_json(self):
        self.refuse(USAGE, "encode", self.path("in"), "-o", self.output, "--format", "bc1",
                    "--json", "--json-lines", words=("--json-lines",))
        self.refuse(USAGE, "encode", self.path("in/0.png"), "-o", "-", "--format", "bc1",
                    "--json-lines", words=("--json-lines", "standard output"))


class Summary(ResultTest):
    def last_line(self, *inputs, options=()):
        return run("encode", *inputs, "-o", self.output, "--format", "bc1",
                   *options).text.splitlines()[-1]

    def test_what_became_of_the_files(self):
        self.assertIn("4 files: 3 made, 1 failed", self.last_line(self.path("in"), self.bad))
        self.assertIn("4 files: 3 unchanged, 1 failed", self.last_line(self.path("in"), self.bad))
        self.assertIn("3 files: 3 to be made",
                      self.last_line(self.path("in"), options=["--dry-run", "--force"]))

    def test_bytes_and_the_slowest(self):
        line = self.last_line(self.path("in"))
        for word in ("MB in", "MB out", "MP/s", "slowest: " + self.path("in")):
            self.assertIn(word, line)

    def test_none_for_one_file_nor_with_quiet(self):
        text = self.succeed("encode", self.path("in/0.png"), "-o", self.path("a.dds")).text
        self.assertEqual(len(text.splitlines()), 1)
        outcome = self.succeed("encode", self.path("in"), "-o", self.output, "--format", "bc1", "-q")
        self.assertEqual((outcome.text, outcome.stderr), ("", ""))


class Progress(ResultTest):
    def on_terminal(self, *words):
        """What the command writes to standard error when that is a terminal."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([cli_support.command(), *words], stdout=subprocess.DEVNULL,
                                   stderr=theirs, stdin=subprocess.DEVNULL,
                                   env=cli_support.environment())
        self.addCleanup(self._reap, process)
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            text += part
        os.close(ours)
        self.assertEqual(process.wait(timeout=60 * PATIENCE), 0, text)
        return text.decode("utf-8", "replace")

    def test_several_files(self):
        for i in range(3, 30):
            self.write(f"in/{i}.png", png(gradient(128, 128, seed=i)))
        words = ("encode", self.path("in"), "-o", self.output, "--format", "astc", "--block", "4x4",
                 "--preset", "exhaustive", "-j", "1")
        text = self.on_terminal(*words)
        for word in (" of 30 files", "MP/s", " left", ".png"):
            self.assertIn(word, text)
        self.assertTrue(text.endswith("\r\033[K"), repr(text[-40:]))
        for quiet in ("--quiet", "-q"):
            self.assertEqual(self.on_terminal(*words, "--force", quiet), "")

    def test_one_file_has_a_bar(self):
        source = self.write("large.png", png(gradient(1000, 1000)))
        text = self.on_terminal("encode", source, "-o", self.path("a.astc"), "--block", "4x4",
                                "--preset", "exhaustive", "-j", "1")
        self.assertRegex(text, r"large\.png \[#*\.*\] \d+ %")

    def test_no_progress_where_there_is_no_terminal(self):
        outcome = self.succeed("encode", self.path("in"), "-o", self.output, "--format", "bc1")
        self.assertEqual(outcome.stderr, "")


class Hints(ResultTest):
    def test_help_of_a_verb(self):
        self.assertEqual(self.succeed("help", "encode").text, self.succeed("encode", "--help").text)
        self.assertEqual(self.succeed("help").text, self.succeed("--help").text)

    def test_a_mistyped_verb(self):
        self.refuse(USAGE, "encdoe", "a.png", words=("encdoe", "did you mean encode?"))
        self.refuse(USAGE, "transcod", words=("did you mean transcode?",))
        self.refuse(USAGE, "help", "encod", words=("did you mean encode?",))
        outcome = self.refuse(USAGE, "frobnicate", words=("frobnicate",))
        self.assertNotIn("did you mean", outcome.stderr)

    def test_a_mistyped_option(self):
        for typed, meant in (("--prest", "--preset"), ("--trheads", "--threads"),
                             ("--blok=4x4", "--block"), ("--zst", "--zstd")):
            self.refuse(USAGE, "encode", self.path("in/0.png"), "-o", self.path("a.dds"), typed,
                        words=(f"did you mean {meant}?",))
        outcome = self.refuse(USAGE, "encode", self.path("in/0.png"), "-o", self.path("a.dds"),
                              "--frobnicate", words=("--frobnicate",))
        self.assertNotIn("did you mean", outcome.stderr)

    def test_flags_have_no_values(self):
        self.refuse(USAGE, "encode", self.path("a.png"), "-o", self.path("t.ktx2"), "--mips=false",
                    words=("--mips takes no value",))

    def test_a_preset_and_a_quality(self):
        self.refuse(USAGE, "encode", self.path("in/0.png"), "-o", self.path("a.astc"), "--preset",
                    "fast", "--quality", "30", words=("--preset", "--quality"))
        self.assertFalse(os.path.exists(self.path("a.astc")))

    def test_short_options(self):
        self.succeed("encode", self.path("in/0.png"), "-o", self.path("a.dds"), "-j", 2, "-q")
        self.assertGreater(len(read_bytes(self.path("a.dds"))), 128)


if __name__ == "__main__":
    cli_support.main()
