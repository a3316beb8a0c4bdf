"""Rules for some of the files of a folder: tessera.toml, tessera.json, and tessera init."""
import json
import os
import shutil

import cli_support
from cli_support import (CliTest, INVALID, IO, UNSUPPORTED, USAGE, children_seconds, read_bytes,
                         run)
from pictures import gradient, png, radiance


def knows_toml(test):
    test.write("probe.png", png(gradient(4, 4)))
    test.write("probe.toml", b"[defaults]\n")
    return run("encode", test.path("probe.png"), "-o", test.path("probe.dds"), "--rules",
               test.path("probe.toml")).code != UNSUPPORTED


class RuleTest(CliTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("assets/ui"))
        self.assets = self.path("assets")
        self.output = self.path("out")
        self.write("assets/rock.png", png(gradient(12, 12)))
        self.write("assets/rock_n.png", png(gradient(12, 12, seed=1)))
        self.write("assets/ui/ok.png", png(gradient(12, 12, seed=2)))

    def rules(self, content, name="assets/tessera.json"):
        text = content if isinstance(content, str) else json.dumps(content)
        return self.write(name, text.encode())

    def info(self, name):
        return self.succeed("info", self.path("out", name), "--json").json

    def encode(self, *options):
        return self.succeed("encode", self.assets, "-o", self.output, *options)

    def refuse_rules(self, code, content, *words, name="assets/tessera.json"):
        self.rules(content, name)
        self.refuse(code, "encode", self.assets, "-o", self.output, words=words)
        self.assertFalse(os.path.exists(self.output))


class Json(RuleTest):
    content = {
        "defaults": {"container": "ktx2", "block": "8x8", "preset": "fast", "mips": True},
        "rules": [
            {"files": "*_n.png", "as": "normal", "block": "5x5"},
            {"files": ["ui/**"], "block": "4x4", "mips": False, "zstd": True},
        ],
    }

    def test_each_file_has_its_settings(self):
        self.rules(self.content)
        outcome = self.encode()
        self.assertIn("tessera.json", outcome.stderr)
        rock, normal, icon = map(self.info, ("rock.ktx2", "rock_n.ktx2", "ui/ok.ktx2"))
        self.assertEqual([one["block"] for one in (rock, normal, icon)], ["8x8", "5x5", "4x4"])
        self.assertEqual([len(one["levels"]) if isinstance(one["levels"], list) else one["levels"]
                          for one in (rock, normal, icon)], [4, 4, 1])
        self.assertIn("--as normal", json.dumps(normal))

    def test_the_bytes_are_those_of_the_options(self):
        self.rules(self.content)
        self.encode()
        one = self.path("one.ktx2")
        self.succeed("encode", self.path("assets/rock_n.png"), "-o", one, "--no-rules", "--block",
                     "5x5", "--preset", "fast", "--mips", "--as", "normal")
        self.assertEqual(read_bytes(one), read_bytes(self.path("out/rock_n.ktx2")))
        # A file that is named has the rules beside it, too.
        self.succeed("encode", self.path("assets/rock_n.png"), "-o", one)
        self.assertEqual(read_bytes(one), read_bytes(self.path("out/rock_n.ktx2")))

    def test_the_json_tells_the_settings_of_each(self):
        self.rules(self.content)
        results = self.encode("--json").json
        self.assertEqual([result["block"] for result in results], ["8x8", "5x5", "4x4"])

    def test_the_command_line_wins(self):
        self.rules(self.content)
        self.encode("--block", "6x6")
        self.assertEqual([self.info(name)["block"] for name in
                          ("rock.ktx2", "rock_n.ktx2", "ui/ok.ktx2")], ["6x6"] * 3)
        # A quality takes the place of the rules' preset.
        self.encode("--quality", "40")
        self.assertIn("--quality 40", json.dumps(self.info("rock.ktx2")))

    def test_later_rules_win(self):
        content = {"defaults": {"container": "ktx2"},
                   "rules": [{"files": "*", "block": "4x4"}, {"files": "rock*", "block": "10x10"}]}
        self.rules(content)
        self.encode()
        self.assertEqual(self.info("rock.ktx2")["block"], "10x10")
        self.assertEqual(self.info("ui/ok.ktx2")["block"], "4x4")

    def test_formats_and_containers_of_their_own(self):
        self.rules({"defaults": {"container": "ktx2"},
                    "rules": [{"files": "ui/*", "format": "bc1", "container": "dds"}]})
        self.encode()
        self.assertEqual(sorted(name for name in os.listdir(self.output) if name[0] != "."),
                         ["rock.ktx2", "rock_n.ktx2", "ui"])
        self.assertEqual(self.info("ui/ok.dds")["format"], "bc1")

    def test_a_block_size_means_astc_where_no_rule_says_more(self):
        self.rules({"rules": [{"files": "ui/*", "format": "bc1"},
                              {"files": "*_n.png", "container": "ktx2"}]})
        self.encode("--block", "4x4")
        self.assertEqual([self.info(name)["format"] for name in
                          ("rock.astc", "rock_n.ktx2", "ui/ok.dds")], ["astc", "astc", "bc1"])
        self.rules({"defaults": {"block": "8x8"}})
        shutil.rmtree(self.output)
        self.encode()
        self.assertEqual(self.info("ui/ok.astc")["block"], "8x8")

    def test_a_changed_rule_makes_its_files_again(self):
        self.rules(self.content)
        self.encode()
        self.rules({**self.content, "rules": [{"files": "*_n.png", "as": "normal", "block": "5x5"}]})
        results = self.encode("--json").json
        self.assertEqual([result["status"] for result in results],
                         ["unchanged", "unchanged", "made"])

    def test_a_file_that_is_named(self):
        path = self.rules(self.content, "elsewhere.json")
        self.encode("--rules", path)
        self.assertEqual(self.info("ui/ok.ktx2")["block"], "4x4")

    def test_no_rules(self):
        self.rules({"defaults": {"block": "12x12"}})
        self.encode("--container", "ktx2", "--no-rules")
        self.assertEqual(self.info("rock.ktx2")["block"], "6x6")

    def test_ranks(self):
        from mpi_support import has_mpi, run_ranks
        if not has_mpi() or shutil.which("mpirun") is None:
            self.skipTest("no MPI")
        self.rules(self.content)
        self.encode()
        outcome = run_ranks(2, "encode", self.assets, "-o", self.path("ranks"))
        self.assertEqual(outcome.code, 0, str(outcome))
        for name in ("rock.ktx2", "rock_n.ktx2", "ui/ok.ktx2"):
            self.assertEqual(read_bytes(self.path("ranks", name)), read_bytes(self.path("out", name)))


