"""A run over a folder that lost a rank: another run goes on, and gives the bytes of one machine."""
import os
import random
import shutil
import signal
import subprocess
import time

import cli_support
from cli_support import PATIENCE, read_bytes
from mpi_support import mpirun, mpi_environment, run_ranks, MpiTest
from pictures import gradient, png

FILES = 16
# As often as a test may take time; TESSERA_TEST_KILLS=50 is the whole trial.
KILLS = int(os.environ.get("TESSERA_TEST_KILLS", "4"))


class Resumed(MpiTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("in"))
        for i in range(FILES):
            self.write(f"in/{i:02}.png", png(gradient(40 + i, 40, seed=i)))
        self.words = ("encode", self.path("in"), "-o", self.path("out"), "--container", "ktx2",
                      "--block", "4x4", "--preset", "exhaustive")

    def contents(self):
        return {name: read_bytes(self.path("out", name)) for name in self.files("out")} \
            if os.path.isdir(self.path("out")) else {}

    def children_of(self, process):
        try:
            with open(f"/proc/{process.pid}/task/{process.pid}/children",
                      encoding="ascii") as children:
                return [int(pid) for pid in children.read().split()]
        except OSError:
            return []

    def run_and_kill_a_rank(self, count, outputs, chance):
        """One of the ranks is killed as soon as there are so many outputs."""
        words = mpirun("-n", str(count), cli_support.command(), *self.words, "--backend", "mpi",
                       "--threads", "1")
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=mpi_environment())
        self.addCleanup(self._reap, process)
        deadline = time.monotonic() + 60 * PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            ranks = self.children_of(process)
            if len(ranks) == count and len(self.contents()) >= outputs:
                try:
                    os.kill(chance.choice(ranks), signal.SIGKILL)
                except ProcessLookupError:
                    pass  # it has ended in the meantime
                break
            time.sleep(0.002)
        process.wait(timeout=60 * PATIENCE)

    def test_the_bytes_are_those_of_one_machine(self):
        self.succeed(*self.words)
        good = self.contents()
        chance = random.Random(5)
        for kill in range(KILLS):
            shutil.rmtree(self.path("out"))
            self.run_and_kill_a_rank(2 + kill % 2, chance.randrange(FILES), chance)
            for name, content in self.contents().items():
                self.assertEqual(content, good[name])
            there = len(self.contents())
            if kill % 2 == 0:
                outcome = run_ranks(3, *self.words, "--resume", "--json")
                self.assertEqual(outcome.code, 0, str(outcome))
            else:
                outcome = self.succeed(*self.words, "--resume", "--json")
            kept = sum(result["status"] == "unchanged" for result in outcome.json)
            # Each rank may have written two files that rank 0 has not heard of.
            self.assertGreaterEqual(kept, there - 6)
            self.assertEqual(self.contents(), good)


if __name__ == "__main__":
    cli_support.main()
