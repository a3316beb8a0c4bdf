#!/usr/bin/env python3
"""Draws quality against speed as an SVG, from tables of docs/performance.md.

usage: plot_speed.py PERFORMANCE.md SVG BLOCK...

Each BLOCK, such as astc-6x6, is a table that bench/update_tables.py writes: its columns are the encoder
("tessera fast"), the PSNR in dB, the SSIM and the megapixels per second. It becomes one panel.
"""

import html
import math
import pathlib
import re
import sys

PANEL, HEIGHT = 300, 330
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 62, 54
COLORS = {"tessera": "#1f5fa8", "astcenc": "#c0392b"}
OTHER = "#555555"


def read_table(text: str, name: str) -> dict[str, list[tuple[str, float, float]]]:
    """For each program its presets with megapixels per second and dB, the fastest first."""
    found = re.search(rf"<!-- bench {re.escape(name)} -->(.*?)<!-- /bench", text, re.S)
    if not found:
        raise ValueError(f"there is no table {name}")
    programs: dict[str, list[tuple[str, float, float]]] = {}
    for line in found.group(1).splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) < 4 or not re.fullmatch(r"[\d.]+", cells[1]):
            continue
        program, _, preset = cells[0].partition(" ")
        programs.setdefault(program, []).append((preset, float(cells[3]), float(cells[1])))
    return {program: sorted(points, key=lambda point: -point[1]) for program, points in programs.items()}


def draw_panel(left: float, title: str, programs, powers: range) -> list[str]:
    points = [point for line in programs.values() for point in line]
    low, high = math.floor(min(p[2] for p in points) - 0.3), math.ceil(max(p[2] for p in points) + 0.3)

    def across(rate: float) -> float:
        share = (math.log10(rate) - powers[0]) / (powers[-1] - powers[0])
        return left + LEFT + share * (PANEL - LEFT - RIGHT)

    def down(psnr: float) -> float:
        return TOP + (high - psnr) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [f'<text x="{left + LEFT}" y="{TOP - 12}" font-weight="600">{html.escape(title)}</text>']
    for psnr in range(low, high + 1):
        parts.append(f'<line x1="{left + LEFT}" x2="{left + PANEL - RIGHT}" y1="{down(psnr):.1f}" '
                     f'y2="{down(psnr):.1f}" stroke="#e3e6ea"/><text x="{left + LEFT - 6}" '
                     f'y="{down(psnr) + 4:.1f}" text-anchor="end" class="dim">{psnr}</text>')
    for power in powers:
        parts.append(f'<line x1="{across(10 ** power):.1f}" x2="{across(10 ** power):.1f}" y1="{TOP}" '
                     f'y2="{HEIGHT - BOTTOM}" stroke="#f0f2f4"/><text x="{across(10 ** power):.1f}" '
                     f'y="{HEIGHT - BOTTOM + 16}" text-anchor="middle" class="dim">{10 ** power:g}</text>')
    for program, line in programs.items():
        color = COLORS.get(program, OTHER)
        path = " ".join(f"{across(rate):.1f},{down(psnr):.1f}" for _, rate, psnr in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        for preset, rate, psnr in line:
            x, y = across(rate), down(psnr)
            # Names lie beside the line, on the side that is free.
            if program != "tessera":
                is_right = x < left + LEFT + 46 or preset == line[0][0]
                y += 4 if preset == line[0][0] else -6 if is_right else 13
            else:
                is_right = x < left + PANEL - 80
                y -= 5
            parts.append(f'<circle cx="{x:.1f}" cy="{down(psnr):.1f}" r="4" fill="{color}"/>'
                         f'<text x="{x + (7 if is_right else -7):.1f}" y="{y:.1f}" fill="{color}" font-size="10" '
                         f'text-anchor="{"start" if is_right else "end"}">{html.escape(preset)}</text>')
    return parts


def draw(panels: list[tuple[str, dict]]) -> str:
    rates = [rate for _, programs in panels for line in programs.values() for _, rate, _ in line]
    powers = range(math.floor(math.log10(min(rates))), math.ceil(math.log10(max(rates))) + 1)
    width = PANEL * len(panels)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" width="{width}" '
             f'height="{HEIGHT}" font-family="system-ui, sans-serif" font-size="12">',
             "<style>.dim { fill: #5a6570; font-size: 11px }</style>",
             f'<rect width="{width}" height="{HEIGHT}" fill="white"/>']
    x = LEFT
    for program, color in COLORS.items():
        parts.append(f'<circle cx="{x + 4}" cy="16" r="4" fill="{color}"/><text x="{x + 14}" y="20">{program}</text>')
        x += 80
    parts.append(f'<text x="{x + 10}" y="20" class="dim">PSNR of RGB in dB, upwards; further right is faster</text>')
    for index, (title, programs) in enumerate(panels):
        parts += draw_panel(index * PANEL, title, programs, powers)
    parts.append(f'<text x="{width / 2}" y="{HEIGHT - 12}" text-anchor="middle" class="dim">'
                 "megapixels per second, one thread (each line is ten times the last)</text>")
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main() -> int:
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    panels = [(name.replace("-", " ").replace("astc", "ASTC"), read_table(text, name)) for name in sys.argv[3:]]
    pathlib.Path(sys.argv[2]).write_text(draw(panels), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
