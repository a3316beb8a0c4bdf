"""Ranks that are stopped, killed, or have no memory: all end, and the old file stays."""
import os
import signal
import subprocess
import time
import unittest

import cli_support
from cli_support import FAILED, INTERRUPTED, Outcome, PATIENCE, read_bytes
from mpi_support import mpirun, mpi_environment, run_words, noise, MpiTest


class Stopped(MpiTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("out"))
        self.output = self.write("out/a.astc", b"old")
        self.words = [cli_support.command(), "encode", self.write("a.ppm", noise(3000, 2000)),
                      "-o", self.output, "--preset", "exhaustive", "--block", "4x4", "--backend",
                      "mpi", "--threads", "1"]

    def start_ranks(self, words):
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=mpi_environment())
        self.addCleanup(self._reap, process)
        return process

    def ranks_of(self, process, count):
        """The process ids of the ranks, once all of them compute."""
        deadline = time.monotonic() + 60 * PATIENCE
        while time.monotonic() < deadline:
            self.assertIsNone(process.poll())
            try:
                with open(f"/proc/{process.pid}/task/{process.pid}/children",
                          encoding="ascii") as children:
                    found = {self.rank_of(pid): pid for pid in map(int, children.read().split())}
                if len(found) == count and all(self.seconds_of(pid) > 0.25
                                               for pid in found.values()):
                    return found
            except (OSError, ValueError, KeyError):
                pass
            time.sleep(0.05)
        raise AssertionError("the ranks do not compute")

    @staticmethod
    def rank_of(pid):
        with open(f"/proc/{pid}/environ", "rb") as environ:
            variables = dict(item.split(b"=", 1) for item in environ.read().split(b"\0") if item)
        return int(variables[b"OMPI_COMM_WORLD_RANK"])

    @staticmethod
    def seconds_of(pid):
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def assert_gone(self, pids):
        deadline = time.monotonic() + 60 * PATIENCE
        for pid in pids:
            while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertFalse(os.path.exists(f"/proc/{pid}"), "a rank is still there")

    def stop(self, signal_number, whom):
        """Exit code and stderr of a run whose rank `whom` (None: mpirun) gets the signal."""
        # Seconds that mpirun gives ranks to say what they have to say, before it kills them.
        patience = ("--mca", "odls_base_sigkill_timeout", str(int(2 + PATIENCE / 2)))
        process = self.start_ranks(mpirun(*patience, "-n", "3", *self.words))
        ranks = self.ranks_of(process, 3)
        os.kill(process.pid if whom is None else ranks[whom], signal_number)
        _, stderr = process.communicate(timeout=60 * PATIENCE)
        self.assert_gone(ranks.values())
        self.assertEqual(self.files("out"), ["a.astc"])
        self.assertEqual(read_bytes(self.output), b"old")
        return Outcome(process.returncode, b"", stderr)

    def test_a_rank(self):
        outcome = self.stop(signal.SIGKILL, 1)
        self.assertNotEqual(outcome.code, 0)
        self.assert_one_mpi_sentence(outcome, "another rank")

    def test_a_rank_is_asked_to_stop(self):
        outcome = self.stop(signal.SIGTERM, 2)
        self.assertEqual(outcome.code, INTERRUPTED, str(outcome))
        self.assert_one_mpi_sentence(outcome, "interrupted")

    def test_rank_0_is_asked_to_stop(self):
        with self.subTest("long units"):
            self.stop_rank_0()
        with self.subTest("units that end within its patience"):
            self.words += ["--unit-rows", "1"]
            self.stop_rank_0()

    def stop_rank_0(self):
        outcome = self.stop(signal.SIGINT, 0)
        self.assertEqual(outcome.code, INTERRUPTED, str(outcome))
        self.assert_one_mpi_sentence(outcome, "interrupted")

    def test_mpirun(self):
        self.assertEqual(self.stop(signal.SIGKILL, None).code, -signal.SIGKILL)

    @unittest.skipUnless(cli_support.MEMORY_LIMITED, "sanitizers reserve all memory")
    def test_a_rank_without_memory(self):
        source, limited = self.rank_with_little_memory("1024")
        # A strip of 131 MB is more than rank 1 may have.
        outcome = run_words(limited)
        self.assertEqual(outcome.code, FAILED, str(outcome))
        self.assert_one_mpi_sentence(outcome, "rank 1", "memory")
        self.assertEqual(read_bytes(self.output), b"old")
        # Strips of 2 MB are not, though it has no room to see the whole image.
        self.succeed("encode", source, "-o", self.path("one.astc"), "--preset", "realtime",
                     "--block", "4x4", timeout=60)
        outcome = run_words(self.rank_with_little_memory("16")[1])
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(read_bytes(self.output), read_bytes(self.path("one.astc")))

    def rank_with_little_memory(self, unit_rows):
        """A large picture, and words that encode it with a rank 1 that cannot map it."""
        process = self.start_ranks(mpirun("-n", "3", *self.words))
        with open(f"/proc/{self.ranks_of(process, 3)[1]}/status", encoding="ascii") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmPeak"))
        process.kill()
        process.communicate()
        source = self.path("large.pgm")
        with open(source, "wb") as file:
            file.write(b"P5\n8000 8192\n255\n" + bytes(8000 * 8192))
        words = [cli_support.command(), "encode", source, "-o", self.output, "--preset",
                 "realtime", "--block", "4x4", "--unit-rows", unit_rows, "--backend", "mpi",
                 "--threads", "1"]
        # A rank that computes may still grow by its scratch memory: 24 MB (the unit is KB) are
        # more than that and two small strips, and far less than a large one.
        limited = ["sh", "-c", 'ulimit -v "$0" && exec "$@"', str(peak + 24 * 1024), *words]
        return source, mpirun("-n", "1", *words, ":", "-n", "1", *limited)


if __name__ == "__main__":
    cli_support.main()
