"""tessera encode, transcode and decode: whole folders, patterns and lists."""
import os
import shutil

import cli_support
from cli_support import (CliTest, INVALID, IO, USAGE, devices_of, read_bytes, run,
                         write_bytes)
from pictures import flat, gradient, png, ppm

INDEX = ".tessera-index"


class FolderTest(CliTest):
    """A small folder of pictures, with folders in it."""

    def setUp(self):
        super().setUp()
        for name in ("assets/ui/icons", "assets/rocks", "assets/.hidden"):
            os.makedirs(self.path(name))
        self.names = ["a", "rocks/rock", "rocks/rock_n", "ui/icons/ok", "ui/panel"]
        self.write("assets/a.png", png(gradient(8, 8)))
        self.write("assets/rocks/rock.PNG", png(gradient(13, 9, seed=1)))
        self.write("assets/rocks/rock_n.png", png(gradient(9, 13, seed=2)))
        self.write("assets/ui/icons/ok.ppm", ppm(gradient(5, 5, seed=3)))
        self.write("assets/ui/panel.png", png(gradient(16, 4, seed=4)))
        self.write("assets/readme.txt", b"no picture")
        self.write("assets/.hidden/secret.png", png(gradient(4, 4)))
        self.write("assets/.thumb.png", png(gradient(4, 4)))
        self.assets = self.path("assets")
        self.output = self.path("out")

    def tree(self, name="out"):
        """The files of a folder and of those in it, without the index."""
        found = []
        for folder, _, names in os.walk(self.path(name)):
            found += [os.path.relpath(os.path.join(folder, one), self.path(name)) for one in names
                      if one != INDEX]
        return sorted(found)

    def contents(self, name="out"):
        return {one: read_bytes(self.path(name, one)) for one in self.tree(name)}

    def encode(self, *options, inputs=None, **keywords):
        return self.succeed("encode", *(inputs or [self.assets]), "-o", self.output, *options,
                            **keywords)

    def with_extension(self, extension, names=None):
        return sorted(name + extension for name in names or self.names)



class OnADevice(FolderTest):
    def test_several_files_at_once_give_the_bytes_of_the_cpu(self):
        for kind, formats in (("opencl", ("bc1",)), ("cuda", ("astc", "bc1"))):
            if not devices_of(kind):
                continue
            for name in formats:
                with self.subTest(kind + ", " + name):
                    for backend, more in (("cpu", ()), (kind, ("--device", "0"))):
                        self.succeed("encode", self.assets, "-o", self.path(name + backend),
                                     "--format", name, "--backend", backend, *more, "--threads",
                                     "4", timeout=120)
                    self.assertEqual(self.contents(name + kind), self.contents(name + "cpu"))
                    self.assertEqual(len(self.tree(name + kind)), len(self.names))

