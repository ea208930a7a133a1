"""Help, messages, completions and the manual page: what somebody at a terminal gets."""
import pathlib
import re
import shutil

from tool import *


def commands():
    """The names of all commands, as the help lists them."""
    out = run("--help")[1]
    full = re.findall(r"^  ([a-z]+)  +\S", out.partition("Commands:\n")[2], re.M)
    return full + re.findall(r"^  also: (.*)$", out, re.M)[0].split(", ")


def options_of(command):
    """{name: (value or "", ...)} as the help of a command lists them."""
    found = {}
    for names, value in re.findall(r"^ {2,6}((?:-\w, )?--[a-z-]+)(?: (\S+))?", run(command, "--help")[1], re.M):
        for name in names.split(", "):
            found[name] = value
    return found


class Help(CliTest):
    def test_the_first_page_fits_a_screen(self):
        code, out, err = run("--help")
        self.assertEqual((code, err), (0, ""))
        self.assertLessEqual(len(out.splitlines()), 24)
        self.assertLessEqual(max(map(len, out.splitlines())), 80)
        self.assertIn("Try first:", out)
        self.assertEqual(out, run("help")[1])
        self.assertLessEqual({"heal", "explain", "extract", "rules", "batch", "completion"}, set(commands()))

    def test_every_command_has_a_page_that_fits(self):
        for command in commands():
            code, out, err = run(command, "--help")
            self.assertEqual((code, err), (0, ""), command)
            self.assertTrue(out.startswith("usage: jsonheal " + command), out)
            self.assertLessEqual(max(map(len, out.splitlines())), 80, command)
            self.assertIn("--help", options_of(command))
            self.assertEqual(len(re.findall(r"^Options:$", out, re.M)), 1)
            self.assertEqual(out, run("help", command)[1])


class Messages(CliTest):
    def said(self, *arguments, text=WHOLE):
        code, out, err = run(*arguments, text=text)
        self.assertEqual((code, out), (2, ""), (arguments, err))
        self.assertTrue(err.startswith("jsonheal: "), err)
        return err

    def test_what_was_meant(self):
        for arguments, meant in ((["--explan"], "--explain"), (["--max-rsik=exact"], "--max-risk"), (["--several-policy"], ""), (["explian", "x"], "`jsonheal explain`"),
                                 (["rules", "prosa"], "prose"), (["--forbid", "comma_trialing"], "comma_trailing"), (["--qx"], ""), (["extarct"], "`jsonheal extract`")):
            err = self.said(*arguments)
            self.assertEqual(re.findall(r"did you mean (.+)\?", err), [meant] if meant else [], err)

    def test_a_file_named_like_a_mistake_is_a_file(self):
        path = self.file("explian", BROKEN)
        self.assertEqual(run("explian", cwd=self.folder), (0, HEALED, ""))

    def test_what_to_do(self):
        self.assertIn("Is a directory; name the files in it", self.said(self.folder))
        self.assertIn("No such file or directory", self.said(self.folder + "/none"))
        self.assertIn("goes to standard input", self.said('{"a": 1,}'))
        self.assertIn("--indent needs a value: N", self.said("--indent"))
        self.assertIn("--max-depth: 'x' is not a number", self.said("--max-depth", "x"))
        self.assertIn("'b' is one word too many", self.said("batch", "a", "b"))
        self.assertIn("'huge' is not one of exact|likely|invented|lossy", self.said("--max-risk", "huge"))
        self.assertIn("which shell?", self.said("completion"))
        self.assertIn("`jsonheal explain --help` lists the options", self.said("explain", "--nonsense"))


