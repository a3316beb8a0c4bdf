#!/usr/bin/env python3
"""Uses the command at random for some time, and checks that everything agrees.

usage: soak.py TESSERA [SECONDS] [SEED]
       soak.py TESSERA files COUNT
Random pictures, sizes, formats, options, threads and instruction sets are encoded and decoded. Bytes
must not depend on threads; what encode measures must be what compare measures; astcenc, where it is
installed, must see the pixels that we see. Damaged files must be refused in a sentence. Signals must
leave nothing behind. At the end one process goes through many files, with flat memory and handles.
With `files` that is all that is done, with COUNT pictures of 16x16 pixels.
Prints what was done; exits with 1 at the first disagreement, with the seed that leads to it."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BLOCKS = ("4x4", "5x4", "5x5", "6x5", "6x6", "8x5", "8x6", "8x8", "10x5", "10x6", "10x8", "10x10",
          "12x10", "12x12")
KINDS = ("photo", "interface", "sprite", "normal-map", "noise", "constant")
INTERRUPTED = 6
REFUSALS = (1, 2, 3, 4, 5, 7)


def allow_many_words():
    """A command line may be as long as a quarter of the stack."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (64 << 20 if hard < 0 else hard, hard))


class Disagreement(Exception):
    pass


def check(condition, *words):
    if not condition:
        raise Disagreement(" ".join(map(str, words)))


