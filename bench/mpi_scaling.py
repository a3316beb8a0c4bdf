#!/usr/bin/env python3
"""How encoding scales over threads, over ranks, and over both, on this machine or on a cluster.

usage: mpi_scaling.py TESSERA [--megapixels 50 | --image FILE] [--preset fast] [--block 6x6]
                      [--threads 1,2] [--ranks 1,2] [--cores N] [--repeats 5] [--quiet-machine]
                      [--mpirun "mpirun --bind-to none"] [--svg FOLDER] [--json FILE]

Times are of the encoder alone, from the image in rank 0's memory to all blocks in rank 0's memory;
files are not in them. Every configuration is run once per round, and the best of all rounds counts:
others on the machine can only make a run slower. Efficiency is the time of one thread of one
process divided by (threads x time). The figures are those of "mpASTC" (Figures 11 to 14), from own
measurements: run time and efficiency over threads of one process, over the threads of two ranks,
and over threads for every number of ranks.

With Slurm, inside an allocation: --mpirun "srun --mpi=pmix" (the script adds -n RANKS).
"""
import argparse
import json
import math
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

from scaling_plot import draw

UNIT_ROWS = (1, 2, 4, 8, 16)


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tessera")
    parser.add_argument("--megapixels", type=float, default=50)
    parser.add_argument("--image")
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--block", default="6x6")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--cores", type=int, default=0,
                        help="leave out what would take more threads")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--quiet-machine", action="store_true",
                        help="wait before each run until the processors are idle")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe --bind-to none")
    parser.add_argument("--svg")
    parser.add_argument("--json")
    return parser.parse_args()


def idle_share(seconds):
    """The share of the processors' time in which they had nothing to do."""

    def read():
        with open("/proc/stat", encoding="ascii") as stat:
            values = [int(value) for value in stat.readline().split()[1:]]
        return values[3] + values[4], sum(values)

    idle, total = read()
    time.sleep(seconds)
    idle_after, total_after = read()
    return (idle_after - idle) / max(1, total_after - total)


def wait_until_quiet():
    deadline = time.monotonic() + 20
    while idle_share(0.15) < 0.95 and time.monotonic() < deadline:
        pass


class Bench:
    def __init__(self, options, image, output):
        self.options = options
        self.image = image
        self.output = output
        self.seconds = {}  # of each configuration, round by round
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def run(self, ranks, threads, *extra):
        """The command's report. No ranks: one process without MPI."""
        words = [self.options.tessera, "encode", self.image, "-o", self.output, "--format", "astc",
                 "--block", self.options.block, "--preset", self.options.preset, "--json",
                 "--threads", str(threads)]
        if ranks:
            words = [*shlex.split(self.options.mpirun), "-n", str(ranks), *words, "--backend",
                     "mpi", *extra]
        if self.options.quiet_machine:
            wait_until_quiet()
        done = subprocess.run(words, capture_output=True, text=True, env=self.environment,
                              check=False, timeout=3600)
        if done.returncode != 0:
            sys.exit(f"{shlex.join(words)}: {done.stderr}")
        return json.loads(done.stdout)[0]

    def best(self, configurations):
        """For each (ranks, threads, …) the report with the least time."""
        reports = {}
        for _ in range(self.options.repeats):
            for configuration in configurations:
                report = self.run(*configuration)
                self.seconds.setdefault(configuration, []).append(report["encode_seconds"])
                before = reports.get(configuration)
                if before is None or report["encode_seconds"] < before["encode_seconds"]:
                    reports[configuration] = report
        return reports


