"""jsonheal check, and the fn validate of batch."""
import os

from tool import *

NUMBERS = '{"properties": {"a": {"items": {"type": "number"}}}}'


class Check(CliTest):
    def test_exit_codes(self):
        schema = self.file("s.json", NUMBERS)
        good, bad = self.file("good.json", '{"a": [1]}'), self.file("bad.json", '{"a": [1,\n "2"]}')
        self.assertEqual(run("check", good, "--schema", schema), (0, "", ""))
        line = f'{bad}:2:2: type: /a/1 must be a number, not the string "2".\n'
        self.assertEqual(run("check", good, bad, "--schema", schema), (4, line, ""))
        self.assertEqual(run("check", "--schema", schema, text='{"a":[]}'), (0, "", ""))
        self.assertEqual(run("check", "--schema", schema, text="{a:1}")[0], 2)
        self.assertEqual(run("check", good)[0], 2)
        self.assertEqual(run("check", good, "--schema", self.folder + "/none.json")[0], 2)

    def test_a_bad_schema_is_said(self):
        schema = self.file("s.json", '{"properties": {"a": {"type": "strin"}}}')
        code, out, err = run("check", "--schema", schema, text="{}")
        self.assertEqual((code, out), (2, ""))
        self.assertIn('there is no type "strin" at #/properties/a/type', err)

    def test_reports(self):
        schema = self.file("s.json", NUMBERS)
        code, out, _ = run("check", "--report", "json", "--schema", schema, text='{"a":["x"]}')
        report = json.loads(out)
        self.assertEqual((code, report["valid"], report["complete"]), (4, False, True))
        self.assertEqual(report["violations"], [{
            "instance": "/a/0", "begin": 6, "end": 9, "schema": "#/properties/a/items/type", "keyword": "type",
            "expected": "a number", "got": 'the string "x"', "message": '/a/0 must be a number, not the string "x".'}])
        for form in ("flag", "basic", "detailed"):
            code, out, _ = run("check", "--output", form, "--schema", schema, text='{"a":["x"]}')
            self.assertEqual((code, json.loads(out)["valid"]), (4, False))
            code, out, _ = run("check", "--output", form, "--schema", schema, text="{}")
            self.assertEqual((code, json.loads(out)), (0, {"valid": True}))

    def test_options(self):
        schema = self.file("s.json", '{"format": "date", "minimum": 3, "exclusiveMinimum": true}')
        self.assertEqual(run("check", "--draft", "4", "--schema", schema, text="3")[0], 4)
        self.assertEqual(run("check", "--schema", schema, text="3")[0], 4)  # only draft 4 has it so
        self.assertEqual(run("check", "--draft", "2020-12", "--schema", schema, text="3")[0], 2)
        self.assertEqual(run("check", "--draft", "5", "--schema", schema, text="3")[0], 2)
        self.assertEqual(run("check", "--draft", "4", "--schema", schema, text='"x"')[0], 0)
        self.assertEqual(run("check", "--draft", "4", "--format-assertion", "--schema", schema, text='"x"')[0], 4)
        schema = self.file("f.json", '{"format": "idn-hostname"}')
        code, _, err = run("check", "--format-assertion", "--schema", schema, text='"x"')
        self.assertEqual(code, 0)
        self.assertIn("idn-hostname is not checked", err)

    def test_the_program_is_printed(self):
        code, out, _ = run("check", "--program", "--schema", self.file("s.json", NUMBERS))
        self.assertEqual(code, 0)
        self.assertIn('"a" -> 1', out)

    def test_documents_below_a_mapped_prefix(self):
        os.mkdir(self.folder + "/m")
        self.file("m/t.json", '{"type": "string"}')
        self.file("secret.json", '{"type": "string"}')
        schema = self.file("s.json", '{"$ref": "http://x.test/t.json"}')
        mapped = ("--schema-map", "http://x.test/=" + self.folder + "/m")
        self.assertEqual(run("check", *mapped, "--schema", schema, text="1")[0], 4)
        self.assertEqual(run("check", "--schema", schema, text="1")[0], 2)
        schema = self.file("s.json", '{"$ref": "http://x.test/..%2Fsecret.json"}')
        self.assertEqual(run("check", *mapped, "--schema", schema, text="1")[0], 2)


class Validate(CliTest):
    def test_records(self):
        schema = json.loads(NUMBERS)
        answers = batch([{"id": 1, "fn": "validate", "schema": schema, "input": '{"a":[1]}'},
                         {"id": 2, "fn": "validate", "schema": schema, "input": '{"a":["1"]}'},
                         {"id": 3, "fn": "validate", "schema": True, "input": "{a:1}"},
                         {"id": 4, "fn": "validate", "input": "1"},
                         {"id": 5, "fn": "validate", "schema": {"type": 3}, "input": "1"}])
        self.assertEqual(answers[0], {"id": 1, "verdict": "intact", "risk": "exact", "valid": True, "violations": []})
        self.assertEqual((answers[1]["valid"], answers[1]["violations"][0]["instance"]), (False, "/a/0"))
        for answer, word in zip(answers[2:], ("is not JSON", "no \"schema\"", "cannot be used")):
            self.assertEqual(answer["verdict"], "refused")
            self.assertIn(word, answer["error"])
            self.assertNotIn("valid", answer)


if __name__ == "__main__":
    main()
