#!/usr/bin/env python3
"""Makes manual pages, shell completions and docs/options.md of what the command says of itself.

    tools/make_guide.py TESSERA man FOLDER          FOLDER/tessera.1, tessera-encode.1, ...
    tools/make_guide.py TESSERA man.gz FOLDER       the same, compressed
    tools/make_guide.py TESSERA completions FOLDER  FOLDER/tessera.bash, _tessera, tessera.fish
    tools/make_guide.py TESSERA options FILE        a document with all options
"""

import gzip
import json
import pathlib
import re
import subprocess
import sys

FILES = {"IN", "FILE", "A", "B", "-o", "--output", "--rules", "--mip-file", "--original", "--sheet"}


def read_command(program):
    """What `tessera help --json` tells, and the help of tessera-astcenc where it lies beside it."""
    command = json.loads(subprocess.run([program, "help", "--json"], check=True, capture_output=True).stdout)
    beside = pathlib.Path(program).resolve().parent / "tessera-astcenc"
    if beside.exists():
        command["astcenc_help"] = subprocess.run([str(beside), "-help"], check=True, capture_output=True,
                                                 text=True).stdout
    return command


def grouped(options):
    """[(group, options)] in the order in which groups first come."""
    groups = {}
    for option in options:
        groups.setdefault(option["group"], []).append(option)
    return list(groups.items())


def head_of(option):
    return ", ".join(option["names"]) + (" " + option["value"] if option["value"] else "")


def help_of(option):
    text = option["help"]
    if option["default"] and "default" not in text:
        text += f" (default: {option['default']})"
    return text


def usage_of(verb):
    return " ".join(["tessera", verb["name"], *(name for p in verb["positionals"] for name in p["names"]),
                     "[OPTIONS]"])


# ---- manual pages


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def verb_page(command, verb):
    lines = [f'.TH TESSERA\\-{roff(verb["name"].upper())} 1 "" "tessera {command["version"]}" "Tessera"',
             ".SH NAME", f'tessera\\-{roff(verb["name"])} \\- {roff(verb["purpose"][0].lower() + verb["purpose"][1:])}',
             ".SH SYNOPSIS", f".B {roff(usage_of(verb))}"]
    if verb["positionals"]:
        lines.append(".SH ARGUMENTS")
        for positional in verb["positionals"]:
            lines += [".TP", f".B {roff(positional['names'][0])}", roff(help_of(positional))]
    for group, options in grouped(verb["options"]):
        lines.append(".SH OPTIONS" if group == "Options" else f".SS {roff(group)}")
        for option in options:
            lines += [".TP", f".B {roff(head_of(option))}", roff(help_of(option))]
    if verb["footer"]:
        lines += [".SH NOTES", ".nf", roff(verb["footer"]), ".fi"]
    return "\n".join(lines + [".SH SEE ALSO", ".BR tessera (1)"]) + "\n"


def main_page(command):
    lines = [f'.TH TESSERA 1 "" "tessera {command["version"]}" "Tessera"', ".SH NAME",
             "tessera \\- compress images block by block", ".SH SYNOPSIS", ".B tessera VERB [OPTIONS]",
             ".SH VERBS"]
    for verb in command["verbs"]:
        lines += [".TP", f".BR tessera\\-{roff(verb['name'])} (1)", roff(verb["purpose"])]
    lines += [".SH EXIT STATUS"]
    for code, meaning in ((0, "all is well"), (1, "the request makes no sense"),
                          (2, "a file cannot be read or written"), (3, "a file breaks the rules of its type"),
                          (4, "something went wrong while running"), (5, "this build cannot do it"),
                          (6, "it was interrupted"), (7, "two images differ")):
        lines += [".TP", f".B {code}", roff(meaning)]
    return "\n".join(lines) + "\n"


def astcenc_page(command):
    text = command["astcenc_help"].split("\n", 1)[1].strip()
    return "\n".join([f'.TH TESSERA\\-ASTCENC 1 "" "tessera {command["version"]}" "Tessera"', ".SH NAME",
                      "tessera\\-astcenc \\- the command line of astcenc with Tessera's encoder", ".SH SYNOPSIS",
                      ".nf", roff(text), ".fi", ".SH SEE ALSO", ".BR tessera (1)"]) + "\n"


def manual(command):
    """{name: text} of all pages."""
    pages = {f"tessera-{verb['name']}.1": verb_page(command, verb) for verb in command["verbs"]}
    if "astcenc_help" in command:
        pages["tessera-astcenc.1"] = astcenc_page(command)
    return {"tessera.1": main_page(command), **pages}


def write_manual(command, folder):
    for name, text in manual(command).items():
        (folder / name).write_text(text)


def write_packed_manual(command, folder):
    """As packages have it; no time of day, so that the same program gives the same bytes."""
    for name, text in manual(command).items():
        (folder / (name + ".gz")).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


# ---- completions


def long_names(verb):
    return [name for option in verb["options"] for name in option["names"] if name.startswith("--")]


