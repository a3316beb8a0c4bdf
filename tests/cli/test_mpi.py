"""tessera encode --backend mpi: the bytes of one machine, and a good end when something is wrong.

Ranks are processes on this machine, more of them than cores."""
import os
import shutil
import subprocess

import cli_support
from cli_support import (CliTest, INVALID, IO, PATIENCE, UNSUPPORTED, USAGE, opencl_devices,
                         read_bytes, run)
from mpi_support import has_mpi, mpirun, run_words, run_ranks, sentences, noise, MpiTest
from pictures import gradient, png

RANK_COUNTS = (1, 2, 3, 5)
# 1x1, one strip, fewer strips than ranks, odd sizes, and some strips for every rank.
SIZES = ((1, 1), (37, 3), (5, 19), (61, 47), (130, 121))


class WithoutMpi(CliTest):
    def test_a_build_without_mpi_says_so(self):
        if has_mpi():
            self.skipTest("this build has MPI")
        source = self.write("a.png", png(gradient(4, 4)))
        self.refuse(UNSUPPORTED, "encode", source, "-o", self.path("a.dds"), "--backend", "mpi",
                    words=("MPI",))

    def test_mpi_is_loaded_only_when_it_is_asked_for(self):
        variables = dict(cli_support.environment(), LD_DEBUG="files")
        source = self.write("a.png", png(gradient(4, 4)))
        for words in (["--version"], ["encode", source, "-o", self.path("a.dds")]):
            done = subprocess.run([cli_support.command(), *words], env=variables,
                                  capture_output=True, check=True, timeout=30 * PATIENCE)
            self.assertNotIn("libmpi", done.stderr.decode())
            self.assertNotIn("tessera_mpi", done.stderr.decode())

    def test_a_plug_in_that_cannot_be_loaded_is_told(self):
        if not has_mpi():
            self.skipTest("this build has no MPI")
        source = self.write("a.png", png(gradient(4, 4)))
        for folder in ("bin", "lib/tessera"):  # beside the executable, or where it is installed
            os.makedirs(self.path("bin"), exist_ok=True)
            os.makedirs(self.path(folder), exist_ok=True)
            alone = shutil.copy(cli_support.command(), self.path("bin/tessera"))
            self.write(folder + "/tessera_mpi.so", b"this is no library")
            outcome = run_words([alone, "encode", source, "-o", self.path("a.dds"), "--backend",
                                 "mpi"])
            self.assertEqual(outcome.code, UNSUPPORTED, str(outcome))
            self.assertEqual(len(outcome.stderr.splitlines()), 1)
            self.assertIn("tessera_mpi.so", outcome.stderr)
            self.assertFalse(os.path.exists(self.path("a.dds")))
            shutil.rmtree(self.path("bin"))

    def test_options_of_ranks_need_the_backend(self):
        source = self.write("a.png", png(gradient(4, 4)))
        for option in (["--gather"], ["--unit-rows", "2"], ["--split-over", "1"],
                       ["--rank-backend", "cpu"]):
            self.refuse(USAGE, "encode", source, "-o", self.path("a.dds"), *option,
                        words=("--backend mpi",))

    def test_only_encode_knows_ranks(self):
        texture = self.path("a.dds")
        self.succeed("encode", self.write("a.png", png(gradient(4, 4))), "-o", texture)
        for verb, source, output in (("decode", "a.dds", "b.png"), ("transcode", "a.dds", "b.ktx2"),
                                     ("convert", "a.dds", "b.ktx2"), ("report", "a.png", "b.html")):
            self.refuse(UNSUPPORTED, verb, self.path(source), "-o", self.path(output), "--backend",
                        "mpi", words=("mpi", "tessera encode"))
            self.assertNotIn(", mpi", self.succeed(verb, "--help").text)
        self.assertIn(", mpi", self.succeed("encode", "--help").text)


