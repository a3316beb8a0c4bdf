#!/usr/bin/env python3
"""Draws the PSNR of each picture as an SVG, a line for each encoder, from the CSV of `tessera bench`.

usage: plot_psnr.py CSV SVG [TITLE]
"""

import csv
import html
import pathlib
import sys

WIDTH, HEIGHT = 900, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 230, 40, 90
COLORS = ("#1f5fa8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#555555", "#16a085", "#b03a7c")


def read_rows(path: str) -> tuple[list[str], dict[str, list[float]]]:
    """Pictures in order, and for each encoder its PSNR of each picture."""
    images: list[str] = []
    lines: dict[str, dict[str, float]] = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["image"] not in images:
                images.append(row["image"])
            name = f"{row['codec']} {row['preset']}"
            lines.setdefault(name, {})[row["image"]] = float(row["psnr_rgb"])
    images.sort()
    return images, {name: [values[i] for i in images] for name, values in lines.items()}


def draw(images: list[str], lines: dict[str, list[float]], title: str) -> str:
    low = min(min(values) for values in lines.values())
    high = max(max(values) for values in lines.values())
    low, high = int(low // 2 * 2), int(-(-high // 2) * 2)
    step_x = (WIDTH - LEFT - RIGHT) / max(1, len(images) - 1)

    def at(index: int, value: float) -> tuple[float, float]:
        share = (value - low) / max(1e-9, high - low)
        return LEFT + index * step_x, HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
             'font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="22" font-size="14">{html.escape(title)}</text>']
    for value in range(low, high + 1, 2):
        _, y = at(0, value)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                     'stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value}</text>')
    for index, image in enumerate(images):
        x, _ = at(index, low)
        name = html.escape(pathlib.Path(image).stem)
        parts.append(f'<text transform="translate({x + 4:.1f},{HEIGHT - BOTTOM + 12}) rotate(60)">'
                     f'{name}</text>')
    for number, (name, values) in enumerate(lines.items()):
        color = COLORS[number % len(COLORS)]
        points = " ".join("{:.1f},{:.1f}".format(*at(i, v)) for i, v in enumerate(values))
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="1.6" points="{points}"/>')
        y = TOP + 18 * number
        mean = sum(values) / len(values)
        parts.append(f'<rect x="{WIDTH - RIGHT + 16}" y="{y}" width="14" height="4" fill="{color}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 36}" y="{y + 6}">{html.escape(name)} '
                     f'({mean:.2f} dB)</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    images, lines = read_rows(sys.argv[1])
    title = sys.argv[3] if len(sys.argv) > 3 else "PSNR (RGB, dB) of each picture"
    pathlib.Path(sys.argv[2]).write_text(draw(images, lines, title), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