class Shells(CliTest):
    def script(self, what):
        code, out, err = run("completion", what)
        self.assertEqual((code, err), (0, ""))
        return self.file(what, out)

    def in_bash(self, *line):
        """What bash offers for the last word."""
        play = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _jsonheal; printf "%s\\n" "${COMPREPLY[@]}"'
        p = subprocess.run(["bash", "-c", play, "bash", self.script("bash"), "jsonheal", *line], cwd=self.folder, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
        self.assertEqual((p.returncode, p.stderr), (0, b""))
        return [word for word in p.stdout.decode().splitlines() if word]

    def needs(self, *programs):
        for program in programs:
            if not shutil.which(program):
                self.skipTest(program + " is not here")

    def test_syntax(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell):
                if shutil.which(shell):
                    subprocess.run([shell, "-n", self.script(shell)], check=True)

    def test_bash_completes_commands_and_files(self):
        self.needs("bash")
        self.file("a file.json", WHOLE)
        self.file("export", WHOLE)
        self.assertEqual(self.in_bash("ex"), ["explain", "extract", "export"])
        self.assertEqual(self.in_bash("explain", "a"), ["a file.json"])
        self.assertLessEqual(set(commands()), set(self.in_bash("")))

    def test_bash_completes_every_option_and_value(self):
        self.needs("bash")
        for command in commands():
            options = options_of(command)
            self.assertEqual(set(self.in_bash(command, "-")), set(options), command)
            for name, value in options.items():
                if "|" in value:
                    self.assertEqual(self.in_bash(command, name, ""), value.split("|"), (command, name))
                    if name.startswith("--"):
                        self.assertEqual(self.in_bash(command, name, "="), value.split("|"), (command, name))

    def test_bash_without_a_command_is_heal(self):
        self.needs("bash")
        self.assertEqual(self.in_bash("--in"), ["--in-place", "--indent"])
        self.assertEqual(self.in_bash("--max-risk", "l"), ["likely", "lossy"])

    def test_bash_completes_lists_and_rules(self):
        self.needs("bash")
        self.assertEqual(self.in_bash("heal", "--forbid", "prose,fen"), ["prose,fence"])
        self.assertEqual(self.in_bash("rules", "quote_mis"), ["quote_missing_open", "quote_missing_close"])
        self.assertEqual(self.in_bash("heal", "--accept", "lossy,t"), ["lossy,truncated"])

    def test_fish_completes(self):
        self.needs("fish")
        def offered(line):
            p = subprocess.run(["fish", "-c", f"source {self.script('fish')}; complete -C '{line}'"], stdout=subprocess.PIPE, cwd=self.folder,
                               env={**os.environ, "HOME": self.folder})
            return [row.partition("\t")[0] for row in p.stdout.decode().splitlines()]
        self.assertEqual(offered("jsonheal explain --format "), ["html", "json", "plain"])
        self.assertEqual(offered("jsonheal ex"), ["explain", "extract"])
        self.assertEqual(offered("jsonheal heal --forbid prose,fenc"), ["prose,fence"])

    def test_zsh_loads(self):
        self.needs("zsh")
        play = 'autoload -Uz compinit; compinit -u -d "$2"; source "$1"; print -- $_comps[jsonheal]'
        p = subprocess.run(["zsh", "-f", "-c", play, "zsh", self.script("zsh"), self.folder + "/dump"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((p.stdout, p.stderr), (b"_jsonheal\n", b""))


class Manual(CliTest):
    def test_it_names_everything(self):
        page = run("completion", "man")[1].replace("\\-", "-")
        for command in commands():
            self.assertIn("\n.SS jsonheal " + command, page)
            for name in options_of(command):
                self.assertIn(f"\\fB{name}\\fR", page)

    def test_troff_has_nothing_to_say(self):
        path = self.file("jsonheal.1", run("completion", "man")[1])
        for check in (["groff", "-ww", "-z", "-man", "-Tutf8"], ["man", "-l", "--warnings"], ["mandoc", "-Tlint", "-Werror"]):
            if shutil.which(check[0]):
                p = subprocess.run([*check, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "MANPAGER": "cat"})
                self.assertEqual((p.returncode, p.stderr), (0, b""), (check, p.stdout[-500:]))


if __name__ == "__main__":
    main()
