#!/usr/bin/python3
"""Compares the encoding of volumes with astcenc: quality and speed on volumes that are made here by code.

    tools/compare_volumes.py build/release/tessera [BLOCK ...] [--presets fast,medium,thorough] [--repeats 3]
                             [--volumes noise,phantom,lut,flame,clouds,fire]

Both commands run on one thread, pinned to one core, one after the other. Times are those that the programs tell of their
encoders, the least of the repeats. Both files are decoded by tessera. Volumes of light (clouds, fire) are encoded with
the profile hdr, and judged by their mPSNR. Needs astcenc, NumPy and Pillow (astcenc, python3-numpy, python3-pil).
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import struct
import tempfile
import zlib

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


# ---- volumes of light: [z][y][x][channel], floats ----

def clouds(edge=64):
    """Clouds with the sun behind them: light falls off with the density that it has gone through."""
    density = noise(edge)[..., 0] / 255.0
    through = np.exp(-8 * np.cumsum(density, axis=1) / edge)
    light = 0.02 + 40 * through ** 3
    return np.float32(np.stack([light, light * (0.7 + 0.3 * through), light * (0.4 + 0.6 * through)], axis=-1))


def fire(width=64, height=72, frames=48):
    """The flame as light: black, and a core a thousand times as bright as its edge."""
    heat = flame(width, height, frames)[..., 0] / 255.0
    glow = 0.001 * (10 ** (heat * 4.5) - 1)
    return np.float32(np.stack([glow, glow * heat * 0.6, glow * heat ** 3 * 0.25], axis=-1))


VOLUMES = {"noise": noise, "phantom": phantom, "lut": lut, "flame": flame, "clouds": clouds, "fire": fire}


# ---- OpenEXR files: written without compression, read as tessera writes them ----

def write_exr(path, layer):
    """Three channels of floats."""
    height, width, _ = layer.shape

    def attribute(name, kind, value):
        return name + b"\0" + kind + b"\0" + struct.pack("<i", len(value)) + value

    box = struct.pack("<4i", 0, 0, width - 1, height - 1)
    listed = b"".join(name + b"\0" + struct.pack("<i4xii", 2, 1, 1) for name in (b"B", b"G", b"R"))
    head = struct.pack("<ii", 20000630, 2) + attribute(b"channels", b"chlist", listed + b"\0")
    head += attribute(b"compression", b"compression", b"\0")
    head += attribute(b"dataWindow", b"box2i", box) + attribute(b"displayWindow", b"box2i", box)
    head += attribute(b"lineOrder", b"lineOrder", b"\0")
    head += attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1))
    head += attribute(b"screenWindowCenter", b"v2f", struct.pack("<ff", 0, 0))
    head += attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1)) + b"\0"
    row_bytes = 12 * width
    first = len(head) + 8 * height
    offsets = struct.pack(f"<{height}Q", *(first + y * (8 + row_bytes) for y in range(height)))
    rows = np.ascontiguousarray(layer[..., ::-1].transpose(0, 2, 1), dtype="<f4")
    path.write_bytes(head + offsets + b"".join(struct.pack("<ii", y, row_bytes) + rows[y].tobytes()
                                               for y in range(height)))


def read_exr(path):
    """Half floats with zip compression."""
    data = path.read_bytes()
    place, attributes = 8, {}
    while data[place]:
        name, place = data[place:data.index(b"\0", place)], data.index(b"\0", place) + 1
        place = data.index(b"\0", place) + 1
        length = struct.unpack_from("<i", data, place)[0]
        attributes[name], place = data[place + 4:place + 4 + length], place + 4 + length
    left, top, right, bottom = struct.unpack("<4i", attributes[b"dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    names = [part.split(b"\0")[0] for part in attributes[b"channels"].split(b"\x01\0\0\0\x01\0\0\0")[:-1]]
    if attributes[b"compression"] != b"\x03" or sorted(names) != names:
        raise ValueError("not what tessera writes")
    lines = 16
    offsets = struct.unpack_from(f"<{-(-height // lines)}Q", data, place + 1)
    rows = []
    for i, offset in enumerate(offsets):
        size = struct.unpack_from("<i", data, offset + 4)[0]
        count = min(lines, height - i * lines)
        raw = count * width * len(names) * 2
        packed = data[offset + 8:offset + 8 + size]
        if size < raw:
            steps = np.frombuffer(zlib.decompress(packed), np.uint8).astype(np.int64)
            steps[1:] -= 128
            halves = np.cumsum(steps).astype(np.uint8)
            middle = (raw + 1) // 2
            packed = np.empty(raw, np.uint8)
            packed[0::2], packed[1::2] = halves[:middle], halves[middle:]
            packed = packed.tobytes()
        rows.append(np.frombuffer(packed, "<f2").reshape(count, len(names), width))
    planes = np.concatenate(rows).astype(np.float64)
    return np.stack([planes[:, names.index(name)] for name in (b"R", b"G", b"B")], axis=-1)


# ---- the commands ----

def pinned(command):
    """What it prints."""
    return subprocess.run(["taskset", "-c", "1", *map(str, command)], check=True, capture_output=True, text=True).stdout


def decoded(tessera, made, folder, is_light):
    kind = "exr" if is_light else "png"
    for old in folder.glob("d_*"):
        old.unlink()
    subprocess.run([tessera, "decode", made, "-o", folder / f"d.{kind}", "--all-slices", "--quiet", "--profile",
                    "hdr" if is_light else "ldr"], check=True)
    read = read_exr if is_light else lambda name: np.asarray(Image.open(name).convert("RGB"))
    return np.stack([read(name) for name in sorted(folder.glob("d_*"))])


def psnr(volume, other):
    error = np.mean((volume.astype(float) - other.astype(float)) ** 2)
    return 10 * math.log10(255 * 255 / max(error, 1e-9))


def mpsnr(volume, other):
    """Over exposures of -10 to +10 f-stops, as astcenc computes it."""
    def shown(light, stop):
        return np.clip(np.floor((np.maximum(light, 0) * 2.0 ** stop) ** (1 / 2.2) * 255 + 0.5), 0, 255)

    error = np.mean([np.mean((shown(volume, stop) - shown(other, stop)) ** 2) for stop in range(-10, 11)])
    return 10 * math.log10(255 * 255 / max(error, 1e-9))


def measure(tessera, volume, block, preset, repeats, folder):
    """dB and voxels in millions per second of both."""
    is_light = volume.dtype == np.float32
    for i, layer in enumerate(volume):
        if is_light:
            write_exr(folder / f"s_{i}.exr", layer)
        else:
            Image.fromarray(layer).save(folder / f"s_{i}.png")
    depth, height, width, channels = volume.shape
    samples, profile, theirs_is, kind = ("float", "hdr", "-ch", "exr") if is_light else ("8-bit", "ldr", "-cl", "png")
    (folder / "v.raw").write_bytes(volume.tobytes())
    ours, theirs, out = folder / "ours.astc", folder / "theirs.astc", folder / "out"
    out.mkdir(exist_ok=True)
    their_preset = {"realtime": "-fastest"}.get(preset, "-" + preset)
    least = [math.inf, math.inf]
    for _ in range(repeats):
        told = pinned([tessera, "encode", folder / "v.raw", "--size", f"{width}x{height}x{depth}", "--channels", channels,
                       "-o", ours, "--block", block, "--preset", preset, "--samples", samples, "--profile", profile,
                       "--threads", 1, "--json"])
        least[0] = min(least[0], json.loads(told)[0]["encode_seconds"])
        told = pinned(["astcenc", theirs_is, folder / f"s.{kind}", theirs, block, their_preset, "-j", 1, "-zdim", depth])
        least[1] = min(least[1], float(re.search(r"Coding time:\s+([0-9.]+)", told).group(1)))
    voxels = width * height * depth / 1e6
    judge = mpsnr if is_light else psnr
    return [(judge(volume, decoded(tessera, made, out, is_light)), voxels / seconds)
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
