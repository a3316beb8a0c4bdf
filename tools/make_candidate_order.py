#!/usr/bin/python3
"""Writes src/astc/encode/candidate_order_table.h: for each block size and group of blocks, the block modes
in the order of their use.

    tools/make_candidate_order.py build/release/tessera FOLDER

learns the order from what the command chooses for many pictures when it may choose among all modes
(preset thorough; kept in FOLDER/votes.json). The pictures come from the Debian packages below, which are downloaded to FOLDER
and unpacked there; they are none of those that the encoder is measured with. Needs NumPy and Pillow
(python3-numpy, python3-pil).
"""

import collections
import json
import math
import pathlib
import subprocess
import sys

import numpy as np
from PIL import Image

from make_partition_tables import SIZES_2D as SIZES
from make_partition_tables import lines

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "src" / "astc" / "encode"
PACKAGES = ["mate-backgrounds", "extremetuxracer-data", "neverball-data", "endless-sky-data", "oxygen-icon-theme",
            "tuxpaint-data"]
EDGE = 512  # pixels of a picture to learn from

# A group of blocks shares an order: partitions, two planes, stored colour values, decoded channels.
# The encoder finds the group of each of its families.
VALUES = {0: 2, 1: 2, 4: 4, 5: 4, 6: 4, 8: 6, 9: 6, 10: 6, 12: 8, 13: 8}  # of LDR endpoint modes
HAS_ALPHA = {4, 5, 10, 12, 13}
MOST_VALUES = 18
STORED_MODES = 56  # of a group with one partition; of others less
OTHER_STORED_MODES = 40


# ---- pictures ----

