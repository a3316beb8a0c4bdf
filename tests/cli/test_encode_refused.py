"""tessera encode: what cannot work is refused before work starts, in one sentence."""
import os
import socket

import cli_support
from cli_support import CliTest, IO, INVALID, UNSUPPORTED, USAGE, read_bytes, run
from pictures import gradient, png


class Refused(CliTest):
    def setUp(self):
        super().setUp()
        self.source = self.write("in.png", png(gradient(16, 16)))
        self.output = self.path("out.dds")

    def check(self, code, *options, words=(), output=None):
        """Refused with the code; neither the input nor the folder is touched."""
        before = read_bytes(self.source)
        self.refuse(code, "encode", self.source, "-o", output or self.output, *options, words=words)
        self.assertEqual(self.files(), ["in.png"])
        self.assertEqual(read_bytes(self.source), before)


class Names(Refused):
    def test_an_unknown_preset(self):
        self.check(USAGE, "--preset", "best", words=("best", "medium"))
        self.check(USAGE, "--preset", "", words=("preset",))
        self.check(USAGE, "--preset", "MEDIUM ", words=("preset",))

    def test_an_unknown_format(self):
        self.check(USAGE, "--format", "bc9", words=("bc9", "bc1"))

    def test_blocks_that_are_none(self):
        for block in ("4", "4x", "x4", "4x4x", "4x4x4x4", "0x4", "fourxfour", "4 x 4", "-4x4",
                      "999999999999x4", "4,4"):
            with self.subTest(block):
                self.check(USAGE, f"--block={block}", words=(block,))

    def test_blocks_that_bc1_has_not(self):
        for block in ("6x6", "8x4", "4x4x4"):
            with self.subTest(block):
                self.check(USAGE, "--block", block, words=("4x4", block))

    def test_an_unknown_profile(self):
        self.check(USAGE, "--profile", "adobe", words=("adobe", "srgb"))

    def test_an_unknown_backend(self):
        self.check(USAGE, "--backend", "abacus", words=("abacus", "cpu"))

    def test_unknown_swizzles(self):
        for swizzle in ("rgb", "rgbaa", "xyzw", "rgb2", "", "RGBA!"):
            with self.subTest(swizzle):
                self.check(USAGE, "--swizzle", swizzle, words=("swizzle",))

    def test_an_unknown_option(self):
        self.check(USAGE, "--metric", words=("--metric",))


class NotInTheBuild(Refused):
    def test_methods(self):
        self.check(UNSUPPORTED, "--method", "nonsense", words=("nonsense", "bounds"))

    def test_bc1_with_high_dynamic_range(self):
        self.check(UNSUPPORTED, "--profile", "hdr", words=("bc1", "dynamic range"))

    def test_bc1_in_an_astc_file(self):
        self.check(UNSUPPORTED, "--format", "bc1", output=self.path("out.astc"),
                   words=(".astc", "bc1"))


class MissingAstcPresets(Refused):
    """The default preset, medium, does not exist for ASTC yet."""

    def test_options_of_astc(self):
        out = self.path("out.astc")
        self.check(USAGE, "--quality", "101", output=out)
        self.check(USAGE, "--quality", "much", output=out)
        self.check(USAGE, "--decode-mode", "unorm16", output=out, words=("unorm16", "float16"))
        self.check(USAGE, "--endpoints", "best", output=out, words=("best", "minmax"))
        self.check(USAGE, "--partitions", "many", output=out, words=("many", "kmeans++"))
        for weights in ("1,2", "1,2,3,4,5", "1,2,x", "1;2;3", "1,2,3,"):
            self.check(USAGE, "--channel-weights", weights, output=out)
        self.check(USAGE, "--channel-weights", "1,2,3,-1", output=out, words=("weights",))
        self.check(USAGE, "--channel-weights", "1,2,3,nan", output=out, words=("weights",))
        self.check(USAGE, "--normal", "--swizzle", "bgra", output=out, words=("swizzle",))
        for option in (("--quality", "5"), ("--decode-mode", "unorm8"), ("--endpoints", "pca"),
                       ("--partitions", "off"), ("--alpha-weight",), ("--normal",)):
            self.check(USAGE, *option, "--format", "bc1", output=self.path("out.dds"),
                       words=("astc",))

    def test_other_kinds_of_astc(self):
        out = self.path("out.astc")
        realtime = ("--preset", "realtime")
        self.check(USAGE, *realtime, "--block", "4x4x4", output=out)
        self.check(UNSUPPORTED, *realtime, "--method", "bounds", output=out, words=("fgac",))
        fgac = ("--method", "fgac")
        self.check(UNSUPPORTED, *fgac, "--block", "6x6", output=out, words=("4x4", "6x6"))
        for option in (("--partitions", "kmeans++"), ("--quality", "40"), ("--normal",),
                       ("--channel-weights", "1,2,3")):
            self.check(USAGE, *fgac, "--block", "4x4", *option, output=out, words=("fgac",))
        self.check(USAGE, *realtime, "--block", "7x7", output=out)
        self.check(UNSUPPORTED, *realtime, "--mips", output=out, words=("mip",))