class Refused(RuleTest):
    def test_what_is_no_json(self):
        self.refuse_rules(INVALID, "{", "tessera.json")
        self.refuse_rules(INVALID, "[1]", "tessera.json")
        self.refuse_rules(INVALID, "\0" * 50, "tessera.json")

    def test_unknown_tables(self):
        self.refuse_rules(INVALID, {"rule": []}, "'rule'")

    def test_unknown_settings(self):
        self.refuse_rules(USAGE, {"defaults": {"blok": "4x4"}}, "defaults", "blok", "block")
        self.refuse_rules(USAGE, {"rules": [{"files": "*", "mips": "often"}]}, "rule 1", "mips")
        self.refuse_rules(INVALID, {"rules": [{"files": "*", "block": [4, 4]}]}, "rule 1", "block")

    def test_rules_without_files(self):
        self.refuse_rules(INVALID, {"rules": [{"block": "4x4"}]}, "rule 1", "files")
        self.refuse_rules(INVALID, {"rules": [{"files": []}]}, "rule 1", "files")
        self.refuse_rules(INVALID, {"defaults": {"files": "*"}}, "defaults", "files")

    def test_settings_that_the_library_refuses(self):
        content = {"defaults": {"container": "ktx2"}, "rules": [{"files": "*_n*", "block": "7x7"}]}
        self.refuse_rules(USAGE, content, "rock_n.png", "tessera.json", "7x7")

    def test_a_preset_and_a_quality(self):
        self.refuse_rules(USAGE, {"defaults": {"preset": "fast", "quality": 3}}, "preset", "quality")

    def test_defaults_that_contradict_the_command_line(self):
        self.write("assets/tessera.json", b'{"defaults": {"format": "astc", "block": "6x6"}}')
        for code, *option in ((UNSUPPORTED, "--container", "dds"), (USAGE, "--format", "bc1")):
            self.refuse(code, "encode", self.assets, "-o", self.output, *option,
                        words=("tessera.json", "--no-rules"))

    def test_a_missing_file(self):
        self.refuse(IO, "encode", self.assets, "-o", self.output, "--format", "bc1", "--rules",
                    self.path("none.toml"), words=("none.toml",))