def unpack(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        target = folder / package
        if not target.exists():
            subprocess.run(["apt-get", "download", "-q", package], cwd=folder, check=True)
            subprocess.run(["dpkg", "-x", next(folder.glob(f"{package}_*.deb")), target], check=True)


def files(folder, package, ending, count, least=0):
    """So many pictures of a package, spread evenly over the sorted names."""
    found = []
    for name in sorted((folder / package).rglob("*" + ending)):
        with Image.open(name) as picture:
            if min(picture.size) >= least:
                found.append(name)
    step = max(1, len(found) // count)
    return found[::step][:count]


def cut(picture):
    """The middle of a picture, made smaller where it is large, as then its finest detail is blur."""
    if min(picture.size) >= 2 * EDGE:
        picture = picture.resize((picture.width // 2, picture.height // 2), Image.BOX)
    x, y = max(0, (picture.width - EDGE) // 2), max(0, (picture.height - EDGE) // 2)
    return picture.crop((x, y, min(picture.width, x + EDGE), min(picture.height, y + EDGE)))


def atlas(names, tile):
    """Small pictures side by side."""
    sheet = Image.new("RGBA", (EDGE, EDGE))
    across = EDGE // tile
    for i, name in enumerate(names[:across * across]):
        sheet.paste(Image.open(name).convert("RGBA").crop((0, 0, tile, tile)), (i % across * tile, i // across * tile))
    return sheet


def normals(height):
    """The normal map of a grey picture as a height field."""
    h = np.asarray(height, dtype=np.float64) / 255
    dx, dy = np.roll(h, -1, 1) - np.roll(h, 1, 1), np.roll(h, -1, 0) - np.roll(h, 1, 0)
    n = np.stack([-2 * dx, -2 * dy, np.ones_like(h)], axis=-1)
    n /= np.linalg.norm(n, axis=-1, keepdims=True)
    return Image.fromarray(np.uint8(np.round((n + 1) * 127.5)))


def pictures(folder):
    """Kinds of pictures, about a megapixel of each."""
    photos = [cut(Image.open(n).convert("RGB"))
              for n in files(folder, "mate-backgrounds", ".jpg", 4) + files(folder, "tuxpaint-data", ".jpg", 3, EDGE)]
    textures = [cut(Image.open(n).convert("RGB")) for n in files(folder, "extremetuxracer-data", ".png", 14, 256) +
                files(folder, "neverball-data", ".jpg", 8, 256)]
    sprites = [cut(Image.open(n).convert("RGBA")) for n in files(folder, "endless-sky-data", ".png", 24, 128)]
    cutouts = [cut(Image.open(n).convert("RGBA")) for n in files(folder, "tuxpaint-data", ".png", 12, 256)]
    icons = [atlas(files(folder, "oxygen-icon-theme", ".png", 20000), 32)]
    for tile, step in ((64, 64), (128, 48)):
        large = files(folder, "oxygen-icon-theme", ".png", 20000, tile)
        icons.append(atlas(large[::max(1, len(large) // step)], tile))
    greys = [p.convert("L") for p in photos[:3] + textures[::5]]
    bumps = [normals(p.convert("L")) for p in textures[1::4] + photos[3:5]]
    packed = [Image.merge("RGB", [p.resize((256, 256)) for p in (greys[i], greys[(i + 1) % len(greys)], s)])
              for i, s in enumerate(s.getchannel("A") for s in sprites[:10:2])]
    return {"photo": photos, "texture": textures, "sprite": sprites, "cutout": cutouts, "icon": icons, "grey": greys,
            "normal": bumps, "packed": packed}


# ---- what the encoder chose ----

def has_two_planes(mode):
    """Bit 10, but for the modes that have none."""
    return mode >> 10 & 1 if not (mode & 3 == 0 and mode >> 7 & 3 == 2) else 0


def choices(astc):
    """What tells the group, and the mode bits, of each block of an .astc file, but for those of one colour."""
    blocks = np.frombuffer(astc[16:], dtype="<u4").reshape(-1, 4)
    for low in blocks[:, 0]:
        low, mode = int(low), int(low) & 0x7FF
        if mode & 0x1FF == 0x1FC:
            continue
        parts = (low >> 11 & 3) + 1
        if parts == 1:
            ends = [low >> 13 & 0xF]
        elif low >> 23 & 3 == 0:
            ends = [low >> 25 & 0xF] * parts
        else:
            ends = None  # of two classes: the order of blocks that store all ends by the lower one
            lower = (low >> 23 & 3) - 1
        values = VALUES[ends[0]] * parts if ends else 2 * (lower + 1) * parts
        yield parts, has_two_planes(mode), values, ends, mode


def learn(command, folder):
    """Votes for modes: [size][group][mode]."""
    votes = [collections.defaultdict(lambda: collections.defaultdict(float)) for _ in SIZES]
    source, made = folder / "in.png", folder / "out.astc"
    for kind, of_kind in pictures(folder).items():
        megapixels = sum(p.width * p.height for p in of_kind) / 1e6
        print(kind, f"{len(of_kind)} pictures, {megapixels:.2f} megapixels", flush=True)
        for index, size in enumerate(SIZES):
            counts = collections.defaultdict(collections.Counter)
            for picture in of_kind:
                picture.save(source)
                for partitions in ([], ["--partitions", "off"]):
                    subprocess.run([command, "encode", source, "-o", made, "--block", f"{size[0]}x{size[1]}",
                                    "--preset", "thorough", "--quiet", *partitions], check=True)
                    for parts, planes, values, ends, mode in choices(made.read_bytes()):
                        # Alpha cannot be told from the classes alone; then both orders learn from the block.
                        alphas = [ends[0] in HAS_ALPHA] if ends else [False, True]
                        if (parts > 1) == (not partitions):
                            for alpha in alphas:
                                counts[parts, planes, values, 4 if alpha else 3][mode] += 1
            for group, counter in counts.items():
                total = max(sum(counter.values()), 200)
                for mode, count in counter.items():
                    votes[index][group][mode] += count / total
    return votes


def groups_of_blocks():
    groups = set()
    for parts in (1, 2, 3, 4):
        for end, values in VALUES.items():
            for planes in (0, 1):
                if values * parts <= MOST_VALUES and not (parts == 4 and planes):
                    groups.add((parts, planes, values * parts, 4 if end in HAS_ALPHA else 3))
    return sorted(groups)


def order(votes, group):
    """Modes by votes; few votes are helped by those of groups like it that leave no more room."""
    merged = collections.defaultdict(float)
    for other, of_other in votes.items():
        if other[1] == group[1] and other[2] >= group[2] or other == group:
            distance = abs(other[2] - group[2]) + abs(other[0] - group[0]) + (other[3] != group[3])
            for mode, count in of_other.items():
                merged[mode] += count if distance == 0 else count * 0.02 / distance
    most = STORED_MODES if group[0] == 1 else OTHER_STORED_MODES
    return sorted(merged, key=lambda mode: (-merged[mode], mode))[:most]


def main():
    command, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    unpack(folder)
    learned = folder / "votes.json"
    if not learned.exists():
        votes = [{",".join(map(str, k)): v for k, v in of_size.items()} for of_size in learn(command, folder)]
        learned.write_text(json.dumps(votes))
    votes = [{tuple(map(int, k.split(","))): {int(m): n for m, n in v.items()} for k, v in of_size.items()}
             for of_size in json.loads(learned.read_text())]
    groups = groups_of_blocks()
    write(groups, [[order(of_size, group) for group in groups] for of_size in votes])


# ---- how it is stored ----

# A group's order is much like that of some group before it, so it is stored as places in that one:
# half the bytes that a browser has to load.

WEIGHT_RANGES = [(1, 0, 0), (0, 1, 0), (2, 0, 0), (0, 0, 1), (1, 1, 0), (3, 0, 0),
                 (1, 0, 1), (2, 1, 0), (4, 0, 0), (2, 0, 1), (3, 1, 0), (5, 0, 0)]  # bits, trits, quints


def decode_mode(bits):
    """Width and height of the weight grid, weight range, two planes; None where the bits are reserved."""
    a, b, row = bits >> 5 & 3, bits >> 7 & 3, bits >> 2 & 3
    level = (bits & 3) << 1 if bits & 3 else row << 1
    level |= bits >> 4 & 1
    high, planes = bits >> 9 & 1, bits >> 10 & 1
    if bits & 3:
        grid = [(b + 4, a + 2), (b + 8, a + 2), (a + 2, b + 8),
                (a + 2, (b & 1) + 6) if b < 2 else ((b & 1) + 2, a + 2)][row]
    elif b == 2:
        grid, high, planes = (a + 6, (bits >> 9 & 3) + 6), 0, 0
    else:
        grid = [(12, a + 2), (a + 2, 12), None, [(6, 10), (10, 6), None, None][a]][b]
    if grid is None or level < 2:
        return None
    return (*grid, level - 2 + 6 * high, planes)


def modes_of(size, planes):
    """Modes of a block size; of several patterns of bits that mean the same, the first."""
    found = {}
    for bits in range(2048):
        mode = decode_mode(bits)
        if mode is None or mode[3] != planes or mode[0] > size[0] or mode[1] > size[1]:
            continue
        weights = mode[0] * mode[1] * (1 + planes)
        plain, trits, quints = WEIGHT_RANGES[mode[2]]
        stored = weights * plain + (8 * weights + 4) // 5 * trits + (7 * weights + 2) // 3 * quints
        if weights <= 64 and 24 <= stored <= 96:
            found.setdefault(mode, bits)
    return sorted(found.values())


def places(modes, reference, universe):
    """Of each mode, its place in what is left of the reference and, behind it, the other modes."""
    left = reference + [mode for mode in universe if mode not in reference]
    result = []
    for mode in modes:
        result.append(left.index(mode))
        left.remove(mode)
    return result


def cost(numbers):
    return sum(1 + 1.5 * math.log2(1 + n) for n in numbers)


def stored(groups, orders):
    """Of each list: how many groups before lies its reference (0: none), and its places as bytes."""
    references, lists = [], []
    for size, of_size in zip(SIZES, orders):
        for number, modes in enumerate(of_size):
            planes = groups[number][1]
            universe = modes_of(size, planes)
            before = [i for i in range(number) if of_size[i] and groups[i][1] == planes]
            trials = [(0, places(modes, [], universe))]
            trials += [(number - i, places(modes, of_size[i], universe)) for i in before]
            reference, numbers = min(trials, key=lambda trial: cost(trial[1]))
            references.append(reference)
            lists.append([byte for n in numbers for byte in [255] * (n // 255) + [n % 255]])
    return references, lists


def write(groups, orders):
    references, lists = stored(groups, orders)
    rows = "".join(f"    {{{g[0]}, {'true' if g[1] else 'false'}, {g[2]}, {g[3]}}},\n" for g in groups)
    table = lambda name, numbers, per_line: (f"constexpr std::array<uint8_t, {len(numbers)}> {name} = {{\n"
                                             f"{lines(list(map(str, numbers)), per_line)}}};\n")
    (SOURCE / "candidate_order_table.h").write_text(f'''// Block modes in the order of their use. Written by tools/make_candidate_order.py.
#pragma once

#include <array>
#include <cstdint>

#include "astc/encode/candidate_order.h"

namespace tessera::astc {{

// clang-format off
constexpr std::array<ModeGroup, kModeGroupCount> kGroups = {{{{
{rows}}}}};
// For each group of each block size: how many groups before it lies the one whose order is the
// reference (0: there is none), and how many bytes of kPlaces it has.
{table("kReferences", references, 37)}{table("kByteCounts", [len(l) for l in lists], 37)}
// Of each mode, its place in what is left of the reference and, behind it, of all other modes: bytes
// that are added up, of which the last is below 255.
{table("kPlaces", sum(lists, []), 64)}// clang-format on

}}  // namespace tessera::astc
''')


if __name__ == "__main__":
    main()
