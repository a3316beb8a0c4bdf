"""Threads, progress, and what stops running work."""

import signal
import subprocess
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy

import support
import tessera


class Threads(unittest.TestCase):
    def test_several_threads_at_once(self):
        pictures = [support.photo(seed=seed) for seed in range(1, 9)]
        encoder = tessera.Encoder("astc", "6x6", "fast", threads=2)
        expected = [encoder.encode(picture) for picture in pictures]

        def round_trip(picture):
            data = encoder.encode(picture)
            return data, tessera.decode(data)

        with ThreadPoolExecutor(4) as pool:
            for data, (ours, pixels) in zip(expected, pool.map(round_trip, pictures)):
                self.assertEqual(ours, data)
                numpy.testing.assert_array_equal(pixels, tessera.decode(data))

    def test_other_threads_run_meanwhile(self):
        """Two calls wait for each other, so each has to give the interpreter away."""
        both = threading.Barrier(2, timeout=100)
        met = []

        def encode():
            def meet(fraction):
                if threading.get_ident() not in met:
                    met.append(threading.get_ident())
                    both.wait()

            return tessera.encode(support.photo(), "bc1", backend="serial", progress=meet)

        with ThreadPoolExecutor(2) as pool:
            results = [pool.submit(encode) for _ in range(2)]
            self.assertEqual(results[0].result(), results[1].result())


class Progress(unittest.TestCase):
    def test_fractions_rise_to_one(self):
        pixels = support.photo(256, 256)
        data = tessera.encode(pixels, "astc", preset="fast")
        for call in (
            lambda f: tessera.encode(pixels, "astc", preset="fast", progress=f),
            lambda f: tessera.encode_blocks(pixels, "astc", preset="fast", progress=f),
            lambda f: tessera.decode(data, progress=f),
        ):
            fractions = []
            call(fractions.append)
            self.assertEqual(fractions, sorted(fractions))
            self.assertEqual(fractions[-1], 1)
            self.assertGreaterEqual(fractions[0], 0)

    def test_progress_does_not_change_the_bytes(self):
        pixels = support.photo()
        expected = tessera.encode(pixels, "bc1")
        self.assertEqual(tessera.encode(pixels, "bc1", progress=lambda fraction: None), expected)

    def test_an_exception_stops_the_work(self):
        class Enough(Exception):
            pass

        def fail(fraction):
            calls.append(fraction)
            raise Enough("here")

        for backend in ("cpu", "serial"):
            calls = []
            with self.assertRaisesRegex(Enough, "here"):
                tessera.encode(support.photo(512, 512), "astc", progress=fail, backend=backend)
            self.assertEqual(len(calls), 1)

    def test_an_exception_in_another_thread(self):
        def call():
            tessera.encode(support.photo(), "bc1", progress=lambda fraction: 1 / 0)

        with ThreadPoolExecutor(1) as pool:
            self.assertIsInstance(pool.submit(call).exception(), ZeroDivisionError)

    def test_work_after_a_stop(self):
        encoder = tessera.Encoder("bc1")
        expected = encoder.encode(support.photo())
        with self.assertRaises(ZeroDivisionError):
            encoder.encode(support.photo(), progress=lambda fraction: 1 / 0)
        self.assertEqual(encoder.encode(support.photo()), expected)


# A handler says when the main thread has noticed the signal; until then the work does not go on.
INTERRUPTED = """
import os, signal, threading, time
import tessera

noticed = threading.Event()
fractions = []

def handle(number, frame):
    noticed.set()
    signal.default_int_handler(number, frame)

def progress(fraction):
    fractions.append(fraction)
    if len(fractions) == 1:
        os.kill(os.getpid(), signal.SIGINT)
        noticed.wait()

signal.signal(signal.SIGINT, handle)
pixels = tessera.sample("photo", 1024, 1024)
try:
    tessera.encode(pixels, "astc", "4x4", "exhaustive", backend={backend!r}, progress=progress)
except KeyboardInterrupt:
    print("interrupted", "early" if fractions[-1] < 1 else "late")
"""


class Interrupt(unittest.TestCase):
    def test_keyboard_interrupt(self):
        for backend in ("cpu", "serial"):
            with self.subTest(backend=backend):
                run = subprocess.run(
                    [sys.executable, "-c", INTERRUPTED.format(backend=backend)],
                    stdout=subprocess.PIPE,
                    text=True,
                    timeout=250,
                )
                self.assertEqual((run.returncode, run.stdout), (0, "interrupted early\n"))

    def test_handlers_that_do_not_raise(self):
        seen = threading.Event()
        before = signal.signal(signal.SIGUSR1, lambda number, frame: seen.set())
        self.addCleanup(signal.signal, signal.SIGUSR1, before)

        def progress(fraction):
            signal.raise_signal(signal.SIGUSR1)
            self.assertTrue(seen.wait(100))

        pixels = support.photo()
        data = tessera.encode(pixels, "bc1", progress=progress)
        self.assertEqual(data, tessera.encode(pixels, "bc1"))


if __name__ == "__main__":
    unittest.main()
