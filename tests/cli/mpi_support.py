"""Runs the command under mpirun.

mpirun adds sentences of its own to a failure, so the tests look at those that begin with
"tessera: "."""
import random
import shutil
import subprocess

import cli_support
from cli_support import CliTest, Outcome, PATIENCE, run


def has_mpi():
    return ", mpi" in run("--version").text


def mpirun(*arguments):
    return ["mpirun", "--oversubscribe", "--bind-to", "none", *arguments]


def mpi_environment():
    variables = cli_support.environment()
    # Test machines often run as root, which mpirun refuses without these.
    variables.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return variables


def run_words(words, timeout=60):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          env=mpi_environment(), timeout=timeout * PATIENCE)
    return Outcome(done.returncode, done.stdout, done.stderr)


def run_ranks(count, *arguments):
    words = [cli_support.command(), *map(str, arguments), "--backend", "mpi", "--threads", "1"]
    # Ranks end by themselves; mpirun need not give them a second when one ended with an error.
    patience = ("--mca", "odls_base_sigkill_timeout", "0")
    return run_words(mpirun(*patience, "-n", str(count), *words))


def sentences(stderr):
    return [line for line in stderr.splitlines() if line.startswith("tessera: ")]


def noise(width, height):
    """A picture that takes an encoder's time."""
    values = random.Random(7).randbytes(width * height * 3)
    return b"P6\n%d %d\n255\n" % (width, height) + values


class MpiTest(CliTest):
    def setUp(self):
        if not has_mpi() or shutil.which("mpirun") is None:
            self.skipTest("no MPI")
        super().setUp()

    def assert_one_mpi_sentence(self, outcome, *words):
        found = sentences(outcome.stderr)
        self.assertEqual(len(found), 1, str(outcome))
        for word in words:
            self.assertIn(word, found[0])

    def refuse_ranks(self, code, count, *arguments, words=()):
        outcome = run_ranks(count, *arguments)
        self.assertEqual(outcome.code, code, str(outcome))
        self.assert_one_mpi_sentence(outcome, *words)
        return outcome
