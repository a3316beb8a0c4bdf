#!/usr/bin/env python3
"""Uses the command at random for some time, and checks that everything agrees.

usage: soak.py TESSERA [SECONDS] [SEED]
       soak.py TESSERA files COUNT
Random pictures (of high dynamic range, too), sizes, formats, containers, options, threads, instruction
sets, devices and MPI ranks are encoded, decoded, transcoded and converted. Bytes must not depend on
who computes them; what encode measures must be what compare measures; astcenc, where it is installed,
must see the pixels that we see; transcode must do what decode and encode do, and convert must keep
the blocks. Damaged files must be refused in a sentence. Signals to any verb must leave nothing behind.
At the end one process goes through many files, with flat memory and handles.
With `files` that is all that is done, with COUNT pictures of 16x16 pixels.
Prints what was done; exits with 1 at the first disagreement, with the seed that leads to it."""
import dataclasses
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from soak_support import (REFUSALS, SECONDS, Command, Disagreement, allow_many_words, blocks_of, check,
                          exr, radiance, read_bytes, wait_for_handler, wait_for_names, write_bytes)

BLOCKS = ("4x4", "5x4", "5x5", "6x5", "6x6", "8x5", "8x6", "8x8", "10x5", "10x6", "10x8", "10x10",
          "12x10", "12x12")
KINDS = ("photo", "interface", "sprite", "normal-map", "noise", "constant")
# Options that leave the picture as it is.
EXTRAS = {
    "bc1": (("--method", "bounds"), ("--method", "cluster"), ("--three-colors",), ("--passes", "3"),
            ("--channel-weights", "3,6,1"), ("--sweeps", "2"), ("--rdo", "10"), ("--method", "luma")),
    "astc": (("--channel-weights", "luma"), ("--alpha-weight",), ("--endpoints", "bounds"),
             ("--partitions", "off"), ("--partitions", "kmeans"), ("--rdo", "10"), ("--perceptual",)),
    "fractal": (("--quality", "20"), ("--quality", "90"), ("--bpp", "2"), ("--pure",), ("--dct-only",)),
}
CONTAINERS = {"bc1": ("dds", "ktx2", "ktx"), "astc": ("astc", "ktx2", "ktx"), "fractal": ("tsf",)}
INTERRUPTED = 6


@dataclasses.dataclass
class Recipe:
    """What a texture is made of, and with."""
    format: str
    suffix: str
    profile: str | None = None
    options: list = dataclasses.field(default_factory=list)
    extras: tuple = ()
    mips: bool = False
    zstd: bool = False

    @property
    def words(self):
        return [*self.options, *self.extras, *(["--profile", self.profile] if self.profile else []),
                *(["--mips"] if self.mips else []), *(["--zstd"] if self.zstd else [])]

    def untold(self, suffix):
        """The profile, if files of this type do not say it."""
        silent = suffix == "astc" or (suffix == "ktx" and self.profile == "hdr")
        return [self.profile] if silent and self.profile else []

    @property
    def read(self):
        return ["--profile", *self.untold(self.suffix)] if self.untold(self.suffix) else []

    def read_source(self, suffix):
        return ["--source-profile", *self.untold(suffix)] if self.untold(suffix) else []


@dataclasses.dataclass
class Job:
    """A command to be interrupted: its words, the file it writes, if any, and what it is without
    a signal: that file's bytes, and how long it takes, in seconds."""
    words: list
    output: str | None
    made: bytes = b""
    seconds: float = 0.0


