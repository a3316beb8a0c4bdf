#!/usr/bin/env python3
"""Checks that the shared library exports the calls of tessera.h, in a versioned node, and nothing else.

usage: check_exports.py LIBRARY FOLDER_OF_HEADERS"""

import pathlib
import re
import subprocess
import sys


def main() -> int:
    library, folder = sys.argv[1:]
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", "--with-symbol-versions", library],
        check=True, capture_output=True, text=True).stdout
    exported = {}
    for line in listing.splitlines():
        name, _, node = line.split()[-1].partition("@")
        exported[name] = node.lstrip("@")
    headers = "".join(header.read_text() for header in pathlib.Path(folder).glob("*.h"))
    text = re.sub(r"/\*.*?\*/", "", headers, flags=re.DOTALL)
    declared = set(re.findall(r"TESSERA_API[^;(]*?(tessera_\w+)\(", text))
    problems = [f"{name} is exported and not in the header"
                for name in sorted(exported.keys() - declared)
                if not re.fullmatch(r"TESSERA_\d+\.\d+", name)]
    problems += [f"{name} is in the header and not exported"
                 for name in sorted(declared - exported.keys())]
    problems += [f"{name} has no version" for name in sorted(declared & exported.keys())
                 if not exported[name].startswith("TESSERA_")]
    if len(declared) < 40:
        problems.append(f"only {len(declared)} calls were found in the header")
    print("\n".join(problems) or f"{len(declared)} calls, nothing else")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
