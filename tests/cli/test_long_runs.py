"""Very many files in one process: memory and open files stay as they are. Threads that cannot be
started are done without."""
import errno
import os
import shutil
import subprocess
import time
import unittest

import cli_support
from cli_support import CliTest, read_bytes
from pictures import gradient, png

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int running;
struct call { void* (*work)(void*); void* user; };
static void* run(void* data) {
  struct call call = *(struct call*)data;
  free(data);
  void* result = call.work(call.user);
  atomic_fetch_sub(&running, 1);
  return result;
}
int pthread_create(pthread_t* thread, const pthread_attr_t* options, void* (*work)(void*), void* user) {
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) =
      dlsym(RTLD_NEXT, "pthread_create");
  if (atomic_fetch_add(&running, 1) >= atoi(getenv("MOST_THREADS"))) {
    atomic_fetch_sub(&running, 1);
    return EAGAIN;
  }
  struct call* call = malloc(sizeof *call);
  call->work = work;
  call->user = user;
  return create(thread, options, run, call);
}
"""


class ManyFiles(CliTest):
    """The command is looked at while each of its threads waits for a pipe, with all files before the
    pipes done: what is under way at other moments, and when one looks, makes no difference."""

    FILES = 4000
    THREADS = 2
    # Files before the pipes. What is only made once, such as threads for files of an unknown size,
    # is there after the first stop.
    STOPS = (500, 1000, 4000)

    def state(self, process):
        """Kilobytes of memory of its own, without those of its code, and the number of open files."""
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            memory = next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))
        return memory, len(os.listdir(f"/proc/{process.pid}/fd"))

    def open_pipe(self, process, path):
        """The end to write to, as soon as the command has opened the other one."""
        deadline = time.monotonic() + 120 * cli_support.PATIENCE
        while True:
            try:
                return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            except OSError as error:
                self.assertEqual(error.errno, errno.ENXIO)
            self.assertIsNone(process.poll(), "it has ended before it read " + path)
            self.assertLess(time.monotonic(), deadline, path)
            time.sleep(0.005)

    def watch_run(self, verb, inputs, *options):
        """The state of a run at each stop."""
        run = verb + str(len(os.listdir(self.folder)))
        pipes = {stop: [self.path(f"{run}-{stop}-{i}") for i in range(self.THREADS)]
                 for stop in self.STOPS}
        words = list(inputs)
        for stop in reversed(self.STOPS):
            words[stop:stop] = pipes[stop]
            for path in pipes[stop]:
                os.mkfifo(path)
        process = subprocess.Popen(
            [cli_support.command(), verb, *words, *options], stdout=subprocess.DEVNULL)
        self.addCleanup(self._reap, process)
        states = []
        for stop in self.STOPS:
            ends = [self.open_pipe(process, path) for path in pipes[stop]]
            states.append(self.state(process))
            for end in ends:
                os.write(end, read_bytes(inputs[0]))
                os.close(end)
        self.assertEqual(process.wait(timeout=60 * cli_support.PATIENCE), 0)
        return states

    def watch(self, verb, inputs, *options):
        """The outputs of a run that makes files, and its state at each stop."""
        out = self.path("out-" + verb)
        os.mkdir(out)
        states = self.watch_run(verb, inputs, "-o", out, "--quiet", "--threads", str(self.THREADS),
                                *options)
        made = sorted(name for name in self.files("out-" + verb) if not name.startswith(verb))
        self.assertEqual(len(made), self.FILES)
        return [os.path.join(out, name) for name in made], states

    def assert_flat(self, states):
        """From the first quarter on nothing grows, but for what a list of names may take."""
        _, (memory, open_files), (memory_later, open_files_later) = states
        self.assertLess(memory_later - memory, 300, states)  # kilobytes: a tenth of one per file
        self.assertEqual(open_files_later, open_files)
        self.assertLess(open_files, 40)

    @unittest.skipUnless(cli_support.MEMORY_LIMITED, "sanitizers keep memory of their own")
    def test_memory_of_verbs_that_tell_stays_as_it_is(self):
        """They go through their files one by one: a pipe at a time."""
        self.THREADS = 1
        picture = self.write("p.png", png(gradient(16, 12)))
        texture = self.path("p.ktx2")
        self.succeed("encode", picture, "-o", texture, "--format", "bc1")
        for verb, options in (("validate", ()), ("info", ()), ("info", ("--verify",))):
            with self.subTest(verb=verb, options=options):
                self.assert_flat(self.watch_run(verb, [texture] * self.FILES, *options))

    @unittest.skipUnless(cli_support.MEMORY_LIMITED, "sanitizers keep memory of their own")
    def test_memory_and_files_stay_as_they_are(self):
        picture = png(gradient(16, 12))
        inputs = [self.write(f"p{i:05}.png", picture) for i in range(self.FILES)]
        textures, states = self.watch("encode", inputs, "--format", "bc1")
        self.assert_flat(states)
        _, states = self.watch("decode", textures)
        self.assert_flat(states)


@unittest.skipUnless(cli_support.MEMORY_LIMITED, "sanitizers start threads of their own")
class FewThreads(CliTest):
    def setUp(self):
        super().setUp()
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            self.skipTest("there is no C compiler")
        source = self.write("shim.c", SHIM.encode())
        self.shim = self.path("shim.so")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", self.shim, source, "-ldl"], check=True)

    def test_fewer_threads_give_the_same_bytes(self):
        picture = self.write("p.png", png(gradient(400, 300)))
        expected = None
        for most in ("1000", "5", "1", "0"):
            for arguments in (("encode", picture, "-o", self.path("o.astc"), "--preset", "fast"),
                              ("encode", picture, "-o", self.path("o.astc"), "--preset", "fast",
                               "--metrics")):
                with self.subTest(most=most):
                    variables = {**cli_support.environment(), "LD_PRELOAD": self.shim,
                                 "MOST_THREADS": most}
                    done = subprocess.run([cli_support.command(), *arguments, "--threads", "16"],
                                          env=variables, stdout=subprocess.DEVNULL,
                                          stderr=subprocess.PIPE, timeout=120, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    data = read_bytes(self.path("o.astc"))
                    expected = expected or data
                    self.assertEqual(data, expected)


if __name__ == "__main__":
    cli_support.main()
