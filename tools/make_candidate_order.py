#!/usr/bin/python3
"""Writes src/astc/encode/candidate_order.cc: for each block size and group of blocks, the block modes
in the order of their use.

    tools/make_candidate_order.py build/release/tessera FOLDER

learns the order from what the command chooses for many pictures when it may choose among all modes
(preset thorough; kept in FOLDER/votes.json). The pictures come from the Debian packages below, which are downloaded to FOLDER
and unpacked there; they are none of those that the encoder is measured with. Needs NumPy and Pillow
(python3-numpy, python3-pil).
"""

import collections
import json
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
    modes, firsts = [], []
    for of_size in votes:
        for group in groups:
            firsts.append(len(modes))
            modes += order(of_size, group)
    firsts.append(len(modes))
    write(groups, firsts, modes)


def write(groups, firsts, modes):
    rows = "".join(f"    {{{g[0]}, {'true' if g[1] else 'false'}, {g[2]}, {g[3]}}},\n" for g in groups)
    (SOURCE / "candidate_order.cc").write_text(f'''// Block modes in the order of their use. Written by tools/make_candidate_order.py.
#include "astc/encode/candidate_order.h"

#include <algorithm>
#include <array>

namespace tessera::astc {{
namespace {{

// clang-format off
constexpr std::array<ModeGroup, kModeGroupCount> kGroups = {{{{
{rows}}}}};
// Of each group of each block size in kModes, and the end.
constexpr std::array<uint16_t, {len(firsts)}> kFirst = {{
{lines(list(map(str, firsts)), 32)}}};
constexpr std::array<uint16_t, {len(modes)}> kModes = {{
{lines(list(map(str, modes)), 56)}}};
// clang-format on

}}  // namespace

size_t mode_group_index(const ModeGroup& group) {{
  return static_cast<size_t>(std::find(kGroups.begin(), kGroups.end(), group) - kGroups.begin());
}}

std::span<const uint16_t> ordered_modes(BlockSize size, size_t group_index) {{
  const size_t list = size_t{{block_size_index(size).value_or(0)}} * kModeGroupCount + group_index;
  return {{kModes.data() + kFirst[list], kModes.data() + kFirst[list + 1]}};
}}

}}  // namespace tessera::astc
''')


if __name__ == "__main__":
    main()
