"""Keys of .ktx2 files, and what is done to pictures before they are encoded."""
import shutil
import subprocess
import unittest

import cli_support
from cli_support import INVALID, USAGE, CliTest, read_bytes
from pictures import Picture, flat, gradient, png, read_png, with_alpha
from textures import psnr

ASTCENC = shutil.which("astcenc")


class Keys(CliTest):
    def test_keys_are_kept_and_told(self):
        picture = self.write("p.png", png(gradient(8, 8)))
        out, again = self.path("a.ktx2"), self.path("b.ktx2")
        self.succeed("encode", picture, "-o", out, "--key", "zebra=1=2", "--key", "Author=me")
        info = self.succeed("info", out, "--json").json
        self.assertEqual(info["keys"], {"Author": "me", "KTXorientation": "rd", "zebra": "1=2"})
        self.assertIn("Author: me", self.succeed("info", out).text)
        self.succeed("validate", out)
        self.succeed("convert", out, "-o", again, "--zstd", "--key", "zebra=3")
        self.assertEqual(self.succeed("info", again, "--json").json["keys"],
                         {"Author": "me", "KTXorientation": "rd", "zebra": "3"})
        self.succeed("transcode", out, "-o", again, "--block", "8x8")
        self.assertEqual(self.succeed("info", again, "--json").json["keys"], info["keys"])

    def test_what_says_nothing_is_not_made_to(self):
        picture = self.write("p.png", png(gradient(8, 8)))
        self.succeed("encode", picture, "-o", self.path("a.astc"))
        self.succeed("convert", self.path("a.astc"), "-o", self.path("a.ktx2"))
        self.assertNotIn("keys", self.succeed("info", self.path("a.ktx2"), "--json").json)

    def test_what_cannot_be_is_refused(self):
        picture = self.write("p.png", png(gradient(8, 8)))
        out = self.path("a.ktx2")
        self.refuse(USAGE, "encode", picture, "-o", out, "--key", "name", words=("NAME=VALUE",))
        self.refuse(USAGE, "encode", picture, "-o", out, "--key", "=x", words=("NAME=VALUE",))
        self.refuse(USAGE, "encode", picture, "-o", out, "--key", "KTXwriter=x", words=("KTXwriter",))
        self.refuse(USAGE, "encode", picture, "-o", out, "--key", "a=1", "--key", "a=2", words=("twice",))
        self.refuse(USAGE, "encode", picture, "-o", self.path("a.dds"), "--key", "a=1", words=(".ktx2",))


