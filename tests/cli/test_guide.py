"""The guide: every command of the documents runs, and what is made of the command's own words is complete."""
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

import cli_support
from cli_support import CliTest
from mpi_support import mpi_environment
from pictures import gradient, png, radiance, with_alpha
from slices_support import ktx2_of_pixels

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENTS = ("README", "docs/getting_started", "docs/choosing", "docs/recipes", "docs/coming_from",
             "docs/color_and_mips", "docs/seeing", "docs/folders", "docs/arrays", "docs/astcenc", "docs/astc",
             "docs/fractal", "docs/bc1", "docs/cluster")
# Behind another program, too.
COMMAND = re.compile(r"^    ((?:cat [^|]*\| |mpirun [^|]*?)?tessera(?:-astcenc)? .*)$", re.MULTILINE)
# Pictures that have to fit others.
SIZES = {"sign_half.png": (24, 16), "sign_quarter.png": (12, 8), "texture.astc.png": (96, 64),
         "grey2048.png": (512, 512),
         **{axis + ".png": (16, 16) for axis in ("px", "nx", "py", "ny", "pz", "nz")}}
RGBA8_UNORM = 37  # of Vulkan
OUTPUT_OPTIONS = ("-o", "--output", "--sheet", "--chart", "--steps")
PICTURES, TEXTURES = (".png", ".jpg", ".ppm"), (".ktx2", ".astc", ".dds", ".tsf", ".ktx")

specification = importlib.util.spec_from_file_location("make_guide", ROOT / "tools" / "make_guide.py")
make_guide = importlib.util.module_from_spec(specification)
specification.loader.exec_module(make_guide)


def commands_of(document):
    text = (ROOT / (document + ".md")).read_text(encoding="utf-8")
    return [line.split(" # ")[0].strip() for line in COMMAND.findall(text)]


class Builds:
    """What this build and this machine can do, for commands that need more than all have."""

    def __init__(self):
        version = cli_support.run("--version").text
        self.has_exr = "exr" in version
        self.has_mpi = ", mpi" in version and shutil.which("mpirun") is not None
        self.has_bench = cli_support.has_benchmark()

    def can_run(self, command):
        return ((self.has_exr or ".exr" not in command) and (self.has_mpi or "mpirun" not in command)
                and (self.has_bench or "tessera bench" not in command))


