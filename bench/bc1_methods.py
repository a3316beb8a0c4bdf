#!/usr/bin/env python3
"""Measures BC1's methods and presets and rewrites the tables of docs/bc1.md.

usage: bc1_methods.py TESSERA DOCUMENT [FOLDER OF PICTURES]

Every row is a run of its own with stb_dxt in it, so that ratios are taken within one run.
"""
import csv
import io
import pathlib
import subprocess
import sys

from update_tables import with_table

PRESETS = [(name, ["--presets", name]) for name in
           ("realtime", "fast", "medium", "thorough", "exhaustive")]


def method(name, *options):
    return ["--method", name, *options]


LSPIRO = [
    ("bounds", method("bounds")),
    ("LSpiro step 1", method("lspiro", "--lspiro-steps", "1")),
    ("LSpiro 1+2, 1 iteration", method("lspiro", "--lspiro-steps", "2", "--lspiro-iterations", "1")),
    ("LSpiro 1+2, 2 iterations", method("lspiro", "--lspiro-steps", "2", "--lspiro-iterations", "2")),
    ("LSpiro 1+2, 8 iterations", method("lspiro", "--lspiro-steps", "2")),
    ("LSpiro 1+2+3, radius 1", method("lspiro")),
    ("cluster, 1 split kept", method("cluster", "--cluster-keep", "1")),
    ("cluster, 4 splits kept", method("cluster")),
]
METHODS = [
    ("bounds", method("bounds")),
    ("farthest", method("farthest")),
    ("luma", method("luma")),
    ("range, 1 pass", method("range", "--passes", "1")),
    ("range, 2 passes", method("range")),
    ("starts, 3", method("starts", "--starts", "3")),
    ("starts, 7", method("starts")),
    ("starts, 20", method("starts", "--starts", "20")),
    ("starts, 20, three colours", method("starts", "--starts", "20", "--three-colors")),
    ("cluster, 8 splits kept", method("cluster", "--cluster-keep", "8")),
    ("cluster, three colours", method("cluster", "--three-colors")),
]
TABLES = {"bc1-presets": PRESETS, "bc1-methods": METHODS, "bc1-lspiro": LSPIRO}


def measure(tessera, options, images):
    """PSNR, MP/s and the rate as a multiple of stb_dxt normal's."""
    command = [tessera, "bench", "--format", "bc1", "--threads", "1", "--streaming", "--repeats",
               "5", "--rivals", "stb_dxt", "--csv", "-", "--quiet", *options]
    if images:
        command += ["--images", images]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(output)))

    def rate(chosen):
        pixels = sum(int(row["width"]) * int(row["height"]) for row in chosen) / 1e6
        return pixels / sum(float(row["seconds"]) for row in chosen)

    ours = [row for row in rows if row["codec"] == "tessera"]
    rival = [row for row in rows if row["codec"] == "stb_dxt" and row["preset"] == "normal"]
    psnr = sum(float(row["psnr_rgb"]) for row in ours) / len(ours)
    return psnr, rate(ours), rate(ours) / rate(rival)


def main() -> int:
    tessera, document, images = sys.argv[1], pathlib.Path(sys.argv[2]), "".join(sys.argv[3:4])
    text = document.read_text()
    for name, rows in TABLES.items():
        lines = ["| setting | PSNR dB | MP/s | times stb_dxt normal |", "| --- | --- | --- | --- |"]
        for label, options in rows:
            psnr, rate, ratio = measure(tessera, options, images)
            lines.append(f"| {label} | {psnr:.3f} | {rate:.4g} | {ratio:.2f} |")
            print(lines[-1], flush=True)
        table = "\n".join(lines)
        text = with_table(text, name, table)
    document.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
