"""jsonheal batch: what a record's answer is."""
import base64
import json

from tool import *


class Answers(CliTest):
    def test_fields_and_their_order(self):
        (answer,) = batch([{"id": 7, "input": BROKEN}])
        self.assertEqual(list(answer), ["id", "verdict", "risk", "value"])
        self.assertEqual(answer, {"id": 7, "verdict": "healed", "risk": "exact", "value": {"a": "b"}})

    def test_verdicts(self):
        whole, cut, hopeless = batch([{"input": WHOLE}, {"input": CUT}, {"input": HOPELESS}])
        self.assertEqual((whole["id"], whole["verdict"], whole["value"]), (None, "intact", {"a": [1, 2.5]}))
        self.assertEqual(list(cut), ["id", "verdict", "risk", "cut", "value"])
        self.assertEqual((cut["verdict"], cut["value"]), ("truncated", {"a": [1, 2]}))
        self.assertEqual(hopeless["verdict"], "refused")
        self.assertRegex(hopeless["error"], r".+ at byte \d+$")
        self.assertFalse({"value", "json"} & set(hopeless))

    def test_value_keeps_spelling_and_repeated_keys_without_blanks(self):
        code, out, _ = run("batch", text=json.dumps({"input": '{ "a" : 1.500e0, "a" :\n"b c" }'}) + "\n")
        self.assertEqual((code, out), (0, '{"id":null,"verdict":"intact","risk":"exact","value":{"a":1.500e0,"a":"b c"}}\n'))

    def test_any_id_is_echoed(self):
        ids = [None, True, -1.5e3, "x\n", [1, {"a": []}], {"k": "\u2028"}, "\ud800", 10**30]
        self.assertEqual([a["id"] for a in batch([{"id": i, "input": "1"} for i in ids])], ids)

    def test_text_and_edits(self):
        (answer,) = batch([{"input": BROKEN}], "--text", "--edits", "all")
        self.assertEqual(answer["json"], HEALED)
        self.assertEqual(answer["edits"][0], {"begin": 1, "end": 2, "text": '"', "rule": "quote_style", "risk": "exact"})
        self.assertEqual(len(answer["edits"]), 4)
        (answer,) = batch([{"input": BROKEN}], "--edits", "count")
        self.assertEqual((answer["edits"], "json" in answer), (4, False))
        (answer,) = batch([{"input": BROKEN}], "--edits", "none")
        self.assertNotIn("edits", answer)
        (answer,) = batch([{"input": WHOLE}], "--edits", "all")
        self.assertEqual(answer["edits"], [])

    def test_the_ceiling(self):
        (answer,) = batch([{"input": LOSSY}], "--max-risk", "invented")
        self.assertEqual((answer["verdict"], "value" in answer), ("refused", False))
        self.assertIn("stray_word", answer["error"])

    def test_bytes_come_as_base64(self):
        coded = base64.b64encode(BROKEN.encode()).decode()
        answers = batch([{"input_base64": coded}, {"input_base64": coded.rstrip("=")}, {"input_base64": "?"}, {"input_base64": 1}])
        self.assertEqual([a["verdict"] for a in answers], ["healed", "healed", "refused", "refused"])

    def test_no_answer_has_a_raw_line_separator(self):
        text = '"\u2028\u2029\x85"'
        code, out, _ = run("batch", "--text", text=json.dumps({"id": "\u2028", "input": text}, ensure_ascii=False) + "\n")
        self.assertEqual((code, len(out.splitlines())), (0, 1))
        answer = json.loads(out)
        self.assertEqual((answer["id"], answer["value"], answer["json"]), ("\u2028", text[1:-1], text))

    def test_surrogates_count_as_three_bytes(self):
        (answer,) = batch([{"input": '"\ud800"' + "'"}], "--edits", "all", "--text")
        self.assertIn(answer["verdict"], ("healed", "refused", "truncated"))
        for edit in answer["edits"]:
            self.assertLessEqual(edit["end"], 6)

    def test_extract_gives_the_objects_as_they_stand(self):
        found, none = batch([{"fn": "extract", "input": "one {'a': 1}, two {b: /}/} and {c"}, {"fn": "extract", "input": ""}])
        self.assertEqual((found["texts"], none["texts"]), (["{'a': 1}", "{b: /}/}"], []))

    def test_a_function_that_is_not_there(self):
        unknown, = batch([{"id": 1, "fn": "nonsense", "input": "1"}])
        self.assertEqual((unknown["id"], unknown["verdict"]), (1, "refused"))
        self.assertIn("nonsense", unknown["error"])

    def test_a_schema_does_not_disturb_healing(self):
        (answer,) = batch([{"input": BROKEN, "schema": {"type": "object"}}])
        self.assertEqual(answer["value"], {"a": "b"})


class BadRecords(CliTest):
    def test_each_gets_its_answer_and_stops_nothing(self):
        good = {"id": "good", "input": BROKEN}
        bad = ["", "nonsense", "[]", "1", '{"id":5}', '{"id":5,"input":1}', '{"id":5,"input":"1","input_base64":"MQ=="}',
               '{"id":5,"input":"1","fn":1}', '{"id":5,"input":"1"', '{"id":5,"input":"1"} x']
        lines = []
        for line in bad:
            lines += [line, good]
        answers = batch(lines)
        for line, answer in zip(bad, answers[0::2]):
            self.assertEqual((list(answer), answer["verdict"]), (["id", "verdict", "error"], "refused"), line)
            whole_object = line.startswith("{") and line.endswith("}")
            self.assertEqual(answer["id"], 5 if whole_object else None, line)
        for answer in answers[1::2]:
            self.assertEqual((answer["id"], answer["verdict"]), ("good", "healed"))

    def test_bytes_that_are_not_utf8(self):
        code, out, _ = run("batch", text=b'{"id":1,"input":"\xff"}\n{"id":2,"input":"1"}\n')
        answers = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((code, [a["verdict"] for a in answers]), (0, ["refused", "intact"]))
        self.assertIn("UTF-8", answers[0]["error"])

    def test_line_ends_and_marks(self):
        text = b'\xef\xbb\xbf{"id":1,"input":"1"}\r\n{"id":2,"input":"2"}'  # the last line is not ended
        code, out, _ = run("batch", text=text)
        self.assertEqual((code, [json.loads(line)["id"] for line in out.splitlines()]), (0, [1, 2]))
        self.assertEqual(run("batch", text=""), (0, "", ""))


class Chunks(CliTest):
    RECORDS = [{"id": i, "input": t} for i, t in enumerate(
        [WHOLE, BROKEN, CUT, LOSSY, HOPELESS, "", '"é\u2028"', '{"a": "' + "x" * 300 + '"}', "Sure: {'a': [1,2,],}", "[1] or [2]"])]

    def test_any_chunking_gives_the_same(self):
        for preset in ("whole", "live"):
            common = ("--preset", preset, "--edits", "all", "--text")
            expected = batch(self.RECORDS, *common)
            for chunking in (("--chunk", 1), ("--chunk", 4), ("--chunk", 1000), ("--chunk-seed", 1), ("--chunk-seed", 2)):
                self.assertEqual(batch(self.RECORDS, *common, *chunking), expected, (preset, chunking))

    def test_mistakes_in_the_usage(self):
        for arguments in (["--chunk", "0"], ["--chunk", "1", "--chunk-seed", "1"], ["--jobs", "0"], ["--edits", "some"], ["--nonsense"],
                          ["--preset", "live", "--several", "all"]):
            code, out, err = run("batch", *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertTrue(err.startswith("jsonheal: "))


if __name__ == "__main__":
    main()
