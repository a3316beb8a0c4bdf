"""Transcoding gives the command's files."""

import unittest

import support
import tessera


class Transcode(support.FolderTest):
    def check(self, data, name, arguments="", **keywords):
        source = self.folder / "in.ktx2"
        source.write_bytes(data)
        output = self.folder / name
        support.run_command("transcode", source, "-o", output, "--quiet", *arguments.split())
        for given in (data, source, str(source)):
            self.assertEqual(tessera.transcode(given, **keywords), output.read_bytes())

    def test_gives_the_files_of_the_command(self):
        data = tessera.encode(support.photo(), "astc", "6x6", "fast", container="ktx2", mips=True)
        self.check(data, "a.dds")
        self.check(data, "b.ktx2", "--format astc --block 8x8 --preset fast", format="astc",
                   block="8x8", preset="fast", container="ktx2")
        self.check(data, "c.dds", "--source-profile srgb", source_profile="srgb")

    def test_bad_files_are_refused(self):
        with self.assertRaises(tessera.InvalidFileError):
            tessera.transcode(b"nothing")
        data = tessera.encode(support.photo(), "bc1")
        with self.assertRaises(tessera.UsageError):
            tessera.transcode(data, source_profile="x")


if __name__ == "__main__":
    unittest.main()
