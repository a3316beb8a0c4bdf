#!/usr/bin/env python3
"""Refuses functions of more than 60 lines and source files of more than 500."""

import ast
import pathlib
import re
import subprocess
import sys

MAX_FUNCTION_LINES = 60
MAX_FILE_LINES = 500

CPP = {".cc", ".h", ".hpp", ".c", ".cl", ".cu", ".cuh"}
PYTHON = {".py"}
OTHERS = {".css", ".html", ".js", ".mjs", ".ts"}  # files alone: their functions are not looked for
# Comments, raw strings, strings, character constants, and lines of the preprocessor.
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*",
    re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum)\b|\bextern\s*$")
LABEL = re.compile(r"\s*(?:(?:public|protected|private):\s*)*")


def blank(match):
    """Spaces in place of the text, with its line breaks."""
    return re.sub(r"[^\n]", " ", match.group(0))


def is_function(head):
    """Whether a brace after this text, outside of functions, opens a function's body."""
    if ")" not in head or head.rstrip().endswith("="):
        return False
    bare, before = head, None
    while bare != before:  # without parameters, and without `template <class T>`
        before, bare = bare, re.sub(r"\([^()]*\)|<[^<>]*>", "", bare)
    return not SCOPE.search(bare)


def cpp_functions(text):
    """(first line, last line, name) of every function that is defined in a C++ or OpenCL text."""
    code = NOISE.sub(blank, text)
    opened = []  # for each brace: is it a function's, an initialiser's; where its head starts; head
    head_start = 0
    for place in re.finditer(r"[{};]", code):
        position, sign = place.start(), place.group()
        inside = any(entry[0] for entry in opened)
        if sign == "{":
            head = code[head_start:position]
            # Without a space before it, it is an initialiser, as in the list of a constructor.
            initialises = code[position - 1 : position].strip() != ""
            is_body = not inside and not initialises and is_function(head)
            opened.append((is_body, initialises, head_start, head))
            if not initialises:
                head_start = position + 1
        elif sign == "}" and opened:
            is_body, initialises, start, head = opened.pop()
            if is_body:
                first = start + LABEL.match(head).end()
                yield (code.count("\n", 0, first) + 1, code.count("\n", 0, position) + 1,
                       head.split("(")[0].split()[-1])
            if not initialises:
                head_start = position + 1
        elif not inside:
            head_start = position + 1


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno, node.name


def problems_of(name, text):
    """A sentence for everything that is too long in one file."""
    suffix = pathlib.PurePath(name).suffix
    lines = text.count("\n")
    if lines > MAX_FILE_LINES:
        yield f"{name}: {lines} lines, more than {MAX_FILE_LINES}"
    functions = (cpp_functions(text) if suffix in CPP else
                 python_functions(text) if suffix in PYTHON else ())
    for first, last, function in functions:
        length = last - first + 1
        if length > MAX_FUNCTION_LINES:
            yield (f"{name}:{first}: {function} has {length} lines, "
                   f"more than {MAX_FUNCTION_LINES}")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=root, check=True, capture_output=True, text=True).stdout
    names = [name for name in listed.splitlines()
             if pathlib.PurePath(name).suffix in CPP | PYTHON | OTHERS and (root / name).is_file()]
    problems = [problem for name in names
                for problem in problems_of(name, (root / name).read_text(encoding="utf-8"))]
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main())