class Soak:
    def __init__(self, command, folder, seed):
        self.folder = folder
        self.chance = random.Random(seed)
        self.counts = {}
        self.jobs = []
        self.command = Command(command, folder)
        self.run = self.command.run
        self.json = self.command.json

    def path(self, name):
        return os.path.join(self.folder, name)

    def maybe(self, probability):
        return self.chance.random() < probability

    def count(self, what, number=1):
        self.counts[what] = self.counts.get(what, 0) + number

    def same(self, first, second, *words):
        """The command must see the same samples in both."""
        result = self.json("compare", first, second, *words)
        check(result["max_error"] == 0, "different pixels:", first, second, *words, "off by",
              result["max_error"])

    def make_picture(self):
        width, height = (self.chance.choice((1, 2, 3, 7, 33, 64, 129, 300)) for _ in range(2))
        picture = self.path("picture.png")
        self.run("sample", "-o", picture, "--quiet", "--kind", self.chance.choice(KINDS), "--size",
                 f"{width}x{height}", "--seed", str(self.chance.randrange(1 << 30)))
        return picture

    def make_light(self):
        """A picture of high dynamic range: smooth or noisy, of one decade of light or of many."""
        width, height = (self.chance.choice((1, 2, 3, 7, 33, 64, 129)) for _ in range(2))
        level, spread = self.chance.uniform(-8, 8), self.chance.choice((0, 0.1, 1, 6))

        def sample():
            return 2.0 ** (level + self.chance.uniform(-spread, spread))

        make, suffix = self.chance.choice(((radiance, "hdr"), (exr, "exr")))
        self.count("pictures of high dynamic range")
        return write_bytes(self.path("picture." + suffix), make(width, height, sample))

    def choose_recipe(self, hdr):
        kind = "astc" if hdr else self.chance.choice(("bc1", "astc", "astc", "astc", "fractal"))
        recipe = Recipe(kind, self.chance.choice(CONTAINERS[kind]))
        if kind != "fractal":
            recipe.options = ["--format", kind, "--preset",
                              self.chance.choice(("realtime", "realtime", "fast", "medium"))]
        if kind == "astc":
            recipe.options += ["--block", self.chance.choice(BLOCKS)]
        if self.maybe(0.4) and not hdr:
            recipe.extras = self.chance.choice(EXTRAS[kind])
        if hdr:
            recipe.profile = "hdr"
        elif kind == "astc":
            recipe.profile = self.chance.choice((None, "ldr", "srgb"))
        recipe.mips = recipe.suffix in ("ktx2", "ktx", "dds") and self.maybe(0.5)
        recipe.zstd = recipe.suffix == "ktx2" and self.maybe(0.5)
        return recipe

    def try_a_picture(self):
        hdr = self.maybe(0.25)
        picture = self.make_light() if hdr else self.make_picture()
        recipe = self.choose_recipe(hdr)
        texture = self.path("texture." + recipe.suffix)
        report = self.json("encode", picture, "-o", texture, *recipe.words, "--metrics", "--threads",
                           self.chance.choice((1, 2, 3, 7)))[0]
        self.count(f"{recipe.format} in .{recipe.suffix}")
        self.check_bytes(picture, texture, recipe)
        decoded = self.check_pixels(picture, texture, recipe, report)
        self.check_convert(picture, texture, recipe)
        if self.maybe(0.7):
            self.check_transcode(texture, recipe)
        self.check_astcenc(texture, recipe, decoded)
        self.damage(texture, read_bytes(texture))
        self.damage(picture, read_bytes(picture))

    def check_bytes(self, picture, texture, recipe):
        """Neither threads, instruction sets, devices nor ranks change what is made."""
        data = read_bytes(texture)
        again = self.path("again." + recipe.suffix)
        words = ("encode", picture, "-o", again, *recipe.words, "--quiet")
        self.run(*words, "--threads", "1", isa=self.chance.choice(self.command.isas))
        check(read_bytes(again) == data, "bytes depend on threads or instruction sets:", recipe)
        devices = self.command.devices[recipe.format]
        if devices and not recipe.extras and recipe.profile != "hdr":
            device = self.chance.choice(devices)
            self.run(*words, *device)
            check(read_bytes(again) == data, "bytes depend on the device:", device, recipe)
            self.count("encoded by " + device[1])
        if self.command.has_mpi and self.maybe(0.3):
            rows = ("--unit-rows", "1", "--split-over", "0") if self.maybe(0.5) else ()
            self.command.run_ranks(*words, *rows, "--threads", self.chance.choice((1, 2)))
            check(read_bytes(again) == data, "bytes depend on ranks:", rows, recipe)
            self.count("encoded by mpi")

    def check_pixels(self, picture, texture, recipe, report):
        """Decodes the texture; what was measured must be what is there."""
        decoded = self.path("decoded.exr" if recipe.profile == "hdr" else "decoded.png")
        self.run("decode", texture, "-o", decoded, "--quiet", *recipe.read)
        compared = self.json("compare", picture, texture, *recipe.read)
        names = {"psnr_rgb", "mpsnr", "log_rmse", "max_error"} & set(report)
        if report["alpha_dropped"]:  # some encoders measure without it, and compare with it
            names.remove("max_error")
        for name in sorted(names):
            check(abs(compared[name] - report[name]) < 1e-3, "metrics differ:", recipe, report, compared)
        self.same(decoded, texture, *recipe.read)
        devices = self.command.devices[recipe.format]
        if devices:
            other = self.path("by-device.png")
            self.run("decode", texture, "-o", other, "--quiet", *recipe.read, *self.chance.choice(devices))
            self.same(decoded, other)
        self.run("info", "--verify", texture)
        if recipe.suffix in ("dds", "ktx2"):
            self.run("validate", texture)
        return decoded

    def check_convert(self, picture, texture, recipe):
        """To another container and back: the blocks stay as they are."""
        if recipe.zstd:  # its blocks, as they are without
            plain = self.path("plain.ktx2")
            self.run("encode", picture, "-o", plain, *recipe.words[:-1], "--quiet")
            expected = blocks_of(plain)
        else:
            expected = blocks_of(texture)
        kinds = [kind for kind in CONTAINERS[recipe.format] if kind != "astc" or not recipe.mips]
        kind = self.chance.choice(kinds)
        other = self.path("converted." + kind)
        self.run("convert", texture, "-o", other, "--quiet", *recipe.read_source(recipe.suffix))
        check(blocks_of(other) == expected, "convert changes blocks:", other, recipe)
        back = self.path("back." + recipe.suffix)
        if kind == "astc" and recipe.profile is None:  # the encoder chose one, and this file cannot say it
            chosen = "srgb" if self.json("info", texture)["srgb"] else "ldr"
            source = ["--source-profile", chosen]
        else:
            source = recipe.read_source(kind)
        self.run("convert", other, "-o", back, "--quiet", *source)
        check(blocks_of(back) == expected, "convert back changes blocks:", other, recipe)
        self.same(texture, back, *recipe.read)
        self.count("converted")

    def check_transcode(self, texture, recipe):
        """The same blocks as those of the decoded picture, in each mip level."""
        hdr = recipe.profile == "hdr"
        target = self.choose_recipe(hdr)
        target.zstd = target.mips = False
        target.profile = "hdr" if hdr else "ldr"
        if target.format == "fractal":
            target.profile = None
        if recipe.mips and target.suffix in ("astc", "tsf"):
            target.suffix = "ktx2" if target.format == "astc" else "dds"
            if target.format == "fractal":
                target = Recipe("bc1", "dds", "ldr", ["--format", "bc1", "--preset", "fast"])
        other = self.path("transcoded." + target.suffix)
        devices = self.command.devices[target.format]
        device = self.chance.choice(devices) if devices and not target.extras and not hdr else ()
        self.run("transcode", texture, "-o", other, "--quiet", *target.words,
                 *recipe.read_source(recipe.suffix), *device)
        for level, blocks in enumerate(blocks_of(other)):
            between = self.path("between.exr" if hdr else "between.png")
            self.run("decode", texture, "-o", between, "--quiet", *recipe.read, "--level", level)
            by_hand = self.path("by-hand." + target.suffix)
            self.run("encode", between, "-o", by_hand, "--quiet", *target.words)
            check(blocks_of(by_hand) == [blocks], "transcode is not decode and encode: level", level,
                  recipe, target, *device)
        self.count("transcoded")

    def check_astcenc(self, texture, recipe, decoded):
        """What astcenc decodes; of .ktx2 and .ktx files, the blocks in a file that it reads."""
        if recipe.format != "astc" or recipe.mips or not self.command.has_astcenc:
            return
        if recipe.suffix != "astc":
            alone = self.path("alone.astc")
            self.run("convert", texture, "-o", alone, "--quiet")
            srgb = self.json("info", texture)["srgb"]
            texture = alone
        else:
            srgb = recipe.profile == "srgb"
        hdr = recipe.profile == "hdr"
        other = self.path("astcenc.exr" if hdr else "astcenc.png")
        subprocess.run(["astcenc", "-dh" if hdr else "-ds" if srgb else "-dl", texture, other, "-silent"],
                       check=True, stdout=subprocess.DEVNULL, timeout=SECONDS)
        error = self.json("compare", decoded, other)["max_error"]
        limit = 0 if hdr else 1.01 / 255  # roundings to 8 bits differ
        check(error <= limit, "astcenc sees other pixels: off by", error, recipe)
        self.count("judged by astcenc")

    def damage(self, path, data):
        """Some bytes changed, or the end cut off."""
        damaged = bytearray(data)
        for _ in range(self.chance.choice((1, 1, 2, 20))):
            damaged[self.chance.randrange(len(damaged))] = self.chance.randrange(256)
        if self.maybe(0.3):
            damaged = damaged[:self.chance.randrange(len(damaged))]
        bad = write_bytes(self.path("damaged" + os.path.splitext(path)[1]), damaged)
        out = self.path("damaged-out")
        os.mkdir(out)
        verb = self.chance.choice((("decode", "a.png"), ("transcode", "a.dds"), ("convert", "a.ktx2")))
        for words in (("info", "--verify", bad), ("compare", bad, bad, "--quiet"),
                      (verb[0], bad, "-o", os.path.join(out, verb[1]), "--quiet")):
            done = self.run(*words, "--untrusted", codes=(0, *REFUSALS))
            check(done.returncode == 0 or done.stderr.count(b"\n") == 1, "not one sentence:", words,
                  done.stderr)
        check(os.listdir(out) == ([verb[1]] if done.returncode == 0 else []), verb[0],
              "of a damaged file ended with", done.returncode, "and wrote", os.listdir(out))
        shutil.rmtree(out)
        self.count("damaged files")

    def make_jobs(self):
        """Commands that take some time, and what they do without a signal."""
        picture, astc, ktx2 = (self.path("large." + suffix) for suffix in ("png", "astc", "ktx2"))
        self.run("sample", "-o", picture, "--size", "1500x1500", "--quiet")
        self.run("encode", picture, "-o", astc, "--preset", "realtime", "--block", "4x4", "--quiet")
        self.run("convert", astc, "-o", ktx2, "--quiet")
        jobs = [Job(["encode", picture, "--preset", "thorough"], "a.astc"),
                Job(["encode", picture], "a.tsf"), Job(["decode", astc], "a.png"),
                Job(["transcode", ktx2, "--preset", "thorough"], "a.dds"),
                Job(["convert", astc, "--zstd", "--zstd-level", "19"], "a.ktx2"),
                Job(["compare", picture, astc], None), Job(["info", "--verify", picture, ktx2], None)]
        jobs += [Job(["encode", picture, "--preset", "thorough", *device], "a.dds")
                 for device in self.command.devices["bc1"]]
        return jobs

    def start(self, job, out):
        words = [*job.words, *(["-o", os.path.join(out, job.output)] if job.output else [])]
        return subprocess.Popen([self.command.path, *words], stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def try_without(self, job, out):
        """What the job does without a signal, once."""
        begin = time.monotonic()
        with self.start(job, out) as process:
            error = process.communicate(timeout=SECONDS)[1]
        check(process.returncode == 0, job.words, "ended with", process.returncode, error)
        job.seconds = time.monotonic() - begin
        if job.output:
            job.made = read_bytes(os.path.join(out, job.output))
            os.remove(os.path.join(out, job.output))

    def interrupt(self):
        self.jobs = self.jobs or self.make_jobs()
        job = self.chance.choice(self.jobs)
        numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup has it ignored
            numbers.append(signal.SIGHUP)
        number, part, old = self.chance.choice(numbers), self.chance.random(), self.maybe(0.5)
        out = self.path("interrupted")
        os.makedirs(out)
        if job.seconds == 0:
            self.try_without(job, out)
        if job.output and old:
            write_bytes(os.path.join(out, job.output), b"old")
        with self.start(job, out) as process:
            try:
                if number != signal.SIGKILL:
                    wait_for_handler(process, number)
                time.sleep(part * job.seconds)
                process.send_signal(number)
                error = process.communicate(timeout=SECONDS)[1].decode()
            finally:
                process.kill()
        self.check_interrupted(job, number, process.returncode, error, old)
        shutil.rmtree(out)

    def check_interrupted(self, job, number, code, error, old):
        """It has done all, or nothing."""
        out = self.path("interrupted")
        codes = (0, -number if number == signal.SIGKILL else INTERRUPTED)
        check(code in codes, "signal", int(number), "led to exit code", code, job.words, error)
        if code == INTERRUPTED:
            lines = error.splitlines()
            if "opencl" in job.words:  # the compiler of its driver, interrupted too, has its own words
                lines = [line for line in lines if line.startswith("tessera: ")]
            check(len(lines) == 1 and lines[0].startswith("tessera: ") and "interrupted" in lines[0],
                  "an interrupted command says:", error, job.words)
        allowed = [job.output] if job.output else []
        names = wait_for_names(out, allowed)
        check(set(names) <= set(allowed), "left behind:", names, job.words, "signal", int(number))
        if job.output and (code == 0 or old):
            check(names == allowed, "no file after exit code", code, job.words)
        if names:
            data = read_bytes(os.path.join(out, job.output))
            whole = data == job.made or (code != 0 and old and data == b"old")
            check(whole, "half a file after exit code", code, job.words, len(data), "bytes")
        self.count("signals to " + job.words[0])
        self.count("of them interrupted", int(code != 0))

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

    def watch_many(self, count, verb, words, out=None):
        """One process with flat memory and handles; what they were after a quarter, and at most."""
        process = subprocess.Popen([self.command.path, verb, *words], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, preexec_fn=allow_many_words)
        states = []
        while process.poll() is None:
            try:
                done = (0 if out is None else
                        os.stat(out).st_size if count > 10000 else len(os.listdir(out)))
                with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                    memory = int(status.read().split("VmRSS:")[1].split()[0])
                states.append((done, memory, len(os.listdir(f"/proc/{process.pid}/fd"))))
            except (OSError, IndexError):
                pass
            time.sleep(0.01 if count < 10000 else 0.5)
        check(process.returncode == 0, verb, "of many files ended with", process.returncode)
        # A process that is soon done has not begun after a quarter of its time.
        most = states[-1][0] if states else 0
        later = [state for state in states[len(states) // 4:] if 4 * state[0] >= most]
        if len(later) > 3:
            grown = max(s[1] for s in later) - later[0][1]
            check(grown < 2000, verb, "takes more and more memory:", later[0], later[-1])
            check(max(s[2] for s in later) < 60, verb, "takes more and more handles:", later[-1])
            print(f"{verb} of {count} files in one process: {later[0][1]} kB of memory after a quarter of "
                  f"the time, {max(s[1] for s in later)} kB at most later, "
                  f"{max(s[2] for s in states)} handles at most")
        self.count("files in one process", count)

    def many_files(self, count, verb, names, words, suffix):
        """The same for verbs that make a file of each."""
        out = self.path(verb[0])
        os.mkdir(out)
        self.watch_many(count, verb, (*names, "-o", verb[0] + "/", *words, "--quiet"), out)
        made = sum(name.endswith(suffix) for name in os.listdir(out))  # beside them is an index
        check(made == count, count, "files became", made)

    def go_through_many(self, count):
        self.many_files(count, "encode", self.make_many(count), ("--format", "bc1"), ".dds")
        textures = [f"e/{number}.dds" for number in range(count)]
        self.many_files(count, "decode", textures, ("--as", "png"), ".png")
        self.many_files(count, "transcode", textures, ("--format", "astc", "--preset", "fast"), ".astc")
        self.many_files(count, "convert", textures, ("--container", "ktx2"), ".ktx2")
        for words in (("validate",), ("info",), ("info", "--verify")):
            self.watch_many(count, words[0], (*textures, *words[1:]))

    def soak(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.try_a_picture()
            self.count("pictures")
            if self.maybe(0.3):
                self.interrupt()
        self.go_through_many(1000)


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
    soak = None
    with tempfile.TemporaryDirectory(prefix="tessera-soak-") as folder:
        try:
            soak = Soak(os.path.abspath(sys.argv[1]), folder, seed)
            if files:
                soak.go_through_many(files)
            else:
                soak.soak(seconds)
        except (Disagreement, subprocess.SubprocessError) as problem:
            print(f"with the seed {seed}, after {soak.counts if soak else 'nothing'}: {problem}")
            return 1
    print(", ".join(f"{number} {what}" for what, number in soak.counts.items()) + f" (seed {seed})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
