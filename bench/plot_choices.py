#!/usr/bin/env python3
"""Draws what block sizes and presets of ASTC come to for several kinds of pictures, as an SVG.

usage: plot_choices.py GOLDEN.csv SVG

The numbers are those of tests/astc_encode/golden_psnr.csv, which a test keeps true: pictures made by
code. Left: `medium` at each block size; right: each preset at 6x6.
"""

import csv
import html
import pathlib
import sys

PRESETS = ("realtime", "fast", "medium", "thorough", "exhaustive")
BLOCKS = ("12x12", "8x8", "6x6", "5x5", "4x4")
COLORS = {"gradient": "#555555", "interface": "#8e44ad", "normal-map": "#1f5fa8", "packed": "#d68910",
          "photo": "#2e8b57", "cut-out": "#c0392b"}
NAMES = {"gradient": "soft gradient", "normal-map": "normal map", "packed": "packed map"}
PANEL, HEIGHT = 450, 360
LEFT, RIGHT, TOP, BOTTOM = 44, 96, 58, 56
LOW, HIGH = 20, 65  # dB


def read_numbers(path: str) -> dict[tuple[str, str, str], float]:
    """PSNR of RGB by picture, block size and preset."""
    with open(path, newline="", encoding="utf-8") as file:
        return {(row["image"], row["block"], row["preset"]): float(row["psnr_rgb"]) for row in csv.DictReader(file)}


def bits_per_pixel(block: str) -> float:
    width, height = map(int, block.split("x"))
    return 128 / (width * height)


def down(psnr: float) -> float:
    return TOP + (HIGH - psnr) / (HIGH - LOW) * (HEIGHT - TOP - BOTTOM)


def spread(places: dict[str, float], least: float = 13) -> dict[str, float]:
    """Heights of labels, moved apart from the top down so that none lies on another."""
    moved: dict[str, float] = {}
    before = -least
    for name in sorted(places, key=lambda name: places[name]):
        before = moved[name] = max(places[name], before + least)
    return moved


def draw_panel(left: float, title: str, under: str, ticks: list[tuple[float, str]], lines) -> list[str]:
    """`ticks`: from 0 to 1, with what stands there; `lines`: for each picture the PSNR at each tick."""
    def across(share: float) -> float:
        return left + LEFT + share * (PANEL - LEFT - RIGHT)

    parts = [f'<text x="{left + LEFT}" y="{TOP - 14}" font-weight="600">{html.escape(title)}</text>']
    for psnr in range(LOW, HIGH + 1, 5):
        parts.append(f'<line x1="{across(0):.1f}" x2="{across(1):.1f}" y1="{down(psnr):.1f}" y2="{down(psnr):.1f}" '
                     f'stroke="#e3e6ea"/><text x="{left + LEFT - 6}" y="{down(psnr) + 4:.1f}" text-anchor="end" '
                     f'class="dim">{psnr}</text>')
    for share, name in ticks:
        parts.append(f'<line x1="{across(share):.1f}" x2="{across(share):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" '
                     f'stroke="#f0f2f4"/>')
        for row, word in enumerate(name.split("\n")):
            parts.append(f'<text x="{across(share):.1f}" y="{HEIGHT - BOTTOM + 16 + 13 * row}" text-anchor="middle" '
                         f'class="dim">{html.escape(word)}</text>')
    labels = spread({name: down(values[-1]) for name, values in lines.items()})
    for name, values in lines.items():
        color = COLORS[name]
        places = [(across(share), down(psnr)) for (share, _), psnr in zip(ticks, values)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places]
        parts.append(f'<text x="{across(1) + 8:.1f}" y="{labels[name] + 4:.1f}" fill="{color}">'
                     f"{NAMES.get(name, name)}</text>")
    parts.append(f'<text x="{left + LEFT + (PANEL - LEFT - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle" '
                 f'class="dim">{html.escape(under)}</text>')
    return parts


def draw(numbers: dict[tuple[str, str, str], float]) -> str:
    most = bits_per_pixel("4x4")
    sizes = [(bits_per_pixel(block) / most, f"{block}\n{bits_per_pixel(block):.2f}") for block in BLOCKS]
    presets = [(index / (len(PRESETS) - 1), preset) for index, preset in enumerate(PRESETS)]
    by_size = {name: [numbers[name, block, "medium"] for block in BLOCKS] for name in COLORS}
    by_preset = {name: [numbers[name, "6x6", preset] for preset in PRESETS] for name in COLORS}
    width = 2 * PANEL
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" '
             f'height="{HEIGHT}" font-family="system-ui, sans-serif" font-size="12">',
             "<style>.dim { fill: #5a6570; font-size: 11px }</style>",
             f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="18" class="dim">PSNR of RGB in dB, of small pictures made by code</text>']
    parts += draw_panel(0, "Block size, at medium", "bits per pixel", sizes, by_size)
    parts += draw_panel(PANEL, "Preset, at 6x6", "slower to the right", presets, by_preset)
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    pathlib.Path(sys.argv[2]).write_text(draw(read_numbers(sys.argv[1])), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
