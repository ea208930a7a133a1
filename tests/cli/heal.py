"""jsonheal [heal], rules, extract: what they print, and their exit codes."""
import json

from tool import *


class Heal(CliTest):
    def test_valid_text_comes_out_byte_for_byte(self):
        for text in (WHOLE, "null", ' { "a" : 1e400,\r\n"a":-0.0} \r\n', '"\\ud800"', "[]\n\n"):
            self.assertEqual(run(text=text), (0, text, ""))
            self.assertEqual(run("heal", "-", text=text), (0, text, ""))

    def test_a_broken_text_is_healed(self):
        self.assertEqual(run(text=BROKEN), (0, HEALED, ""))
        self.assertEqual(run(self.file("x.txt", BROKEN)), (0, HEALED, ""))

    def test_a_refused_text_prints_nothing(self):
        code, out, err = run(self.file("x.txt", HOPELESS))
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, r"^jsonheal: .*x\.txt:\d+:\d+: refused: .+\n$")

    def test_a_cut_text_is_printed_and_said(self):
        code, out, err = run(text=CUT)
        self.assertEqual((code, out), (3, CUT_HEALED))
        self.assertIn("cut off", err)
        self.assertEqual(run("-q", text=CUT), (3, CUT_HEALED, ""))

    def test_a_lossy_change_is_noted(self):
        code, out, err = run(text=LOSSY)
        self.assertEqual((code, out), (0, LOSSY_HEALED))
        self.assertRegex(err, r"^jsonheal: standard input:1:\d+: .*stray_word, lossy")

    def test_the_ceiling_refuses_and_names_the_rule(self):
        code, out, err = run("--max-risk", "invented", text=LOSSY)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("stray_word", err)
        self.assertEqual(run("--max-risk=exact", text=BROKEN)[0], 0)
        self.assertEqual(run("--forbid", "quote_style", text=BROKEN)[0], 1)

    def test_several_files_end_their_lines_and_the_worst_decides(self):
        good, cut, bad = self.file("good", BROKEN), self.file("cut", CUT), self.file("bad", HOPELESS)
        self.assertEqual(run(good, good), (0, HEALED + "\n" + HEALED + "\n", ""))
        self.assertEqual(run(good, cut, good)[0], 3)
        self.assertEqual(run(bad, cut, good)[:2], (1, CUT_HEALED + "\n" + HEALED + "\n"))
        code, out, err = run(good, self.folder + "/missing", bad, good)
        self.assertEqual((code, out), (2, HEALED + "\n" + HEALED + "\n"))
        self.assertIn("cannot read " + self.folder + "/missing: No such file", err)

    def test_mistakes_in_the_usage(self):
        for arguments in (["--nonsense"], ["--max-risk", "huge"], ["--forbid", "no_such_rule"], ["--preset", "live", "--several", "last"],
                          ["-i"], ["-i", "-"], ["--indent", "x"], ["--output", "o", "a", "b"], ["--stream", "--compact"],
                          ["--accept", "everything"], ["--max-bytes", "99999999999"], ["--report", "xml"]):
            code, out, err = run(*arguments, text=WHOLE)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertTrue(err.startswith("jsonheal: "), err)

    def test_a_folder_is_not_read(self):
        code, out, err = run(self.folder)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("Is a directory", err)

    def test_the_limits_are_said(self):
        self.assertEqual(run("--max-bytes", "3", text="[1]")[0], 0)
        self.assertEqual(run("--max-bytes", "3", text="[1] ")[0], 1)

    def test_help_and_version(self):
        for arguments in (["--help"], ["heal", "--help"], ["batch", "--help"], ["rules", "-h"], ["explain", "--help"]):
            code, out, err = run(*arguments)
            self.assertEqual((code, err), (0, ""))
            self.assertIn("jsonheal", out)
        self.assertRegex(run("--version")[1], r"^jsonheal \d+\.\d+\.\d+\n$")

    def test_layouts(self):
        text = "{'a': [1, {}], 'é': 'x y'}"
        self.assertEqual(run("--compact", text=text)[1], '{"a":[1,{}],"é":"x y"}')
        self.assertEqual(run("--indent", 1, text=text)[1], '{\n "a": [\n  1,\n  {}\n ],\n "é": "x y"\n}')
        self.assertEqual(run("--ascii", text=text)[1], '{"a": [1, {}], "\\u00e9": "x y"}')

    def test_a_stream_gives_the_same(self):
        for text in (WHOLE, BROKEN, CUT):
            self.assertEqual(run("--stream", "-q", text=text), run("--preset", "live", "-q", text=text))
        code, out, err = run("--stream", text=HOPELESS)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("refused", err)


