"""Ranks of a folder run that are killed at random moments: what is there afterwards is complete, and
the same command again makes all of it, with the bytes of one machine.

A few kills by default; TESSERA_TEST_KILLS=50 in the environment makes it fifty, TESSERA_TEST_SEED
another order of moments. TESSERA_TEST_KILL_OPTIONS adds options to the second run."""
import os
import random
import shutil
import signal
import subprocess
import time

import cli_support
from cli_support import PATIENCE, read_bytes, run
from mpi_support import MpiTest, mpi_environment, mpirun, noise, run_words

KILLS = int(os.environ.get("TESSERA_TEST_KILLS", "3"))
SEED = int(os.environ.get("TESSERA_TEST_SEED", "1"))
SECOND_OPTIONS = os.environ.get("TESSERA_TEST_KILL_OPTIONS", "").split()
RANKS = 3
FILES = 10


class Kills(MpiTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        self.sources = [self.write(f"in/{i}.ppm", noise(120 + 40 * i, 150)) for i in range(FILES)]
        self.options = ["--format", "astc", "--preset", "medium", "--block", "4x4"]
        outcome = run("encode", *self.sources, "-o", self.path("one"), "--quiet", *self.options,
                      timeout=60 * PATIENCE)
        self.assertEqual(outcome.code, 0, str(outcome))
        self.expected = {name: read_bytes(self.path("one", name)) for name in self.files("one")}
        self.chance = random.Random(SEED)

    def words(self, *more):
        # The first file is shared by all ranks, the others are made by one rank each.
        return mpirun("--mca", "odls_base_sigkill_timeout", "0", "-n", str(RANKS),
                      cli_support.command(), "encode", *self.sources, "-o", self.path("out"),
                      "--quiet", *self.options, "--backend", "mpi", "--threads", "1", *more)

    @staticmethod
    def ranks_of(process):
        try:
            with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
                return sorted(map(int, file.read().split()))
        except OSError:
            return []

    def kill_one_rank(self, seconds):
        """Starts the run, and kills a rank when so much time has passed."""
        process = subprocess.Popen(self.words(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=mpi_environment())
        self.addCleanup(self._reap, process)
        while process.poll() is None and len(self.ranks_of(process)) < RANKS:
            time.sleep(0.005)
        time.sleep(seconds)
        ranks = self.ranks_of(process)
        if ranks:  # it may have ended before
            victim = self.chance.choice(ranks)
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.wait_until_ended(ranks)
        try:
            process.communicate(timeout=10 * PATIENCE)
        except subprocess.TimeoutExpired:
            # Open MPI 4.1 may wait for ever for ranks that ended in their first milliseconds, before
            # they had said anything to it.
            process.kill()
            process.communicate()

    @staticmethod
    def has_ended(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
                return stat.read().rsplit(")", 1)[1].split()[0] == "Z"  # mpirun has not looked yet
        except OSError:
            return True

    def wait_until_ended(self, ranks):
        deadline = time.monotonic() + 60 * PATIENCE
        for pid in ranks:
            while not self.has_ended(pid) and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertTrue(self.has_ended(pid), "a rank is still there")

    def made(self):
        """How many outputs there are, each of them complete."""
        if not os.path.isdir(self.path("out")):
            return 0
        for name in self.files("out"):
            self.assertEqual(read_bytes(self.path("out", name)), self.expected.get(name), name)
        return len(self.files("out"))

    def test_a_second_run_makes_what_the_first_has_not(self):
        start = time.monotonic()
        outcome = run_words(self.words())
        duration = time.monotonic() - start
        self.assertEqual(outcome.code, 0, str(outcome))
        self.assertEqual(self.made(), FILES)
        partial = 0
        for _ in range(KILLS):
            shutil.rmtree(self.path("out"), ignore_errors=True)
            self.kill_one_rank(self.chance.random() * duration)
            partial += self.made() < FILES
            outcome = run_words(self.words(*SECOND_OPTIONS))
            self.assertEqual(outcome.code, 0, str(outcome))
            self.assertEqual(self.made(), FILES)
        print(f"{KILLS} kills, {partial} of them before all files were made")


if __name__ == "__main__":
    cli_support.main()