class Structure(FolderTest):
    def test_the_structure_is_kept(self):
        self.encode("--format", "bc1")
        self.assertEqual(self.tree(), self.with_extension(".dds"))

    def test_the_bytes_are_those_of_single_files(self):
        self.encode("--container", "ktx2", "--block", "6x6", "--mips", "--preset", "fast")
        self.assertEqual(self.tree(), self.with_extension(".ktx2"))
        for source, name in (("a.png", "a"), ("rocks/rock.PNG", "rocks/rock"),
                             ("ui/icons/ok.ppm", "ui/icons/ok")):
            self.succeed("encode", self.path("assets", source), "-o", self.path("one.ktx2"),
                         "--block", "6x6", "--mips", "--preset", "fast")
            self.assertEqual(read_bytes(self.path("one.ktx2")),
                             read_bytes(self.path("out", name + ".ktx2")), name)

    def test_a_container_alone_is_enough(self):
        self.encode("--container", "ktx2", "--mips", "--zstd")
        info = self.succeed("info", self.path("out/a.ktx2"), "--json").json
        self.assertEqual((info["format"], info["block"]), ("astc", "6x6"))

    def test_a_block_size_means_astc(self):
        self.encode("--block", "8x8")
        self.assertEqual(self.tree(), self.with_extension(".astc"))
        self.refuse(USAGE, "encode", self.assets, "-o", self.output, "--preset", "fast",
                    words=["say the format with --format"])

    def test_threads_change_nothing(self):
        self.encode("--container", "ktx2", "--block", "5x5", "--threads", 1)
        one = self.contents()
        for threads in (2, 7):
            shutil.rmtree(self.output)
            self.encode("--container", "ktx2", "--block", "5x5", "--threads", threads)
            self.assertEqual(self.contents(), one)

    def test_json_is_in_the_order_of_the_names(self):
        results = self.encode("--format", "bc1", "--json").json
        self.assertEqual([os.path.relpath(result["output"], self.output) for result in results],
                         [name + ".dds" for name in self.names])

    def test_a_folder_and_a_file(self):
        extra = self.write("extra.png", png(gradient(4, 4)))
        self.encode("--format", "bc1", inputs=[self.assets, extra])
        self.assertEqual(self.tree(), self.with_extension(".dds", self.names + ["extra"]))

    def test_there_and_back(self):
        self.encode("--format", "bc1")
        self.succeed("decode", self.output, "-o", self.path("back"), "--as", "ppm")
        self.assertEqual(self.tree("back"), self.with_extension(".ppm"))
        self.succeed("decode", self.path("out/a.dds"), "-o", self.path("one.ppm"))
        self.assertEqual(read_bytes(self.path("one.ppm")), read_bytes(self.path("back/a.ppm")))

    def test_decoding_beside_the_textures(self):
        self.encode("--format", "bc1")
        self.succeed("decode", self.output, "-o", self.output)
        self.assertEqual(self.tree(), sorted(self.with_extension(".dds") +
                                             self.with_extension(".png")))

    def test_transcoding(self):
        self.encode("--format", "astc", "--block", "4x4")
        self.succeed("transcode", self.output, "-o", self.path("bc"), "--format", "bc1")
        self.assertEqual(self.tree("bc"), self.with_extension(".dds"))

    def test_outputs_within_the_inputs_are_no_inputs(self):
        self.encode("--format", "bc1")
        for _ in range(2):
            self.succeed("transcode", self.output, "-o", self.path("out/small"), "--container",
                         "ktx2", "--block", "8x8")
            self.assertEqual(self.tree("out/small"), self.with_extension(".ktx2"))

    def test_links_to_folders_are_not_followed(self):
        os.symlink(self.assets, self.path("assets/again"))
        self.encode("--format", "bc1")
        self.assertEqual(self.tree(), self.with_extension(".dds"))

    def test_a_broken_picture_among_them(self):
        self.write("assets/ui/broken.png", b"\x89PNG\r\n\x1a\nand nothing else")
        outcome = run("encode", self.assets, "-o", self.output, "--format", "bc1")
        self.assertEqual(outcome.code, INVALID)
        self.assert_one_sentence(outcome, "broken.png")
        self.assertEqual(self.tree(), self.with_extension(".dds"))


class Patterns(FolderTest):
    def check(self, names, *options):
        shutil.rmtree(self.output, ignore_errors=True)
        self.encode("--format", "bc1", *options)
        self.assertEqual(self.tree(), self.with_extension(".dds", names))

    def test_include(self):
        self.check(["a", "rocks/rock_n", "ui/panel"], "--include", "*.png")
        self.check(["ui/icons/ok", "ui/panel"], "--include", "ui/**")
        self.check(["ui/panel"], "--include", "ui/*")
        self.check(["rocks/rock", "rocks/rock_n"], "--include", "**/rock*")
        self.check(["rocks/rock", "ui/icons/ok"], "--include", "rock.*", "--include", "**/icons/*")

    def test_exclude(self):
        self.check(["a", "rocks/rock", "ui/icons/ok", "ui/panel"], "--exclude", "*_n.*")
        self.check(["a", "rocks/rock", "rocks/rock_n"], "--exclude", "ui/**")
        self.check(["ui/panel"], "--include", "ui/**", "--exclude", "**/icons/**")

    def test_characters(self):
        self.check(["a"], "--include", "[a-c].png")
        self.check(["a"], "--include", "?.png")
        self.check(["rocks/rock_n", "ui/panel"], "--include", "[!a].*", "--include", "*[nl].png")

    def test_named_files_too(self):
        self.encode("--format", "bc1", "--exclude", "*_n.png",
                    inputs=[self.path("assets/a.png"), self.path("assets/rocks/rock_n.png")])
        self.assertEqual(self.tree(), ["a.dds"])

    def test_nothing_is_left(self):
        self.refuse(IO, "encode", self.assets, "-o", self.output, "--format", "bc1", "--include",
                    "*.gif", words=("pictures", "patterns"))
        self.assertFalse(os.path.exists(self.output))

    def test_a_pattern_that_means_no_picture(self):
        outcome = run("encode", self.assets, "-o", self.output, "--format", "bc1", "--include",
                      "*.txt")
        self.assertEqual(outcome.code, INVALID)
        self.assert_one_sentence(outcome, "readme.txt")

    def test_many_stars_take_no_time(self):
        self.write("assets/" + "a" * 200 + ".png", png(gradient(4, 4)))
        self.refuse(IO, "encode", self.assets, "-o", self.output, "--format", "bc1", "--include",
                    "*a" * 60 + "b", words=("patterns",), timeout=10)


