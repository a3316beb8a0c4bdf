"""The programs have the protections that they are built with: read from the files themselves."""
import glob
import os
import struct
import sys
import unittest

import cli_support
from cli_support import CliTest, read_bytes

PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO = 2, 0x6474E551, 0x6474E552
EXECUTABLE = 1
DT_FLAGS, DT_FLAGS_1, DT_BIND_NOW = 30, 0x6FFFFFFB, 24
DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 8, 1, 0x08000000
ET_DYN = 3
END_BRANCH = b"\xf3\x0f\x1e\xfa"  # endbr64: where jumps may go to


class Elf:
    """A 64-bit little-endian ELF file."""

    def __init__(self, path):
        self.data = read_bytes(path)
        assert self.data[:6] == b"\x7fELF\x02\x01", path
        self.kind, self.machine = struct.unpack_from("<HH", self.data, 16)
        start, = struct.unpack_from("<Q", self.data, 32)
        size, count = struct.unpack_from("<HH", self.data, 54)
        self.segments = {}
        for i in range(count):
            kind, flags, offset, _, _, length = struct.unpack_from("<IIQQQQ", self.data,
                                                                  start + i * size)
            self.segments[kind] = (flags, offset, length)

    def dynamic(self):
        _, offset, length = self.segments[PT_DYNAMIC]
        pairs = struct.iter_unpack("<QQ", self.data[offset : offset + length // 16 * 16])
        return dict(pairs)


def programs():
    folder = os.path.dirname(cli_support.command())
    # All that is shipped, with the plug-ins and, where it was built here, the Python module.
    names = ["tessera", "tessera-astcenc", "tessera-bench", "libtessera.so",
             *sorted(name for name in os.listdir(folder) if name.endswith(".so") and
                     name.startswith("tessera_"))]
    here = [os.path.join(folder, name) for name in names
            if os.path.exists(os.path.join(folder, name))]
    return here + sorted(glob.glob(os.path.join(folder, "python", "tessera", "_native*.so")))


class Hardening(CliTest):
    def setUp(self):
        super().setUp()
        self.programs = {os.path.basename(path): Elf(path) for path in programs()}
        self.assertIn("tessera", self.programs)

    def test_the_stack_is_not_executable(self):
        for name, elf in self.programs.items():
            with self.subTest(name):
                self.assertIn(PT_GNU_STACK, elf.segments)
                self.assertEqual(elf.segments[PT_GNU_STACK][0] & EXECUTABLE, 0)

    def test_tables_of_addresses_are_read_only(self):
        for name, elf in self.programs.items():
            with self.subTest(name):
                self.assertIn(PT_GNU_RELRO, elf.segments)
                entries = elf.dynamic()
                self.assertTrue(entries.get(DT_FLAGS, 0) & DF_BIND_NOW or DT_BIND_NOW in entries or
                                entries.get(DT_FLAGS_1, 0) & DF_1_NOW)

    def test_programs_have_no_fixed_address(self):
        for name, elf in self.programs.items():
            with self.subTest(name):
                self.assertEqual(elf.kind, ET_DYN)
                if not name.endswith(".so"):
                    self.assertTrue(elf.dynamic().get(DT_FLAGS_1, 0) & DF_1_PIE)

    def test_canaries_and_checked_calls(self):
        for name, elf in self.programs.items():
            with self.subTest(name):
                self.assertIn(b"\0__stack_chk_fail\0", elf.data)
        self.assertIn(b"_chk\0", self.programs["tessera"].data.replace(b"__stack_chk_fail\0", b""))

    def test_targets_of_jumps_are_marked(self):
        for name, elf in self.programs.items():
            if elf.machine == 62:  # x86-64
                with self.subTest(name):
                    self.assertGreater(elf.data.count(END_BRANCH), 10)  # start-up code has some


if __name__ == "__main__":
    if "--hardened" not in sys.argv:
        print("SKIPPED: this build is not hardened")
        sys.exit(0)
    sys.argv.remove("--hardened")
    cli_support.main()
