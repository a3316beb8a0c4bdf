#!/usr/bin/python3
"""Compares the encoding of volumes with astcenc: quality and speed on volumes that are made here by code.

    tools/compare_volumes.py build/release/tessera [BLOCK ...] [--presets fast,medium,thorough] [--repeats 3]
                             [--volumes noise,phantom,lut,flame]

Both commands run on one thread, pinned to one core, one after the other. Times are those of the processor for the whole
command, reading included, the least of the repeats: other programs may run beside them. Both files are decoded by
tessera. Needs astcenc, NumPy and Pillow (astcenc, python3-numpy, python3-pil).
"""

import argparse
import math
import pathlib
import resource
import subprocess
import tempfile

import numpy as np
from PIL import Image

BLOCKS = ["3x3x3", "4x4x4", "6x6x6"]


# ---- volumes: [z][y][x][channel], 8 bits ----

def value_noise(rng, shape, cells):
    """Random values at the corners of cells, interpolated smoothly."""
    lattice = rng.random((cells + 1,) * 3)
    axes = []
    for length in shape:
        place = np.arange(length) * cells / length
        whole = place.astype(int)
        part = place - whole
        axes.append((whole, part * part * (3 - 2 * part)))
    (z, fz), (y, fy), (x, fx) = axes
    result = np.zeros(shape)
    for dz in (0, 1):
        for dy in (0, 1):
            for dx in (0, 1):
                share = (np.where(dz, fz, 1 - fz)[:, None, None] * np.where(dy, fy, 1 - fy)[None, :, None]
                         * np.where(dx, fx, 1 - fx)[None, None, :])
                result += share * lattice[np.ix_(z + dz, y + dy, x + dx)]
    return result


def noise(edge=96):
    """The density of clouds: octaves of noise."""
    rng = np.random.default_rng(1)
    total = sum(value_noise(rng, (edge,) * 3, cells) * 0.55 ** i for i, cells in enumerate((3, 6, 12, 24, 48)))
    total = (total - total.min()) / (total.max() - total.min())
    density = np.clip((total - 0.35) * 2, 0, 1)
    return np.repeat(np.uint8(np.round(density * 255))[..., None], 3, axis=3)


