#!/usr/bin/python3
"""Writes the tables of partition patterns that take long to find and never change:
src/astc/encode/usable_seeds_table.h (which seeds are worth trying) and src/astc/encode/pattern_ranks.h
(the patterns of two partitions in the order of their use). Tests find the same in other ways.
Needs NumPy (python3-numpy)."""

import pathlib

import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "src" / "astc"
SIZES_2D = [(4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8), (10, 5), (10, 6), (10, 8), (10, 10),
            (12, 10), (12, 12)]
SIZES_3D = [(3, 3, 3), (4, 3, 3), (4, 4, 3), (4, 4, 4), (5, 4, 4), (5, 5, 4), (5, 5, 5), (6, 5, 5), (6, 6, 5),
            (6, 6, 6)]
SIZES = [(x, y, 1) for x, y in SIZES_2D] + SIZES_3D
SEEDS = 1024


def hash52(value):
    """The standard's hash of 32-bit numbers."""
    value ^= value >> 15
    for shift, sign in ((17, -1), (7, 1), (4, 1)):
        value = (value + sign * (value << shift)) & 0xFFFFFFFF
    value ^= value >> 5
    value = (value + (value << 16)) & 0xFFFFFFFF
    value ^= value >> 7
    value ^= value >> 3
    value = (value ^ (value << 6)) & 0xFFFFFFFF
    return value ^ (value >> 17)


