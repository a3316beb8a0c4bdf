"""Runs the examples of docs/python.md and of the package's own documentation."""

import doctest
import inspect
import os
import re
import unittest

import support
import tessera


class Examples(support.FolderTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def run_examples(self, text, name):
        test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
        self.assertGreater(len(test.examples), 0)
        report = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(test, out=report.append)
        self.assertEqual(runner.failures, 0, "".join(report))

    def test_page(self):
        page = (support.ROOT / "docs" / "python.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 5)
        self.assertEqual([block for block in blocks if not block.startswith(">>>")], [])
        self.run_examples("\n".join(blocks), "docs/python.md")

    def test_lines_of_the_page_about_the_library(self):
        page = (support.ROOT / "docs" / "library.md").read_text()
        lines = re.findall(r"^    (.*)$", page.split("## Python")[1], re.MULTILINE)
        tessera.write("photo.png", tessera.sample("photo", 48, 32))
        exec("\n".join(lines), {})  # pylint: disable=exec-used
        self.assertEqual(tessera.info("photo.ktx2")["format"], "astc")

    def test_package(self):
        self.run_examples(tessera.__doc__, "tessera")

    def test_everything_has_a_docstring(self):
        for name in tessera.__all__:
            thing = getattr(tessera, name)
            self.assertTrue(inspect.getdoc(thing), name)
            for member, value in vars(thing).items() if inspect.isclass(thing) else ():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    self.assertTrue(inspect.getdoc(value), f"{name}.{member}")

    def test_page_names_everything(self):
        page = (support.ROOT / "docs" / "python.md").read_text()
        self.assertEqual([name for name in tessera.__all__ if f"`{name}" not in page], [])


if __name__ == "__main__":
    unittest.main()