def phantom(edge=96):
    """A head as tomographs see it: ellipsoids of different densities, with the noise of the measurement."""
    rng = np.random.default_rng(2)
    place = (np.arange(edge) + 0.5) / edge * 2 - 1
    z, y, x = np.meshgrid(place, place, place, indexing="ij")
    bodies = [(0, 0, 0, .69, .92, .9, 230), (0, 0, 0, .64, .86, .86, -150), (.22, 0, -.1, .11, .31, .22, -40),
              (-.22, 0, -.1, .16, .41, .28, -45), (0, .35, -.1, .21, .25, .35, 30), (0, .1, .2, .05, .05, .1, 60),
              (-.08, -.6, .1, .05, .03, .05, 70), (.06, -.6, -.1, .06, .03, .2, 50), (0, -.1, -.3, .3, .1, .1, 25)]
    total = np.full(x.shape, 8.0)
    for cx, cy, cz, rx, ry, rz, density in bodies:
        distance = np.sqrt(((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 + ((z - cz) / rz) ** 2)
        total += density * np.clip((1 - distance) * min(rx, ry, rz) * edge / 2 + 0.5, 0, 1)
    total += rng.normal(0, 2, x.shape)
    return np.repeat(np.uint8(np.clip(np.round(total), 0, 255))[..., None], 3, axis=3)


def lut(edge=33):
    """A table of colours for grading: contrast, warm lights, teal shadows."""
    place = np.arange(edge) / (edge - 1)
    b, g, r = np.meshgrid(place, place, place, indexing="ij")
    luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
    curve = lambda v: v * v * (3 - 2 * v)
    graded = [curve(r) * 0.85 + 0.15 * luma + 0.06 * luma * (1 - luma) * 4, curve(g) * 0.9 + 0.1 * luma,
              curve(b) * 0.8 + 0.2 * luma + 0.08 * (1 - luma) ** 2]
    return np.uint8(np.clip(np.round(np.stack(graded, axis=-1) * 255), 0, 255))


def flame(width=80, height=96, frames=64):
    """A fire that flickers: rising noise, coloured by its heat; slices are moments."""
    rng = np.random.default_rng(3)
    space = sum(value_noise(rng, (96, 192, 96), cells) * 0.6 ** i for i, cells in enumerate((4, 9, 18, 36)))
    space = (space - space.mean()) / space.std()
    y, x = np.meshgrid(np.arange(height) / height, np.arange(width) / width - 0.5, indexing="ij")
    slices = []
    for frame in range(frames):
        layer = np.roll(space[frame], frame * 3, axis=0)[:height, :width]
        heat = 1.25 * y + 0.22 * layer - 5 * x * x * (1.6 - y) - 0.25
        heat = np.clip(heat, 0, 1)
        slices.append(np.stack([np.clip(heat * 2.6, 0, 1), np.clip(heat * 2.2 - 0.5, 0, 1),
                                np.clip(heat * 2.4 - 1.4, 0, 1)], axis=-1))
    return np.uint8(np.round(np.stack(slices) * 255))


VOLUMES = {"noise": noise, "phantom": phantom, "lut": lut, "flame": flame}


# ---- the commands ----

def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def pinned(command):
    """Seconds of the processor."""
    before = processor_time()
    subprocess.run(["taskset", "-c", "1", *map(str, command)], check=True, capture_output=True)
    return max(processor_time() - before, 1e-3)


def decoded(tessera, made, folder):
    for old in folder.glob("*.png"):
        old.unlink()
    subprocess.run([tessera, "decode", made, "-o", folder / "d.png", "--all-slices", "--quiet"], check=True)
    return np.stack([np.asarray(Image.open(name).convert("RGB")) for name in sorted(folder.glob("d_*.png"))])


def psnr(volume, other):
    error = np.mean((volume.astype(float) - other.astype(float)) ** 2)
    return 10 * math.log10(255 * 255 / max(error, 1e-9))


def measure(tessera, volume, block, preset, repeats, folder):
    """dB and voxels in millions per second of both."""
    for i, layer in enumerate(volume):
        Image.fromarray(layer).save(folder / f"s_{i}.png")
    depth, height, width, channels = volume.shape
    (folder / "v.raw").write_bytes(volume.tobytes())
    ours, theirs, out = folder / "ours.astc", folder / "theirs.astc", folder / "out"
    out.mkdir(exist_ok=True)
    their_preset = {"realtime": "-fastest"}.get(preset, "-" + preset)
    least = [math.inf, math.inf]
    for _ in range(repeats):
        least[0] = min(least[0], pinned([tessera, "encode", folder / "v.raw", "--size", f"{width}x{height}x{depth}",
                                         "--channels", channels, "-o", ours, "--block", block, "--preset", preset,
                                         "--threads", 1, "--quiet"]))
        least[1] = min(least[1], pinned(["astcenc", "-cl", folder / "s.png", theirs, block, their_preset, "-j", 1,
                                         "-zdim", depth, "-silent"]))
    voxels = width * height * depth / 1e6
    return [(psnr(volume, decoded(tessera, made, out)), voxels / seconds)
            for made, seconds in zip((ours, theirs), least)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tessera", type=pathlib.Path)
    parser.add_argument("blocks", nargs="*", default=BLOCKS)
    parser.add_argument("--presets", default="fast,medium,thorough")
    parser.add_argument("--volumes", default=",".join(VOLUMES))
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print("| volume | block | preset | tessera dB | astcenc dB | difference | tessera MP/s | astcenc MP/s | times |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in options.volumes.split(","):
        volume = VOLUMES[name]()
        for block in options.blocks:
            for preset in options.presets.split(","):
                with tempfile.TemporaryDirectory() as folder:
                    (ours, rate), (theirs, their_rate) = measure(options.tessera.resolve(), volume, block, preset,
                                                                 options.repeats, pathlib.Path(folder))
                print(f"| {name} | {block} | {preset} | {ours:.2f} | {theirs:.2f} | {ours - theirs:+.2f} | {rate:.2f} "
                      f"| {their_rate:.2f} | {rate / their_rate:.1f} |", flush=True)


if __name__ == "__main__":
    main()