class Documents(CliTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("bin"))
        os.makedirs(self.path("work"))
        os.symlink(cli_support.command(), self.path("bin", "tessera"))
        beside = os.path.join(os.path.dirname(cli_support.command()), "tessera-astcenc")
        if os.path.exists(beside):
            os.symlink(beside, self.path("bin", "tessera-astcenc"))

    def make_texture(self, path):
        """An uncompressed volume, one of light, what belongs to a picture that is there, or any."""
        name = os.path.basename(path)
        if name == "volume_rgba8.ktx2":
            cli_support.write_bytes(path, ktx2_of_pixels(bytes(range(256)) * 40, RGBA8_UNORM, 1, 8, 8, 40))
            return
        source = self.path("work", "golden.png") if name == "new.dds" else path + ".png"
        self.make_picture(source)
        self.succeed("encode", source, "-o", path)

    def make_light(self, path):
        """A panorama, as Radiance file or, made of such a file by the command, as EXR."""
        light = radiance(64, 32, lambda x, y: (200, 4 * x, 8 * y, 130))
        if path.endswith(".hdr"):
            cli_support.write_bytes(path, light)
            return
        made = os.path.join(self.path("bin"), "light")  # beside no input
        cli_support.write_bytes(made + ".hdr", light)
        self.succeed("encode", made + ".hdr", "-o", made + ".ktx2", "--profile", "hdr", "--block", "4x4")
        self.succeed("decode", made + ".ktx2", "-o", path)

    def make_folder(self, path):
        """Pictures of several kinds; a texture; or slices."""
        if path.endswith("textures/"):
            os.makedirs(path)
            self.make_texture(path + "t.ktx2")
            os.remove(path + "t.ktx2.png")
            return
        is_slices = path.endswith("slices/")
        for name in [f"s_{i}.png" for i in range(8)] if is_slices else ("a.png", "b_n.png", "ui/c.png"):
            self.make_picture(path + name)

    def make_picture(self, path):
        width, height = SIZES.get(os.path.basename(path), (48, 32))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        picture = gradient(width, height, seed=len(path))
        with open(path, "wb") as file:
            file.write(png(with_alpha(picture, lambda x, y: 255 if x > y else 60) if "leaf" in path else picture))

    def make_inputs(self, words):
        """Whatever a command reads and is not there yet."""
        is_output = False
        for word in words:
            path = self.path("work", word)
            if not is_output and "=" not in word and not os.path.exists(path):
                self.make_input(path)
            is_output = word in OUTPUT_OPTIONS

    def make_input(self, path):
        if path.endswith("slice_*.png"):
            for i in range(4):
                self.make_picture(path.replace("*", str(i)))
        elif "*" in path:
            return
        elif path.endswith((".hdr", ".exr")):
            self.make_light(path)
        elif path.endswith(".raw"):
            cli_support.write_bytes(path, bytes(128 * 128 * 64))
        elif path.endswith(PICTURES):
            self.make_picture(path)
        elif path.endswith(TEXTURES):
            self.make_texture(path)
        elif path.endswith("/"):
            self.make_folder(path)

    def run_command(self, command):
        # Of as many ranks as documents speak of, machines for tests have no processors for.
        ready = command.replace("mpirun -n 8", "mpirun --oversubscribe -n 2")
        return subprocess.run(["bash", "-c", ready], cwd=self.path("work"), capture_output=True, check=False,
                              timeout=60 * cli_support.PATIENCE, stdin=subprocess.DEVNULL,
                              env={**mpi_environment(), "PATH": self.path("bin") + ":" + os.environ["PATH"]})

    def test_every_command_runs(self):
        builds = Builds()
        for document in DOCUMENTS:
            commands = commands_of(document)
            self.assertGreater(len(commands), 0, document)
            shutil.rmtree(self.path("work"))
            os.makedirs(self.path("work"))
            for command in commands:
                words = shlex.split(command.split("| ")[-1].split(">")[0])
                program = words.index("tessera-astcenc" if "tessera-astcenc" in words else "tessera")
                if not builds.can_run(command) or not os.path.exists(self.path("bin", words[program])):
                    continue
                # Of tessera-astcenc: the mode, the input, the output.
                self.make_inputs(words[program + 2:program + 3] if words[program] == "tessera-astcenc"
                                 else words[program + 1:])
                done = self.run_command(command)
                self.assertEqual(done.returncode, 0, f"{document}: {command}: {done.stderr.decode()}")

    def test_sentences_of_errors_are_ours(self):
        """Each part of a cited sentence is in the sources."""
        sources = ""
        for folder in ("src", "apps"):
            for path in sorted((ROOT / folder).rglob("*.cc")):
                sources += path.read_text(encoding="utf-8")
        flat = re.sub(r'"\s*\n\s*"', "", sources)
        text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
        rows = text.split("| sentence |")[1].split("\n\n")[0].splitlines()[2:]
        self.assertGreater(len(rows), 8)
        for row in rows:
            sentence = re.sub(r" \(a note\)$", "", row.split("|")[1].strip())
            for part in re.split(r"…|\?", sentence):
                self.assertTrue(part.strip(" ,;()") in flat, f"{part!r} of {sentence!r} is not in the sources")


