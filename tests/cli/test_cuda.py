"""The backend cuda: the CPU's bytes where there is a device, one sentence where there is none."""
import cli_support
from cli_support import UNSUPPORTED, USAGE, CliTest, devices_of, read_bytes
from pictures import gradient, png

BLOCKS = ("4x4", "5x4", "5x5", "6x5", "6x6", "8x5", "8x6", "8x8", "10x5", "10x6", "10x8", "10x10",
          "12x10", "12x12")


class Cuda(CliTest):
    def setUp(self):
        super().setUp()
        self.picture = self.write("in.png", png(gradient(93, 61, 4, seed=3)))

    def encoded(self, *arguments):
        self.succeed("encode", self.picture, "-o", self.path("t.astc"), *arguments, timeout=120)
        return read_bytes(self.path("t.astc"))


class WithADevice(Cuda):
    def setUp(self):
        super().setUp()
        if not devices_of("cuda"):
            self.skipTest("NO CUDA DEVICE: kernels have not been run (tests of their stages have)")

    def test_gives_the_bytes_of_the_cpu(self):
        cases = [("--block", block, "--preset", "fast") for block in BLOCKS]
        cases += [("--block", block, "--preset", preset) for block in ("4x4", "6x6")
                  for preset in ("realtime", "medium", "thorough")]
        cases += [("--profile", "srgb"), ("--normal",), ("--alpha-weight",), ("--quality", "40"),
                  ("--swizzle", "rrr1"), ("--channel-weights", "3,4,1,2"),
                  ("--block", "4x4", "--method", "fgac")]
        for options in cases:
            with self.subTest(options):
                self.assertEqual(self.encoded(*options, "--backend", "cuda"),
                                 self.encoded(*options))

    def test_bc1_gives_the_bytes_and_texels_of_the_cpu(self):
        cases = [("--preset", preset) for preset in ("realtime", "fast", "medium", "thorough",
                                                     "exhaustive")]
        cases += [("--method", method) for method in ("bounds", "farthest", "luma", "range",
                                                      "starts", "cluster", "lspiro")]
        cases += [("--preset", "medium", *options) for options in (
            ("--punch-through",), ("--three-colors",), ("--decoder", "nvidia"),
            ("--channel-weights", "3,4,1"))]
        for options in cases:
            with self.subTest(options):
                self.assertEqual(self.encoded_bc1(*options, "--backend", "cuda"),
                                 self.encoded_bc1(*options))
        for decoder in ("ideal", "nvidia", "amd"):
            with self.subTest(decoder):
                self.assertEqual(self.decoded_bc1("--decoder", decoder, "--backend", "cuda"),
                                 self.decoded_bc1("--decoder", decoder))

    def encoded_bc1(self, *arguments):
        self.succeed("encode", self.picture, "-o", self.path("t.dds"), *arguments, timeout=120)
        return read_bytes(self.path("t.dds"))

    def decoded_bc1(self, *arguments):
        self.succeed("decode", self.path("t.dds"), "-o", self.path("t.ppm"), *arguments)
        return read_bytes(self.path("t.ppm"))

    def test_astc_is_decoded_to_the_texels_of_the_cpu(self):
        for block in BLOCKS:
            for options in ((), ("--profile", "srgb"), ("--decode-mode", "unorm8")):
                with self.subTest(block, options=options):
                    self.encoded("--block", block, "--preset", "fast")
                    here, there = self.path("here.ppm"), self.path("there.ppm")
                    for backend, path in (("cpu", here), ("cuda", there)):
                        self.succeed("decode", self.path("t.astc"), "-o", path, *options,
                                     "--backend", backend)
                    self.assertEqual(read_bytes(there), read_bytes(here))

    def test_textures_are_transcoded_as_on_the_cpu(self):
        for block in ("4x4", "6x6", "8x5"):
            for options in (("--format", "bc1"), ("--format", "bc1", "--punch-through"),
                            ("--format", "astc", "--block", "8x8")):
                with self.subTest(block, options=options):
                    self.succeed("encode", self.picture, "-o", self.path("m.ktx2"), "--format",
                                 "astc", "--mips", "--block", block, "--preset", "fast")
                    made = []
                    for backend in ("cpu", "cuda"):
                        self.succeed("transcode", self.path("m.ktx2"), "-o", self.path("m2.ktx2"),
                                     *options, "--preset", "fast", "--backend", backend)
                        made.append(read_bytes(self.path("m2.ktx2")))
                    self.assertEqual(made[0], made[1])

    def test_fractal_images_have_the_bytes_of_the_cpu(self):
        self.succeed("sample", "--kind", "photo", "--size", "300x180", "-o", self.path("p.png"))
        self.succeed("sample", "--kind", "photo", "--size", "256x256", "-o", self.path("s.png"))
        cases = [("p.png", *options) for options in (
            (), ("--quality", "80"), ("--bpp", "0.5"), ("--pure",), ("--dct-only",), ("--grey",))]
        cases += [("s.png", "--search", "simd", *options) for options in (
            ("--depth", "6", "--epsilon", "0"), ("--depth", "1"), ("--depth", "5", "--half-turns"))]
        for name, *options in cases:
            with self.subTest(options):
                made = []
                for backend in ("cpu", "cuda"):
                    self.succeed("encode", self.path(name), "-o", self.path("t.tsf"), *options,
                                 "--backend", backend, timeout=120)
                    made.append(read_bytes(self.path("t.tsf")))
                self.assertEqual(made[0], made[1])

    def test_figures_are_those_of_the_cpu(self):
        for options in (("--block", "4x4"), ("--block", "8x5"), ("--profile", "srgb")):
            with self.subTest(options):
                made = []
                for backend in ("cpu", "cuda"):
                    made.append(self.succeed("encode", self.picture, "-o", self.path("t.astc"),
                                             "--preset", "fast", "--metrics", "--json", *options,
                                             "--backend", backend).result)
                for key in ("psnr_rgb", "psnr_rgba", "psnr_alpha_weighted", "ssim", "max_error",
                            "worst_block"):
                    self.assertEqual(self.figure(made[0], key), self.figure(made[1], key))

    def figure(self, report, key):
        """Wherever in the report it is."""
        found = [value[key] for value in [report, *report.values()]
                 if isinstance(value, dict) and key in value]
        self.assertTrue(found, key)
        return found[0]

    def test_is_chosen_by_itself(self):
        outcome = self.succeed("encode", self.picture, "-o", self.path("t.astc"), "--backend",
                               "auto", "--json")
        self.assertEqual(outcome.result["backend"], "cuda")


