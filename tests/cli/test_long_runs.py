"""Very many files in one process: memory and open files stay as they are. Threads that cannot be
started are done without."""
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
    FILES = 4000

    def state(self, process):
        """Kilobytes of memory and the number of open files; nothing when the process has ended."""
        try:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                memory = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
            return memory, len(os.listdir(f"/proc/{process.pid}/fd"))
        except (OSError, StopIteration):
            return None

    def watch(self, verb, suffix, inputs, *options):
        """The states of a run, with how many files were done."""
        out = self.path("out-" + verb)
        os.mkdir(out)
        process = subprocess.Popen(
            [cli_support.command(), verb, *inputs, "-o", out, "--quiet", "--threads", "2", *options],
            stdout=subprocess.DEVNULL)
        self.addCleanup(self._reap, process)
        states = []
        while process.poll() is None:
            done = len(os.listdir(out))
            state = self.state(process)
            if state:
                states.append((done, *state))
            time.sleep(0.02)
        self.assertEqual(process.returncode, 0)
        made = sorted(name for name in os.listdir(out) if not name.startswith("."))
        self.assertEqual(len(made), self.FILES)
        return [os.path.join(out, name) for name in made], states

    def assert_flat(self, states):
        """From the first quarter on nothing grows, but for what a list of names may take."""
        later = [state for state in states if state[0] >= self.FILES // 4]
        if len(later) < 4:
            self.skipTest("the files were made too quickly to look at the process meanwhile")
        grown = max(state[1] for state in later) - later[0][1]
        self.assertLess(grown, 600, states[-1])  # kilobytes: a fifth of a kilobyte per file
        self.assertLess(max(state[2] for state in later), 40)

    @unittest.skipUnless(cli_support.MEMORY_LIMITED, "sanitizers keep memory of their own")
    def test_memory_and_files_stay_as_they_are(self):
        picture = png(gradient(16, 12))
        inputs = [self.write(f"p{i:05}.png", picture) for i in range(self.FILES)]
        textures, states = self.watch("encode", ".dds", inputs, "--format", "bc1")
        self.assert_flat(states)
        _, states = self.watch("decode", ".png", textures)
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
