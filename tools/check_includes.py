#!/usr/bin/env python3
"""Checks the dependency rule of docs/architecture.md: which folder may include which."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A folder with options of a codec is a format.
FORMATS = {path.parent.name for path in (ROOT / "src").glob("*/*_options.cc")}
# Each module and the modules that it may see. Formats never see each other, nor exec.
ALLOWED = {
    "base": set(),
    "image": {"base"},
    "containers": {"base", "image"},
    "spmd": {"base"},
    **{name: {"base", "image", "containers", "spmd"} for name in FORMATS},
    "exec": {"base"},
    "codec": {"base", "image", "containers", "spmd", "exec"},
    "api": {"base", "image", "containers", "spmd", "exec", "codec", "files", "cluster"},
    "files": {"base", "image", "containers", "exec", "codec"},
    "cluster": {"base", "image", "containers", "spmd", "exec", "codec", "files"},
}
# A format's adapter for the pipeline, and its options, see what the pipeline offers.
ADAPTERS = re.compile(r"\w+/(\w+_(codec|describe|device|options)|(opencl|cuda)/[\w-]+)")
SEEN_BY_ADAPTERS = {"codec", "containers", "exec"}
# Headers of outside libraries that belong to some modules only.
OUTSIDE = {
    "tbb/": {"exec"},
    "mpi.h": {"cluster"},
    "CL/": {"exec"},
    "cuda_": {"exec", "codec"} | FORMATS,  # in folders named cuda
    "hwy/": {"spmd"},
    "spng.h": {"files"},
    "jpeglib.h": {"files"},
}
# Kernels are written with the words of src/spmd alone, so that any target can compile them.
HIGHWAY_WORD = re.compile(r"\bHWY_\w+|\bhn::\w+|\bhwy::\w+")
# The command and the Python package are clients of the library: they include public headers, their
# own ones, those of the libraries named here, and the system's. Files that only studies need are
# listed with what else they include.
CLIENTS = {"apps/cli": ("tessera/", "CLI/", "nlohmann/", "sys/"), "apps/astcenc": ("tessera/",),
           "apps/common": (), "apps/python": ("tessera/", "pybind11/")}
SHARED = "apps/common"  # what several programs have in common
COMMAND_STUDY_FILES = {"version.cc": {"installed_rivals.h"},  # the rivals of the benchmark
                       "report_rivals.cc": {"astcenc_command.h", "installed_rivals.h"}}
# The portable core: no files, threads, system calls or image libraries. What exec has for one system
# is in folders of its own.
PORTABLE = {"base", "image", "containers", "spmd", "exec", "codec"} | FORMATS
SYSTEM_FOLDERS = ({"exec/tbb", "exec/opencl", "exec/cuda", "codec/cuda"} |
                  {f"{name}/{kind}" for name in FORMATS for kind in ("opencl", "cuda")})
SYSTEM = re.compile(r"unistd\.h|fcntl\.h|dlfcn\.h|sys/.*|filesystem|fstream|thread|future|nlohmann/.*|CLI/.*")
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def problems_of(source: pathlib.Path, root: pathlib.Path):
    """Yields a sentence for every forbidden include of one file under src/."""
    parts = source.relative_to(root / "src").parts
    module = parts[0]
    text = source.read_text()
    for word in sorted(set(HIGHWAY_WORD.findall(text))):
        if module != "spmd":
            yield f"{source.relative_to(root)}: {word} belongs to spmd"
    allowed = set(ALLOWED[module])
    name_in_src = source.relative_to(root / "src").with_suffix("").as_posix()
    if module in FORMATS and ADAPTERS.fullmatch(name_in_src):
        allowed |= SEEN_BY_ADAPTERS
    for kind, name in INCLUDE.findall(text):
        target = name.split("/")[0]
        if kind == '"' and target in ALLOWED and target != module and target not in allowed:
            yield f"{source.relative_to(root)}: {module} must not include {name}"
        if kind == '"' and "/" not in name:
            yield f"{source.relative_to(root)}: include {name} with its folder's name"
        if "decode" in parts[1:2] and name.startswith(f"{module}/encode"):
            yield f"{source.relative_to(root)}: a decoder must not include the encoder's {name}"
        is_portable = module in PORTABLE and "/".join(parts[:2]) not in SYSTEM_FOLDERS
        if kind == "<" and is_portable and SYSTEM.fullmatch(name):
            yield f"{source.relative_to(root)}: the portable core must not include {name}"
        for prefix, owners in OUTSIDE.items():
            if name.startswith(prefix) and module not in owners:
                yield f"{source.relative_to(root)}: {name} belongs to {', '.join(sorted(owners))}"
        if name.startswith("cuda_") and "cuda" not in parts:
            yield f"{source.relative_to(root)}: {name} belongs to folders named cuda"


def problems_of_client(source: pathlib.Path, root: pathlib.Path):
    """Yields a sentence for every include of a program of ours that other clients could not have."""
    folder = source.parent.relative_to(root).as_posix()
    for kind, name in INCLUDE.findall(source.read_text()):
        if kind == '"':
            own = "/" not in name and any((root / place / name).exists() for place in (folder, SHARED))
            allowed = own or name in COMMAND_STUDY_FILES.get(source.name, set())
        else:
            foreign = any(name.startswith(prefix) for prefix in OUTSIDE)
            allowed = not foreign and ("/" not in name or name.startswith(CLIENTS[folder]))
        if not allowed:
            yield f"{source.relative_to(root)}: a client of the library must not include {name}"


def main() -> int:
    root = ROOT
    sources = [path for path in sorted((root / "src").rglob("*")) if path.suffix in {".h", ".cc"}]
    problems = [problem for source in sources for problem in problems_of(source, root)]
    for folder in CLIENTS:
        files = sorted(path for path in (root / folder).iterdir() if path.suffix in {".h", ".cc"})
        problems += [problem for source in files for problem in problems_of_client(source, root)]
    folders = {path.name for path in (root / "src").iterdir() if path.is_dir()}
    problems += [f"src/{folder}: not in tools/check_includes.py" for folder in folders - set(ALLOWED)]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