class Lists(FolderTest):
    def test_a_list(self):
        text = f"# pictures\n{self.path('assets/a.png')}\n\n{self.path('assets/ui')}\r\n"
        listed = self.write("list.txt", text.encode())
        self.encode("--format", "bc1", inputs=["@" + listed])
        self.assertEqual(self.tree(), ["a.dds", "icons/ok.dds", "panel.dds"])

    def test_a_missing_list(self):
        self.refuse(IO, "encode", "@" + self.path("none.txt"), "-o", self.output, "--format", "bc1",
                    words=("none.txt",))

    def test_a_list_of_itself(self):
        listed = self.path("list.txt")
        write_bytes(listed, f"@{listed}\n".encode())
        self.refuse(USAGE, "encode", "@" + listed, "-o", self.output, "--format", "bc1",
                    words=("list.txt",))

    def test_a_picture_as_list(self):
        self.refuse(INVALID, "encode", "@" + self.path("assets/a.png"), "-o", self.output,
                    "--format", "bc1", words=("list",))

    def test_a_line_that_names_nothing(self):
        listed = self.write("list.txt", b"missing.png\n")
        self.refuse(IO, "encode", "@" + listed, "-o", self.output, "--format", "bc1",
                    words=("missing.png",))
        self.assertFalse(os.path.exists(self.output))


class Refused(FolderTest):
    def check(self, code, *arguments, words=()):
        self.refuse(code, *arguments, words=words)
        self.assertFalse(os.path.exists(self.output))

    def test_one_container_cannot_hold_several(self):
        other = self.write("b.png", png(gradient(4, 4)))
        for name in ("arr.ktx2", "arr.dds", "arr.astc"):
            output = self.path(name)
            for inputs in ([self.path("assets/a.png"), other], [self.assets]):
                self.refuse(USAGE, "encode", *inputs, "-o", output, words=(name, "one file"))
                self.refuse(USAGE, "encode", *inputs, "-o", output, "--format", "astc",
                            words=(name, "one file"))
                self.assertFalse(os.path.exists(output))

    def test_one_picture_cannot_hold_several(self):
        self.encode("--format", "bc1")
        self.refuse(USAGE, "decode", self.output, "-o", self.path("all.png"),
                    words=("all.png", "one file"))
        self.assertFalse(os.path.exists(self.path("all.png")))

    def test_a_slash_makes_a_folder_of_any_name(self):
        self.succeed("encode", self.assets, "-o", self.path("arr.ktx2/"), "--block", "6x6",
                     "--container", "ktx2")
        self.assertEqual(self.tree("arr.ktx2"), self.with_extension(".ktx2"))

    def test_two_inputs_for_one_output(self):
        self.write("assets/ui/panel.ppm", ppm(gradient(4, 4)))
        self.check(USAGE, "encode", self.assets, "-o", self.output, "--format", "bc1",
                   words=("panel.dds", "panel.png", "panel.ppm"))

    def test_a_folder_without_pictures(self):
        os.mkdir(self.path("empty"))
        self.check(IO, "encode", self.path("empty"), "-o", self.output, "--format", "bc1",
                   words=("empty", "pictures"))
        self.check(IO, "decode", self.assets, "-o", self.output, words=("assets", "textures"))

    def test_a_container_that_cannot_hold_the_format(self):
        self.check(5, "encode", self.assets, "-o", self.output, "--format", "bc1", "--container",
                   "astc", words=("bc1",))
        self.check(5, "encode", self.assets, "-o", self.output, "--container", "astc", "--mips",
                   words=("mip",))

    def test_a_container_and_a_name_that_disagree(self):
        self.check(USAGE, "encode", self.path("assets/a.png"), "-o", self.path("a.dds"),
                   "--container", "ktx2", words=("a.dds", "ktx2"))

    def test_a_folder_that_cannot_be_read(self):
        if os.geteuid() == 0:
            self.skipTest("root reads everything")
        os.chmod(self.path("assets/ui"), 0)
        self.addCleanup(os.chmod, self.path("assets/ui"), 0o700)
        self.check(IO, "encode", self.assets, "-o", self.output, "--format", "bc1")


