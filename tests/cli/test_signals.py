"""Every verb ends soon after a signal that asks for it, whatever it is doing, with exit code 6."""
import os
import signal
import subprocess
import time
import unittest

import cli_support
from cli_support import CliTest, INTERRUPTED, children_seconds, read_bytes, run
from pictures import gradient, png

# What is promised is 0.3 s. Tests do not depend on the speed of the machine: other processes may keep
# the command from running at all. So what is measured is its own work after the signal, in seconds
# of processor time, of commands that compute in one thread; the wait only ends what hangs.
CPU_SECONDS = 3.0 * cli_support.PATIENCE
WAIT_SECONDS = 60 * cli_support.PATIENCE


def cpu_seconds(process):
    """Processor time of a command that runs; one that has ended is in children_seconds."""
    try:
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Signals(CliTest):
    def stop(self, process, number=signal.SIGTERM, after=0.0):
        """Sends the signal; the command must end as it should, without much more work."""
        self.wait_for_handler(process, number)
        time.sleep(after)
        before = cpu_seconds(process) + children_seconds()
        process.send_signal(number)
        stderr = process.communicate(timeout=WAIT_SECONDS)[1].decode()
        self.assertEqual(process.returncode, INTERRUPTED, stderr)
        self.assertRegex(stderr, r"\Atessera: [^\n]*interrupted[^\n]*\n\Z")
        self.assertLess(children_seconds() - before, CPU_SECONDS)

    def test_a_pipe_that_nobody_opens(self):
        os.mkfifo(self.path("pipe"))
        pipe = self.path("pipe")
        for arguments in (("info", pipe), ("info", "--verify", pipe), ("compare", pipe, pipe),
                          ("encode", pipe, "-o", self.path("o.dds")),
                          ("decode", pipe, "-o", self.path("o.png"))):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(arguments=arguments[0], number=number):
                    self.stop(self.start(*arguments), number, after=0.05)
        self.assertEqual(self.files(), ["pipe"])

    def test_other_verbs_at_a_pipe(self):
        """What takes files by their name, with a file that never comes."""
        for suffix in ("png", "ktx2"):
            os.mkfifo(self.path("pipe." + suffix))
        picture, texture = self.path("pipe.png"), self.path("pipe.ktx2")
        for arguments in (("transcode", texture, "-o", self.path("o.astc")),
                          ("convert", texture, "-o", self.path("o.dds")),
                          ("validate", texture),
                          ("inspect", texture, "-o", self.path("inspected")),
                          ("report", picture, "-o", self.path("o.html")),
                          ("advise", picture),
                          ("encode", "@" + picture, "-o", self.path("out/"), "--format", "bc1")):
            with self.subTest(arguments[0]):
                self.stop(self.start(*arguments), after=0.1)
        self.assertEqual(self.files(), ["pipe.ktx2", "pipe.png"])

    def test_init(self):
        """It has done before a signal comes, or it is interrupted: never something else."""
        os.mkdir(self.path("many"))
        for i in range(3000):
            self.write(f"many/p{i}_n.png", b"")
        process = self.start("init", self.path("many"))
        self.wait_for_handler(process, signal.SIGTERM)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=WAIT_SECONDS)
        self.assertIn(process.returncode, (0, INTERRUPTED))

    def test_signals_that_the_caller_ignores_or_blocks(self):
        os.mkfifo(self.path("pipe"))

        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGALRM))

        process = self.start("info", self.path("pipe"), preexec_fn=ignore)
        self.wait_for_handler(process, signal.SIGTERM)
        process.send_signal(signal.SIGHUP)  # as nohup has it
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        self.stop(process)

    def test_the_benchmark_loses_no_early_signal(self):
        if not cli_support.has_benchmark():
            self.skipTest("this build has no benchmark")
        os.mkdir(self.path("images"))  # for seconds of work
        self.succeed("sample", "-o", self.path("images/a.ppm"), "--size", "3000x2000")
        for i in range(40):
            process = self.start("bench", "--images", self.path("images"), "--format", "astc",
                                 "--presets", "exhaustive", "--rivals", "none", "--threads", "1")
            self.wait_for_handler(process, signal.SIGTERM)
            time.sleep(i * 0.0002)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=WAIT_SECONDS)
            self.assertEqual(process.returncode, INTERRUPTED)

    def test_a_pipe_that_nobody_reads(self):
        os.mkfifo(self.path("pipe.dds"))
        picture = self.write("p.png", png(gradient(9, 9)))
        process = self.start("encode", picture, "-o", self.path("pipe.dds"))
        self.stop(process, after=0.3)

    def test_an_endless_pipe(self):
        head = self.write("head", png(gradient(9, 9))[:40])
        for verb in (("encode", "-", "-o", self.path("o.dds")), ("info", "-")):
            with self.subTest(verb[0]):
                writer = subprocess.Popen(["sh", "-c", 'cat "$0"; while sleep 0.01; do echo; done', head],
                                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                self.stop(self.start(*verb, stdin=writer.stdout), after=0.2)
                writer.kill()
                writer.communicate()

    def test_at_any_moment_from_the_start_on(self):
        """One thread would take half a minute, so that a signal cannot come too late."""
        picture = self.path("p.ppm")
        self.succeed("sample", "-o", picture, "--size", "3000x2000")
        arguments = ("encode", picture, "-o", self.path("o.astc"), "--preset", "exhaustive",
                     "--threads", 1)
        for milliseconds in (0, 1, 2, 5, 10, 20, 50, 100, 200):
            with self.subTest(milliseconds):
                self.stop(self.start(*arguments), after=milliseconds / 1000)
                self.assertEqual(self.files(), ["p.ppm"])

    def test_long_steps_that_do_not_ask(self):
        """A sample and a comparison of many pixels."""
        self.stop(self.start("sample", "-o", self.path("s.png"), "--size", "20000x20000"), after=0.3)
        picture = self.path("l.ppm")
        with open(picture, "wb") as file:
            file.write(b"P6\n12000 12000\n255\n")
            file.truncate(len(b"P6\n12000 12000\n255\n") + 3 * 12000 * 12000)
        self.stop(self.start("compare", picture, picture, "--threads", 1), after=0.3)
        self.assertEqual(self.files(), ["l.ppm"])


class Benchmark(CliTest):
    """A rival that never ends, in folders whose names would mean something to a shell."""

    NAMES = ("plain", "with space", "quo'te", 'dou"ble', "$(touch X)", "`touch X`", "a;touch X",
             "-dash", "new\nline", "*")

    def setUp(self):
        super().setUp()
        if not cli_support.has_benchmark():
            self.skipTest("this build has no benchmark")
        os.mkdir(self.path("images"))
        self.write("images/a.png", png(gradient(32, 16)))
        os.mkdir(self.path("bin"))

    def bench(self, folder, path=None, **keywords):
        variables = cli_support.environment()
        variables["TMPDIR"] = folder
        variables["PATH"] = (path + ":" if path else "") + variables["PATH"]
        return subprocess.Popen(
            [cli_support.command(), "bench", "--images", self.path("images"), "--format", "astc",
             "--block", "6x6", "--presets", "fast", "--rivals", "astcenc", "--threads", "1",
             "--repeats", "3"],
            env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=self.folder, **keywords)

    def sleeping_rival(self):
        """A program in the place of astcenc that tells its number and sleeps."""
        rival = self.write("bin/astcenc", b'#!/bin/sh\necho $$ > "%s"\nexec sleep 1000\n'
                           % os.fsencode(self.path("number")))
        os.chmod(rival, 0o755)
        return self.path("bin")

    def wait_for_rival(self, process):
        while process.poll() is None:
            if os.path.exists(self.path("number")) and read_bytes(self.path("number")).strip():
                return int(read_bytes(self.path("number")))
            time.sleep(0.01)
        raise AssertionError(process.communicate())

    def test_stopped_while_a_rival_runs(self):
        os.mkdir(self.path("tmp"))
        process = self.bench(self.path("tmp"), self.sleeping_rival())
        self.addCleanup(self._reap, process)
        rival = self.wait_for_rival(process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=WAIT_SECONDS)  # the rival would take 1000 s
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertFalse(os.path.exists(f"/proc/{rival}"))  # it has been ended, and waited for
        self.assertEqual(self.files("tmp"), [])

    def test_what_a_killed_run_left_is_removed_by_the_next(self):
        os.mkdir(self.path("tmp"))
        process = self.bench(self.path("tmp"), self.sleeping_rival())
        self.addCleanup(self._reap, process)
        rival = self.wait_for_rival(process)
        # Another one meanwhile leaves the folder of the first alone.
        self.succeed_bench(self.path("tmp"))
        self.assertEqual(len(self.files("tmp")), 1)
        process.kill()
        process.communicate()
        os.kill(rival, signal.SIGKILL)
        self.assertEqual(len(self.files("tmp")), 1)
        self.succeed_bench(self.path("tmp"))
        self.assertEqual(self.files("tmp"), [])

    def succeed_bench(self, folder):
        rival = None
        if subprocess.run(["sh", "-c", "command -v astcenc"], stdout=subprocess.DEVNULL,
                          check=False).returncode != 0:
            self.skipTest("astcenc is not installed")
        process = self.bench(folder, rival)
        self.addCleanup(self._reap, process)
        out, error = process.communicate(timeout=120 * cli_support.PATIENCE)
        self.assertEqual(process.returncode, 0, error)
        return out

    def test_names_that_a_shell_would_read(self):
        for name in self.NAMES:
            with self.subTest(name):
                os.mkdir(self.path(name))
                out = self.succeed_bench(self.path(name))
                self.assertIn(b"astcenc", out)
                self.assertEqual(self.files(name), [])
                self.assertFalse(os.path.exists(self.path("X")))

    def test_names_of_inputs_and_outputs(self):
        for name in self.NAMES:
            with self.subTest(name):
                folder = self.path("named", name)
                os.makedirs(folder)
                picture = cli_support.write_bytes(os.path.join(folder, name + ".png"),
                                                  png(gradient(9, 9)))
                texture = os.path.join(folder, name + ".dds")
                self.succeed("encode", picture, "-o", texture)
                self.succeed("info", picture, texture)
                self.succeed("compare", picture, texture)
                self.succeed("decode", texture, "-o", os.path.join(folder, "back.png"))
                self.assertEqual(len(os.listdir(folder)), 3)
                self.assertFalse(os.path.exists(self.path("X")))


if __name__ == "__main__":
    cli_support.main()