class Report(CliTest):
    def test_it_is_one_object_with_its_fields_in_order(self):
        code, out, err = run("--report", "json", text="\n" + BROKEN)
        self.assertEqual((code, err, out.count("\n")), (0, "", 1))
        report = json.loads(out)
        self.assertEqual(list(report), ["file", "verdict", "cut", "risk", "edits", "json"])
        self.assertEqual((report["verdict"], report["cut"], report["risk"]), ("healed", None, "exact"))
        self.assertEqual(report["json"], "\n" + HEALED)
        first = report["edits"][0]
        self.assertEqual(list(first), ["begin", "end", "line", "column", "text", "rule", "risk", "meaning"])
        self.assertEqual((first["begin"], first["end"], first["line"], first["column"]), (2, 3, 2, 2))
        self.assertEqual((first["text"], first["rule"], first["risk"]), ('"', "quote_style", "exact"))

    def test_lines_end_at_every_sort_of_line_end(self):
        report = json.loads(run("--report", "json", text="[\n1,\r\n2,\r 'x']")[1])
        self.assertEqual([(e["line"], e["column"]) for e in report["edits"]], [(4, 2), (4, 4)])

    def test_it_says_why_and_where_a_text_was_cut_or_refused(self):
        code, out, _ = run("--report", "json", text=CUT)
        self.assertEqual((code, json.loads(out)["verdict"]), (3, "truncated"))
        self.assertIsInstance(json.loads(out)["cut"], str)
        code, out, _ = run("--report", "json", text=HOPELESS)
        report = json.loads(out)
        self.assertEqual((code, list(report)), (1, ["file", "verdict", "cut", "risk", "edits", "error"]))
        self.assertEqual(list(report["error"]), ["message", "offset", "line", "column"])

    def test_with_a_file_to_write_the_text_goes_there(self):
        path = self.file("x", BROKEN)
        code, out, _ = run("-i", "--report", "json", path)
        self.assertEqual((code, "json" in json.loads(out), self.read(path)), (0, False, HEALED))

    def test_one_line_an_input(self):
        a, b = self.file("a", BROKEN), self.file("b", WHOLE)
        reports = [json.loads(line) for line in run("--report", "json", a, b)[1].splitlines()]
        self.assertEqual([(r["file"], r["verdict"]) for r in reports], [(a, "healed"), (b, "intact")])


class Explain(CliTest):
    def test_exit_codes_are_those_of_healing(self):
        a, b, c = self.file("a", BROKEN), self.file("b", CUT), self.file("c", HOPELESS)
        for files, code in (([a], 0), ([b], 3), ([c], 1), ([a, b], 3), ([b, c], 1), ([c, self.folder + "/d", a], 2)):
            got, out, err = run("explain", *files)
            self.assertEqual(got, code)
            self.assertEqual(len([line for line in out.splitlines() if self.folder in line]), len([f for f in files if f[-1] != "d"]))

    def test_healing_can_explain_on_standard_error(self):
        code, out, err = run("--explain", text=BROKEN)
        self.assertEqual((code, out, err), (0, HEALED, run("explain", text=BROKEN)[1]))


class Extract(CliTest):
    TEXT = "first {'a': 1}, then\n[2,]."

    def test_every_value_has_a_line(self):
        self.assertEqual(run("extract", text=self.TEXT), (0, '{"a":1}\n[2]\n', ""))
        self.assertEqual(run("extract", "--as", "source", text=self.TEXT), (0, "{'a': 1}\n[2,]\n", ""))
        first, second = [json.loads(line) for line in run("extract", "--as", "json", text=self.TEXT)[1].splitlines()]
        self.assertEqual((first["begin"], first["end"], first["line"], first["column"]), (6, 14, 1, 7))
        self.assertEqual((second["line"], second["column"], second["value"]), (2, 1, [2]))

    def test_nothing_found_is_refused(self):
        code, out, err = run("extract", text=HOPELESS)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("there is no JSON", err)


class Rules(CliTest):
    def test_the_table(self):
        code, out, err = run("rules")
        self.assertEqual((code, err), (0, ""))
        rows = json.loads(run("rules", "--json")[1])
        self.assertEqual(len(rows), len(out.splitlines()))
        self.assertEqual(list(rows[0]), ["id", "risk", "meaning", "before", "after"])
        self.assertIn({"exact", "likely", "invented", "lossy"}, [{row["risk"] for row in rows}])

    def test_some_of_it(self):
        code, out, _ = run("rules", "--examples", "fence", "prose")
        self.assertEqual((code, len(out.splitlines())), (0, 4))
        self.assertEqual(run("rules", "no_such_rule")[:2], (2, ""))


if __name__ == "__main__":
    main()