class WithoutADevice(Cuda):
    def setUp(self):
        super().setUp()
        if devices_of("cuda"):
            self.skipTest("there is a CUDA device")

    def test_says_so(self):
        self.refuse(UNSUPPORTED, "encode", self.picture, "-o", self.path("t.astc"), "--backend",
                    "cuda", words=("CUDA",))
        self.assertEqual(self.files(), ["in.png"])

    def test_automatic_takes_what_there_is(self):
        expected = self.encoded("--preset", "fast")
        self.assertEqual(self.encoded("--preset", "fast", "--backend", "auto"), expected)


class Anywhere(Cuda):
    def test_formats_without_kernels(self):
        self.refuse(UNSUPPORTED, "encode", self.picture, "-o", self.path("t.tsf"), "--backend",
                    "opencl", words=("fractal", "opencl"))

    def test_devices_that_are_not_there(self):
        self.refuse(UNSUPPORTED, "encode", self.picture, "-o", self.path("t.astc"), "--backend",
                    "cuda", "--device", 4711, words=("CUDA",))
        self.refuse(USAGE, "encode", self.picture, "-o", self.path("t.astc"), "--backend", "cuda",
                    "--device", "x")
        self.assertEqual(self.files(), ["in.png"])


if __name__ == "__main__":
    cli_support.main()