def patterns(size, count):
    """The partition of each texel (columns, x fastest) for each seed (rows), by the standard's function."""
    texels = size[0] * size[1] * size[2]
    t = np.arange(texels)
    place = np.stack([t % size[0], t // size[0] % size[1], t // (size[0] * size[1])])
    place = place * (2 if texels < 31 else 1)
    rows = np.empty((SEEDS, texels), dtype=np.uint8)
    for seed in range(SEEDS):
        full = seed + (count - 1) * SEEDS
        number = hash52(full)
        nibble = lambda bit: (((number >> bit) | (number << (32 - bit))) & 0xF) ** 2
        first = 4 if full & 2 else 5
        second = 6 if count == 3 else 5
        sx, sy = (first, second) if full & 1 else (second, first)
        sz = sx if full & 0x10 else sy
        planes = [(nibble(0) >> sx, nibble(4) >> sy, nibble(26) >> sz, number >> 14),
                  (nibble(8) >> sx, nibble(12) >> sy, nibble(30) >> sz, number >> 10),
                  (nibble(16) >> sx, nibble(20) >> sy, nibble(18) >> sz, number >> 6),
                  (nibble(24) >> sx, nibble(28) >> sy, nibble(22) >> sz, number >> 2)]
        heights = [(a * place[0] + b * place[1] + c * place[2] + d) & 0x3F for a, b, c, d in planes[:count]]
        rows[seed] = np.argmax(heights, axis=0)  # the first of equals
    return rows


def usable(rows, count):
    """Seeds without an empty partition whose pattern is no renaming of an earlier one's."""
    seen, seeds = set(), []
    for seed, row in enumerate(rows):
        names = {}
        renamed = bytes(names.setdefault(p, len(names)) for p in row.tolist())
        if len(names) == count and renamed not in seen:
            seen.add(renamed)
            seeds.append(seed)
    return seeds


def cuts_in_one_direction(along, places, count):
    """The texels beyond each of the places of a direction, as masks with their number, where each
    place counts so many."""
    cuts, before = [], 0
    for place in places:
        beyond = along > place
        cut_off = len(along) - int(beyond.sum())
        if 0 < cut_off < len(along):
            if cut_off == before:
                cuts[-1][1] += count
            else:
                cuts.append([beyond, count])
        before = cut_off
    return cuts


def straight_cuts(size):
    """The block cut by straight lines in many directions and places, as masks with their number."""
    ring, places = 8, 4
    t = np.arange(size[0] * size[1])
    x, y = 2 * (t % size[0]) - size[0] + 1, 2 * (t // size[0]) - size[1] + 1
    cuts = []
    for dx in range(-ring, ring + 1):
        dy = ring - abs(dx)
        if dy == 0 and dx < 0:
            continue
        along = places * (dx * x + dy * y)
        edge = places * ring * 2 * max(size[0], size[1])
        cuts += cuts_in_one_direction(along, range(-edge, edge + 1, ring), 2 if dy == 0 else 1)
    return cuts


def plane_cuts(size):
    """A block of 3D cut by planes in many directions and places, as masks with their number."""
    ring, places = 4, 4
    t = np.arange(size[0] * size[1] * size[2])
    x, y, z = t % size[0], t // size[0] % size[1], t // (size[0] * size[1])
    x, y, z = 2 * x - size[0] + 1, 2 * y - size[1] + 1, 2 * z - size[2] + 1
    cuts = []
    for dx in range(-ring, ring + 1):
        for dy in range(-(ring - abs(dx)), ring - abs(dx) + 1):
            dz = ring - abs(dx) - abs(dy)
            if dz == 0 and (dy < 0 or (dy == 0 and dx < 0)):  # the opposite direction has the same planes
                continue
            along = places * (dx * x + dy * y + dz * z)
            edge = places * ring * 2 * max(size)
            cuts += cuts_in_one_direction(along, range(-edge, edge + 1, ring), 1)
    return cuts


def order(size, rows, seeds):
    """Each straight cut votes for the pattern nearest to it; those without votes follow by their distance."""
    masks = rows[seeds].astype(bool)
    votes = np.zeros(len(seeds), dtype=int)
    distance = np.full(len(seeds), masks.shape[1])
    for mask, occurrences in straight_cuts(size) if size[2] == 1 else plane_cuts(size):
        differences = (masks != mask).sum(axis=1)
        differences = np.minimum(differences, masks.shape[1] - differences)
        distance = np.minimum(distance, differences)
        votes[int(np.argmin(differences))] += occurrences
    return [seeds[i] for i in sorted(range(len(seeds)), key=lambda i: (-votes[i], distance[i]))]


def ranks(ordered):
    """Seeds that follow each other by their number share a rank, which is less to store than the order.
    Returns the ranks by ascending seed."""
    of_seed, rank, before = {}, 0, -1
    for seed in ordered:
        rank += seed < before
        of_seed[seed] = rank
        before = seed
    return [of_seed[seed] for seed in sorted(of_seed)]


def lines(numbers, per_line):
    return "".join("  " + ",".join(numbers[i:i + per_line]) + ",\n" for i in range(0, len(numbers), per_line))


def words_of(bits):
    return [f"0x{bits >> 64 * i & (1 << 64) - 1:016X}" for i in range(SEEDS // 64)]


def main():
    words, all_ranks, firsts = [], [], [0]
    before = {2: 0, 3: 0, 4: 0}
    for size in SIZES:
        for count in (2, 3, 4):
            rows = patterns(size, count)
            seeds = usable(rows, count)
            bits = sum(1 << seed for seed in seeds)
            words += words_of(bits ^ before[count])
            before[count] = bits
            if count == 2:
                all_ranks += [str(rank) for rank in ranks(order(size, rows, seeds))]
                firsts.append(len(all_ranks))
    (SOURCE / "encode" / "usable_seeds_table.h").write_text(f'''// The seeds of partition patterns that are worth trying.
// Written by tools/make_partition_tables.py.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::astc {{

// clang-format off
// A bit for each seed where it differs from that of the block size before, for 2, 3 and 4
// partitions of each block size.
constexpr std::array<uint64_t, {len(words)}> kChangedSeeds = {{
{lines(words, 5)}}};
// clang-format on

}}  // namespace tessera::astc
''')
    (SOURCE / "encode" / "pattern_ranks.h").write_text(f'''// Ranks of the patterns of two partitions, those nearest to straight cuts first.
// Written by tools/make_partition_tables.py.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::astc {{

// clang-format off
// Of each block size, where its ranks begin, and the end.
constexpr std::array<uint16_t, {len(firsts)}> kFirstRanks = {{
{lines([str(n) for n in firsts], 15)}}};
// Of each usable seed; seeds of one rank follow each other by their number.
constexpr std::array<uint8_t, {len(all_ranks)}> kRanks = {{
{lines(all_ranks, 40)}}};
// clang-format on

}}  // namespace tessera::astc
''')


if __name__ == "__main__":
    main()
