"""jsonheal align: exit codes, reports, and the changes as a way from the value to the outcome."""
from tool import *

SCHEMA = """{"type": "object", "required": ["id", "tags"], "additionalProperties": false,
 "properties": {"id": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}},
                "state": {"enum": ["ON", "OFF"]}, "first_name": {"type": "string"}, "n": {"type": "integer", "default": 3}}}"""


def place(value, pointer):
    """(container, token) of a pointer; a token of an array is a number."""
    tokens = [t.replace("~1", "/").replace("~0", "~") for t in pointer.split("/")[1:]]
    for token in tokens[:-1]:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value, int(tokens[-1]) if isinstance(value, list) else tokens[-1]


def replay(value, changes):
    """What the changes make of a value, each checked against what is there by then."""
    root = [value]
    for c in changes:
        container, token = place(root, "/0" + c["pointer"])
        if c["rule"].startswith("key_"):
            old = json.loads(c["before"])
            assert json.loads(c["after"]) == token
            container[token] = container.pop(old)
        elif c["before"] == "":
            assert token not in container
            container[token] = json.loads(c["after"])
        else:
            assert container[token] == json.loads(c["before"]), (container[token], c)
            if c["after"] == "":
                del container[token]
            else:
                container[token] = json.loads(c["after"])
    return root[0]


class Align(CliTest):
    def test_exit_codes(self):
        schema = self.file("s.json", SCHEMA)
        good, bad = self.file("good.json", ' {"id": "1", "tags": []}\n'), self.file("bad.json", '{"id": "x", "tags": []}')
        self.assertEqual(run("align", good, "--schema", schema), (0, ' {"id": 1, "tags": []}\n', ""))
        code, out, err = run("align", bad, "--schema", schema)
        self.assertEqual((code, out), (4, ""))
        self.assertEqual(err, f'{bad}:1:8: type: /id must be a whole number, not the string "x".\n')
        code, out, err = run("align", "--schema", schema, text="{id: 1}")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("heals", err)
        self.assertEqual(run("align", good)[0], 2)
        self.assertEqual(run("align", good, "--schema", schema, "--max-risk", "some")[0], 2)

    def test_what_fits_is_untouched(self):
        text = '{ "tags":["\\u0041"],\t"id" : 1.0 }'
        self.assertEqual(run("align", "--schema", self.file("s.json", SCHEMA), text=text), (0, text + "\n", ""))

    def test_the_ceiling(self):
        schema = self.file("s.json", SCHEMA)
        extra = '{"id": 1, "tags": [], "zz": 2}'
        code, _, err = run("align", "--schema", schema, text=extra)
        self.assertEqual(code, 4)
        self.assertIn("it would fit with extra_member at /zz, of risk lossy; see --max-risk", err)
        self.assertEqual(run("align", "--schema", schema, "--max-risk", "lossy", text=extra)[:2], (0, '{"id": 1, "tags": []}\n'))
        code, out, _ = run("align", "--schema", schema, "--max-risk", "invented", "--defaults", text='{"id": 1, "tags": []}')
        self.assertEqual((code, json.loads(out)), (0, {"id": 1, "tags": [], "n": 3}))

    def test_the_changes_lead_to_the_outcome(self):
        schema = self.file("s.json", SCHEMA)
        values = [
            {"response": json.dumps({"ID": "7", "firstName": "a/b~c", "tags": "x", "state": "On", "zz": None})},
            [{"type": "object", "properties": {"id": {"type": "integer", "value": "1"}, "tags": '["a", 1,]', "n": "null", "state": ""}}],
            {"id": "1", "tags": [{"value": "a"}, ["b"], 3, True], "state": "it is off", "First Name": 5},
            {"zz": 1, "id": 1, "yy": 2, "tags": [None, "a", None], "state": "neither"},
        ]
        for value in values:
            code, out, _ = run("align", "--report", "json", "--max-risk", "lossy", "--defaults", "--schema", schema, text=json.dumps(value))
            report = json.loads(out)
            self.assertEqual((code, report["fits"]), (0, True), report)
            self.assertGreater(len(report["changes"]), 3)
            self.assertEqual(replay(json.loads(json.dumps(value)), report["changes"]), report["value"])

    def test_reports(self):
        schema = self.file("s.json", SCHEMA)
        code, out, err = run("align", "--report", "json", "--schema", schema, text='{"id": "12", "tags": []}')
        report = json.loads(out)
        self.assertEqual((code, err, report["fits"], report["risk"], report["cost"]), (0, "", True, "exact", 2))
        self.assertEqual(report["changes"], [{"pointer": "/id", "before": '"12"', "after": "12", "rule": "string_to_number",
                                              "risk": "exact", "begin": 7, "end": 11}])
        code, out, _ = run("align", "--report", "json", "--schema", schema, text='{"id": "x", "tags": []}')
        report = json.loads(out)
        self.assertEqual((code, report["fits"], report["violations"][0]["instance"]), (4, False, "/id"))
        code, out, err = run("align", "--explain", "--schema", schema, text='{"id": "12",\n"tags": "a"}')
        self.assertEqual((code, out), (0, '{"id": 12,\n"tags": ["a"]}\n'))
        self.assertIn(':1:8: string_to_number (exact): /id: "12" → 12\n', err)
        self.assertIn(':2:9: one_to_list (likely): /tags: "a" → ["a"]\n', err)

    def test_streams_align_what_is_certain_and_say_the_rest(self):
        schema = self.file("s.json", SCHEMA)
        code, out, err = run("--stream", "--schema", schema, text='{"id": "12", "tags": ["a"], "state": "on"}')
        self.assertEqual((code, out, err), (0, '{"id": 12, "tags": ["a"], "state": "ON"}', ""))
        late = '{"id": "12", "tags": ["a"], "firstName": "x"}'
        code, out, err = run("--stream", "--schema", schema, text=late)
        self.assertEqual((code, out), (4, '{"id": 12, "tags": ["a"], "firstName": "x"}'))
        self.assertIn("key_spelling", err)
        code, out, _ = run("--events", "--schema", schema, text=late)
        last = json.loads(out.splitlines()[-1])
        self.assertEqual((code, last["fits"], last["risk"]), (0, True, "likely"))
        self.assertEqual(last["value"], json.loads(run("--schema", schema, text=late)[1]))
        code, _, err = run("--stream", "--schema", schema, text='{"id": "x", "tags": []}')
        self.assertEqual(code, 4)
        self.assertIn("/id", err)


main()
