"""Runs the tool whose path is in JSONHEAL, for the scripts beside this file."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ.get("JSONHEAL", "build/release/bin/jsonheal")

# What the engine makes of these is fixed by its table of rules.
WHOLE = '{"a" : [1, 2.50]}\n'
BROKEN, HEALED = "{'a': 'b'}", '{"a": "b"}'
CUT, CUT_HEALED = '{"a": [1, 2', '{"a": [1, 2]}'
LOSSY, LOSSY_HEALED = '{"a":1, NOISE\n"b":2}', '{"a":1, \n"b":2}'
HOPELESS = "there is nothing here"


def run(*arguments, text="", **options):
    """(exit code, standard output, standard error), the last two as text."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    p = subprocess.run([TOOL, *map(str, arguments)], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    return p.returncode, p.stdout.decode("utf-8"), p.stderr.decode("utf-8")


def batch(records, *options):
    """The answers to records, which are values or lines; one answer a line, checked."""
    lines = [r if isinstance(r, str) else json.dumps(r) for r in records]
    code, out, err = run("batch", *options, text="".join(line + "\n" for line in lines))
    assert code == 0 and err == "", (code, err)
    answers = out.splitlines()  # splits at U+2028 and others too: none may be raw
    assert len(answers) == len(lines), (len(answers), len(lines))
    return [json.loads(answer) for answer in answers]


class CliTest(unittest.TestCase):
    """Each test gets an empty folder, `self.folder`."""

    def setUp(self):
        self._temporary = tempfile.TemporaryDirectory()
        self.folder = self._temporary.name
        self.addCleanup(self._temporary.cleanup)

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(text)
        return path

    def read(self, path):
        with open(path, encoding="utf-8", newline="") as f:
            return f.read()


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
