"""What people come for, each from its beginning to its end by commands of the documents: a photo, a folder,
maps of several kinds, light, a target, a script, astcenc's habits, a program of one's own, bad blocks, the guide,
and the time that it all takes."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

import cli_support
from cli_support import INVALID, CliTest, read_bytes
from pictures import Picture, gradient, png, radiance, read_png, with_alpha

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([\w./]+\.md)\)")
# Reached from the guide's first page by two steps at most.
GUIDE = ("arrays", "astcenc", "choosing", "color_and_mips", "coming_from", "errors", "folders", "library", "options", "python",
         "recipes", "seeing", "web")
SUMMARY = re.compile(r"3 files: 3 made; .*; [\d.]+ s$", re.M)


def commands_of_documents():
    lines = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS).splitlines()
    return {line.split(" # ")[0].strip() for line in lines if line.startswith("    tessera")}


def photo(width=96, height=64, seed=1):
    return png(gradient(width, height, seed=seed))


class Tasks(CliTest):
    @classmethod
    def setUpClass(cls):
        cls.documented = commands_of_documents()

    def setUp(self):
        super().setUp()
        os.makedirs(self.path("bin"))
        folder = os.path.dirname(cli_support.command())
        for name in ("tessera", "tessera-astcenc"):
            if os.path.exists(os.path.join(folder, name)):
                os.symlink(os.path.join(folder, name), self.path("bin", name))

    def perform(self, command, code=0):
        """Types a command of the documents; its standard output."""
        self.assertIn(command, self.documented, "no document has this command")
        done = subprocess.run(shlex.split(command), cwd=self.folder, capture_output=True, check=False,
                              timeout=60 * cli_support.PATIENCE,
                              env={**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]},
                              executable=self.path("bin", command.split()[0]))
        self.assertEqual(done.returncode, code, done.stderr.decode())
        self.said = done.stderr.decode()
        return done.stdout.decode()

    def write_in(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        return self.write(name, data)

    def facts(self, name):
        return self.succeed("info", self.path(name), "--json").json

    def compared(self, a, b, *options):
        return self.succeed("compare", self.path(a), self.path(b), "--json", *options).json

    def test_a_photo(self):
        self.write("photo.png", photo())
        told = self.perform("tessera encode photo.png -o photo.ktx2 --mips --metrics")
        facts = self.facts("photo.ktx2")
        self.assertEqual((facts["format"], facts["levels"], facts["width"]), ("astc", 7, 96))
        psnr = float(re.search(r"PSNR ([\d.]+) dB", told).group(1))
        self.assertAlmostEqual(psnr, self.compared("photo.png", "photo.ktx2")["psnr_rgb"], places=2)

    def test_a_folder_with_a_broken_file_and_again_after_a_change(self):
        names = ("a", "walls/b", "walls/old/c")
        for seed, name in enumerate(names):
            self.write_in(f"assets/{name}.png", photo(seed=seed))
        self.write_in("assets/walls/broken.png", photo()[:200])
        command = "tessera encode assets/ -o textures/ --container ktx2 --mips --zstd"
        self.perform(command, INVALID)
        self.assertIn("broken.png", self.said)
        made = {name: self.path("textures", name + ".ktx2") for name in names}
        before = {name: os.stat(path).st_mtime_ns for name, path in made.items()}
        self.assertFalse(os.path.exists(self.path("textures", "walls", "broken.ktx2")))

        self.write_in("assets/walls/b.png", photo(seed=9))
        self.perform(command, INVALID)
        changed = [name for name, path in made.items() if os.stat(path).st_mtime_ns != before[name]]
        self.assertEqual(changed, ["walls/b"])
        self.assertGreater(self.compared("assets/walls/b.png", "textures/walls/b.ktx2")["psnr_rgb"], 25)

        self.write_in("assets/walls/broken.png", photo())
        self.perform(command)
        self.assertTrue(os.path.exists(self.path("textures", "walls", "broken.ktx2")))

    def test_maps_of_all_kinds(self):
        normals = Picture(64, 64, 3, bytes(c for y in range(64) for x in range(64)
                                           for c in (96 + x, 96 + y, 240)))
        self.write("rock_n.png", png(normals))
        told = self.perform("tessera encode rock_n.png -o rock_n.ktx2 --as normal --block 5x5 --mips --metrics")
        self.assertIn("normals off by", told)
        angles = self.compared("rock_n.png", "rock_n.ktx2", "--normal")["angular_error_degrees"]
        self.assertLess(angles["mean"], 3)

        self.write("rock_rough.png", photo(64, 64))
        self.perform("tessera encode rock_rough.png -o rock_rough.ktx2 --as mask --block 8x8 --mips")
        self.succeed("decode", self.path("rock_rough.ktx2"), "-o", self.path("mask.png"))
        mask = read_png(read_bytes(self.path("mask.png"))).rgba()
        self.assertEqual(mask[0::4], mask[1::4])  # one value

        self.write("leaf.png", png(with_alpha(gradient(64, 64), lambda x, y: 255 if x > y else 0)))
        self.perform("tessera encode leaf.png -o leaf.ktx2 --as alpha --block 5x5 --mips --zstd")
        self.succeed("decode", self.path("leaf.ktx2"), "-o", self.path("leaf_back.png"))
        alpha = read_png(read_bytes(self.path("leaf_back.png"))).rgba()[3::4]
        self.assertLess(alpha[64 * 63], 40)
        self.assertGreater(alpha[63], 215)

        self.write("rock_orm.png", photo(64, 64, seed=4))
        self.perform("tessera encode rock_orm.png -o rock_orm.ktx2 --as packed --block 6x6 --mips")
        self.assertGreater(self.compared("rock_orm.png", "rock_orm.ktx2")["psnr_rgb"], 25)
        # Only colours are sRGB.
        self.assertEqual([name for name in ("rock_n", "rock_rough", "rock_orm", "leaf")
                          if self.facts(name + ".ktx2")["srgb"]], ["leaf"])

    def test_light(self):
        self.write("sky.hdr", radiance(64, 32, lambda x, y: (200, 4 * x, 8 * y, 130 + x // 16)))
        told = self.perform("tessera encode sky.hdr -o sky.ktx2 --profile hdr --mips --metrics")
        self.assertGreater(float(re.search(r"mPSNR ([\d.]+) dB", told).group(1)), 30)
        self.assertTrue(self.facts("sky.ktx2")["hdr"])

    def test_at_least_40_db_and_as_small_as_can_be(self):
        self.succeed("sample", "-o", self.path("photo.png"), "--size", "160x96")
        self.perform("tessera encode photo.png -o small.ktx2 --target-psnr 40")
        self.assertGreaterEqual(self.compared("photo.png", "small.ktx2")["psnr_rgb"], 40)
        # The next larger blocks would not reach it with that preset.
        facts = self.succeed("encode", self.path("photo.png"), "-o", self.path("again.ktx2"), "--target-psnr", 40,
                             "--json").result
        areas = sorted({w * h: f"{w}x{h}" for w, h in ((4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (10, 5),
                                                       (10, 6), (8, 8), (10, 8), (10, 10), (12, 10), (12, 12))}.items())
        names = [name for _, name in areas]
        larger = names[names.index(facts["block"]) + 1]
        result = self.succeed("encode", self.path("photo.png"), "-o", self.path("larger.ktx2"), "--block", larger,
                              "--preset", facts["preset"], "--metrics", "--json").result
        self.assertLess(result["psnr_rgb"], 40)

    def test_results_for_a_script(self):
        self.write("rock_color.png", photo())
        (result,) = json.loads(self.perform("tessera encode rock_color.png -o rock_color.astc --metrics --json"))
        self.assertEqual((result["status"], result["block"]), ("made", "6x6"))
        self.assertEqual(result["bytes"], os.path.getsize(self.path("rock_color.astc")))
        self.assertGreater(result["psnr_rgb"], 20)

    def test_the_habits_of_astcenc(self):
        if not os.path.exists(self.path("bin", "tessera-astcenc")):
            self.skipTest("tessera-astcenc is not in this build")
        self.write("photo.png", photo())
        told = self.perform("tessera-astcenc -cl photo.png photo.astc 6x6 -medium")
        self.assertIn("Coding", told)
        self.perform("tessera-astcenc -dl photo.astc back.png")
        self.succeed("encode", self.path("photo.png"), "-o", self.path("ours.astc"), "--block", "6x6", "--preset",
                     "medium")
        self.assertEqual(read_bytes(self.path("photo.astc")), read_bytes(self.path("ours.astc")))

    def test_a_program_of_ones_own(self):
        """The one of docs/library.md, over the library as it is installed."""
        build = os.path.dirname(os.path.realpath(cli_support.command()))
        cache = pathlib.Path(build, "CMakeCache.txt")
        words = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(), re.M)) if cache.exists() else {}
        if words.get("TESSERA_INSTALL") != "ON" or words.get("TESSERA_SANITIZE") == "ON":
            self.skipTest("this build is not installed")
        done = subprocess.run([sys.executable, str(ROOT / "tests" / "api" / "test_install.py"), "--document", "--source",
                               str(ROOT), "--build", build, "--command", cli_support.command(), "--cc",
                               words["CMAKE_C_COMPILER"], "--cxx", words["CMAKE_CXX_COMPILER"]], capture_output=True,
                              text=True, check=False, timeout=300 * cli_support.PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("docs/library.md: ok", done.stdout)

    def test_where_the_bad_blocks_are(self):
        """A place of noise in a picture of one colour is found, and what its block is made of is told."""
        noise = gradient(6, 6, seed=8)
        pixels = bytearray(bytes((90, 120, 150)) * 60 * 48)
        for y in range(6):
            for x in range(6):
                at = 3 * ((18 + y) * 60 + 42 + x)  # block 7,3
                pixels[at:at + 3] = bytes((37 * v + 91 * x * y) % 256 for v in noise.pixels[3 * (6 * y + x):][:3])
        self.write("photo.png", png(Picture(60, 48, 3, bytes(pixels))))
        self.perform("tessera encode photo.png -o photo.astc --block 6x6 --preset thorough")
        self.perform("tessera inspect photo.astc -o seen/ --original photo.png")
        worst = json.loads(read_bytes(self.path("seen", "facts.json")))["worst_blocks"][0]
        self.assertEqual((worst["x"], worst["y"]), (7, 3))
        error = read_png(read_bytes(self.path("seen", "error.png"))).rgb()
        bright = [i // 3 for i in range(0, len(error), 3) if any(error[i:i + 3])]
        self.assertTrue(bright)
        self.assertTrue(all(42 <= i % 60 < 48 and 18 <= i // 60 < 24 for i in bright))
        told = self.succeed("info", self.path("photo.astc"), "--block", "7,3").text
        self.assertIn("weights", told)

    def test_the_guide_leads_to_everything(self):
        """Every page for users is at most two steps from the first one, and every verb is in one of them."""
        pages, seen = {"getting_started"}, set()
        for _ in range(3):
            seen |= pages
            texts = {name: (ROOT / "docs" / (name + ".md")).read_text(encoding="utf-8") for name in seen}
            pages = {pathlib.PurePath(link).stem for text in texts.values() for link in LINK.findall(text)
                     if "/" not in link}
        self.assertEqual([name for name in GUIDE if name not in seen], [])
        text = "\n".join(texts.values())
        for verb in self.succeed("help", "--json").json["verbs"]:
            self.assertIn("tessera " + verb["name"], text)

    def test_the_time_from_end_to_end(self):
        for i in range(3):
            self.write_in(f"frames/{i}.png", photo(seed=i))
        told = self.perform("tessera encode frames/ -o timed/ --container ktx2 --block 6x6 --force") + self.said
        self.assertRegex(told, SUMMARY)
        self.assertEqual(self.files("timed"), ["0.ktx2", "1.ktx2", "2.ktx2"])


if __name__ == "__main__":
    cli_support.main()