class Unchanged(FolderTest):
    """A second run makes what would come out otherwise, and nothing else."""

    options = ("--container", "ktx2", "--block", "6x6", "--preset", "fast")

    def made(self, *options, extra=()):
        """The names of the outputs that a run makes."""
        results = self.encode(*(options or self.options), "--json", *extra).json
        names = [os.path.relpath(result["output"], self.output) for result in results]
        self.assertEqual(len(names), len(self.names))
        kept = [(result["status"] == "unchanged") for result in results]
        return [name for name, is_kept in zip(names, kept) if not is_kept]

    def times(self):
        return {name: os.stat(self.path("out", name)).st_mtime_ns for name in self.tree()}

    def test_nothing_is_made_twice(self):
        self.assertEqual(len(self.made()), 5)
        before = self.times()
        self.assertEqual(self.made(), [])
        self.assertEqual(self.times(), before)

    def test_a_changed_source(self):
        self.made()
        self.write("assets/ui/panel.png", png(gradient(16, 4, seed=9)))
        self.assertEqual(self.made(), ["ui/panel.ktx2"])
        self.assertEqual(self.made(), [])

    def test_a_source_that_was_only_touched(self):
        self.made()
        os.utime(self.path("assets/a.png"), (1, 1))
        self.assertEqual(self.made(), [])

    def test_other_settings(self):
        self.made()
        for option in (("--block", "5x5"), ("--preset", "realtime"), ("--zstd",), ("--mips",),
                       ("--quality", "30"), ("--linear",), ("--profile", "srgb")):
            options = ("--container", "ktx2", "--block", "6x6", "--preset", "fast")
            if option[0] in options:
                place = options.index(option[0])
                options = options[:place] + option + options[place + 2:]
            elif option[0] == "--quality":
                options = options[:4] + option
            else:
                options = options + option
            self.assertEqual(len(self.made(*options)), 5, option)
            self.assertEqual(self.made(*options), [], option)

    def test_outputs_that_are_not_as_they_were(self):
        self.made()
        os.remove(self.path("out/a.ktx2"))
        with open(self.path("out/ui/panel.ktx2"), "r+b") as file:
            file.truncate(90)
        with open(self.path("out/rocks/rock.ktx2"), "r+b") as file:
            file.seek(-3, os.SEEK_END)
            file.write(b"\1\2\3")
        self.assertEqual(self.made(), ["a.ktx2", "rocks/rock.ktx2", "ui/panel.ktx2"])

    def test_every_container(self):
        for options in (("--format", "bc1"), ("--format", "astc"), ("--format", "fractal")):
            shutil.rmtree(self.output, ignore_errors=True)
            self.assertEqual(len(self.made(*options)), 5, options)
            self.assertEqual(self.made(*options), [], options)

    def test_decoding(self):
        self.encode(*self.options)
        first = self.succeed("decode", self.output, "-o", self.path("back"), "--json").json
        self.assertEqual(first[0]["status"], "made")
        for options, is_kept in (((), True), (("--as", "tga"), False), (("--samples", "16-bit"), False),
                                 (("--samples", "16-bit"), True)):
            results = self.succeed("decode", self.output, "-o", self.path("back"), "--json",
                                   *options).json
            self.assertEqual([(result["status"] == "unchanged") for result in results], [is_kept] * 5)

    def test_force(self):
        self.made()
        self.assertEqual(len(self.made(extra=["--force"])), 5)

    def test_metrics_need_the_work(self):
        self.made()
        results = self.encode(*self.options, "--metrics", "--json").json
        self.assertTrue(all("psnr_rgb" in result for result in results))

    def test_a_dry_run_writes_nothing(self):
        results = self.encode(*self.options, "--dry-run", "--json").json
        self.assertEqual([result["status"] for result in results], ["planned"] * 5)
        self.assertFalse(os.path.exists(self.output))
        self.made()
        self.write("assets/a.png", png(gradient(8, 8, seed=7)))
        before = self.contents()
        results = self.encode(*self.options, "--dry-run", "--json").json
        self.assertEqual([result["status"] for result in results],
                         ["planned"] + ["unchanged"] * 4)
        self.assertEqual(self.contents(), before)
        text = self.encode(*self.options, "--dry-run").text
        self.assertIn("would be made", text)
        self.assertIn("unchanged", text)

    def test_an_index_that_is_damaged_costs_time_and_nothing_else(self):
        self.made()
        good = self.contents()
        index = read_bytes(self.path("out", INDEX))
        for damaged in (b"", b"\0" * 100, index[:-7], index.replace(b"\t", b" "), b"1\t2\n" * 5,
                        index[:40] + b"\n" + index[40:]):
            write_bytes(self.path("out", INDEX), damaged)
            self.made()
            self.assertEqual(self.contents(), good)
            self.assertEqual(self.made(), [])

    def test_names_with_anything_in_them(self):
        for name in ("tab\tin it", "line\nbreak", "per%cent", "%09", "ä ö"):
            self.write("assets/" + name + ".png", png(gradient(4, 4)))
            self.names.append(name)
        self.assertEqual(len(self.made()), 10)
        self.assertEqual(self.made(), [])

    def test_the_index_stays_short(self):
        for i in range(30):
            self.write("assets/a.png", png(gradient(8, 8, seed=i)))
            self.encode("--format", "bc1", "--force", "--quiet")
        self.assertLess(read_bytes(self.path("out", INDEX)).count(b"\n"), 130)

    def test_resume_is_what_folders_do(self):
        self.made(*self.options, "--resume")
        self.assertEqual(self.made(*self.options, "--resume"), [])
        self.refuse(USAGE, "encode", self.assets, "-o", self.output, *self.options, "--resume",
                    "--force", words=("--resume", "--force"))
        self.refuse(USAGE, "encode", self.path("assets/a.png"), "-o", self.path("a.ktx2"),
                    "--resume", words=("folder",))

    def test_one_file_is_always_made(self):
        output = self.path("a.dds")
        for _ in range(2):
            result = self.succeed("encode", self.path("assets/a.png"), "-o", output, "--json").result
            self.assertEqual(result["status"], "made")
        self.assertFalse(os.path.exists(self.path(INDEX)))


