"""The command as a whole: help, version, usage errors, plug-ins that are missing."""
import shutil
import subprocess

import cli_support
from cli_support import CliTest, USAGE, IO, read_bytes, run
from pictures import flat, png

VERBS = ("encode", "decode", "compare", "info", "bench", "sample")


class Help(CliTest):
    def test_every_option_has_a_name_of_its_own(self):
        for verb in self.succeed("help", "--json").json["verbs"]:
            names = [name for option in verb["options"] for name in option["names"]]
            self.assertEqual(sorted(names), sorted(set(names)), verb["name"])

    def test_the_help_names_every_verb_and_exit_code(self):
        text = self.succeed("--help").text
        for verb in VERBS:
            self.assertIn(verb, text)
        for words in ("0 done", "1 usage", "3 file is not valid", "6 interrupted", "7 images differ"):
            self.assertIn(words, text)

    def test_every_verb_has_help_with_examples(self):
        for verb in VERBS:
            with self.subTest(verb):
                outcome = self.succeed(verb, "--help")
                self.assertIn("Examples:", outcome.text)
                self.assertIn(f"tessera {verb} ", outcome.text)
                self.assertEqual(outcome.stderr, "")

    def test_the_version_tells_what_is_in_the_build(self):
        lines = self.succeed("--version").text.splitlines()
        self.assertRegex(lines[0], r"^tessera \d+\.\d+\.\d+$")
        fields = dict(line.split(":", 1) for line in lines[1:])
        self.assertIn("bc1", fields["formats"])
        self.assertIn("cpu", fields["backends"])
        for name in ("png", "jpeg", "ppm", "tga", "bmp"):
            self.assertIn(name, fields["pictures"])
        self.assertIn(fields["kernels"].split()[0], cli_support.available_isas())

    def test_a_restricted_instruction_set_shows_in_the_version(self):
        for isa in cli_support.available_isas():
            with self.subTest(isa):
                text = self.succeed("--version", isa=isa).text
                self.assertIn(f"kernels:  {isa} (available:", text)

    def test_the_instruction_set_is_named_in_any_case(self):
        isa = cli_support.available_isas()[-1]
        self.assertIn(f"kernels:  {isa} ", self.succeed("--version", isa=isa.lower()).text)


class WithoutPlugIns(CliTest):
    def test_threads_do_without_the_plug_in(self):
        picture = self.path("p.png")
        self.succeed("sample", "-o", picture, "--size", "512x512")
        self.succeed("encode", picture, "-o", self.path("a.astc"), "--preset", "realtime",
                     "--threads", "2")
        alone = shutil.copy(cli_support.command(), self.path("alone"))
        subprocess.run([alone, "encode", picture, "-o", self.path("b.astc"), "--preset", "realtime",
                        "--threads", "2"], check=True, stdout=subprocess.DEVNULL,
                       timeout=60 * cli_support.PATIENCE)
        self.assertEqual(read_bytes(self.path("a.astc")), read_bytes(self.path("b.astc")))


class Refused(CliTest):
    def test_no_verb(self):
        self.refuse(USAGE)

    def test_an_unknown_verb(self):
        self.refuse(USAGE, "frobnicate")

    def test_an_unknown_option(self):
        self.refuse(USAGE, "--frobnicate")
        for verb in VERBS:
            with self.subTest(verb):
                self.refuse(USAGE, verb, "--frobnicate", "x", "-o", self.path("y.png"))

    def test_required_arguments_are_missing(self):
        picture = self.write("a.png", png(flat(4, 4, (1, 2, 3))))
        for arguments in (
            ("encode",),
            ("encode", picture),
            ("encode", "-o", self.path("x.dds")),
            ("decode",),
            ("decode", picture),
            ("compare",),
            ("compare", picture),
            ("info",),
            ("sample",),
        ):
            with self.subTest(arguments):
                self.refuse(USAGE, *arguments)
        self.assertEqual(self.files(), ["a.png"])

    def test_an_option_without_its_value(self):
        self.refuse(USAGE, "encode", "x.png", "-o")
        self.refuse(USAGE, "bench", "--images")

    def test_numbers_that_are_none(self):
        for value in ("-1", "many", "1.5", "99999999999999999999"):
            with self.subTest(value):
                self.refuse(USAGE, "encode", "x.png", "-o", self.path("x.dds"), "--threads", value,
                            words=("--threads",))

    def test_an_unknown_instruction_set(self):
        for isa in ("nonsense", "AVX", "AVX2;", " "):
            with self.subTest(isa):
                outcome = self.refuse(USAGE, "--version", isa=isa, words=("TESSERA_ISA", isa))
                self.assertEqual(outcome.stdout, b"")
        picture = self.write("a.png", png(flat(4, 4, (1, 2, 3))))
        self.refuse(USAGE, "encode", picture, "-o", self.path("a.dds"), isa="nonsense")
        self.assertEqual(self.files(), ["a.png"])

    def test_a_line_break_in_a_name_does_not_break_the_sentence(self):
        self.refuse(IO, "info", self.path("two\nlines.png"), words=("lines.png",))


class StandardOutput(CliTest):
    """A result that cannot be printed is a failure, not a success."""

    def run_into_full_device(self, *arguments):
        with open("/dev/full", "wb") as full:
            return run(*arguments, stdout=full)

    def test_a_full_device_behind_standard_output(self):
        picture = self.write("a.png", png(flat(8, 8, (1, 2, 3))))
        for arguments in (
            ("info", picture),
            ("info", picture, "--json"),
            ("compare", picture, picture),
            ("compare", picture, picture, "--json"),
            ("encode", picture, "-o", self.path("a.dds"), "--json"),
        ):
            with self.subTest(arguments):
                outcome = self.run_into_full_device(*arguments)
                self.assertEqual(outcome.code, IO, str(outcome))
                self.assert_one_sentence(outcome, "standard output")

    def test_a_closed_pipe_behind_standard_output_is_no_crash(self):
        picture = self.write("a.png", png(flat(8, 8, (1, 2, 3))))
        process = self.start("encode", picture, "-o", "-", "--format", "bc1")
        process.stdout.close()
        process.stdout = None
        stderr = process.stderr.read()
        self.assertIn(process.wait(timeout=60 * cli_support.PATIENCE), (0, IO), stderr)


if __name__ == "__main__":
    cli_support.main()
