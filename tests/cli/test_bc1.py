"""BC1: methods, their options, and OpenCL devices."""
import cli_support
from cli_support import UNSUPPORTED, USAGE, CliTest, opencl_devices, read_bytes, run
from pictures import flat, gradient, png, read_png, with_alpha

METHODS = ("bounds", "farthest", "luma", "range", "starts", "cluster", "lspiro")


class Bc1Test(CliTest):
    def setUp(self):
        super().setUp()
        self.source = self.write("in.png", png(gradient(40, 24)))

    def encode(self, *options, name="out.dds", source=None):
        """The bytes of the texture."""
        self.succeed("encode", source or self.source, "-o", self.path(name), *options)
        return read_bytes(self.path(name))

    def quality(self, *options):
        outcome = self.succeed("encode", self.source, "-o", self.path("q.dds"), "--metrics",
                               "--json", *options)
        return outcome.result["psnr_rgb"]

    def check(self, code, *options, words=(), output="out.dds"):
        self.refuse(code, "encode", self.source, "-o", self.path(output), *options, words=words)
        self.assertEqual(self.files(), ["in.png"])


class Methods(Bc1Test):
    def test_every_method_encodes(self):
        for method in METHODS:
            with self.subTest(method):
                self.assertGreater(self.quality("--method", method), 25)

    def test_lspiro_steps_are_different_and_better(self):
        first, second, third = (self.quality("--method", "lspiro", "--lspiro-steps", steps)
                                for steps in (1, 2, 3))
        self.assertLess(first, second)
        self.assertLess(second, third)

    def test_more_search_is_not_worse(self):
        self.assertGreaterEqual(self.quality("--method", "starts", "--starts", 20),
                                self.quality("--method", "starts", "--starts", 1))
        self.assertGreaterEqual(self.quality("--method", "cluster", "--cluster-keep", 8),
                                self.quality("--method", "cluster", "--cluster-keep", 1))
        self.assertGreaterEqual(self.quality("--method", "bounds", "--sweeps", 5),
                                self.quality("--method", "bounds"))

    def test_options_change_the_bytes(self):
        plain = self.encode("--method", "range")
        for options in (("--channel-weights", "1,1,16"), ("--decoder", "nvidia"),
                        ("--decoder", "amd"), ("--passes", "1"), ("--sweeps", "3")):
            with self.subTest(options):
                self.assertNotEqual(self.encode("--method", "range", *options), plain)

    def test_the_bench_measures_a_method(self):
        outcome = self.succeed("bench", "--images", self.folder, "--format", "bc1", "--rivals",
                               "none", "--method", "lspiro", "--lspiro-steps", "1", "--repeats", 1)
        self.assertIn("lspiro", outcome.text)


class Transparency(Bc1Test):
    def setUp(self):
        super().setUp()
        picture = with_alpha(gradient(16, 16), lambda x, y: 8 * (x + y))
        self.source = self.write("alpha.png", png(picture))
        self.alpha = picture.rgba()[3::4]

    def decoded_alpha(self, *options):
        self.encode(*options)
        self.succeed("decode", self.path("out.dds"), "-o", self.path("out.png"))
        return read_png(read_bytes(self.path("out.png"))).rgba()[3::4]

    def test_the_threshold_decides(self):
        for threshold in (1, 60, 255):
            with self.subTest(threshold):
                alpha = self.decoded_alpha("--punch-through", "--alpha-threshold", threshold)
                wanted = bytes(255 if a >= threshold else 0 for a in self.alpha)
                self.assertEqual(alpha, wanted)

    def test_alpha_is_dropped_and_said_so_without_it(self):
        outcome = self.succeed("encode", self.source, "-o", self.path("out.dds"))
        self.assertIn("alpha", outcome.stderr)
        self.assertEqual(set(self.decoded_alpha("--three-colors")), {255})

    def test_kept_alpha_needs_no_note(self):
        outcome = self.succeed("encode", self.source, "-o", self.path("out.dds"), "--punch-through")
        self.assertNotIn("dropped", outcome.stderr)

    def test_dark_texels_stay_opaque_unless_asked(self):
        dark = with_alpha(gradient(16, 16), lambda x, y: 255)
        pixels = bytearray(dark.rgba())
        for i in range(0, len(pixels), 20):
            pixels[i:i + 3] = b"\2\1\3"
        dark = type(dark)(16, 16, 4, pixels)
        self.source = self.write("dark.png", png(dark))
        self.assertEqual(set(self.decoded_alpha()), {255})
        self.assertIn(0, self.decoded_alpha("--dark-transparent"))


class Decoders(Bc1Test):
    def test_targets_decode_differently(self):
        self.encode()
        pictures = set()
        for decoder in ("ideal", "nvidia", "amd"):
            self.succeed("decode", self.path("out.dds"), "-o", self.path("out.png"), "--decoder",
                         decoder)
            pictures.add(read_png(read_bytes(self.path("out.png"))).rgba())
        self.assertEqual(len(pictures), 3)

    def test_unknown_decoders(self):
        self.check(USAGE, "--decoder", "voodoo", words=("voodoo", "nvidia"))
        self.encode()
        self.refuse(USAGE, "decode", self.path("out.dds"), "-o", self.path("out.png"), "--decoder",
                    "voodoo", words=("voodoo",))


