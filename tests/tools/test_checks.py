"""The checks of tools/ find what they are there for, and nothing else."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_docs  # noqa: E402
import check_sizes  # noqa: E402


def function(name, lines, head="int {}(int a, int b) {{"):
    """A function's text of so many lines."""
    return head.format(name) + "\n" + "  ++a;\n" * (lines - 2) + "}\n"


class Sizes(unittest.TestCase):
    def problems(self, text, name="a.cc"):
        return list(check_sizes.problems_of(name, text))

    def lengths(self, text):
        return [(name, last - first + 1) for first, last, name in check_sizes.cpp_functions(text)]

    def test_sixty_lines_are_allowed_and_one_more_is_not(self):
        self.assertEqual(self.problems(function("f", 60)), [])
        self.assertEqual(self.problems(function("f", 61)), ["a.cc:1: f has 61 lines, more than 60"])

    def test_every_kind_of_head(self):
        for head in ("static int {}(int a) {{", "template <class T>\nvoid A<T>::{}(T a) const {{",
                     'extern "C" void {}(int a) {{', "TEST({}, Name) {{",
                     "A::{}(int a)\n    : a_{{a}}, b_{{{{1, 2}}}}, c_(3) {{",
                     "auto {}(int a) -> int {{", "__kernel void {}(__global uint* a) {{"):
            with self.subTest(head):
                text = "namespace n {\n" + function("f", 70, head) + "}\n"
                self.assertEqual(len(self.problems(text)), 1, self.lengths(text))

    def test_members_and_nested_braces(self):
        text = ("class A : public B {\n public:\n" + function("f", 5) + function("g", 61)
                + "};\nint t[] = {\n" + "  1,\n" * 100 + "};\n" + function("h", 7))
        self.assertEqual(self.lengths(text), [("f", 5), ("g", 61), ("h", 7)])

    def test_braces_in_texts_and_comments(self):
        text = "int f() {\n  // }\n  /* } */ g(\"}\", '}', R\"(\n}\n)\");\n#define A {\n}\n"
        self.assertEqual(self.lengths(text), [("f", 7)])

    def test_python(self):
        text = "def f():\n" + "    g()\n" * 60
        self.assertEqual(self.problems(text, "a.py"), ["a.py:1: f has 61 lines, more than 60"])

    def test_files(self):
        self.assertEqual(self.problems("//\n" * 500), [])
        self.assertEqual(self.problems("//\n" * 501), ["a.cc: 501 lines, more than 500"])


class Docs(unittest.TestCase):
    TREE = check_docs.Tree(
        names={"src/base/file.h", "src/base/file.cc", "docs/bc1.md", "tools/run.sh"},
        targets={"test", "lint"}, options={"--mips"})

    def test_what_is_there_may_be_cited(self):
        text = ("`src/base/file.h`, `base/file.cc`, `file.*`, `src/base/`, [here](bc1.md#part), "
                "`make test`, `tessera encode a.png -o a.dds --mips`, `*-inl.h`, `x.png`")
        self.assertEqual(list(check_docs.wrong_citations("docs/a.md", text, self.TREE)), [])

    def test_what_is_not_there(self):
        for text in ("`src/base/files.h`", "`other.cc`", "`src/bass/`", "[there](bc2.md)",
                     "`make tests`", "`encode --mipps`"):
            with self.subTest(text):
                found = list(check_docs.wrong_citations("docs/a.md", text, self.TREE))
                self.assertEqual(len(found), 1, found)

    def test_a_source_says_what_it_is_for(self):
        self.assertEqual(list(check_docs.wrong_beginning("a.cc", "// Does this.\n#include <b>\n")), [])
        self.assertEqual(len(list(check_docs.wrong_beginning("a.cc", "#include <b>\n"))), 1)

    def test_phrases(self):
        for text in ("16 bytes a block", "8 bits a pixel", "one file a verb", "once a target",
                     "two passes an image", "8 bits a sample can", "3 ms a\n// block"):
            with self.subTest(text):
                self.assertEqual(len(list(check_docs.wrong_phrases("a.cc", "// " + text + "\n"))), 1)

    def test_phrases_that_are_fine(self):
        for text in ("16 bytes per block", "bits of a pixel", "is a block", "bytes and a block",
                     "one is a block", "takes a block",
                     "once a block is done"):
            with self.subTest(text):
                self.assertEqual(list(check_docs.wrong_phrases("a.cc", "// " + text + "\n")), [])


if __name__ == "__main__":
    unittest.main()
