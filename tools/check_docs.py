#!/usr/bin/env python3
"""Checks that what the documents cite exists, and refuses phrases that need a second reading.

Documents may cite files and folders, targets of make, and options of the command. The phrases are
of the kind "16 bytes a block": write "16 bytes per block". C++ sources must say what they are for."""

import pathlib
import re
import subprocess
import sys

SOURCE = r"(?:cc|h|hpp|c|cl|cu|py|pyi|sh|md|cmake|txt)"
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"^[\w.*/-]+(?:\.{SOURCE}|/)$|^[\w./-]+/[\w-]+\.\*$")
MAKE = re.compile(r"^make ([a-z_]+)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")

PHRASE = re.compile(
    r"\b(once|twice|bits?|bytes?|pixels|texels|blocks?|files?|folders?|rows?|lines?|items|pass(?:es)?"
    r"|times|operations|work-item|lanes?|threads?|values?|samples|tables?|pairs?|ms|seconds|cycles"
    r"|megapixels|weight|bumps?|contender|sums?) an? "
    r"(block|pixel|texel|lane|target|group|verb|unit|image|row|call|round|channel|rank|partition"
    r"|method|second|side|part|file|candidate|thread|sample|format|codec|contender|rival|module"
    r"|stage|container|instruction|preset|bit|grid|picture|stage|file|product|tile|chunk)\b")
# "Once a block is done" is fine.
VERB = re.compile(r" (is|has|was|are|had|comes|ends|can|may|must)\b")
READ_FOR_PHRASES = {".cc", ".h", ".hpp", ".c", ".cl", ".cu", ".py", ".pyi", ".md", ".txt", ".sh",
                    ".cmake", ".json", ""}
# They hold the phrases as what is to be found.
EXCEPT = {"tools/check_docs.py", "tests/tools/test_checks.py"}


class Tree:
    """What can be cited."""

    def __init__(self, names, targets, options):
        self.names = set(names)
        self.targets = targets
        self.options = options
        self.folders = {str(folder) for name in names for folder in pathlib.PurePath(name).parents}

    def has_path(self, cited):
        """Whole, or without the folders before it; `name.*` is a header and its source."""
        if cited.endswith("/"):
            wanted = cited.rstrip("/")
            return any(folder == wanted or folder.endswith("/" + wanted) for folder in self.folders)
        return any(pathlib.PurePath(name).match(cited) for name in self.names) or "*" in cited[:2]


def wrong_citations(document, text, tree):
    """A sentence for everything that a document cites and that does not exist."""
    folder = pathlib.PurePath(document).parent
    for link in LINK.findall(text):
        target = str(pathlib.PurePath("/", folder, link.rstrip("/"))).lstrip("/")
        parts = []
        for part in pathlib.PurePath(target).parts:
            parts = parts[:-1] if part == ".." else [*parts, part]
        if "/".join(parts) not in tree.names | tree.folders:
            yield f"{document}: the link {link} leads nowhere"
    for quoted in QUOTED.findall(text):
        is_pattern = re.search(r"(?<![A-Z])(NAME|METHOD)(?![A-Z])", quoted)
        if PATH.match(quoted) and not is_pattern and not tree.has_path(quoted):
            yield f"{document}: `{quoted}` does not exist"
        target = MAKE.match(quoted)
        if target and target.group(1) not in tree.targets:
            yield f"{document}: there is no target of `{quoted}`"
        if quoted.split()[0] in ("tessera", "encode", "decode", "compare", "info", "bench", "sample"):
            for option in OPTION.findall(quoted):
                if option not in tree.options:
                    yield f"{document}: there is no option {option}"


def wrong_phrases(name, text):
    """A sentence for every phrase of the kind "16 bytes a block"; line breaks do not hide them."""
    flat = re.sub(r"\s*\n[ \t]*(//|#|\*)?[ \t]*", lambda m: " " + "\n" * m.group().count("\n"), text)
    plain = flat.replace("\n", "")
    # The line of a place in `plain`: as many line breaks were before it in `flat`.
    for match in PHRASE.finditer(plain):
        if match.group(1) == "once" and VERB.match(plain, match.end()):
            continue
        seen = breaks = 0
        for sign in flat:
            if seen == match.start():
                break
            breaks += sign == "\n"
            seen += sign != "\n"
        yield f'{name}:{breaks + 1}: "{match.group()}": write "per" or "for each"'


def wrong_beginning(name, text):
    """A C++ source without a line that says what it is for."""
    if name.endswith(".cc") and not re.match(r"// \S", text):
        yield f"{name}: does not begin with a comment that says what it is for"


def read_tree(root):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=root, check=True, capture_output=True, text=True).stdout
    names = [name for name in listed.splitlines() if (root / name).is_file()]
    targets = set(re.findall(r"^([a-z_]+):", (root / "Makefile").read_text(), re.MULTILINE))
    options = {"--version", "--help"}
    for name in names:
        if name.startswith(("apps/", "src/", "bench/")) and name.endswith((".cc", ".h")):
            options |= set(OPTION.findall((root / name).read_text()))
    # Options that are made of a list hold their name alone.
    for name in names:
        if name.startswith(("src/", "apps/")) and name.endswith((".cc", ".h")):
            options |= {"--" + word for word in re.findall(r'"([a-z][a-z-]+)"', (root / name).read_text())}
    return names, Tree(names, targets, options)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    names, tree = read_tree(root)
    problems = []
    for name in names:
        path = pathlib.PurePath(name)
        if path.suffix not in READ_FOR_PHRASES or name.startswith("fuzz/corpus/") or name in EXCEPT:
            continue
        text = (root / name).read_text(encoding="utf-8")
        problems += wrong_phrases(name, text)
        problems += wrong_beginning(name, text)
        if path.suffix == ".md":
            problems += wrong_citations(name, text, tree)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main())
