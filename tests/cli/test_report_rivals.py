"""`tessera report --rivals`: other programs beside ours, ended when they take too long."""
import json
import os
import re
import signal
import stat
import time
import unittest
from unittest import mock

import cli_support
from cli_support import INTERRUPTED, CliTest, read_bytes
from pictures import gradient, png

# Stands for astcenc: notes its words, gives out a texture that was made before, tells a time.
RIVAL = """#!/bin/sh
[ "$1" = -version ] && { echo "astcenc v9.8.7, 64-bit none"; exit 0; }
echo "$@" >>"%(folder)s/calls"
%(body)s
"""
ENCODES = """cp "%(folder)s/$4.astc" "$3"
echo "    Coding time:                 0.5000 s"
"""


class Rivals(CliTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("assets"))
        os.makedirs(self.path("bin"))
        os.makedirs(self.path("tmp dir"))
        self.write("assets/a.png", png(gradient(50, 34, seed=2)))
        for block in ("4x4", "8x5"):
            self.succeed("encode", self.path("assets", "a.png"), "-o", self.path(block + ".astc"), "--block", block,
                         "--preset", "realtime")

    def arguments(self, *options):
        return ("report", self.path("assets"), "-o", self.path("r.html"), "--rivals", *options)

    def install(self, body):
        program = self.write("bin/astcenc", (RIVAL % {"folder": self.folder, "body": body % {"folder": self.folder}}
                                             ).encode())
        os.chmod(program, stat.S_IRWXU)

    def path_is(self, *folders):
        variables = {"PATH": os.pathsep.join(folders), "TMPDIR": self.path("tmp dir")}
        return mock.patch.dict(os.environ, variables)

    def with_rival(self):
        return self.path_is(self.path("bin"), os.environ["PATH"])

    def data(self):
        page = read_bytes(self.path("r.html")).decode()
        return json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))

    def test_stands_beside_settings_of_astc(self):
        self.install(ENCODES)
        with self.with_rival():
            self.succeed(*self.arguments("--threads", 1, "--setting", "block=4x4,preset=realtime", "--setting",
                                         "format=bc1", "--setting", "block=8x5", "--setting", "block=4x4,as=normal"))
        data = self.data()
        self.assertEqual(data["settings"][4:], ["astcenc 9.8.7, 4x4 -fastest", "astcenc 9.8.7, 8x5 -medium"])
        self.assertEqual([(rival["setting"], rival["beside"], rival["version"]) for rival in data["rivals"]],
                         [(4, 0, "9.8.7"), (5, 2, "9.8.7")])
        calls = read_bytes(self.path("calls")).decode().splitlines()
        self.assertEqual([call.split()[-4:] for call in calls],
                         [["4x4", "-fastest", "-j", "1"], ["8x5", "-medium", "-j", "1"]])
        self.assertEqual(data["notes"], [])
        for entry in data["entries"]:
            if entry["setting"] >= 4:
                self.assertAlmostEqual(entry["mpixels_per_second"], 50 * 34 / 1e6 / 0.5)
        # Its 4x4 file is what our realtime makes.
        first, rival = data["entries"][0], data["entries"][4]
        for key in ("psnr_rgb", "ssim", "bytes", "worst_block", "result"):
            self.assertEqual(first[key], rival[key], key)
        self.assertEqual(os.listdir(self.path("tmp dir")), [])

    def test_one_that_fails_is_left_out(self):
        self.install("exit 3")
        with self.with_rival():
            outcome = self.succeed(*self.arguments("--setting", "block=6x6"))
        data = self.data()
        self.assertEqual((len(data["entries"]), len(data["notes"])), (1, 1))
        self.assertIn("failed", data["notes"][0])
        self.assertIn("failed", outcome.stderr)

    def test_one_that_takes_too_long_is_ended(self):
        self.install("exec sleep 600")
        with self.with_rival():
            self.succeed(*self.arguments("--setting", "block=6x6", "--rival-seconds", 0.3))
        (note,) = self.data()["notes"]
        self.assertIn("longer than 0.3 s", note)
        self.assertEqual(os.listdir(self.path("tmp dir")), [])

    def test_a_signal_ends_it(self):
        self.install(f'echo $$ >"{self.folder}/pid.part"; mv "{self.folder}/pid.part" "{self.folder}/pid"; exec sleep 600')
        with self.with_rival():
            process = self.start(*self.arguments("--setting", "block=6x6"))
        while not os.path.exists(self.path("pid")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        # 0.3 s is promised, on a machine that has nothing else to do; the rival would take 600 s.
        process.communicate(timeout=60 * cli_support.PATIENCE)
        self.assertEqual(process.returncode, INTERRUPTED)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(read_bytes(self.path("pid"))), 0)
        self.assertFalse(os.path.exists(self.path("r.html")))

    def test_none_is_installed(self):
        with self.path_is(self.path("bin")):
            self.succeed(*self.arguments("--setting", "block=6x6"))
        data = self.data()
        self.assertEqual((data["rivals"], len(data["notes"])), ([], 1))

    @unittest.skipUnless(os.access("/usr/bin/astcenc", os.X_OK), "astcenc is not installed")
    def test_the_real_one(self):
        self.succeed(*self.arguments("--setting", "block=6x6"))
        data = self.data()
        self.assertEqual(data["notes"], [])
        self.assertRegex(data["rivals"][0]["version"], r"^\d+\.\d+")
        ours, theirs = data["entries"]
        self.assertEqual(ours["bytes"], theirs["bytes"])
        self.assertAlmostEqual(ours["psnr_rgb"], theirs["psnr_rgb"], delta=3)


if __name__ == "__main__":
    cli_support.main()
