#!/usr/bin/env python3
"""Runs the benchmarks and writes their tables into docs/performance.md, between the markers
`<!-- bench NAME -->` and `<!-- /bench NAME -->`.

usage: update_tables.py TESSERA DOCUMENT [FOLDER OF PICTURES [NAME...]]

Names choose tables; without any, all are measured.
"""

import collections
import csv
import io
import pathlib
import re
import subprocess
import sys

ASTC_PRESETS = "realtime,fast,medium,thorough"

# Each table: its marker, and the options of `tessera bench`. The first row that is not ours is what
# the rates are compared with.
TABLES = {
    "bc1": ["--format", "bc1", "--method", "bounds"],
    "bc1-streaming": ["--format", "bc1", "--method", "bounds", "--rivals", "stb_dxt", "--streaming"],
    "astc-4x4": ["--format", "astc", "--block", "4x4", "--presets", ASTC_PRESETS, "--repeats", "2"],
    "astc-6x6": ["--format", "astc", "--block", "6x6", "--presets", ASTC_PRESETS, "--repeats", "2"],
    "astc-8x8": ["--format", "astc", "--block", "8x8", "--presets", ASTC_PRESETS, "--repeats", "2"],
    "astc-partitions": ["--format", "astc", "--block", "4x4", "--presets", "realtime",
                        "--partitions", "off,moments,kmeans,kmeans++,table"],
    "astc-decode-4x4": ["--format", "astc", "--block", "4x4", "--decode"],
    "astc-decode-6x6": ["--format", "astc", "--block", "6x6", "--decode"],
}


def run_bench(tessera: str, options: list[str], images: str) -> list[dict[str, str]]:
    """The rows of one benchmark's CSV."""
    command = [tessera, "bench", "--threads", "1", "--csv", "-", "--quiet", *options]
    if images:
        command += ["--images", images]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return list(csv.DictReader(io.StringIO(output)))


def mean_table(rows: list[dict[str, str]]) -> str:
    """Means over images as a Markdown table."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["codec"], row["preset"]].append(row)
    rates = {}
    lines = []
    for key, group in groups.items():
        pixels = sum(int(row["width"]) * int(row["height"]) for row in group) / 1e6
        rates[key] = pixels / sum(float(row["seconds"]) for row in group)
    rival = next((key for key in groups if key[0] != "tessera"), None)
    lines.append("| encoder | PSNR dB | SSIM | MP/s | times " + (" ".join(rival) if rival else "-") + " |")
    lines.append("| --- | --- | --- | --- | --- |")
    for key, group in groups.items():
        psnr = sum(float(row["psnr_rgb"]) for row in group) / len(group)
        ssim = sum(float(row["ssim"]) for row in group) / len(group)
        ratio = f"{rates[key] / rates[rival]:.2f}" if rival else "-"
        lines.append(f"| {' '.join(key)} | {psnr:.2f} | {ssim:.4f} | {rates[key]:.4g} | {ratio} |")
    return "\n".join(lines)


def with_table(text: str, name: str, table: str) -> str:
    """The document with the table between its markers."""
    text, count = re.subn(
        rf"(<!-- bench {name} -->\n).*?(<!-- /bench {name} -->)",
        lambda match: match[1] + table + "\n" + match[2], text, flags=re.DOTALL)
    if count != 1:
        sys.exit(f"the document has no place for the table {name}")
    return text


def main() -> int:
    tessera, document, images = sys.argv[1], pathlib.Path(sys.argv[2]), "".join(sys.argv[3:4])
    text = document.read_text()
    chosen = sys.argv[4:]
    for name, options in TABLES.items():
        if chosen and name not in chosen:
            continue
        table = mean_table(run_bench(tessera, options, images))
        print(f"{name}\n{table}\n")
        text = with_table(text, name, table)
    document.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
