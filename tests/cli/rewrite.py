"""jsonheal sanitize, complete, quotes, extract --all, and their fns in batch."""
import os

from tool import *

SCRIPT, KEPT = "{'a': x => x, b: \"c\"}", '{"a": "x => x", b: "c"}'


class Sanitize(CliTest):
    def test_standard_input_to_standard_output(self):
        self.assertEqual(run("sanitize", text=SCRIPT), (0, KEPT, ""))

    def test_a_cut_text_is_said_so(self):
        code, out, err = run("sanitize", text='{"a": f(')
        self.assertEqual((code, out), (3, '{"a": "f("'))
        self.assertIn("cut off", err)
        self.assertEqual(run("sanitize", "-q", text='{"a": f(')[2], "")

    def test_the_ceiling_and_the_limits_refuse(self):
        code, out, err = run("sanitize", "--max-risk", "exact", text=SCRIPT)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("value_unquoted", err)
        self.assertEqual(run("sanitize", "--max-depth", "2", text="[[[")[0], 1)
        self.assertEqual(run("sanitize", "--max-bytes", "3", text="[[[[")[0], 1)

    def test_in_place(self):
        path = self.file("x.js", SCRIPT)
        self.assertEqual(run("sanitize", "-i", path), (0, "", ""))
        self.assertEqual(self.read(path), KEPT)
        self.assertEqual(run("sanitize", "-i")[0], 2)

    def test_a_cut_text_replaces_a_file_only_where_that_is_accepted(self):
        path = self.file("x.js", "{'a': f(")
        code, out, err = run("sanitize", "-i", path)
        self.assertEqual((code, self.read(path)), (3, "{'a': f("))
        self.assertIn("--accept truncated", err)
        self.assertEqual(run("sanitize", "-i", "--accept", "truncated", path)[0], 3)
        self.assertEqual(self.read(path), '{"a": "f("')


class CompleteAndExtract(CliTest):
    def test_complete(self):
        self.assertEqual(run("complete", text='"a":1}'), (0, '{"a":1}', ""))
        self.assertEqual(run("complete", "-q", text='{"a":{"b":1'), (3, '{"a":{"b":1}}', ""))

    def test_extract_all(self):
        self.assertEqual(run("extract", "--all", text="It's {a: /}/} and {b"), (0, "{a: /}/}\n", ""))
        self.assertEqual(run("extract", "--all", text="none")[:2], (1, ""))
        self.assertEqual(run("extract", "--all", "--as", "json", text="{}")[0], 2)


class Quotes(CliTest):
    def test_only_code_changes(self):
        code, text = self.file("x.py", "say(“a”)"), self.file("x.md", "say(“a”)")
        self.assertEqual(run("quotes", code, text), (0, 'say("a")say(“a”)', ""))
        self.assertEqual(run("quotes", "--path", "y.txt", code)[1], "say(“a”)")
        self.assertEqual(run("quotes", text="«a»")[1], "<<a>>")
        self.assertEqual(run("quotes", "--set", "curly", text="«“»")[1], "«\"»")

    def test_a_file_that_does_not_change_is_not_touched(self):
        path = self.file("x.py", 'say("a")')
        before = os.stat(path)
        self.assertEqual(run("quotes", "-i", path), (0, "", ""))
        self.assertEqual((os.stat(path).st_ino, os.stat(path).st_mtime_ns), (before.st_ino, before.st_mtime_ns))
        path = self.file("y.py", "say(“a”)")
        self.assertEqual(run("quotes", "-i", path), (0, "", ""))
        self.assertEqual(self.read(path), 'say("a")')


class Batch(CliTest):
    def test_sanitize_and_complete(self):
        kept, cut, whole = batch([{"fn": "sanitize", "input": SCRIPT}, {"fn": "complete", "input": '{"a":"'}, {"fn": "complete", "input": "{}"}])
        self.assertEqual(kept, {"id": None, "verdict": "healed", "risk": "likely", "text": KEPT})
        self.assertEqual(cut, {"id": None, "verdict": "truncated", "risk": "likely", "cut": "in_string", "text": '{"a":""}'})
        self.assertEqual(whole["verdict"], "intact")

    def test_edits_and_ceilings(self):
        (answer,) = batch([{"fn": "sanitize", "input": "{'a':1}"}], "--edits", "all")
        self.assertEqual(answer["edits"][0], {"begin": 1, "end": 2, "text": '"', "rule": "quote_style", "risk": "exact"})
        (answer,) = batch([{"fn": "sanitize", "input": SCRIPT}], "--max-risk", "exact", "--edits", "count")
        self.assertEqual((answer["verdict"], "text" in answer), ("refused", False))
        self.assertIn("value_unquoted", answer["error"])

    def test_quotes_heed_the_path(self):
        code, prose, always, wrong = batch([
            {"fn": "quotes", "input": "“x”", "path": "a.vue"}, {"fn": "quotes", "input": "“x”", "path": "a.md"},
            {"fn": "quotes", "input": "“x”"}, {"fn": "quotes", "input": "“x”", "path": 1}])
        self.assertEqual([code["text"], prose["text"], always["text"]], ['"x"', "“x”", '"x"'])
        self.assertEqual([code["verdict"], prose["verdict"], wrong["verdict"]], ["healed", "intact", "refused"])


if __name__ == "__main__":
    main()
