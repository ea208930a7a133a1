"""jsonheal args: what it prints, what it says, and its exit codes."""
import json

from tool import *


class Args(CliTest):
    def args(self, text, *options):
        return run("args", *options, text=text)

    def test_an_object(self):
        self.assertEqual(self.args("{cmd: 'read',}", "--tool", "@coder"), (0, '{"cmd": "read"}', ""))
        self.assertEqual(self.args("main.go", "--tool", "read_file"), (0, '{"file":"main.go"}', ""))
        path = self.file("call.txt", "main.go\n")
        self.assertEqual(self.args("", "--tool", "read_file", path), (0, '{"file":"main.go"}', ""))

    def test_without_a_tool(self):
        self.assertEqual(self.args('{"a": undefined}')[:2], (0, '{"a": "undefined"}'))

    def test_exit_codes(self):
        code, out, err = self.args("[1,2]", "--tool", "f")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("refused", err)
        code, out, err = self.args("read --file x", "--tool", "@coder")
        self.assertEqual((code, out), (1, "read --file x"))
        self.assertIn("passed through", err)
        code, out, err = self.args('{"command": "l', "--tool", "bash")
        self.assertEqual((code, out), (3, '{"command": "l"}'))
        self.assertIn("in_string", err)
        code, out, err = self.args('{"a":1}{"a":2}', "--tool", "f")
        self.assertEqual((code, out), (0, '[{"a":1},{"a":2}]'))
        self.assertIn("2 different objects", err)
        self.assertEqual(self.args("x", "--nonsense")[0], 2)
        self.assertEqual(self.args("x", "--quotes", "some")[0], 2)
        self.assertEqual(self.args("read --file x", "--tool", "@coder", "-q")[2], "")

    def test_quotes_and_aliases(self):
        text = '{"path":"it\u2019s"}'
        self.assertEqual(self.args(text, "--tool", "read_file")[1], '{"path":"it\'s"}')
        self.assertEqual(self.args(text, "--tool", "read_file", "--quotes", "off", "--aliases")[1], '{"file":"it\u2019s"}')

    def test_catalogue_and_schema(self):
        good = self.file("tools.json", '{"fetch": "url"}')
        self.assertEqual(self.args("http://h", "--tool", "fetch", "--catalogue", good)[:2], (0, '{"url":"http://h"}'))
        bad = self.file("bad.json", '{"a":"x",\n "a":"y"}')
        code, out, err = self.args("x", "--tool", "a", "--catalogue", bad)
        self.assertEqual((code, out), (2, ""))
        self.assertIn(":2:2: the tool \"a\" is named twice", err)
        self.assertEqual(self.args("x", "--catalogue", "/nowhere")[0], 2)
        schema = self.file("schema.json", '{"properties":{"q":{"type":"string"}},"required":["q"]}')
        self.assertEqual(self.args("tea", "--tool", "look", "--schema", schema)[1], '{"q":"tea"}')
        self.assertEqual(self.args("x", "--schema", self.file("no.json", "{"))[0], 2)

    def test_report(self):
        code, out, _ = self.args("main.go", "--tool", "read_file", "--report", "json")
        report = json.loads(out)
        self.assertEqual((code, report["verdict"], report["risk"], report["how"]), (0, "healed", "invented", ["bare_value"]))
        self.assertEqual(report["json"], '{"file":"main.go"}')
        self.assertEqual(report["edits"][0]["rule"], "arguments_field")
        passed = json.loads(self.args("x", "--tool", "f", "--report", "json")[1])
        self.assertEqual((passed["passthrough"], passed["text"], "json" in passed), (True, "x", False))

    def test_batch(self):
        a, b, c, d, e = batch([
            {"input": "main.go", "tool": "read_file"},
            {"input": '{"a":1}{"a":2}', "fn": "args"},
            {"input": "x", "tool": ""},
            {"input": "read --file 'a b'", "fn": "argv", "tool": "@coder"},
            {"input": "tea", "tool": "f", "schema": {"properties": {"q": {"type": "string"}}, "required": ["q"]}},
        ])
        self.assertEqual(list(a), ["id", "verdict", "risk", "value", "how"])
        self.assertEqual(a["value"], {"file": "main.go"})
        self.assertEqual((b["values"], "value" in b), ([{"a": 1}, {"a": 2}], False))
        self.assertEqual((c["verdict"], c["passthrough"], "value" in c), ("refused", True, False))
        self.assertEqual(d["argv"], ["read", "--file", "a b"])
        self.assertEqual(e["value"], {"q": "tea"})


if __name__ == "__main__":
    main()