class Refused(Bc1Test):
    def test_unknown_methods(self):
        for method in ("magic", "Bounds", "cluster fit"):
            self.check(UNSUPPORTED, "--method", method, words=(method, "cluster"))

    def test_numbers_out_of_range(self):
        for options in (("--method", "lspiro", "--lspiro-steps", "0"),
                        ("--method", "lspiro", "--lspiro-steps", "4"),
                        ("--method", "lspiro", "--lspiro-radius", "9"),
                        ("--method", "lspiro", "--lspiro-iterations", "0"),
                        ("--method", "starts", "--starts", "21"),
                        ("--method", "cluster", "--cluster-keep", "0"),
                        ("--passes", "65"), ("--sweeps", "65"),
                        ("--punch-through", "--alpha-threshold", "0"),
                        ("--punch-through", "--alpha-threshold", "256")):
            with self.subTest(options):
                self.check(USAGE, *options, words=(options[-1],))

    def test_numbers_that_are_none(self):
        for value in ("two", "-1", "1.5", "", "99999999999"):
            with self.subTest(value):
                self.check(USAGE, "--method", "lspiro", f"--lspiro-steps={value}")

    def test_options_of_another_method(self):
        self.check(USAGE, "--lspiro-steps", "1", words=("lspiro",))
        self.check(USAGE, "--method", "bounds", "--starts", "3", words=("starts",))
        self.check(USAGE, "--method", "range", "--cluster-keep", "3", words=("cluster",))

    def test_a_threshold_without_punch_through(self):
        self.check(USAGE, "--alpha-threshold", "100", words=("--punch-through",))

    def test_weights_that_are_none(self):
        for weights in ("1,2", "0,0,0", "1,2,17", "x", "1;2;3"):
            with self.subTest(weights):
                self.check(USAGE, "--channel-weights", weights, words=(weights,))

    def test_bc1_options_for_other_formats(self):
        self.check(USAGE, "--format", "astc", "--preset", "realtime", "--three-colors",
                   output="out.astc", words=("bc1", "astc"))


class OpenCl(Bc1Test):
    def test_a_device_gives_the_bytes_of_the_cpu(self):
        if not opencl_devices():
            self.skipTest("no OpenCL device")
        for options in (("--method", "bounds"), ("--method", "lspiro", "--lspiro-steps", "1")):
            with self.subTest(options):
                outcome = self.succeed("encode", self.source, "-o", self.path("gpu.dds"), *options,
                                       "--backend", "opencl", "--device", 0, "--json", timeout=120)
                self.assertEqual(outcome.result["backend"], "opencl")
                self.assertEqual(read_bytes(self.path("gpu.dds")), self.encode(*options))

    def test_a_device_decodes(self):
        if not opencl_devices():
            self.skipTest("no OpenCL device")
        self.encode()
        for name, options in (("cpu.png", ()), ("gpu.png", ("--backend", "opencl", "--device", 0))):
            self.succeed("decode", self.path("out.dds"), "-o", self.path(name), *options,
                         timeout=120)
        self.assertEqual(read_bytes(self.path("cpu.png")), read_bytes(self.path("gpu.png")))

    def test_automatic_falls_back_and_says_so(self):
        outcome = self.succeed("encode", self.source, "-o", self.path("out.dds"), "--backend",
                               "auto", "--device", 4711, "--json")
        self.assertEqual(outcome.result["backend"], "cpu")
        self.assertTrue(outcome.stderr.startswith("note: "), outcome.stderr)
        self.assertIn("CPU", outcome.stderr)

    def test_nothing_is_said_by_default(self):
        outcome = self.succeed("encode", self.source, "-o", self.path("out.dds"))
        self.assertEqual(outcome.stderr, "")

    def test_devices_that_are_not_there(self):
        code = run("encode", self.source, "-o", self.path("out.dds"), "--backend", "opencl",
                   "--device", 4711).code
        self.assertIn(code, (USAGE, UNSUPPORTED))
        self.assertEqual(self.files(), ["in.png"])
        self.assertIn(run("bench", "--opencl-study", "--device", 4711).code, (USAGE, UNSUPPORTED))

    def test_a_device_for_the_cpu(self):
        self.check(USAGE, "--backend", "cpu", "--device", "0", words=("--device",))
        self.check(USAGE, "--backend", "opencl", "--device", "x")

    def test_formats_without_kernels(self):
        self.check(UNSUPPORTED, "--format", "astc", "--preset", "realtime", "--backend", "opencl",
                   output="out.astc", words=("astc", "opencl"))

    def test_info_needs_files_or_devices(self):
        self.refuse(USAGE, "info", words=("FILE",))


class Solid(Bc1Test):
    def test_every_grey_is_within_one(self):
        for value in (0, 1, 7, 100, 131, 200, 254, 255):
            source = self.write("flat.png", png(flat(8, 8, (value, value, value))))
            self.encode("--preset", "realtime", source=source)
            self.succeed("decode", self.path("out.dds"), "-o", self.path("out.png"))
            pixels = read_png(read_bytes(self.path("out.png"))).rgb()
            self.assertLessEqual(max(abs(p - value) for p in pixels), 1, value)


if __name__ == "__main__":
    cli_support.main()
