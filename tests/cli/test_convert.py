"""tessera convert: textures in other containers, with their blocks as they are."""
import os

import cli_support
from cli_support import INVALID, UNSUPPORTED, USAGE, read_bytes
from pictures import gradient, png
from texture_support import TextureTest
from textures import Dds


class Convert(TextureTest):
    def convert(self, source, name, *options):
        self.succeed("convert", source, "-o", self.path(name), *options)
        return self.path(name)

    def info(self, path):
        return self.succeed("info", path, "--json").json

    def pixels(self, path):
        self.succeed("decode", path, "-o", self.path("pixels.png"))
        return read_bytes(self.path("pixels.png"))

    def test_astc_there_and_back(self):
        astc = self.encode("a.astc", "--block", "5x4")
        ktx2 = self.convert(astc, "b.ktx2")
        again = self.convert(ktx2, "c.astc")
        self.assertEqual(read_bytes(again), read_bytes(astc))
        self.assertIn(read_bytes(astc)[16:], read_bytes(ktx2))
        self.assertEqual(self.info(ktx2)["block"], "5x4")

    def test_bc1_there_and_back_with_mip_levels(self):
        dds = self.encode("a.dds", "--mips")
        ktx2 = self.convert(dds, "b.ktx2", "--zstd")
        again = self.convert(ktx2, "c.dds")
        self.assertEqual(read_bytes(again), read_bytes(dds))
        self.assertEqual(self.info(ktx2)["levels"], 6)
        self.assertEqual(self.pixels(ktx2), self.pixels(dds))

    def test_settings_that_were_told_stay_told(self):
        ktx2 = self.encode("a.ktx2", "--block", "8x8", "--preset", "fast")
        packed = self.convert(ktx2, "b.ktx2", "--zstd")
        self.assertEqual(self.info(packed)["made_with"], self.info(ktx2)["made_with"])
        self.assertEqual(read_bytes(self.convert(packed, "c.ktx2")), read_bytes(ktx2))

    def test_srgb(self):
        ktx2 = self.encode("a.ktx2", "--format", "bc1", "--profile", "srgb")
        dds = self.convert(ktx2, "b.dds")
        self.assertTrue(self.info(dds)["srgb"])
        astc = self.encode("a.astc", "--profile", "srgb")
        self.assertTrue(self.info(self.convert(astc, "c.ktx2", "--source-profile", "srgb"))["srgb"])
        self.assertFalse(self.info(self.convert(astc, "d.ktx2"))["srgb"])

    def test_the_dx10_header(self):
        dds = self.encode("a.dds")
        wide = self.convert(dds, "b.dds", "--dx10")
        self.assertEqual(len(read_bytes(wide)), len(read_bytes(dds)) + 20)
        self.assertEqual(Dds(read_bytes(dds)).width, 37)

    def test_ktx_there_and_back(self):
        source = self.write("k.png", png(gradient(40, 24)))
        for options in (("--block", "5x5"), ("--format", "bc1")):
            first, middle, last = self.path("k.ktx2"), self.path("k.ktx"), self.path("again.ktx2")
            self.succeed("encode", source, "-o", first, "--mips", *options)
            self.succeed("convert", first, "-o", middle)
            self.succeed("convert", middle, "-o", last)
            infos = [self.succeed("info", path, "--json").json for path in (first, middle, last)]
            self.assertEqual({(i["format"], i["block"], i["levels"], i["srgb"]) for i in infos},
                             {(infos[0]["format"], infos[0]["block"], 6, True)})
            pictures = []
            for path in (first, middle, last):
                self.succeed("decode", path, "-o", self.path("out.ppm"), "--level", 1)
                pictures.append(read_bytes(self.path("out.ppm")))
            self.assertEqual(len(set(pictures)), 1)

    def test_texts_and_sides_go_along(self):
        source = self.encode("a.ktx2", "--yflip", "--block", "6x6", "--key", "author=me")
        keys = {"KTXorientation": "ru", "author": "me"}
        self.assertEqual(self.info(source)["keys"], keys)
        ktx = self.convert(source, "b.ktx")
        self.assertEqual(self.info(ktx)["keys"], keys)
        self.assertIn(b"KTXorientation\0S=r,T=u\0", read_bytes(ktx))
        self.assertEqual(self.info(self.convert(ktx, "c.ktx2"))["keys"], keys)
        added = self.convert(ktx, "d.ktx", "--key", "author=you", "--key", "more=1")
        self.assertEqual(self.info(added)["keys"], keys | {"author": "you", "more": "1"})
        upright = self.encode("e.ktx", "--block", "6x6")
        self.assertEqual(self.info(upright)["keys"], {"KTXorientation": "rd"})

    def test_other_sides_go_along(self):
        source = self.encode("a.ktx2", "--key", "KTXorientation=lu")
        for name in ("b.ktx", "b.ktx2"):
            self.assertEqual(self.info(self.convert(source, name))["keys"], {"KTXorientation": "lu"})
        self.succeed("transcode", source, "-o", self.path("c.ktx2"), "--block", "8x8", "--yflip")
        self.assertEqual(self.info(self.path("c.ktx2"))["keys"], {"KTXorientation": "ld"})

    def test_texts_and_sides_that_cannot_go_along_are_refused(self):
        for name, options in (("x.astc", ("--block", "6x6")), ("x.dds", ("--format", "bc1"))):
            turned = self.encode("turned.ktx2", "--yflip", *options)
            told = self.encode("told.ktx2", "--key", "author=me", *options)
            for source, word in ((turned, "KTXorientation ru"), (told, "author")):
                for verb in ("convert", "transcode"):
                    self.refuse(UNSUPPORTED, verb, source, "-o", self.path(name), words=(word,))
                self.assertFalse(os.path.exists(self.path(name)))
            self.succeed("transcode", turned, "-o", self.path(name), "--yflip")
            self.convert(self.encode("usual.ktx2", *options), "usual" + name)

    def test_folders(self):
        os.mkdir(self.path("in"))
        self.encode("in/a.astc")
        self.encode("in/b.dds", "--mips")
        result = self.succeed("convert", self.path("in"), "-o", self.path("out"), "--container",
                              "ktx2", "--json").json
        self.assertEqual([one["format"] for one in result], ["astc", "bc1"])
        self.assertEqual(self.files("out"), ["a.ktx2", "b.ktx2"])
        again = self.succeed("convert", self.path("in"), "-o", self.path("out"), "--container",
                             "ktx2", "--json").json
        self.assertEqual([one["status"] for one in again], ["unchanged"] * 2)

    def test_what_a_container_cannot_hold(self):
        levels = self.encode("a.ktx2", "--mips", "--block", "6x6")
        for source, name, word in ((levels, "b.astc", "mip"), (levels, "b.dds", "astc"),
                                   (self.encode("c.dds"), "c.astc", "bc1"),
                                   (self.encode("f.tsf"), "f.ktx2", "fractal")):
            self.refuse(UNSUPPORTED, "convert", source, "-o", self.path("x-" + name), words=(word,))
            self.assertFalse(os.path.exists(self.path("x-" + name)))

    def test_other_mistakes(self):
        astc = self.encode("a.astc")
        self.refuse(USAGE, "convert", astc, "-o", self.path("b.xyz"), words=("container",))
        self.refuse(USAGE, "convert", astc, "-o", self.path("b.ktx2"), "--block", "4x4")
        self.refuse(USAGE, "convert", astc, "-o", astc, words=("input",))
        self.refuse(INVALID, "convert", self.picture, "-o", self.path("b.ktx2"), words=("picture",))
        damaged = self.write("d.astc", read_bytes(astc)[:-5])
        self.refuse(INVALID, "convert", damaged, "-o", self.path("b.ktx2"), words=("d.astc",))
        self.assertFalse(os.path.exists(self.path("b.ktx2")))


if __name__ == "__main__":
    cli_support.main()
