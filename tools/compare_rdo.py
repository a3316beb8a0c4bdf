#!/usr/bin/python3
"""What --rdo of ASTC saves and costs: the curves of docs/astc.md.

    tools/compare_rdo.py build/release/tessera PICTURE ... [--blocks 4x4,6x6,8x8] [--numbers 10,20,40,80]

A row for each block size: for each number the bytes that are left after `zstd -19`, in percent of those without
--rdo, and how many dB (of RGB, or of RGBA where a picture has alpha) each saved percent costs, in the mean of the
pictures. Preset medium. Needs the zstd command (Debian: zstd).
"""

import argparse
import json
import pathlib
import subprocess
import tempfile


def encode(tessera, picture, block, options, folder):
    """PSNR, and bytes after zstd."""
    made = folder / "t.astc"
    told = json.loads(subprocess.run([tessera, "encode", picture, "-o", made, "--block", block, "--metrics", "--json",
                                      *options], check=True, capture_output=True).stdout)[0]
    packed = subprocess.run(["zstd", "-19", "-q", "-c", made], check=True, capture_output=True).stdout
    return min(told["psnr_rgb"], told["psnr_rgba"]), len(packed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tessera", type=pathlib.Path)
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--blocks", default="4x4,6x6,8x8")
    parser.add_argument("--numbers", default="10,20,40,80")
    parser.add_argument("--size", action="store_true", help="the numbers are those of --rdo-size")
    options = parser.parse_args()
    numbers = options.numbers.split(",")
    option = "--rdo-size" if options.size else "--rdo"
    print(f"| block | dB without | {' | '.join(f'{option} {n}' for n in numbers)} |")
    print("| --- | --- |" + " --- |" * len(numbers))
    with tempfile.TemporaryDirectory() as folder:
        for block in options.blocks.split(","):
            def mean(*words):
                results = [encode(options.tessera, p, block, words, pathlib.Path(folder)) for p in options.pictures]
                return sum(r[0] for r in results) / len(results), [r[1] for r in results]

            plain, plain_bytes = mean()
            cells = []
            for number in numbers:
                quality, left = mean(option, number)
                share = 100 * sum(a / b for a, b in zip(left, plain_bytes)) / len(left)
                cost = (plain - quality) / (100 - share) if share < 100 else float("nan")
                cells.append(f"{share:.1f} %, {cost:.3f} dB")
            print(f"| {block} | {plain:.2f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