class Soak:
    def __init__(self, command, folder, seed):
        self.command = command
        self.folder = folder
        self.chance = random.Random(seed)
        self.counts = {}
        self.isas = self.available_isas()

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments, isa=None, codes=(0,)):
        variables = dict(os.environ)
        if isa:
            variables["TESSERA_ISA"] = isa
        done = subprocess.run([self.command, *arguments], env=variables, capture_output=True,
                              timeout=600, check=False)
        check(done.returncode in codes, arguments, "ended with", done.returncode, done.stderr)
        return done

    def available_isas(self):
        text = self.run("--version").stdout.decode()
        line = next(line for line in text.splitlines() if line.startswith("kernels:"))
        return line.split("available:")[1].strip(" )").split(", ")

    def make_picture(self):
        width, height = (self.chance.choice((1, 2, 3, 7, 33, 64, 129, 300)) for _ in range(2))
        picture = self.path("picture.png")
        self.run("sample", "-o", picture, "--quiet", "--kind", self.chance.choice(KINDS), "--size",
                 f"{width}x{height}", "--seed", str(self.chance.randrange(1 << 30)))
        return picture

    def choose_options(self):
        """The output's name, and options."""
        kind = self.chance.choice(("dds", "astc", "astc", "ktx2"))
        options = ["--preset", self.chance.choice(("realtime", "realtime", "fast", "medium"))]
        if kind != "dds":
            options += ["--format", "astc", "--block", self.chance.choice(BLOCKS)]
        if kind == "ktx2" and self.chance.random() < 0.5:
            options += ["--mips"]
        if kind == "ktx2" and self.chance.random() < 0.5:
            options += ["--zstd"]
        return self.path("texture." + kind), options

    def encode_and_decode(self):
        picture = self.make_picture()
        texture, options = self.choose_options()
        threads = str(self.chance.choice((1, 2, 3, 7)))
        report = json.loads(self.run("encode", picture, "-o", texture, *options, "--metrics", "--json",
                                     "--threads", threads).stdout)[0]
        data = open(texture, "rb").read()
        self.run("encode", picture, "-o", texture, *options, "--quiet", "--threads", "1",
                 isa=self.chance.choice(self.isas))
        check(open(texture, "rb").read() == data, "bytes depend on threads:", options)
        decoded = self.path("decoded.png")
        self.run("decode", texture, "-o", decoded, "--quiet")
        compared = json.loads(self.run("compare", picture, texture, "--json").stdout)
        check(abs(compared["psnr_rgb"] - report["psnr_rgb"]) < 1e-3, "metrics differ:", report, compared)
        same = json.loads(self.run("compare", decoded, texture, "--json").stdout)
        check(same["max_error"] == 0, "decode and compare see different pixels:", options)
        self.check_astcenc(texture, decoded)
        self.damage(texture, data)
        self.damage(picture, open(picture, "rb").read())

    def check_astcenc(self, texture, decoded):
        if not texture.endswith(".astc") or shutil.which("astcenc") is None:
            return
        other = self.path("astcenc.png")
        subprocess.run(["astcenc", "-dl", texture, other, "-silent"], check=True,
                       stdout=subprocess.DEVNULL)
        error = json.loads(self.run("compare", decoded, other, "--json").stdout)["max_error"]
        check(error <= 1.01 / 255, "astcenc sees other pixels: off by", error)  # roundings differ
        self.count("judged by astcenc")

    def damage(self, path, data):
        """Some bytes changed, or the end cut off."""
        damaged = bytearray(data)
        for _ in range(self.chance.choice((1, 1, 2, 20))):
            damaged[self.chance.randrange(len(damaged))] = self.chance.randrange(256)
        if self.chance.random() < 0.3:
            damaged = damaged[:self.chance.randrange(len(damaged))]
        bad = self.path("damaged" + os.path.splitext(path)[1])
        open(bad, "wb").write(damaged)
        done = self.run("info", "--verify", "--untrusted", bad, codes=(0, *REFUSALS))
        check(done.returncode == 0 or done.stderr.count(b"\n") == 1, "not one sentence:", done.stderr)
        self.run("compare", bad, bad, "--untrusted", "--quiet", codes=(0, *REFUSALS))
        self.count("damaged files")

    def interrupt(self):
        picture = self.path("large.png")
        if not os.path.exists(picture):
            self.run("sample", "-o", picture, "--size", "1500x1500", "--quiet")
        out = self.path("interrupted")
        os.makedirs(out, exist_ok=True)
        process = subprocess.Popen([self.command, "encode", picture, "-o", out + "/a.astc", "--preset",
                                    "thorough"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.02 + self.chance.random() * 0.5)
        number = self.chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
        process.send_signal(number)
        code = process.wait(timeout=60)
        check(code in (0, INTERRUPTED, -number), "a signal led to exit code", code)
        check(os.listdir(out) == (["a.astc"] if code == 0 else []), "left behind:", os.listdir(out))
        shutil.rmtree(out)
        self.count("signals")

    def make_many(self, count):
        """Very many small pictures, by short names: all of them are words of one command."""
        os.mkdir(self.path("m"))
        for number in range(count):
            name = self.path(f"m/{number}.png")
            if number % 1000 == 0:  # a file cannot have any number of names
                picture = name
                self.run("sample", "-o", picture, "--quiet", "--kind", "photo", "--size", "16x16",
                         "--seed", str(number))
            else:
                os.link(picture, name)
        return [f"m/{number}.png" for number in range(count)]

    def many_files(self, count):
        """One process with flat memory and handles; what they were after a quarter, and at most."""
        names = self.make_many(count)
        out = self.path("o")
        os.mkdir(out)
        process = subprocess.Popen(
            [self.command, "encode", *names, "-o", "o/", "--format", "bc1", "--quiet"],
            cwd=self.folder, preexec_fn=allow_many_words)
        states = []
        while process.poll() is None:
            try:
                done = os.stat(out).st_size if count > 10000 else len(os.listdir(out))
                status = open(f"/proc/{process.pid}/status", encoding="ascii").read()
                memory = int(status.split("VmRSS:")[1].split()[0])
                states.append((done, memory, len(os.listdir(f"/proc/{process.pid}/fd"))))
            except (OSError, IndexError):
                pass
            time.sleep(0.01 if count < 10000 else 0.5)
        check(process.returncode == 0, "many files ended with", process.returncode)
        made = sum(name.endswith(".dds") for name in os.listdir(out))  # beside them is an index
        check(made == count, count, "files became", made)
        later = states[len(states) // 4:]
        if len(later) > 3:
            grown = max(s[1] for s in later) - later[0][1]
            check(grown < 2000, "memory grows:", later[0], later[-1])
            check(max(s[2] for s in later) < 60, "handles:", later[-1])
            print(f"{count} files in one process: {later[0][1]} kB of memory after a quarter of the "
                  f"time, {max(s[1] for s in later)} kB at most later, "
                  f"{max(s[2] for s in states)} handles at most")
        self.count("files in one process", count)

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def soak(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.encode_and_decode()
            self.count("pictures")
            if self.chance.random() < 0.3:
                self.interrupt()
        self.many_files(1000)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    # Shells start background processes with SIGINT ignored; a command would inherit that, and lose a
    # signal that comes before its first instruction.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    files = int(sys.argv[3]) if sys.argv[2:3] == ["files"] else None
    if files:
        sys.argv[2:] = ["0", "1"]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(1 << 30)
    with tempfile.TemporaryDirectory(prefix="tessera-soak-") as folder:
        soak = Soak(os.path.abspath(sys.argv[1]), folder, seed)
        try:
            if files:
                soak.many_files(files)
            else:
                soak.soak(seconds)
        except (Disagreement, subprocess.SubprocessError) as problem:
            print(f"with the seed {seed}, after {soak.counts}: {problem}")
            return 1
    print(", ".join(f"{number} {what}" for what, number in soak.counts.items()) + f" (seed {seed})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
