"""jsonheal explain: what it shows and where, in every form, and that nothing untrusted gets through.

The layout is fixed by tests/cli/explain_cases.json: each case has the input (a surrogate U+DCxx stands for the byte xx), the
arguments, the columns of the terminal, the exit code and the lines that are printed. `explain.py --write` writes what the tool
prints now into that file: look at every difference before you keep it.
"""
import fcntl
import html.parser
import os
import pathlib
import pty
import random
import re
import struct
import subprocess
import sys
import termios
import unicodedata

from tool import *

CASES = pathlib.Path(__file__).with_name("explain_cases.json")


def explain(text, *arguments, columns=80, **environment):
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    env = {**os.environ, "COLUMNS": str(columns), **environment}
    p = subprocess.run([TOOL, "explain", *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    assert p.stderr == b"", p.stderr
    return p.returncode, p.stdout.decode("utf-8")


def columns_of(text):
    """The columns that a terminal gives a text, told by the database of Python."""
    width = 0
    for c in text:
        if unicodedata.category(c) not in ("Mn", "Me"):
            width += 2 if unicodedata.east_asian_width(c) in "WF" else 1
    return width


class Layout(unittest.TestCase):
    def test_cases(self):
        cases = json.loads(CASES.read_text(encoding="utf-8"))
        self.assertGreater(len(cases), 30)
        for case in cases:
            with self.subTest(case["name"]):
                code, out = explain(case["input"], *case["arguments"], columns=case["columns"])
                self.assertEqual((code, out.splitlines()), (case["code"], case["output"]))

    def test_marks_stand_under_their_place(self):
        pieces = ["a", "é", "e\u0301", "名", "ｱ", "Ａ", "👍", "म", "ן", " ", "\t", "z\u0300\u0301", "あ", "\u1100"]
        source = random.Random(7)
        for _ in range(60):
            before = "".join(source.choice(pieces) for _ in range(source.randrange(12)))
            lines = explain('["' + before.replace("\t", "") + '\\q"]', columns=120)[1].splitlines()
            shown = next(i for i, line in enumerate(lines) if line.startswith(" 1 │"))
            text, marks = lines[shown][4:], lines[shown + 1][4:]
            self.assertEqual(columns_of(text[: text.index("\\q")]), marks.index("^"), lines)

    def test_rows_fit_the_terminal(self):
        for sample in sorted(pathlib.Path("examples/replies").glob("*.txt")):
            for columns in (40, 80, 200):
                for line in explain(sample.read_bytes(), columns=columns)[1].splitlines():
                    self.assertLessEqual(columns_of(line), columns, (sample, line))

    def test_long_lines_are_bounded(self):
        code, out = explain('["' + "x" * 1_000_000 + '", True]')
        self.assertLess(len(out), 2000)
        code, out = explain('["' + "x" * 1_000_000 + '", True]', "--format", "html")
        self.assertLess(len(out), 20_000)

    def test_many_edits_are_bounded(self):
        text = "[" + "'a',\n" * 50_000 + "]"
        code, out = explain(text)
        self.assertLess(len(out), 20_000)
        self.assertTrue(out.endswith("99 901 more edits, from line 51 on; --all shows all.\n"), out[-200:])
        self.assertEqual(explain(text, "--all")[1].count("quote_style"), 50_000)
        self.assertIn("99 901 more edits, from line 51 on", explain(text, "--format", "html")[1])


class Safety(unittest.TestCase):
    # ESC, C1 controls, bidirectional controls, invisible characters, bytes that are no characters.
    NASTY = [bytes([i]) for i in range(256) if i != 10] + [chr(c).encode() for c in (0x85, 0x9B, 0xAD, 0x61C, 0x200B, 0x200D, 0x200E,
             0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069, 0xFEFF, 0xE0041, 0x10FFFF, 0xFFF9)] + [b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80"]

    def check(self, out):
        for c in out:
            self.assertTrue(c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp", "Co", "Cn"), hex(ord(c)))

    def test_nothing_raw_in_any_place(self):
        strings, keys = (b",".join(quote + nasty + quote for nasty in self.NASTY) for quote in (b'"', b"'"))
        between, bare = (middle.join(self.NASTY) for middle in (b" ", b""))
        for text in (b"[" + strings + b"]", b"{" + keys.replace(b",", b":1,") + b":1}", b"[1" + between + b"2]", between + b"{a:1}\n" + bare, bare):
            for form in ("plain", "html"):
                self.check(explain(text, "--all", "--format", form)[1].replace("\t", " "))

    def test_garbage(self):
        source = random.Random(3)
        for size in (1, 100, 5000):
            for _ in range(10):
                data = source.randbytes(size)
                self.check(explain(data, columns=40)[1])
                self.check(explain(b'{"a": "' + data, "--all")[1])

    def test_a_file_name_is_untrusted_too(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a\x1b[31m<b>\u202e.txt")
            with open(path, "w", encoding="utf-8") as f:
                f.write(BROKEN)
            for form in ("plain", "html"):
                code, out, err = run("explain", "--format", form, path)
                self.check(out)
                self.assertNotIn("<b>\u202e", out)


class Colors(unittest.TestCase):
    def on_terminal(self, columns, *arguments, **environment):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
        p = subprocess.Popen([TOOL, "explain", *arguments], stdin=subprocess.PIPE, stdout=slave, env={**env, "TERM": "xterm", **environment})
        os.close(slave)
        p.stdin.write(b"{'a': undefined, b: 1}")
        p.stdin.close()
        out = b""
        try:
            while piece := os.read(master, 4096):
                out += piece
        except OSError:  # the other end is closed
            pass
        os.close(master)
        self.assertEqual(p.wait(), 0)
        return out.decode()

    def test_when_there_are_colors(self):
        self.assertIn("\x1b[", self.on_terminal(80))
        self.assertNotIn("\x1b", self.on_terminal(80, NO_COLOR="1"))
        self.assertNotIn("\x1b", self.on_terminal(80, TERM="dumb"))
        self.assertNotIn("\x1b", self.on_terminal(80, "--color", "never"))
        self.assertIn("\x1b[", self.on_terminal(80, "--color", "always", NO_COLOR="1"))
        self.assertNotIn("\x1b", explain(BROKEN)[1])
        self.assertIn("\x1b[", explain(BROKEN, "--color", "always")[1])

    def test_colors_change_nothing_else(self):
        text = "{'a': undefined,,\n\x1b b: 1}"
        self.assertEqual(re.sub(r"\x1b\[[0-9;]*m", "", explain(text, "--color", "always")[1]), explain(text)[1])

    def test_the_width_is_that_of_the_terminal(self):
        for columns in (40, 60):
            lines = self.on_terminal(columns, NO_COLOR="1").splitlines()
            self.assertLessEqual(max(map(columns_of, lines)), columns)
            self.assertGreater(max(map(columns_of, lines)), columns - 15)

    def test_each_risk_has_its_color(self):
        colors = {re.search(r"\x1b\[(\d+)m[~^-]", explain(text, "--color", "always")[1])[1]
                  for text in ("[1,]", '{"a" 1}', '{"a":,"b":1}', '["\udcff"]')}
        self.assertEqual(len(colors), 4)


class Page(html.parser.HTMLParser):
    VOID = {"meta", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], ""

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text += data


class Html(unittest.TestCase):
    def page(self, text, *arguments):
        out = explain(text, "--format", "html", *arguments)[1]
        page = Page()
        page.feed(out)
        page.close()
        self.assertEqual(page.open, [])
        return page, out

    def test_it_stands_alone(self):
        page, out = self.page("{'a': True,\n<script src='http://x'>alert(1)</script>&amp;\"")
        self.assertEqual({"script", "link", "img", "iframe", "a"} & set(page.tags), set())
        self.assertEqual([a for a in page.attributes if a[0] in ("src", "href") or a[0].startswith("on")], [])
        self.assertNotIn("url(", out)
        self.assertIn("prefers-color-scheme: dark", out)

    def test_the_text_with_its_edits(self):
        page, out = self.page("{'a': \"<b>&'\", c: None}")
        self.assertIn("&lt;b&gt;&amp;&#39;", out)
        self.assertIn('<del class="exact">None</del><ins class="exact">null</ins>', out)
        self.assertIn("Healed with 5 edits, all exact.", page.text)
        self.assertIn("literal_style", page.text)

    def test_folds_can_be_opened(self):
        page, out = self.page("[\n" + "".join(f"{i},\n" for i in range(40)) + "True]")
        self.assertIn("details", page.tags)
        self.assertIn("40 lines without a change", page.text)
        for i in range(40):
            self.assertIn(f"<span>{i},</span>", out)

    def test_every_verdict(self):
        for text, said in ((WHOLE, "Already valid JSON"), (CUT, "cut off"), (HOPELESS, "Refused"), ("[[[1]]]", "Refused at line 1")):
            page, _ = self.page(text, "--max-depth", "2" if said == "Refused at line 1" else "9")
            self.assertIn(said, page.text)

    def test_several_files_are_one_page(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("a", "b")]
            for path in paths:
                pathlib.Path(path).write_text(BROKEN)
            code, out, err = run("explain", "--format", "html", *paths)
            self.assertEqual((out.count("<!DOCTYPE"), out.count("<section>")), (1, 2))


class Report(unittest.TestCase):
    def test_it_is_that_of_heal(self):
        for text in (BROKEN, WHOLE, CUT, HOPELESS):
            wanted = run("--report", "json", text=text)
            self.assertEqual(run("explain", "--report", "json", text=text)[:2], wanted[:2])
            self.assertEqual(run("explain", "--format", "json", text=text)[:2], wanted[:2])


def write_cases():
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    for case in cases:
        case["code"], out = explain(case["input"], *case["arguments"], columns=case["columns"])
        case["output"] = out.splitlines()
    CASES.write_text(dump(cases), encoding="utf-8")


def dump(cases):
    """As JSON that can be read: characters as they are, but escapes for what cannot be seen."""
    text = json.dumps(cases, ensure_ascii=False, indent=1)
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Me")
    return "".join(c if c in "\n " or unicodedata.category(c) not in hidden and (c == " " or unicodedata.category(c) != "Zs")
                   else "".join(f"\\u{u:04x}" for u in units(c)) for c in text) + "\n"


def units(c):
    data = c.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)]


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write_cases()
    else:
        main()
