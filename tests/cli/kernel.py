"""JSONHEAL_KERNEL: a kernel by name, and what is said of one that the processor lacks."""
import os

from tool import *


def run_with(kernel, *arguments, text=""):
    return run(*arguments, text=text, env={**os.environ, "JSONHEAL_KERNEL": kernel})


class Kernel(CliTest):
    def test_the_portable_one_is_always_there(self):
        self.assertEqual(run_with("scalar", text=BROKEN), (0, HEALED, ""))
        self.assertEqual(run_with("", text=WHOLE), (0, WHOLE, ""))

    def test_one_that_is_not_there_is_named_and_so_are_those_that_are(self):
        for arguments in ([], ["heal"], ["--version"]):
            code, out, err = run_with("abacus", *arguments, text=WHOLE)
            self.assertEqual((code, out), (2, ""))
            self.assertRegex(err, r"^jsonheal: JSONHEAL_KERNEL: .*'abacus'; it has scalar( \w+)*\n$")

    def test_each_that_is_named_gives_the_same_answer(self):
        names = run_with("abacus")[2].partition("it has ")[2].split()
        text = "Look: ```json\n" + '{"a": ["\u4f60 \\" x", 1.5e3, true],\n' * 3 + "'b': None}\n```\n"
        answers = {run_with(name, "--report", "json", text=text) for name in names}
        self.assertEqual(len(answers), 1, names)


if __name__ == "__main__":
    main()
