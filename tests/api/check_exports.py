#!/usr/bin/env python3
"""Checks that the shared library exports the calls of tessera.h, in a versioned node, and nothing else,
and that the test of every call forgets none of them.

usage: check_exports.py LIBRARY FOLDER_OF_HEADERS EVERY_CALL_C"""

import pathlib
import re
import subprocess
import sys


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def main() -> int:
    library, folder, every_call = sys.argv[1:]
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", "--with-symbol-versions", library],
        check=True, capture_output=True, text=True).stdout
    exported = {}
    for line in listing.splitlines():
        name, _, node = line.split()[-1].partition("@")
        exported[name] = node.lstrip("@")
    headers = "".join(header.read_text() for header in pathlib.Path(folder).glob("*.h"))
    declared = set(re.findall(r"TESSERA_API[^;(]*?(tessera_\w+)\(", without_comments(headers)))
    called = set(re.findall(r"\b(tessera_\w+)\(",
                            without_comments(pathlib.Path(every_call).read_text())))
    problems = [f"{name} is exported and not in the header"
                for name in sorted(exported.keys() - declared)
                if not re.fullmatch(r"TESSERA_\d+\.\d+", name)]
    problems += [f"{name} is in the header and not exported"
                 for name in sorted(declared - exported.keys())]
    problems += [f"{name} has no version" for name in sorted(declared & exported.keys())
                 if not exported[name].startswith("TESSERA_")]
    problems += [f"{name} is not called in {every_call}" for name in sorted(declared - called)]
    if len(declared) < 40:
        problems.append(f"only {len(declared)} calls were found in the header")
    print("\n".join(problems) or f"{len(declared)} calls, nothing else")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
