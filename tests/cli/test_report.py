"""`tessera report` and `tessera inspect`: pages, maps and facts."""
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

import cli_support
from cli_support import DIFFER, INVALID, IO, UNSUPPORTED, USAGE, CliTest, read_bytes
from pictures import flat, gradient, png, radiance, read_png, with_alpha

CHROMIUM = os.environ.get("TESSERA_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
if not CHROMIUM:
    print("############################################################\n"
          "# SKIPPED: pages are not looked at in a browser: Chromium is not installed (Debian: chromium)\n"
          "############################################################")


def page_data(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))


def picture_of(text):
    return read_png(base64.b64decode(text))


class Report(CliTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("assets", "ui"))
        self.write("assets/a.png", png(gradient(50, 34, seed=2)))
        self.write("assets/ui/b.png",
                   png(with_alpha(gradient(24, 40, seed=7), lambda x, y: 255 if x > y else 40)))

    def report(self, *options, code=0):
        outcome = cli_support.run("report", self.path("assets"), "-o", self.path("r.html"), *options)
        self.assertEqual(outcome.code, code, str(outcome))
        return page_data(read_bytes(self.path("r.html")).decode())

    def test_room_for_a_page_of_many_pictures(self):
        """Each counts with what its part of the page takes, not with what its pixels could take at most."""
        for i in range(40):
            self.write(f"assets/flat{i}.png", png(flat(512, 512, (i, 9, 9))))
        data = self.report("--setting", "block=8x8,preset=realtime", "--max-memory", "96M")
        self.assertEqual(len(data["pictures"]), 42)

    def test_every_picture_with_every_setting(self):
        data = self.report()
        self.assertEqual([os.path.basename(p["name"]) for p in data["pictures"]], ["a.png", "b.png"])
        self.assertEqual(len(data["settings"]), 4)
        self.assertEqual(len(data["entries"]), 8)
        self.assertEqual(picture_of(data["pictures"][0]["original"]).rgba(), gradient(50, 34, seed=2).rgba())
        for entry in data["entries"]:
            result = picture_of(entry["result"])
            picture = data["pictures"][entry["picture"]]
            self.assertEqual((result.width, result.height), (picture["width"], picture["height"]))
            self.assertGreater(entry["psnr_rgb"], 15)
            kinds = base64.b64decode(entry["map"]["kinds"])
            self.assertEqual(len(kinds), entry["map"]["across"] * entry["map"]["down"])
            self.assertEqual(sum(kind["count"] for kind in entry["map"]["legend"]), len(kinds))

    def test_results_are_those_of_encode(self):
        entry = self.report("--setting", "format=astc,block=8x5,preset=fast", "--include", "a.png")["entries"][0]
        made = self.succeed("encode", self.path("assets", "a.png"), "-o", self.path("a.astc"), "--block", "8x5",
                            "--preset", "fast", "--metrics", "--json").result
        self.assertEqual((entry["psnr_rgb"], entry["bytes"]), (made["psnr_rgb"], made["bytes"]))
        self.succeed("decode", self.path("a.astc"), "-o", self.path("a.png"))
        self.assertEqual(picture_of(entry["result"]).rgba(), read_png(read_bytes(self.path("a.png"))).rgba())

    def test_large_pictures_are_shown_in_part(self):
        data = self.report("--view", 16, "--setting", "block=4x4", "--setting", "format=fractal")
        for picture in data["pictures"]:
            shown = picture_of(picture["original"])
            self.assertEqual((shown.width, shown.height), (16, 16))
            self.assertTrue(picture["is_part"])
        self.assertNotIn("map", data["entries"][1])

    def test_needs_no_network(self):
        self.report()
        page = read_bytes(self.path("r.html")).decode()
        for word in ("http://", "https://", "src=\"", "@import", "fetch(", "import("):
            self.assertNotIn(word, page.replace("http://www.w3.org/2000/svg", ""))

    def test_a_broken_picture_does_not_end_it(self):
        self.write("assets/broken.png", b"\x89PNG\r\n\x1a\n and no more")
        data = self.report("--setting", "block=6x6", code=INVALID)
        self.assertEqual(len(data["pictures"]), 2)

    def test_what_is_refused(self):
        for setting, word in (("block=7x7", "7x7"), ("colour=red", "colour"), ("preset=quick", "quick")):
            self.refuse(USAGE, "report", self.path("assets"), "-o", self.path("x.html"), "--setting", setting,
                        words=(word,))
        self.refuse(IO, "report", self.path("none"), "-o", self.path("x.html"))
        self.assertNotIn("x.html", self.files())

    def write_sky(self):
        self.write("assets/sky.hdr", radiance(24, 16, lambda x, y: (200, 9 * x, 8 * y, 130)))

    def entry_of(self, data, picture, setting=0):
        """The only result of a picture with a setting."""
        (entry,) = [e for e in data["entries"] if e["setting"] == setting
                    and os.path.basename(data["pictures"][e["picture"]]["name"]) == picture]
        return entry

    def test_a_setting_that_fails_becomes_a_note(self):
        self.write_sky()
        data = self.report("--setting", "block=6x6", "--setting", "block=6x6,profile=hdr", "--exclude", "ui/**")
        self.assertEqual([os.path.basename(p["name"]) for p in data["pictures"]], ["a.png", "sky.hdr"])
        (note,) = data["notes"]
        self.assertIn("sky.hdr with block=6x6: ", note)
        sky = self.entry_of(data, "sky.hdr", setting=1)
        made = self.succeed("encode", self.path("assets", "sky.hdr"), "-o", self.path("sky.astc"), "--block", "6x6",
                            "--profile", "hdr", "--metrics", "--json").result
        self.assertEqual(sky["mpsnr"], made["mpsnr"])

    def test_a_picture_that_no_setting_can_take(self):
        self.write_sky()
        data = self.report("--setting", "format=bc1", "--setting", "block=6x6", code=UNSUPPORTED)
        self.assertEqual(len(data["pictures"]), 2)
        self.assertEqual(len(data["notes"]), 2)

    def test_results_of_another_size_are_refused(self):
        self.write("assets/a.png", png(gradient(64, 32)))
        data = self.report("--include", "a.png", "--setting", "block=4x4", "--setting",
                           "container=ktx2,cube,cube-size=16")
        self.assertEqual(len(data["entries"]), 1)
        self.assertIn("the picture's size", data["notes"][0])

    def test_rules_of_each_picture(self):
        self.write_sky()
        self.write("assets/rock_n.png", png(gradient(32, 32, seed=5)))
        self.write("assets/rock_m.png", png(gradient(32, 32, seed=6)))
        self.write("assets/tessera.json", json.dumps({"rules": [
            {"files": "*_n.png", "as": "normal", "preset": "fast"}, {"files": "*_m.png", "as": "mask"},
            {"files": "*.hdr", "profile": "hdr"}, {"files": "b.png", "yflip": True}]}).encode())
        data = self.report("--setting", "block=5x5")
        self.assertEqual((len(data["pictures"]), data["notes"]), (5, []))
        self.assertEqual([os.path.basename(path) for path in data["rules"]], ["tessera.json"])
        self.assertIn("mpsnr", self.entry_of(data, "sky.hdr"))
        self.assertNotIn("original", self.entry_of(data, "a.png"))

        normal = self.entry_of(data, "rock_n.png")
        self.succeed("encode", self.path("assets", "rock_n.png"), "-o", self.path("n.astc"), "--block", "5x5", "--as",
                     "normal", "--preset", "fast", "--no-rules")
        compared = self.succeed("compare", self.path("assets", "rock_n.png"), self.path("n.astc"), "--normal",
                                "--json").json
        self.assertAlmostEqual(normal["angle"], compared["angular_error_degrees"]["mean"])
        self.assertAlmostEqual(normal["psnr_rgb"], compared["psnr_rgb"])
        self.assertEqual(picture_of(normal["result"]).rgba()[3::4], b"\xff" * 32 * 32)

        mask = self.entry_of(data, "rock_m.png")
        shown = picture_of(mask["original"]).rgba()
        self.assertEqual(shown[0::4], gradient(32, 32, seed=6).rgba()[0::4])
        self.assertEqual((shown[1::4], shown[2::4]), (shown[0::4], shown[0::4]))

        flipped = picture_of(self.entry_of(data, "b.png")["original"])
        self.assertEqual(flipped.row(0), picture_of(data["pictures"][-1]["original"]).row(39))

        plain = self.report("--setting", "block=5x5", "--no-rules", "--include", "*_n.png")
        self.assertNotIn("angle", plain["entries"][0])
        self.assertEqual(plain["rules"], [])

    def test_defaults_of_rules_that_a_setting_cannot_have(self):
        self.write("assets/tessera.json", json.dumps({"defaults": {"block": "6x6", "rgbm": True}}).encode())
        data = self.report("--include", "a.png")
        self.assertEqual(len(data["entries"]), 3)
        self.assertIn("a.png with format=bc1: ", data["notes"][0])
        self.write("assets/tessera.json", json.dumps({"defaults": {"block": "6x6"}}).encode())
        self.assertEqual(len(self.report("--include", "a.png")["entries"]), 4)

    def browse(self, *options, seconds=4):
        """Looks at the page, after so many seconds of its own clock, or as soon as it has been loaded."""
        clock = [] if seconds is None else [f"--virtual-time-budget={1000 * seconds}"]
        with tempfile.TemporaryDirectory() as profile:
            done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
                                   f"--user-data-dir={profile}", *clock, *options,
                                   "file://" + self.path("r.html")], capture_output=True, check=False,
                                  timeout=120 * cli_support.PATIENCE)
        return done.stdout.decode()

    @unittest.skipUnless(CHROMIUM, "Chromium is not installed")
    def test_runs_in_a_browser(self):
        self.report("--setting", "block=6x6", "--setting", "block=12x12")
        document = self.browse("--dump-dom")
        self.assertIn("2 pictures, 2 settings", document)
        self.assertEqual(document.count('class="chosen"'), 3)  # a row and its dots in two charts
        self.assertEqual(len(re.findall(r'<circle cx="\d', document)), 8)
        means = re.search(r'id="means">(.*?)</table>', document, re.S).group(1)
        self.assertEqual(means.count("block="), 2)
        self.assertNotIn("NaN", document)
        self.assertGreaterEqual(len(re.findall(r"<figure.*?</figure>", document, re.S)), 2)
        self.assertIn("<canvas width=", document)  # has been drawn on

    @unittest.skipUnless(CHROMIUM, "Chromium is not installed")
    def test_columns_where_they_apply(self):
        def heads(*options):
            self.report("--setting", "block=12x12,preset=fast", *options)
            document = self.browse("--dump-dom")
            self.assertNotIn("NaN", document)
            self.assertNotIn("undefined", document.split("<script")[0])
            return [re.sub("<[^>]*>", "", head)
                    for head in re.findall(r"<th[ >].*?</th>", document.split('id="heads"')[1].split("</tr>")[0])]

        special = ["PSNR weighted by alpha, dB", "mPSNR, dB", "Angle of normals, degrees"]
        self.assertEqual([name for name in heads("--include", "a.png") if name in special], [])
        self.write_sky()
        self.write("assets/rock_n.png", png(gradient(32, 32, seed=5)))
        self.write("assets/tessera.json", json.dumps({"rules": [
            {"files": "*_n.png", "as": "normal"}, {"files": "*.hdr", "profile": "hdr"}]}).encode())
        self.assertEqual([name for name in heads() if name in special], special)

    @unittest.skipUnless(CHROMIUM, "Chromium is not installed")
    def test_pages_that_are_printed_at_once_have_all_pictures(self):
        for i in range(6):
            self.write(f"assets/more{i}.png", png(gradient(100, 90, seed=i)))
        data = self.report("--setting", "block=6x6", "--setting", "block=12x12", "--include", "more*")
        self.browse("--print-to-pdf=" + self.path("page.pdf"), seconds=None)
        pictures = read_bytes(self.path("page.pdf")).count(b"/Subtype /Image")
        self.assertGreaterEqual(pictures, 4 * len(data["entries"]))  # original, result, error, kinds of blocks

    @unittest.skipUnless(CHROMIUM, "Chromium is not installed")
    def test_what_a_browser_shows(self):
        """A picture of the page has the colours of its settings, and of the picture in the viewer."""
        self.write("assets/a.png", png(flat(48, 32, (10, 200, 30))))
        self.report("--setting", "block=6x6", "--setting", "block=12x12", "--include", "a.png")
        self.browse("--window-size=1200,1600", "--screenshot=" + self.path("shot.png"))
        shot = read_png(read_bytes(self.path("shot.png")))
        rgb = shot.rgb()
        counts = {}
        for i in range(0, len(rgb), 3):
            color = rgb[i:i + 3]
            counts[color] = counts.get(color, 0) + 1
        self.assertGreater(counts.get(bytes((10, 200, 30)), 0), 10000)  # the viewer, zoomed
        for color in ((0x1b, 0x6a, 0xc9), (0xd1, 0x49, 0x5b)):  # the legend of both settings
            self.assertGreaterEqual(counts.get(bytes(color), 0), 100)


