"""Fractal images: encoded, decoded, described and refused."""
import os

import cli_support
from cli_support import INVALID, UNSUPPORTED, USAGE, CliTest, available_isas, read_bytes, run
from pictures import gradient, png, read_png


class Encoding(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = self.write("in.png", png(gradient(96, 64)))

    def encode(self, name, *options, **keywords):
        self.succeed("encode", self.picture, "-o", self.path(name), *options, **keywords)
        return read_bytes(self.path(name))

    def test_round_trip(self):
        self.encode("out.tsf", "--quality", 80)
        self.succeed("decode", self.path("out.tsf"), "-o", self.path("out.png"))
        picture = read_png(read_bytes(self.path("out.png")))
        self.assertEqual((picture.width, picture.height, picture.channels), (96, 64, 3))
        outcome = self.succeed("compare", self.picture, self.path("out.tsf"), "--json")
        self.assertGreater(outcome.json["psnr_rgb"], 30)

    def test_quality_and_size(self):
        sizes = [len(self.encode("q.tsf", "--quality", quality)) for quality in (10, 50, 95)]
        self.assertEqual(sizes, sorted(sizes))
        self.assertLess(sizes[0], sizes[2])

    def test_bits_a_pixel_are_not_exceeded(self):
        data = self.encode("b.tsf", "--bpp", 0.6)
        self.assertLessEqual(8 * len(data), 0.6 * 96 * 64)

    def test_threads_and_instruction_sets_do_not_matter(self):
        data = self.encode("a.tsf", "--threads", 1)
        self.assertEqual(self.encode("b.tsf", "--threads", 7), data)
        for isa in available_isas():
            self.assertEqual(self.encode("c.tsf", isa=isa), data, isa)

    def test_kinds_of_leaves(self):
        for option, absent in (("--pure", "dct"), ("--dct-only", "fractal")):
            self.encode("k.tsf", option)
            outcome = self.succeed("info", self.path("k.tsf"), "--verify", "--json")
            self.assertEqual(outcome.json["leaves"][absent], {})

    def test_metrics_and_json(self):
        outcome = self.succeed("encode", self.picture, "-o", self.path("m.tsf"), "--metrics",
                               "--json")
        report = outcome.result
        self.assertEqual(report["format"], "fractal")
        self.assertEqual(report["bytes"], os.path.getsize(self.path("m.tsf")))
        self.assertGreater(report["psnr_rgb"], 20)

    def test_standard_streams(self):
        encoded = run("encode", "-", "-o", "-", "--format", "fractal",
                      stdin=read_bytes(self.picture))
        self.assertEqual(encoded.code, 0)
        self.assertEqual(encoded.stdout, self.encode("s.tsf"))
        decoded = run("decode", "-", "-o", "-", stdin=encoded.stdout)
        self.assertEqual(decoded.code, 0)
        self.assertEqual(read_png(decoded.stdout).width, 96)

    def test_scale_and_steps(self):
        self.encode("out.tsf")
        self.succeed("decode", self.path("out.tsf"), "-o", self.path("big.png"), "--scale", 2,
                     "--iterations", 2, "--steps", self.path("steps"))
        self.assertEqual(read_png(read_bytes(self.path("big.png"))).width, 192)
        self.assertEqual(sorted(os.listdir(self.path("steps"))),
                         ["step00.png", "step01.png", "step02.png"])
        self.assertEqual(read_bytes(self.path("steps", "step02.png")),
                         read_bytes(self.path("big.png")))


class PaperCoder(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = self.write("in.png", png(gradient(64, 64)))

    def test_all_searches_write_the_same_file(self):
        files = []
        for search in ("baseline", "scalar", "simd"):
            self.succeed("encode", self.picture, "-o", self.path("p.tsf"), "--search", search,
                         "--depth", 4, "--epsilon", 20)
            files.append(read_bytes(self.path("p.tsf")))
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])
        description = self.succeed("info", self.path("p.tsf"), "--json").json
        self.assertEqual((description["coder"], description["depth"]), ("paper", 4))
        self.succeed("decode", self.path("p.tsf"), "-o", self.path("p.png"))
        self.assertEqual(read_png(read_bytes(self.path("p.png"))).width, 64)

    def test_half_turns_are_another_search(self):
        self.succeed("sample", "-o", self.picture, "--size", "64x64")
        for option, name in (("--quiet", "all.tsf"), ("--half-turns", "half.tsf")):
            self.succeed("encode", self.picture, "-o", self.path(name), "--search", "simd",
                         "--depth", 4, "--epsilon", 0, option)
        self.assertNotEqual(read_bytes(self.path("all.tsf")), read_bytes(self.path("half.tsf")))


class Refused(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = self.write("in.png", png(gradient(40, 24)))

    def check(self, code, *options, words=(), output="out.tsf"):
        self.refuse(code, "encode", self.picture, "-o", self.path(output), *options, words=words)
        self.assertFalse(os.path.exists(self.path(output)))

    def test_options_that_do_not_go_together(self):
        self.check(USAGE, "--quality", 5, "--bpp", 1, words=("--quality", "--bpp"))
        self.check(USAGE, "--pure", "--dct-only", words=("--pure",))
        self.check(USAGE, "--epsilon", 5, words=("--search",))
        self.check(USAGE, "--search", "simd", "--pure", words=("--search",))
        self.check(USAGE, "--search", "magic", words=("magic", "simd"))

    def test_values_out_of_range(self):
        self.check(USAGE, "--quality", 0, words=("quality", "1 to 100"))
        self.check(USAGE, "--quality", 101, words=("--quality",))
        self.check(USAGE, "--bpp", 0, words=("--bpp",))
        self.check(USAGE, "--search", "simd", "--depth", 15, words=("--depth",))

    def test_fractal_options_of_textures(self):
        self.check(USAGE, "--quality", 5, words=("--quality",), output="out.dds")
        self.check(USAGE, "--bpp", 1, words=("--bpp", ".tsf"), output="out.dds")

    def test_other_containers(self):
        self.check(UNSUPPORTED, "--format", "fractal", words=(".tsf",), output="out.dds")

    def test_sizes_the_paper_does_not_know(self):
        self.check(UNSUPPORTED, "--search", "simd", words=("40x24", "power of two"))

    def test_steps_of_several_files(self):
        self.refuse(USAGE, "decode", "-", "-o", self.path("a.png"), "--steps", self.path("s"),
                    words=("--steps",))

    def test_blocks_of_fractal_images(self):
        self.succeed("encode", self.picture, "-o", self.path("a.tsf"))
        self.refuse(USAGE, "info", self.path("a.tsf"), "--blocks", words=("a.tsf",))
        self.refuse(USAGE, "decode", self.path("a.tsf"), "-o", self.path("a.png"), "--level", 1,
                    words=("level",))

    def test_damaged_files(self):
        self.succeed("encode", self.picture, "-o", self.path("a.tsf"))
        good = read_bytes(self.path("a.tsf"))
        for name, data in (("cut", good[:-3]), ("header", good[:10]), ("more", good + b"x")):
            damaged = self.write(name + ".tsf", data)
            self.refuse(INVALID, "decode", damaged, "-o", self.path("o.png"), words=(damaged,))
        damaged = self.write("version.tsf", good[:4] + b"\x09" + good[5:])
        self.refuse(UNSUPPORTED, "decode", damaged, "-o", self.path("o.png"), words=("version 9",))


if __name__ == "__main__":
    cli_support.main()