def choices_of(option):
    """Words that an option takes: of the known ones, those that its help names; block sizes are too many for it."""
    known = {"--preset": "realtime fast medium thorough exhaustive", "--profile": "ldr srgb hdr hdra",
             "--as": "color alpha normal mask packed hdr ui", "--mip-filter": "box kaiser lanczos",
             "--mip-wrap": "clamp wrap", "--container": "ktx2 dds astc ktx tsf", "--format": "astc bc1 fractal",
             "--backend": "cpu cuda opencl mpi auto", "--block": "4x4 5x4 5x5 6x5 6x6 8x5 8x6 8x8 10x5 "
             "10x6 10x8 10x10 12x10 12x12"}
    name = option["names"][-1]
    words = known.get(name, "").split() if option["value"] else []
    return [word for word in words if name == "--block" or re.search(rf"\b{word}\b", option["help"])]


def bash_completion(command):
    cases = []
    for verb in command["verbs"]:
        values = "".join(f'      {verb["name"]}:{option["names"][-1]}) COMPREPLY=($(compgen -W '
                         f'"{" ".join(choices_of(option))}" -- "$word")); return ;;\n'
                         for option in verb["options"] if choices_of(option))
        cases.append((verb, values))
    verbs = " ".join(verb["name"] for verb in command["verbs"])
    text = ("# Completions of tessera for bash, made by tools/make_guide.py.\n_tessera() {\n"
            '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" verb="${COMP_WORDS[1]}"\n'
            f'  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{verbs} help" -- "$word")); return; fi\n'
            '  case "$verb:$before" in\n')
    text += "".join(values for _, values in cases) + "  esac\n"
    text += '  if [[ "$word" == -* ]]; then\n    case "$verb" in\n'
    for verb, _ in cases:
        text += f'      {verb["name"]}) COMPREPLY=($(compgen -W "{" ".join(long_names(verb))}" -- "$word")) ;;\n'
    text += ('    esac\n    return\n  fi\n  COMPREPLY=($(compgen -f -- "$word"))\n}\n'
             "complete -o filenames -F _tessera tessera\n")
    return text


def quoted(text):
    return text.replace("'", "").replace("[", "(").replace("]", ")").replace(":", ";")


def zsh_completion(command):
    text = "#compdef tessera\n# Completions of tessera for zsh, made by tools/make_guide.py.\n_tessera() {\n"
    text += "  if (( CURRENT == 2 )); then\n    local -a verbs\n    verbs=(\n"
    text += "".join(f"      '{verb['name']}:{quoted(verb['purpose'])}'\n" for verb in command["verbs"])
    text += "    )\n    _describe verb verbs\n    return\n  fi\n  local verb=$words[2]\n  shift words; (( CURRENT-- ))\n"
    text += "  case $verb in\n"
    for verb in command["verbs"]:
        text += f"    {verb['name']}) _arguments"
        for option in verb["options"]:
            star = "*" if option["repeatable"] else ""
            words = " ".join(choices_of(option))
            what = f":{quoted(option['value'])}:" + (f"({words})" if words else
                                                     "_files" if set(option["names"]) & FILES else "")
            for name in option["names"]:
                text += f" \\\n      '{star}{name}[{quoted(option['help'])}]{what if option['value'] else ''}'"
        text += " \\\n      '*:file:_files' ;;\n"
    return text + '  esac\n}\n_tessera "$@"\n'


def fish_completion(command):
    text = "# Completions of tessera for fish, made by tools/make_guide.py.\n"
    for verb in command["verbs"]:
        text += f"complete -c tessera -n __fish_use_subcommand -f -a {verb['name']} -d '{quoted(verb['purpose'])}'\n"
    for verb in command["verbs"]:
        for option in verb["options"]:
            names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"
                            for name in option["names"])
            words = choices_of(option)
            takes = (f" -x -a '{' '.join(words)}'" if words else " -r") if option["value"] else ""
            text += (f"complete -c tessera -n '__fish_seen_subcommand_from {verb['name']}'{names}{takes} "
                     f"-d '{quoted(option['help'])}'\n")
    return text


def write_completions(command, folder):
    (folder / "tessera.bash").write_text(bash_completion(command))
    (folder / "_tessera").write_text(zsh_completion(command))
    (folder / "tessera.fish").write_text(fish_completion(command))


# ---- the document


def options_text(command):
    text = ("# Options\n\nAll verbs and options of the command, made by `tools/make_guide.py` of what the program says of "
            "itself; `tessera help VERB` prints the same for the build at hand.\n")
    for verb in command["verbs"]:
        text += f"\n## tessera {verb['name']}\n\n{verb['purpose']}: `{usage_of(verb)}`\n"
        rows = [(None, verb["positionals"])] if verb["positionals"] else []
        for group, options in rows + grouped(verb["options"]):
            text += f"\n| {'argument' if group is None else group} | |\n| --- | --- |\n"
            for option in options:
                cells = (f"`{head_of(option)}`" if group is not None else f"`{option['names'][0]}`", help_of(option))
                text += "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
    return text


def main():
    program, what, target = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    command = read_command(program)
    if what == "options":
        target.write_text(options_text(command))
        return 0
    target.mkdir(parents=True, exist_ok=True)
    {"man": write_manual, "man.gz": write_packed_manual, "completions": write_completions}[what](command, target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