class Memory(FolderTest):
    def test_files_at_the_same_time_share_what_one_may_take(self):
        os.mkdir(self.path("large"))
        for i in range(6):
            self.write(f"large/{i}.png", png(flat(1600, 1000, (i, 2 * i, 200))))
        words = ("encode", self.path("large"), "-o", self.output, "--format", "bc1", "--preset",
                 "realtime", "--threads", 7)
        self.succeed(*words, "--max-memory", "40M")
        one = self.contents()
        self.assertEqual(len(one), 6)
        self.succeed(*words, "--force")
        self.assertEqual(self.contents(), one)
        outcome = run(*words, "--force", "--max-memory", "20M", "--mips")
        self.assertEqual(outcome.code, 4)
        self.assertEqual(outcome.stderr.count("--max-memory"), 6)


class Killed(FolderTest):
    """A run that is killed at any moment is gone on with, and gives the same bytes."""

    THREADS = 2  # each makes one file at a time, however many cores there are

    def test_at_many_moments(self):
        os.mkdir(self.path("many"))
        for i in range(24):
            self.write(f"many/{i:02}.png", png(gradient(40, 40, seed=i)))
        words = ("encode", self.path("many"), "-o", self.output, "--container", "ktx2", "--block",
                 "4x4", "--preset", "exhaustive", "--threads", self.THREADS)
        self.succeed(*words)
        good = self.contents()
        for moment in range(12):
            shutil.rmtree(self.output)
            process = self.start(*words)
            while process.poll() is None and len(self.tree()) < 2 * moment:
                pass
            process.kill()
            process.communicate()
            complete = self.contents()
            for name, content in complete.items():
                self.assertEqual(content, good[name])
            results = self.succeed(*words, "--json").json
            kept = [result for result in results if (result["status"] == "unchanged")]
            # Each thread's last output may be there without its line in the index.
            self.assertGreaterEqual(len(kept), len(complete) - self.THREADS)
            self.assertEqual(self.contents(), good)
        self.assertTrue(kept)  # of the last moment, by which 22 outputs were there


if __name__ == "__main__":
    cli_support.main()