class InputFiles(Refused):
    def refuse_input(self, code, path, *words):
        before = self.files()
        self.refuse(code, "encode", path, "-o", self.output, words=(path, *words))
        self.assertEqual(self.files(), before)

    def test_a_missing_file(self):
        self.refuse_input(IO, self.path("missing.png"), "No such file")

    def test_a_missing_folder(self):
        self.refuse_input(IO, self.path("no", "where.png"), "No such file")

    def test_a_folder(self):
        os.mkdir(self.path("folder.png"))
        self.refuse_input(IO, self.path("folder.png"), "folder")

    def test_a_file_used_as_a_folder(self):
        self.refuse_input(IO, self.path("in.png", "below.png"))

    def test_an_empty_file(self):
        self.refuse_input(INVALID, self.write("empty.png", b""), "empty")

    def test_files_of_other_kinds(self):
        for name, data in (
            ("text.png", b"hello, world\n" * 100),
            ("zeros.png", b"\0" * 5000),
            ("ones.png", b"\xff" * 5000),
            ("pdf.png", b"%PDF-1.4\n" + b"x" * 100),
            ("gif.png", b"GIF89a\1\0\1\0\0\0\0;"),
            ("one_byte.png", b"P"),
        ):
            with self.subTest(name):
                self.refuse_input(INVALID, self.write(name, data))

    def test_a_texture_is_no_picture(self):
        self.succeed("encode", self.source, "-o", self.path("texture.dds"), "--quiet")
        self.refuse_input(INVALID, self.path("texture.dds"), "is a compressed texture", "transcode")

    def test_a_dangling_link(self):
        os.symlink(self.path("nothing"), self.path("link.png"))
        self.refuse_input(IO, self.path("link.png"))

    def test_a_circle_of_links(self):
        os.symlink(self.path("b.png"), self.path("a.png"))
        os.symlink(self.path("a.png"), self.path("b.png"))
        self.refuse_input(IO, self.path("a.png"))

    def test_a_socket(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.path("socket.png"))
            self.refuse_input(IO, self.path("socket.png"))

    def test_a_name_that_is_too_long(self):
        """Sentences are cut after about a thousand characters."""
        self.refuse(IO, "encode", self.path("x" * 5000 + ".png"), "-o", self.output,
                    words=(self.path("x" * 900),))

    def test_an_empty_name(self):
        outcome = run("encode", "", "-o", self.output)
        self.assertIn(outcome.code, (USAGE, IO), str(outcome))
        self.assert_one_sentence(outcome)


class OutputFiles(Refused):
    def test_no_output(self):
        self.refuse(USAGE, "encode", self.source, words=("--output",))

    def test_extensions_that_tell_nothing(self):
        for name in ("out", "out.png", "out.dds.bak", "out.dd", ".dds.", "out.kt"):
            with self.subTest(name):
                self.check(USAGE, "--format", "bc1", output=self.path(name), words=(name,))

    def test_without_format_the_extension_has_to_tell(self):
        self.check(USAGE, output=self.path("out.png"), words=("--format",))

    def test_an_empty_name(self):
        outcome = run("encode", self.source, "-o", "", "--format", "bc1")
        self.assertEqual(outcome.code, USAGE, str(outcome))
        self.assert_one_sentence(outcome)

    def test_a_missing_folder(self):
        self.check(IO, output=self.path("no", "where.dds"), words=(self.path("no"),))

    def test_below_a_file(self):
        self.check(IO, output=self.path("in.png", "x.dds"), words=("x.dds",))

    def test_a_name_that_is_too_long(self):
        self.check(IO, output=self.path("x" * 300 + ".dds"))

    def test_a_file_system_that_takes_no_files(self):
        self.check(IO, output="/proc/tessera-test.dds", words=("/proc/tessera-test.dds",))

    def test_the_input_itself(self):
        cli_support.write_bytes(self.path("same.dds"), read_bytes(self.source))
        before = read_bytes(self.path("same.dds"))
        for name in ("same.dds", "./same.dds"):
            self.refuse(USAGE, "encode", self.path("same.dds"), "-o", self.folder + "/" + name,
                        words=("same.dds",))
            self.assertEqual(read_bytes(self.path("same.dds")), before)

    def test_a_link_to_the_input(self):
        os.symlink(self.source, self.path("link.dds"))
        self.refuse(USAGE, "encode", self.source, "-o", self.path("link.dds"), words=("link.dds",))
        self.assertTrue(os.path.islink(self.path("link.dds")))

    def test_another_name_of_the_input(self):
        os.link(self.source, self.path("twin.dds"))
        self.refuse(USAGE, "encode", self.source, "-o", self.path("twin.dds"), words=("twin.dds",))

    def test_a_bad_output_is_told_before_a_bad_input_is_read(self):
        self.write("in.png", b"this is no picture")
        self.check(IO, output=self.path("no", "where.dds"), words=("where.dds",))


class Threads(Refused):
    def test_far_too_many_threads_are_no_crash(self):
        for threads in (100000, 1000000, 4294967295):
            with self.subTest(threads):
                outcome = run("encode", self.source, "-o", self.output, "--threads", threads,
                              "--quiet")
                self.assert_no_crash(outcome, (0, USAGE, cli_support.FAILED, UNSUPPORTED), threads)


if __name__ == "__main__":
    cli_support.main()