def print_scaling(reports):
    single = reports[(0, 1)]["encode_seconds"]
    print("| ranks | threads per rank | threads | seconds | MP/s | efficiency |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (ranks, threads), report in reports.items():
        total = max(1, ranks) * threads
        seconds = report["encode_seconds"]
        print(f"| {ranks or 'no MPI'} | {threads} | {total} | {seconds:.3f} | "
              f"{report['mpixels_per_second']:.1f} | {single / (total * seconds):.3f} |")


def print_comparison(seconds):
    """What the step from one rank to two costs, and beside two threads of one process: of the best
    rounds, and the median of what each round says by itself."""

    def ratio(above, below):
        rounds = [a / b for a, b in zip(seconds[above], seconds[below])]
        return min(seconds[above]) / min(seconds[below]), statistics.median(rounds)

    if (1, 1) in seconds and (2, 1) in seconds:
        best, median = ratio((1, 1), (2, 1))
        print(f"\n1 to 2 ranks of one thread: efficiency {best / 2:.3f} (median of the rounds "
              f"{median / 2:.3f})")
        if (0, 2) in seconds:
            best, median = ratio((0, 1), (0, 2))
            print(f"1 to 2 threads of one process: efficiency {best / 2:.3f} (median "
                  f"{median / 2:.3f})")
            best, median = ratio((2, 1), (0, 2))
            print(f"2 ranks of one thread take {best:.3f} of the time of two threads in one "
                  f"process (median {median:.3f})")


def slope(points):
    """The slope of the straight line through the points with the least squared error."""
    mean_x = statistics.fmean(x for x, _ in points)
    mean_y = statistics.fmean(y for _, y in points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    if spread == 0:
        return 0.0
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def print_costs(bench):
    """From strips of different heights: what a unit costs beyond its pixels, and rank 0's part."""
    ranks = 2
    configurations = [(ranks, 1, "--unit-rows", str(rows)) for rows in UNIT_ROWS]
    reports = bench.best(configurations)
    print("\n| block rows per unit | units | units sent | messages | seconds | control, ms | "
          "control per message, us |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    points = []
    for configuration, report in reports.items():
        units = sum(rank["units"] for rank in report["ranks"])
        sent = sum(rank["units"] for rank in report["ranks"][1:])
        control = report["control_seconds"]
        print(f"| {configuration[3]} | {units} | {sent} | {report['messages']} | "
              f"{report['encode_seconds']:.3f} | {control * 1e3:.1f} | "
              f"{control / max(1, report['messages']) * 1e6:.1f} |")
        points.append((sent, control))
    # Header, reply and blocks; pixels, too, where a rank cannot see rank 0's memory.
    per_unit = max(1, round(report["messages"] / max(1, sent)))
    print(f"\nrank 0's control work for one more unit: {slope(points) * 1e6:.0f} us "
          f"({slope(points) / per_unit * 1e6:.0f} us for each of {per_unit} messages)")
    return reports


def series(reports, value, ranks):
    points = [(max(1, r) * t, value(r, t, report["encode_seconds"]))
              for (r, t), report in reports.items() if r == ranks]
    return sorted(points)


def draw_figures(reports, folder, title):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    single = reports[(0, 1)]["encode_seconds"]

    def seconds(_ranks, _threads, value):
        return value

    def efficiency(ranks, threads, value):
        return single / (max(1, ranks) * threads * value)

    counts = sorted({ranks for ranks, _ in reports if ranks > 0})

    def name(ranks):
        return "one process" if ranks == 0 else f"{ranks} rank{'s' if ranks > 1 else ''}"

    def lines(value, wanted):
        return {name(ranks): series(reports, value, ranks) for ranks in wanted}

    two = [ranks for ranks in (0, 2) if ranks == 0 or ranks in counts]
    figures = {
        "mpi_threads": ("threads of one process", [0]),
        "mpi_two_ranks": ("threads of two ranks together", two),
    }
    for file, (what, wanted) in figures.items():
        (folder / f"{file}.svg").write_text(
            draw([("seconds", lines(seconds, wanted), False),
                  ("efficiency", lines(efficiency, wanted), True)], what, title), encoding="utf-8")
    (folder / "mpi_runtime.svg").write_text(
        draw([("seconds", lines(seconds, counts), False)], "threads of all ranks", title),
        encoding="utf-8")
    (folder / "mpi_efficiency.svg").write_text(
        draw([("efficiency", lines(efficiency, counts), True)], "threads of all ranks", title),
        encoding="utf-8")


def main():
    options = arguments()
    options.tessera = os.path.abspath(options.tessera)
    with tempfile.TemporaryDirectory(prefix="tessera-scaling-") as folder:
        image = options.image
        if image is None:
            height = math.isqrt(int(options.megapixels * 1e6 * 2 / 3))
            image = os.path.join(folder, "image.ppm")
            subprocess.run([options.tessera, "sample", "--size", f"{height * 3 // 2}x{height}",
                            "-o", image, "--quiet"], check=True)
        bench = Bench(options, image, os.path.join(folder, "image.astc"))
        threads = [int(value) for value in options.threads.split(",")]
        ranks = [0] + [int(value) for value in options.ranks.split(",")]
        configurations = [(count, each) for count in ranks for each in sorted({1, *threads})
                          if options.cores == 0 or max(1, count) * each <= options.cores]
        reports = bench.best(configurations)
        first = reports[(0, 1)]
        title = (f"ASTC {options.block}, preset {options.preset}, "
                 f"{first['width']}x{first['height']} pixels")
        print(title + "\n")
        print_scaling(reports)
        print_comparison(bench.seconds)
        costs = print_costs(bench) if 2 in ranks else {}
        if options.svg:
            draw_figures(reports, options.svg, title)
        if options.json:
            everything = [{"ranks": key[0], "threads": key[1], "report": report}
                          for key, report in [*reports.items(), *costs.items()]]
            pathlib.Path(options.json).write_text(json.dumps(everything, indent=2),
                                                  encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
