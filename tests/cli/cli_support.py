"""Runs the command under test. Every test file ends with `cli_support.main()`."""
import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

USAGE, IO, INVALID, FAILED, UNSUPPORTED, INTERRUPTED, DIFFER = 1, 2, 3, 4, 5, 6, 7

# All ways to start a command with some of the standard streams closed.
CLOSED_SETS = [closed for count in range(4) for closed in itertools.combinations((0, 1, 2), count)]

_command = None
# Slow builds (sanitizers) get more time for everything.
PATIENCE = float(os.environ.get("TESSERA_TEST_PATIENCE", "1"))
MEMORY_LIMITED = "TESSERA_TEST_NO_MEMORY_LIMIT" not in os.environ


def command():
    return _command


class Outcome:
    def __init__(self, code, stdout, stderr):
        self.code = code
        self.stdout = stdout
        self.stderr = stderr.decode("utf-8", "replace")

    @property
    def text(self):
        return self.stdout.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.stdout)

    @property
    def result(self):
        """Of the array of results, the only one."""
        (only,) = self.json
        return only

    def __str__(self):
        return f"exit code {self.code}\nstdout: {self.stdout[:500]!r}\nstderr: {self.stderr[:2000]!r}"


def limiter(memory_bytes=None, file_bytes=None):
    """A preexec_fn that sets resource limits."""

    def apply():
        if memory_bytes is not None and MEMORY_LIMITED:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        if file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))

    return apply


def environment(isa=None):
    variables = {key: value for key, value in os.environ.items() if key != "TESSERA_ISA"}
    if isa is not None:
        variables["TESSERA_ISA"] = isa
    return variables


def run(*arguments, stdin=b"", timeout=30, isa=None, limits=None, stdout=subprocess.PIPE, cwd=None):
    done = subprocess.run(
        [_command, *map(os.fspath, map(_text, arguments))],
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=timeout * PATIENCE,
        env=environment(isa),
        preexec_fn=limits,
        cwd=cwd,
        check=False,
    )
    return Outcome(done.returncode, done.stdout or b"", done.stderr)


def run_with_closed(closed, *arguments):
    """The exit code, with these descriptors closed, and what the open ones of 1 and 2 carried."""

    def close():
        for descriptor in closed:
            os.close(descriptor)

    done = subprocess.run(
        [_command, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=close,
        timeout=60 * PATIENCE,
        env=environment(),
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def children_seconds():
    """Processor time of all commands that have ended: it does not depend on what else runs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _text(argument):
    return str(argument) if isinstance(argument, (int, float)) else argument


def available_isas():
    """The instruction sets that `tessera --version` lists."""
    for line in run("--version").text.splitlines():
        if line.startswith("kernels:"):
            return line.split("available:")[1].strip(" )").split(", ")
    raise AssertionError("--version lists no kernels")


def has_benchmark():
    """The program behind `tessera bench` lies beside the command."""
    return os.path.exists(os.path.join(os.path.dirname(_command), "tessera-bench"))


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def write_bytes(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def opencl_devices():
    """The OpenCL devices that the command lists; none where it was built without OpenCL."""
    return devices_of("opencl")


def devices_of(backend):
    """The devices of a backend that the command lists."""
    outcome = run("info", "--devices", "--json")
    return [device for device in outcome.json if device["backend"] == backend] \
        if outcome.code == 0 else []


class CliTest(unittest.TestCase):
    """Gives every test a folder of its own, self.folder."""

    longMessage = True
    maxDiff = 2000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tessera-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        return write_bytes(self.path(name), data)

    def files(self, *names):
        """The names in a folder, without the note of what its files were made of."""
        return sorted(name for name in os.listdir(self.path(*names)) if name != ".tessera-index")

    def succeed(self, *arguments, **keywords):
        outcome = run(*arguments, **keywords)
        self.assertEqual(outcome.code, 0, f"{arguments}: {outcome}")
        return outcome

    def assert_one_sentence(self, outcome, *words):
        """One line, from us, that holds each of the words."""
        self.assertTrue(outcome.stderr.startswith("tessera: "), str(outcome))
        self.assertTrue(outcome.stderr.endswith("\n"), str(outcome))
        self.assertEqual(outcome.stderr.count("\n"), 1, str(outcome))
        self.assertGreater(len(outcome.stderr), len("tessera: \n") + 5, str(outcome))
        for word in words:
            self.assertIn(word, outcome.stderr)

    def refuse(self, code, *arguments, words=(), **keywords):
        """The command must end with this code and one sentence that holds the words."""
        outcome = run(*arguments, **keywords)
        self.assertEqual(outcome.code, code, f"{arguments}: {outcome}")
        self.assert_one_sentence(outcome, *words)
        return outcome

    def assert_no_crash(self, outcome, codes, what):
        """For damaged files: an agreed exit code, and a sentence unless all went well."""
        self.assertIn(outcome.code, codes, f"{what}: {outcome}")
        if outcome.code != 0:
            self.assert_one_sentence(outcome)

    def start(self, *arguments, **keywords):
        """A running command; killed at the end of the test if it still runs."""
        process = subprocess.Popen(
            [_command, *map(_text, arguments)],
            stdin=keywords.pop("stdin", subprocess.DEVNULL),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            **keywords,
        )
        self.addCleanup(self._reap, process)
        return process

    @staticmethod
    def wait_for_handler(process, signal_number):
        """Until the command catches the signal (or has ended): before that it would just die."""
        while process.poll() is None:
            try:
                with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                    caught = next(line for line in status if line.startswith("SigCgt:"))
            except (OSError, StopIteration):
                continue
            if int(caught.split()[1], 16) >> (signal_number - 1) & 1:
                return
            time.sleep(0.001)

    @staticmethod
    def _reap(process):
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()


def main():
    global _command
    if len(sys.argv) < 2:
        sys.exit("usage: " + sys.argv[0] + " TESSERA [unittest options]")
    _command = os.path.abspath(sys.argv.pop(1))
    # Where this runs in the background signals may be ignored, and so would those of the commands.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    unittest.main(module="__main__", verbosity=1)