class Inspect(CliTest):
    def setUp(self):
        super().setUp()
        self.source = self.write("p.png", png(gradient(45, 30, seed=4)))

    def inspect(self, name, *options):
        self.succeed("inspect", self.path(name), "-o", self.path("seen"), *options)
        return json.loads(read_bytes(self.path("seen", "facts.json")))

    def test_textures(self):
        for name, block in (("t.astc", (6, 6)), ("t.dds", (4, 4)), ("t.ktx2", (6, 6))):
            self.succeed("encode", self.source, "-o", self.path(name))
            facts = self.inspect(name, "--original", self.source, "--worst", 3)
            kinds = facts["kinds"]
            self.assertEqual((kinds["block_width"], kinds["block_height"]), block)
            self.assertEqual(sum(kind["count"] for kind in kinds["kinds"]), kinds["across"] * kinds["down"])
            worst = facts["worst_blocks"]
            self.assertEqual(len(worst), 3)
            self.assertGreaterEqual(worst[0]["mean_square_error"], worst[1]["mean_square_error"])
            self.assertEqual("bytes" in worst[0], name != "t.dds")
            compared = self.succeed("compare", self.source, self.path(name), "--json").json
            self.assertAlmostEqual(facts["psnr_rgb"], compared["psnr_rgb"])
            for picture in ("decoded.png", "kinds.png", "error.png"):
                seen = read_png(read_bytes(self.path("seen", picture)))
                self.assertEqual((seen.width, seen.height), (45, 30))
            colors = {tuple(int(kind["color"][i:i + 2], 16) for i in (1, 3, 5))
                      for kind in kinds["kinds"] if kind["count"]}
            rgb = read_png(read_bytes(self.path("seen", "kinds.png"))).rgb()
            self.assertEqual({tuple(rgb[i:i + 3]) for i in range(0, len(rgb), 3)}, colors)

    def test_no_error_is_black(self):
        source = self.write("flat.png", png(flat(12, 12, (40, 80, 120))))
        self.succeed("encode", source, "-o", self.path("t.astc"))
        facts = self.inspect("t.astc", "--original", source)
        self.assertEqual(facts["psnr_rgb"], 999)
        self.assertEqual(set(read_png(read_bytes(self.path("seen", "error.png"))).rgb()), {0})
        self.assertEqual(facts["kinds"]["kinds"][0], {"name": "one colour", "color": "#9aa0a6", "count": 4})

    def test_fractal_images(self):
        self.succeed("encode", self.source, "-o", self.path("t.tsf"))
        facts = self.inspect("t.tsf", "--original", self.source, "--arrows", 5)
        drawing = xml.parse(self.path("seen", "quadtree.svg")).getroot()
        space = "{http://www.w3.org/2000/svg}"
        squares = sum(path.get("d").count("M") for path in drawing.iter(space + "path")
                      if path.get("class") in ("flat", "fractal", "dct"))
        arrows = sum(path.get("class") == "arrow" for path in drawing.iter(space + "path"))
        leaves = sum(count for sizes in facts["leaves"].values() for count in sizes.values())
        self.assertLessEqual(squares, leaves)  # those of the luma
        self.assertGreater(squares, 0)
        self.assertLessEqual(arrows, 5)
        self.assertIn("error.png", self.files("seen"))

    def test_without_an_original(self):
        self.succeed("encode", self.source, "-o", self.path("t.astc"))
        facts = self.inspect("t.astc")
        self.assertEqual(self.files("seen"), ["decoded.png", "facts.json", "kinds.png"])
        self.assertNotIn("worst_blocks", facts)
        self.assertEqual(facts["blocks"]["blocks"], 40)

    def test_what_is_refused(self):
        self.succeed("encode", self.source, "-o", self.path("t.astc"))
        other = self.write("other.png", png(gradient(8, 8)))
        self.refuse(DIFFER, "inspect", self.path("t.astc"), "-o", self.path("seen"), "--original", other)
        self.refuse(INVALID, "inspect", self.source, "-o", self.path("seen"), words=("picture",))
        self.refuse(IO, "inspect", self.path("none.astc"), "-o", self.path("seen"))


if __name__ == "__main__":
    cli_support.main()