class SameBytes(MpiTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        self.sources = [self.write(f"in/{width}x{height}.png", png(gradient(width, height)))
                        for width, height in SIZES]

    def check(self, *options, ranks=RANK_COUNTS, sources=None):
        sources = sources or self.sources
        self.succeed("encode", *sources, "-o", self.path("one"), "--quiet", *options)
        names = self.files("one")
        self.assertEqual(len(names), len(sources))
        for count in ranks:
            # All files are shared by all ranks, row by row.
            outcome = run_ranks(count, "encode", *sources, "-o", self.path("all"), "--quiet",
                                "--split-over", 0, "--unit-rows", 1, *options)
            self.assertEqual((outcome.code, outcome.stdout), (0, b""), str(outcome))
            self.assertEqual(self.files("all"), names)
            for name in names:
                self.assertEqual(read_bytes(self.path("all", name)),
                                 read_bytes(self.path("one", name)), f"{count} ranks: {name}")
            shutil.rmtree(self.path("all"))

    def test_astc(self):
        self.check("--format", "astc", "--preset", "fast", "--block", "5x4")

    def test_bc1(self):
        self.check("--format", "bc1", "--mips")

    def test_fractal(self):
        self.check("--format", "fractal")

    def test_fractal_by_the_paper(self):
        square = self.write("in/square.png", png(gradient(64, 64)))
        other = self.write("in/other.png", png(gradient(128, 128)))
        self.check("--format", "fractal", "--search", "simd", "--depth", "4", "--epsilon", "5",
                   ranks=(2, 5), sources=[square, other])

    def test_strips_by_themselves(self):
        source = self.write("a.ppm", noise(400, 301))
        self.succeed("encode", source, "-o", self.path("one.astc"), "--preset", "realtime")
        outcome = run_ranks(3, "encode", source, "-o", self.path("all.astc"), "--preset",
                            "realtime", "--json", "--metrics")
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(read_bytes(self.path("all.astc")), read_bytes(self.path("one.astc")))
        self.assertEqual((outcome.result["backend"], outcome.result["threads"]), ("mpi", 3))
        self.assertEqual(len(outcome.result["ranks"]), 3)
        self.assertAlmostEqual(sum(rank["mpixels"] for rank in outcome.result["ranks"]),
                               400 * 301 / 1e6)
        self.assertGreater(outcome.result["psnr_rgb"], 10)

    def test_large_images_are_read_where_they_are(self):
        """A unit of an image that ranks of a machine can see takes three messages, else four."""
        for name, width, height, messages in (("small", 400, 301, 4), ("large", 700, 501, 3)):
            source = self.write(name + ".ppm", noise(width, height))
            one, all_ranks = self.path(name + "1.astc"), self.path(name + "2.astc")
            self.succeed("encode", source, "-o", one, "--preset", "thorough")
            outcome = run_ranks(2, "encode", source, "-o", all_ranks, "--preset", "thorough",
                                "--unit-rows", 4, "--json")
            self.assertEqual(outcome.code, 0, str(outcome))
            self.assertEqual(read_bytes(all_ranks), read_bytes(one))
            sent = sum(rank["units"] for rank in outcome.result["ranks"][1:])
            self.assertGreater(sent, 0)
            self.assertEqual(outcome.result["messages"], messages * sent)

    def test_large_images_travel_where_they_must(self):
        source = self.write("large.ppm", noise(700, 501))
        self.succeed("encode", source, "-o", self.path("one.astc"), "--preset", "fast")
        words = [cli_support.command(), "encode", source, "-o", self.path("all.astc"), "--preset",
                 "fast", "--unit-rows", "4", "--backend", "mpi", "--threads", "1", "--json"]
        # Rank 1 does not see rank 0's process, as if it were on another machine.
        elsewhere = ["unshare", "--pid", "--fork", "--mount-proc"]
        if shutil.which("unshare") is None or run_words([*elsewhere, "true"]).code != 0:
            self.skipTest("processes cannot be hidden")
        outcome = run_words(mpirun("-n", "1", *words, ":", "-n", "1", *elsewhere, *words))
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(read_bytes(self.path("all.astc")), read_bytes(self.path("one.astc")))
        self.assertGreater(outcome.result["ranks"][1]["units"], 0)
        self.assertEqual(outcome.result["messages"], 4 * outcome.result["ranks"][1]["units"])

    def test_ranks_with_devices(self):
        if not opencl_devices():
            self.skipTest("no OpenCL device")
        source = self.write("in.png", png(gradient(130, 121)))
        self.succeed("encode", source, "-o", self.path("one.dds"))
        outcome = run_ranks(2, "encode", source, "-o", self.path("all.dds"), "--unit-rows", 5,
                            "--rank-backend", "opencl", "--device", 0, "--json")
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(sum(rank["units"] for rank in outcome.result["ranks"]), 7)
        self.assertEqual(read_bytes(self.path("all.dds")), read_bytes(self.path("one.dds")))

    def test_without_mpirun_there_is_one_rank(self):
        outputs = self.path("one.dds"), self.path("all.dds")
        self.succeed("encode", self.sources[-1], "-o", outputs[0])
        self.succeed("encode", self.sources[-1], "-o", outputs[1], "--backend", "mpi")
        self.assertEqual(read_bytes(outputs[0]), read_bytes(outputs[1]))

    def test_standard_output(self):
        self.succeed("encode", self.sources[-1], "-o", self.path("one.dds"))
        outcome = run_ranks(2, "encode", self.sources[-1], "-o", "-", "--format", "bc1")
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(outcome.stdout, read_bytes(self.path("one.dds")))


class Folder(MpiTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        self.sources = [self.write(f"in/{index}.png", png(gradient(20 + 7 * index, 30 - index)))
                        for index in range(9)]
        self.bad = [self.write("in/bad.png", b"this is no picture"),
                    self.write("in/cut.png", png(gradient(40, 40))[:-60])]
        self.inputs = self.sources[:4] + self.bad + self.sources[4:]
        self.one = run("encode", *self.inputs, "-o", self.path("one"), "--format", "bc1")

    def check(self, count, *options):
        os.mkdir(self.path("all"))
        self.write("all/bad.dds", b"old")
        outcome = run_ranks(count, "encode", *self.inputs, "-o", self.path("all"), "--format",
                            "bc1", *options)
        self.assertEqual(outcome.code, INVALID, str(outcome))
        self.assertEqual(self.one.code, INVALID)
        self.assertEqual(sentences(outcome.stderr), sentences(self.one.stderr))
        self.assertEqual(read_bytes(self.path("all/bad.dds")), b"old")
        os.unlink(self.path("all/bad.dds"))
        self.assertEqual(self.files("all"), self.files("one"))
        for name in self.files("one"):
            self.assertEqual(read_bytes(self.path("all", name)),
                             read_bytes(self.path("one", name)), name)
        return outcome

    def test_a_rank_that_does_not_see_the_files_gives_them_back(self):
        os.mkdir(self.path("elsewhere"))
        names = [os.path.relpath(source, self.folder) for source in self.sources]
        words = [cli_support.command(), "encode", *names, "-o", "all", "--format", "bc1", "--quiet",
                 "--split-over", "1000000", "--backend", "mpi", "--threads", "1"]
        # Relative names lead ranks 1 and 2 to files that are not there.
        outcome = run_words(mpirun("-n", "1", "--wdir", self.folder, *words, ":", "-n", "2",
                                   "--wdir", self.path("elsewhere"), *words))
        self.assertEqual((outcome.code, sentences(outcome.stderr)), (0, []), str(outcome))
        self.assertEqual(self.files("all"), self.files("one"))
        for name in self.files("one"):
            self.assertEqual(read_bytes(self.path("all", name)),
                             read_bytes(self.path("one", name)), name)

    def test_good_files_among_bad_ones(self):
        lines = self.check(3).text.splitlines()
        self.assertEqual(len(lines), len(self.sources) + 4)
        # In the order of the inputs, whoever made them.
        self.assertEqual([os.path.basename(line.split(":")[0]) for line in lines[:-4]],
                         [f"{index}.dds" for index in range(9)])
        self.assertRegex(lines[-4], r"^rank 0: \d+ files, \d+ failed, [\d.]+ MP/s$")
        self.assertRegex(lines[-1], r"^all ranks: 9 files, 2 failed, ")

    def test_rank_0_writes_all_files(self):
        results = self.check(2, "--gather", "--json").json
        self.assertEqual([result["input"] for result in results], self.inputs)
        self.assertEqual([("error" in result) for result in results],
                         [False] * 4 + [True] * 2 + [False] * 5)
        self.assertTrue(all(result["rank"] in (0, 1) for result in results
                            if "error" not in result))

    def test_rank_0_alone_has_the_folder(self):
        os.mkdir(self.path("disk"))
        words = [cli_support.command(), "encode", *self.sources, "-o", self.path("disk/all"),
                 "--format", "bc1", "--backend", "mpi", "--threads", "1", "--gather", "--json"]
        # Another disk in its place, which only rank 1 sees.
        elsewhere = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"',
                     self.path("disk")]
        if shutil.which("unshare") is None or run_words([*elsewhere, "true"]).code != 0:
            self.skipTest("no disk can be mounted")
        outcome = run_words(mpirun("-n", "1", *words, ":", "-n", "1", *elsewhere, *words))
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual({result["rank"] for result in outcome.json}, {0, 1})
        for name in self.files("one"):
            self.assertEqual(read_bytes(self.path("disk/all", name)),
                             read_bytes(self.path("one", name)), name)

    def test_large_files_are_shared(self):
        large = self.write("in/large.ppm", noise(300, 200))
        self.succeed("encode", large, "-o", self.path("one.dds"))
        outcome = run_ranks(2, "encode", large, *self.sources, "-o", self.path("all"), "--format",
                            "bc1", "--json", "--quiet")
        self.assertEqual((outcome.code, outcome.stderr), (0, ""))
        self.assertEqual(read_bytes(self.path("all", "large.dds")),
                         read_bytes(self.path("one.dds")))
        self.assertEqual([("ranks" in result) for result in outcome.json], [True] + [False] * 9)


class Refused(MpiTest):
    """One sentence, the exit code of one machine, and the old file stays."""

    def setUp(self):
        super().setUp()
        self.source = self.write("a.png", png(gradient(50, 50)))
        self.output = self.write("a.astc", b"old")

    def check(self, code, *arguments, words=()):
        self.refuse_ranks(code, 3, *arguments, words=words)
        self.assertEqual(read_bytes(self.output), b"old")

    def test_a_missing_picture(self):
        self.check(IO, "encode", self.path("none.png"), "-o", self.output, words=("none.png",))

    def test_a_damaged_picture(self):
        damaged = self.write("b.png", png(gradient(50, 50))[:-40])
        self.check(INVALID, "encode", damaged, "-o", self.output, words=("b.png",))
        self.check(INVALID, "encode", damaged, "-o", self.path("b.tsf"), words=("b.png",))
        self.assertFalse(os.path.exists(self.path("b.tsf")))

    def test_a_slip_in_the_options(self):
        self.check(USAGE, "encode", self.source, "-o", self.output, "--preset", "quick",
                   words=("quick",))
        self.check(USAGE, "encode", self.source, "-o", self.output, "--unit-rows", "0")

    def test_a_full_disk(self):
        self.check(IO, "encode", self.source, "-o", "/dev/full", "--format", "astc",
                   words=("/dev/full",))

    def test_a_disk_that_fills(self):
        folder = self.path("small")
        os.mkdir(folder)
        # A disk of its own, which only these processes see.
        disk = ["unshare", "--mount", "sh", "-c",
                'mount -t tmpfs -o size=64k none "$0" && echo mounted && echo old >"$0/a.dds" && '
                '"$@"; code=$?; ls "$0"; cat "$0/a.dds"; exit $code', folder]
        if shutil.which("unshare") is None or "mounted" not in run_words([*disk, "true"]).text:
            self.skipTest("no disk can be mounted")
        large = self.write("large.ppm", noise(600, 500))
        outcome = run_words([*disk, *mpirun("-n", "2", cli_support.command(), "encode", large,
                                            "-o", folder + "/a.dds", "--backend", "mpi",
                                            "--threads", "1")])
        self.assertEqual(outcome.code, IO, str(outcome))
        self.assert_one_mpi_sentence(outcome, "a.dds", "No space left")
        self.assertEqual(outcome.text.split(), ["mounted", "a.dds", "old"])

    def test_no_folder(self):
        self.check(IO, "encode", self.source, "-o", self.path("no/a.astc"), words=("no/a.astc",))

    def test_ranks_with_other_options(self):
        words = [cli_support.command(), "encode", self.source, "-o", self.output, "--backend",
                 "mpi"]
        outcome = run_words(mpirun("-n", "2", *words, ":", "-n", "1", *words, "--preset", "fast"))
        self.assertEqual(outcome.code, USAGE, str(outcome))
        self.assert_one_mpi_sentence(outcome, "rank 2")
        self.assertEqual(read_bytes(self.output), b"old")

    def test_a_rank_without_a_device(self):
        if not opencl_devices():
            self.skipTest("no OpenCL device")
        words = [cli_support.command(), "encode", self.source, "-o", self.path("a.dds"),
                 "--backend", "mpi", "--rank-backend", "opencl", "--device", "0"]
        outcome = run_words(mpirun("-n", "1", *words, ":", "-n", "1", "env",
                                   "OCL_ICD_VENDORS=" + self.path("none"), *words))
        self.assertEqual(outcome.code, UNSUPPORTED, str(outcome))
        self.assert_one_mpi_sentence(outcome, "rank 1")
        self.assertFalse(os.path.exists(self.path("a.dds")))

    def test_what_a_rank_computes_with(self):
        for name in ("auto", "threads", "mpi", "abacus"):
            self.check(USAGE, "encode", self.source, "-o", self.output, "--rank-backend", name,
                       words=(name,))

    def test_a_rank_that_cannot_set_up(self):
        words = [cli_support.command(), "encode", self.source, "-o", self.path("a.dds"),
                 "--backend", "mpi", "--rank-backend", "opencl", "--device", "4000"]
        outcome = run_words(mpirun("-n", "2", *words))
        self.assertNotEqual(outcome.code, 0)
        self.assert_one_mpi_sentence(outcome)
        self.assertFalse(os.path.exists(self.path("a.dds")))


if __name__ == "__main__":
    cli_support.main()
