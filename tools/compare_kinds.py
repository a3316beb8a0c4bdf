#!/usr/bin/python3
"""Measures ASTC beside the astcenc command on textures of several kinds, and writes the table of
docs/performance.md.

    tools/compare_kinds.py build/release/tessera FOLDER [--core N] [--write]
    tools/compare_kinds.py build/release/tessera FOLDER --same exhaustive --most 2 [--write]
    tools/compare_kinds.py build/release/tessera FOLDER --same medium --blocks 5x5,10x10,12x12

FOLDER holds PNG files named KIND-anything.png. Both programs run with one thread on one core: once,
or three times where the first run takes less than 0.1 s, of which the median counts. astcenc
decodes both results, and errors are measured here, over RGBA for kinds with alpha. A cell holds, for
fast, medium and thorough: the mean dB over astcenc's, and how many times astcenc's rate the
--quality dial has where it reaches astcenc's dB. With --same, one preset stands beside astcenc's of
the same name (realtime beside -fastest): the dB over it, and how many times its rate. Needs astcenc,
NumPy and Pillow (the packages astcenc, python3-numpy, python3-pil).
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile

import numpy as np
from PIL import Image

BLOCKS = ["4x4", "6x6", "8x8"]
PRESETS = ["fast", "medium", "thorough"]
QUALITIES = [0, 4, 8, 12, 15, 18, 22, 25, 29, 33, 37, 41, 46, 50, 55, 60, 66, 75, 85, 100]
PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "performance.md"


def median_seconds(run):
    """Of one run, or of three short ones: small pictures are over before the machine is quiet."""
    seconds = [run()]
    while seconds[0] < 0.1 and len(seconds) < 3:
        seconds.append(run())
    return sorted(seconds)[len(seconds) // 2]


class Measure:
    def __init__(self, options, folder):
        self.pin = ["taskset", "-c", str(options.core)]
        self.command = options.command
        self.file = pathlib.Path(folder) / "t.astc"
        self.decoded = pathlib.Path(folder) / "t.png"

    def run(self, *arguments):
        return subprocess.run([*self.pin, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    def psnr(self, picture):
        self.run("astcenc", "-dl", self.file, self.decoded, "-silent")
        channels = 4 if picture.has_alpha else 3
        decoded = np.asarray(Image.open(self.decoded).convert("RGBA"), dtype=np.float64)
        error = np.mean((picture.pixels[..., :channels] - decoded[..., :channels]) ** 2)
        return 99.0 if error == 0 else 10 * np.log10(255 * 255 / error)

    def ours(self, picture, block, *settings):
        """PSNR and seconds."""
        seconds = median_seconds(lambda: json.loads(
            self.run(self.command, "encode", picture.path, "-o", self.file, "--block", block, "--threads", 1,
                     "--json", *settings))[0]["encode_seconds"])
        return self.psnr(picture), seconds

    def astcenc(self, picture, block, preset):
        seconds = median_seconds(lambda: float(
            re.search(r"Coding time:\s+([0-9.]+)",
                      self.run("astcenc", "-cl", picture.path, self.file, block, "-" + preset, "-j", 1)).group(1)))
        return self.psnr(picture), seconds


class Picture:
    def __init__(self, path, has_alpha):
        self.path = path
        self.has_alpha = has_alpha
        self.pixels = np.asarray(Image.open(path).convert("RGBA"), dtype=np.float64)


def kinds_in(folder):
    paths = collections.defaultdict(list)
    for path in sorted(pathlib.Path(folder).glob("*.png")):
        paths[path.name.split("-")[0]].append(path)
    return {kind: [Picture(path, Image.open(of_kind[0]).mode == "RGBA") for path in of_kind]
            for kind, of_kind in paths.items()}


def total(results):
    """Mean PSNR and all seconds."""
    return np.mean([psnr for psnr, _ in results]), sum(seconds for _, seconds in results)


def seconds_at(dial, psnr):
    """The least time in which the dial reaches a PSNR, between two of its points if need be."""
    reached = [seconds for at, seconds in dial if at >= psnr]
    for (low, before), (high, after) in zip(dial, dial[1:]):
        if low < psnr <= high:
            share = (psnr - low) / (high - low)
            reached.append(float(np.exp((1 - share) * np.log(before) + share * np.log(after))))
    return min(reached, default=float("inf"))


def row(measure, kind, pictures, block):
    dial = [total([measure.ours(p, block, "--quality", q) for p in pictures]) for q in QUALITIES]
    gains, times, worst = [], [], (99.0, "")
    for preset in PRESETS:
        theirs = [measure.astcenc(p, block, preset) for p in pictures]
        ours = [measure.ours(p, block, "--preset", preset) for p in pictures]
        psnr, seconds = total(theirs)
        gains.append(f"{total(ours)[0] - psnr:+.2f}")
        times.append(f"{seconds / seconds_at(dial, psnr):.1f}")
        differences = [(a[0] - b[0], p.path.stem) for a, b, p in zip(ours, theirs, pictures)]
        worst = min(worst, min(differences))
    return f"| {kind} | {block} | {' / '.join(gains)} | {' / '.join(times)} | {worst[0]:+.2f} {worst[1]} |"


def row_of_preset(measure, kind, pictures, blocks, preset):
    """A preset beside astcenc's, for some block sizes: gains, times its rate, the worst picture."""
    gains, times, worst = [], [], (99.0, "")
    for block in blocks:
        theirs = [measure.astcenc(p, block, "fastest" if preset == "realtime" else preset) for p in pictures]
        ours = [measure.ours(p, block, "--preset", preset) for p in pictures]
        gains.append(f"{total(ours)[0] - total(theirs)[0]:+.2f}")
        times.append(f"{total(theirs)[1] / total(ours)[1]:.1f}")
        worst = min(worst, *((a[0] - b[0], f"{p.path.stem} at {block}")
                             for a, b, p in zip(ours, theirs, pictures)))
    return f"| {kind} | {' / '.join(gains)} | {' / '.join(times)} | {worst[0]:+.2f} {worst[1]} |"


def lines_of(measure, kinds, options):
    """The table, a line at a time."""
    blocks = options.blocks.split(",")
    if options.same:
        yield f"| kind | dB over astcenc at {' / '.join(blocks)} | times its rate | worst picture |"
        yield "| --- | --- | --- | --- |"
        for kind, pictures in kinds.items():
            yield row_of_preset(measure, kind, pictures, blocks, options.same)
        return
    yield "| kind | block | dB over astcenc | times its rate at equal dB | worst picture |"
    yield "| --- | --- | --- | --- | --- |"
    for kind, pictures in kinds.items():
        for block in blocks:
            yield row(measure, kind, pictures, block)


def write_table(name, lines):
    text = PAGE.read_text()
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, after = text.split(begin)[0], text.split(end)[1]
    PAGE.write_text(before + begin + "\n".join(lines) + "\n" + end + after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("folder")
    parser.add_argument("--core", type=int, default=1)
    parser.add_argument("--blocks", default=",".join(BLOCKS))
    parser.add_argument("--same", metavar="PRESET", help="this preset beside astcenc's of the same name")
    parser.add_argument("--most", type=int, help="so many pictures of a kind, the first ones")
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    options = parser.parse_args()
    kinds = {kind: pictures[:options.most] for kind, pictures in kinds_in(options.folder).items()}
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for line in lines_of(Measure(options, folder), kinds, options):
            lines.append(line)
            print(line, flush=True)
    if options.write:
        write_table(f"kinds {options.same} {options.blocks}" if options.same else "kinds", lines)


if __name__ == "__main__":
    main()