class Generated(CliTest):
    def setUp(self):
        super().setUp()
        self.command = self.succeed("help", "--json").json

    def run_tool(self, what, target):
        subprocess.run([str(ROOT / "tools" / "make_guide.py"), cli_support.command(), what, target], check=True)

    def test_the_list_is_complete(self):
        names = [verb["name"] for verb in self.command["verbs"]]
        for verb in ("encode", "decode", "convert", "report", "inspect"):
            self.assertIn(verb, names)
        for verb in self.command["verbs"]:
            help_text = self.succeed("help", verb["name"]).text
            for option in verb["options"]:
                for name in option["names"]:
                    self.assertIn(name, help_text, verb["name"])

    def test_the_document_is_up_to_date(self):
        pictures = json.dumps(self.command)
        if ".exr" not in pictures or "zstd" not in pictures:
            self.skipTest("the document is made by a build with all libraries")
        expected = make_guide.options_text(self.command)
        found = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
        self.assertEqual(found, expected, "run tools/make_guide.py TESSERA options docs/options.md")

    def test_the_chart_of_choices_is_up_to_date(self):
        made = self.path("choices.svg")
        subprocess.run([str(ROOT / "bench" / "plot_choices.py"),
                        str(ROOT / "tests" / "astc_encode" / "golden_psnr.csv"), made], check=True)
        self.assertEqual(cli_support.read_bytes(made), (ROOT / "docs" / "images" / "choices.svg").read_bytes(),
                         "run bench/plot_choices.py tests/astc_encode/golden_psnr.csv docs/images/choices.svg")

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_manual_pages(self):
        self.run_tool("man", self.path("man"))
        pages = sorted(os.listdir(self.path("man")))
        self.assertEqual([page for page in pages if page != "tessera-astcenc.1"],
                         sorted(["tessera.1", *(f"tessera-{v['name']}.1" for v in self.command["verbs"])]))
        for page in pages:
            shown = subprocess.run(["man", "--warnings", "-l", self.path("man", page)], capture_output=True, check=True,
                                   env={**os.environ, "MANPAGER": "cat", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
            self.assertEqual(shown.stderr.decode(), "", page)
        self.assertIn("--mip-filter", shown_text(self.path("man", "tessera-encode.1")))

    def test_completions(self):
        self.run_tool("completions", self.path("made"))
        self.assertEqual(self.files("made"), ["_tessera", "tessera.bash", "tessera.fish"])

        def completed(*words):
            script = (f"source {shlex.quote(self.path('made', 'tessera.bash'))}; "
                      f"COMP_WORDS=({' '.join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}; _tessera; "
                      'printf "%s\\n" "${COMPREPLY[@]}"')
            done = subprocess.run(["bash", "-c", script], capture_output=True, check=True, cwd=self.folder)
            return done.stdout.decode().split()

        self.assertEqual(completed("tessera", "enc"), ["encode"])
        self.assertEqual(completed("tessera", "encode", "--mip-f"), ["--mip-filter", "--mip-file"])
        self.assertEqual(completed("tessera", "encode", "--preset", "th"), ["thorough"])
        self.assertEqual(completed("tessera", "encode", "--backend", ""), ["cpu", "cuda", "opencl", "mpi", "auto"])
        self.assertEqual(completed("tessera", "decode", "--backend", ""), ["cpu", "cuda", "opencl", "auto"])
        self.assertEqual(completed("tessera", "encode", "--block", "12x1"), ["12x10", "12x12"])
        self.assertEqual(completed("tessera", "decode", "ma"), ["made"])
        for shell, name in (("zsh", "_tessera"), ("fish", "tessera.fish")):
            if shutil.which(shell):
                subprocess.run([shell, "-n", self.path("made", name)], check=True)


def shown_text(page):
    done = subprocess.run(["man", "-l", page], capture_output=True, check=True,
                          env={**os.environ, "MANPAGER": "cat", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
    return re.sub(r".\x08", "", done.stdout.decode()).replace("\u2010", "-").replace("\u2212", "-")


if __name__ == "__main__":
    cli_support.main()