class Edits(CliTest):
    def encoded(self, picture, name, *options):
        path = self.write("source.png", png(picture))
        out, back = self.path(name), self.path("back.png")
        self.succeed("encode", path, "-o", out, "--block", "4x4", "--preset", "thorough", *options)
        self.succeed("decode", out, "-o", back)
        return read_png(read_bytes(back))

    def test_a_picture_is_turned_upside_down(self):
        picture = gradient(16, 12)
        turned = Picture(16, 12, 3, b"".join(picture.row(y) for y in reversed(range(12))))
        self.assertGreater(psnr(turned, self.encoded(picture, "a.ktx2", "--yflip")), 30)
        keys = self.succeed("info", self.path("a.ktx2"), "--json").json["keys"]
        self.assertEqual(keys["KTXorientation"], "ru")
        # A texture that is turned again says so.
        self.succeed("transcode", self.path("a.ktx2"), "-o", self.path("b.ktx2"), "--block", "4x4", "--yflip")
        keys = self.succeed("info", self.path("b.ktx2"), "--json").json["keys"]
        self.assertEqual(keys["KTXorientation"], "rd")

    def test_decoding_turns_back(self):
        picture = gradient(16, 12)
        self.encoded(picture, "a.ktx2", "--yflip")
        texture, back = self.path("a.ktx2"), self.path("back.png")
        self.assertIn("KTXorientation ru", self.succeed("decode", texture, "-o", back).stderr)
        self.assertTrue(self.succeed("decode", texture, "-o", back, "--json").result["upside_down"])
        self.assertFalse(self.succeed("decode", texture, "-o", back, "--yflip", "--json").result["upside_down"])
        self.assertEqual(self.succeed("decode", texture, "-o", back, "--yflip").stderr, "")
        self.assertGreater(psnr(picture, read_png(read_bytes(back))), 30)
        compared = self.succeed("compare", self.path("source.png"), texture)
        self.assertIn("a.ktx2 says that its first row is the lowest", compared.stderr)
        self.assertEqual(self.succeed("compare", texture, texture).stderr, "")
        # A texture that stands upright can be turned, too, and a picture of three channels with alpha.
        self.encoded(picture, "b.ktx2")
        self.assertNotIn("note", self.succeed("decode", self.path("b.ktx2"), "-o", back, "--yflip").stderr)
        turned = Picture(16, 12, 3, b"".join(picture.row(y) for y in reversed(range(12))))
        self.assertGreater(psnr(turned, read_png(read_bytes(back))), 30)

    def test_colours_are_multiplied_by_alpha(self):
        picture = with_alpha(flat(8, 8, (255, 128, 0)), lambda x, y: 128)
        middle = self.encoded(picture, "a.ktx2", "--premultiply").rgba()[:4]
        for found, expected in zip(middle, (188, 92, 0, 128)):
            self.assertAlmostEqual(found, expected, delta=3)
        middle = self.encoded(picture, "a.ktx2", "--premultiply", "--linear").rgba()[:4]
        for found, expected in zip(middle, (128, 64, 0, 128)):
            self.assertAlmostEqual(found, expected, delta=3)

    def test_normals_get_the_length_one(self):
        middle = self.encoded(flat(8, 8, (179, 128, 166)), "a.astc", "--normalize", "--linear").rgb()[:3]
        for found, expected in zip(middle, (230, 128, 204)):
            self.assertAlmostEqual(found, expected, delta=3)

    def test_what_cannot_be_is_refused(self):
        grey = self.write("grey.png", png(flat(8, 8, (7,))))
        faces = [self.write(f"f{i}.png", png(gradient(8, 8))) for i in range(6)]
        out = self.path("a.ktx2")
        self.refuse(INVALID, "encode", grey, "-o", out, "--normalize", words=("red, green and blue",))
        self.refuse(USAGE, "encode", *faces, "-o", out, "--cube", "--yflip", words=("cube map",))
        self.refuse(USAGE, "encode", grey, "-o", out, "--premultiply", "--mip-coverage", "0.5",
                    words=("--mip-coverage",))

    @unittest.skipUnless(ASTCENC, "no astcenc")
    def test_beside_astcenc(self):
        picture = with_alpha(gradient(32, 32), lambda x, y: 255 - 6 * x)
        path = self.write("p.png", png(picture))
        for ours, theirs, mode, profile in (("--yflip", "-yflip", "-cl", "ldr"),
                                            ("--premultiply", "-pp-premultiply", "-cl", "ldr"),
                                            ("--premultiply", "-pp-premultiply", "-cs", "srgb"),
                                            ("--normalize", "-pp-normalize", "-cl", "ldr")):
            with self.subTest(ours + " " + mode):
                decoded = []
                self.succeed("encode", path, "-o", self.path("o.astc"), "--block", "4x4", "--preset", "thorough",
                             "--profile", profile, ours)
                subprocess.run([ASTCENC, mode, path, self.path("t.astc"), "4x4", "-thorough", theirs, "-silent"],
                               check=True, capture_output=True)
                for name in ("o.astc", "t.astc"):
                    self.succeed("decode", self.path(name), "-o", self.path("b.png"), "--profile", profile)
                    decoded.append(read_png(read_bytes(self.path("b.png"))))
                self.assertGreater(psnr(*decoded, channels=4), 34)


if __name__ == "__main__":
    cli_support.main()
