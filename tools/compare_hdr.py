#!/usr/bin/python3
"""ASTC of high dynamic range beside the astcenc command: the table of docs/astc.md.

    tools/compare_hdr.py build/release/tessera MAP.exr ... [--blocks 4x4,6x6,8x8] [--presets realtime,fast,...]
                         [--core N] [--repeats 2]

Both encode with one thread, pinned to one core; times are those that the programs tell of their encoders, the least of
the repeats. tessera decodes and measures both results (mPSNR). `realtime` stands beside -fastest. Needs astcenc.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import tempfile


class Measure:
    def __init__(self, options, folder):
        self.options = options
        self.pin = ["taskset", "-c", str(options.core)]
        self.file = pathlib.Path(folder) / "t.astc"
        self.decoded = pathlib.Path(folder) / "t.exr"

    def run(self, *words):
        return subprocess.run([*self.pin, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def mpsnr(self, picture):
        self.run(self.options.tessera, "decode", self.file, "-o", self.decoded, "--profile", "hdr", "--quiet")
        return json.loads(self.run(self.options.tessera, "compare", picture, self.decoded, "--json"))["mpsnr"]

    def ours(self, picture, block, preset):
        seconds = min(json.loads(self.run(self.options.tessera, "encode", picture, "-o", self.file, "--block", block,
                                          "--preset", preset, "--profile", "hdr", "--threads", 1, "--json")
                                 )[0]["encode_seconds"] for _ in range(self.options.repeats))
        return self.mpsnr(picture), seconds

    def theirs(self, picture, block, preset):
        name = "-fastest" if preset == "realtime" else "-" + preset
        seconds = min(float(re.search(r"Coding time:\s+([0-9.]+)",
                                      self.run("astcenc", "-ch", picture, self.file, block, name, "-j", 1)).group(1))
                      for _ in range(1 if preset == "thorough" else self.options.repeats))
        return self.mpsnr(picture), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tessera", type=pathlib.Path)
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--blocks", default="4x4,6x6,8x8")
    parser.add_argument("--presets", default="realtime,fast,medium,thorough")
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    print("| | mPSNR | astcenc's | worst | times |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        measure = Measure(options, folder)
        for block in options.blocks.split(","):
            for preset in options.presets.split(","):
                pairs = [(measure.ours(p, block, preset), measure.theirs(p, block, preset)) for p in options.pictures]
                ours, theirs = (sum(pair[i][0] for pair in pairs) / len(pairs) for i in (0, 1))
                worst = min(a[0] - b[0] for a, b in pairs)
                ratios = [b[1] / a[1] for a, b in pairs]
                mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
                print(f"| {block} `{preset}` | {ours:.2f} | {theirs:.2f} | {worst:+.2f} | {mean:.0f} ({min(ratios):.1f}) |",
                      flush=True)


if __name__ == "__main__":
    main()