class Hostile(RuleTest):
    """A file of rules lies beside pictures, and comes from where these come from."""

    def refuse_quickly(self, content, *words, name):
        before = children_seconds()
        self.refuse_rules(INVALID, content, name, *words, name="assets/" + name)
        self.assertLess(children_seconds() - before, 5 * cli_support.PATIENCE)

    def test_json(self):
        deep = '{"defaults": ' + "[" * 50000 + "]" * 50000 + "}"
        self.refuse_quickly(deep, "16 levels", name="tessera.json")
        self.refuse_quickly("[" * 100000, "16 levels", name="tessera.json")
        objects = '{"rules":' * 10000 + "1" + "}" * 10000
        self.refuse_quickly(objects, "16 levels", name="tessera.json")
        self.refuse_quickly(" " * (256 << 10) + "{}", "256 KiB", name="tessera.json")

    def test_toml(self):
        if not knows_toml(self):
            self.skipTest("this build knows no TOML")
        mark = '"' * 3
        for text, word in (
            ("a=" + "[" * 20000, "16 levels"),
            ("a=" + "[\n" * 20000, "16 levels"),
            ("a=" + "{a=" * 20000, "16 levels"),
            ("a" + ".a" * 100000 + "=1\n", "16 levels"),
            ("[a" + ".a" * 100000 + "]\n", "16 levels"),
            (f"a=[{mark}x{mark}\", " + "[" * 8000, "16 levels"),
            (f"a=['{mark}', \"\\\"\", " + "[" * 8000, "16 levels"),
            ("a=" + "[1," * 3 + "1," * 50000 + "]]]\n", "8192 bytes"),
            ("a={" + ",".join(f"k{i}=1" for i in range(20000)) + "}\n", "8192 bytes"),
            ("#" + "\n" * (256 << 10), "256 KiB"),
        ):
            self.refuse_quickly(text, word, name="tessera.toml")

    def test_texts_and_comments_may_hold_brackets(self):
        if not knows_toml(self):
            self.skipTest("this build knows no TOML")
        mark = '"' * 3
        self.rules('# ' + "[" * 40 + '\n[defaults]\ncontainer = "ktx2"\n[[rules]]\nfiles = ["x' +
                   "[" * 40 + '", \'' + "{" * 40 + "', " + mark + "\n" + "[" * 40 + mark +
                   ', "rock.png"]\nblock = "8x8"\n', "assets/tessera.toml")
        self.encode()
        self.assertEqual(self.info("rock.ktx2")["block"], "8x8")

    def test_without_end(self):
        self.refuse(INVALID, "encode", self.assets, "-o", self.output, "--rules", "/dev/zero",
                    words=("/dev/zero", "256 KiB"), timeout=10)


class Toml(RuleTest):
    def setUp(self):
        super().setUp()
        if not knows_toml(self):
            self.skipTest("this build knows no TOML")

    def test_the_same_as_json(self):
        self.rules('[defaults]\ncontainer = "ktx2"\nquality = 20.5 # a comment\nmips = true\n'
                   '[[rules]]\nfiles = ["ui/**", "x"]\nblock = "4x4"\n', "assets/tessera.toml")
        self.encode()
        self.assertEqual(self.info("ui/ok.ktx2")["block"], "4x4")
        self.assertIn("--quality 20.5", json.dumps(self.info("rock.ktx2")))

    def test_what_is_no_toml(self):
        for text in ('[defaults\n', 'a = = 1\n', '[defaults]\nblock = "4x4\n', "\xff\n", "=\n"):
            self.refuse_rules(INVALID, text, "tessera.toml", name="assets/tessera.toml")

    def test_init(self):
        self.succeed("init", self.assets)
        text = read_bytes(self.path("assets/tessera.toml")).decode()
        self.assertIn('"*_n.*"', text)
        self.assertIn('"**/ui/**"', text)
        self.assertNotIn("_orm", text)
        self.encode()
        self.assertEqual(self.info("ui/ok.ktx2")["block"], "4x4")
        self.assertIn("--as normal", json.dumps(self.info("rock_n.ktx2")))
        self.assertIn("--as color", json.dumps(self.info("rock.ktx2")))

    def test_init_knows_light(self):
        """Values above 1 are refused by uses of low dynamic range."""
        self.write("assets/sky.hdr", radiance(8, 8, lambda x, y: (200, 100, 20 * x, 132)))
        self.write("assets/ground_n.hdr", radiance(8, 8, lambda x, y: (128, 128, 255, 128)))
        self.succeed("init", self.assets)
        self.encode()
        self.assertIn("--as hdr", json.dumps(self.info("sky.ktx2")))
        self.assertIn("--as normal", json.dumps(self.info("ground_n.ktx2")))

    def test_init_knows_normals_by_other_names(self):
        names = ("Rock_N", "NormalMap", "Wall_Normal", "floor_normals", "normal_dx")
        for name in names:
            self.write(f"assets/{name}.png", png(gradient(8, 8)))
        self.succeed("init", self.assets)
        self.encode()
        for name in names:
            self.assertIn("--as normal", json.dumps(self.info(name + ".ktx2")), name)

    def test_init_keeps_what_is_there(self):
        self.rules("", "assets/tessera.toml")
        self.refuse(USAGE, "init", self.assets, words=("tessera.toml", "--force"))
        self.assertEqual(read_bytes(self.path("assets/tessera.toml")), b"")
        self.succeed("init", self.assets, "--force")

    def test_init_of_nothing(self):
        self.refuse(IO, "init", self.path("none"), words=("none",))
        os.mkdir(self.path("empty"))
        self.refuse(IO, "init", self.path("empty"), words=("pictures",))
        self.assertEqual(os.listdir(self.path("empty")), [])

    def test_init_where_names_tell_nothing(self):
        os.mkdir(self.path("plain"))
        self.write("plain/a.png", png(gradient(4, 4)))
        self.succeed("init", self.path("plain"))
        self.succeed("encode", self.path("plain"), "-o", self.output)
        self.assertIn("# [[rules]]", read_bytes(self.path("plain/tessera.toml")).decode())


if __name__ == "__main__":
    cli_support.main()
