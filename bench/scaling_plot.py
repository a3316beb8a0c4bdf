"""Lines over a number of threads as SVG: one panel a quantity, side by side."""
import html
import math

PANEL_WIDTH, HEIGHT = 430, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 60, 50
COLORS = ("#1f5fa8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#555555", "#16a085", "#b03a7c")


def nice_step(highest):
    """A step of 1, 2 or 5 times a power of ten that gives about five steps."""
    rough = max(highest, 1e-9) / 5
    power = 10 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def panel(quantity, lines, from_zero_to_one, what, offset):
    points = [point for line in lines.values() for point in line]
    threads = sorted({x for x, _ in points})
    highest = max(y for _, y in points)
    highest = max(highest, 1.0) if from_zero_to_one else highest
    step = nice_step(highest)
    top = step * math.ceil(highest / step - 1e-9)
    most = max(threads)

    def place(x, y):
        # Doubling the threads is always the same distance.
        along = math.log2(x) / max(1e-9, math.log2(most)) if most > 1 else 0.5
        return (offset + LEFT + along * (PANEL_WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM))

    parts = []
    for index in range(round(top / step) + 1):
        x, y = place(1, index * step)
        parts.append(f'<line x1="{offset + LEFT}" x2="{offset + PANEL_WIDTH - RIGHT}" y1="{y:.1f}" '
                     f'y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{offset + LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">'
                     f'{index * step:g}</text>')
    for count in threads:
        x, _ = place(count, 0)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{count}'
                     '</text>')
    middle = offset + (LEFT + PANEL_WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{html.escape(what)}'
                 '</text>')
    parts.append(f'<text x="{offset + LEFT}" y="{TOP - 12}" font-weight="bold">'
                 f'{html.escape(quantity)}</text>')
    for number, (name, line) in enumerate(lines.items()):
        color = COLORS[number % len(COLORS)]
        places = [place(x, y) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="1.6" points="{path}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places]
        x = offset + LEFT + 90 + 95 * number
        parts.append(f'<rect x="{x}" y="{TOP - 18}" width="12" height="4" fill="{color}"/>')
        parts.append(f'<text x="{x + 17}" y="{TOP - 12}">{html.escape(name)}</text>')
    return parts


def draw(panels, what, title):
    """`panels`: (quantity, {name: [(threads, value)]}, whether the axis is to reach 1)."""
    width = PANEL_WIDTH * len(panels)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" '
             'font-family="sans-serif" font-size="11">',
             f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="20" font-size="13">{html.escape(title)}</text>']
    for index, (quantity, lines, to_one) in enumerate(panels):
        parts += panel(quantity, lines, to_one, what, index * PANEL_WIDTH)
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
