"""The curl lines of docs/gateway.md against `jsonheal serve --demo`. JSONHEAL names the tool."""
import json
import os
import re
import shlex
import subprocess
import unittest
import urllib.request

TOOL = os.environ["JSONHEAL"]


class Demo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.process = subprocess.Popen([TOOL, "serve", "--demo", "--port", "0"], stderr=subprocess.PIPE, text=True)
        cls.base = re.search(r"http://\S+:\d+", cls.process.stderr.readline()).group(0)

    @classmethod
    def tearDownClass(cls):
        cls.process.terminate()
        assert cls.process.wait(timeout=10) == 0
        cls.process.stderr.close()

    def lines(self):
        with open("docs/gateway.md", encoding="utf-8") as page:
            return [line for line in page if line.startswith("curl ")]

    def test_lines_of_the_page(self):
        self.assertEqual(len(self.lines()), 3)
        for line in self.lines():
            words = shlex.split(line)
            url = self.base + next(w for w in words if "/v1/" in w).removeprefix("localhost:8080")
            body = words[words.index("-d") + 1]
            with urllib.request.urlopen(urllib.request.Request(url, body.encode())) as response:
                answer = json.load(response)
                if "choices" in answer:
                    value = json.loads(answer["choices"][0]["message"]["content"])
                    self.assertEqual((value["name"], value["age"]), ("Ada Lovelace", 36))
                    wanted = 2 if "wrong-type" in body else 1
                    self.assertEqual(response.headers["x-jsonheal-attempts"], str(wanted))
                else:
                    self.assertEqual(json.loads(answer["parts"][0]["after"]), {"name": "Ada", "age": 36})

    def test_every_model_of_the_demo_answers(self):
        with urllib.request.urlopen(self.base + "/v1/models") as response:
            models = [m["id"] for m in json.load(response)["data"]]
        self.assertGreaterEqual(len(models), 8)
        for model in models:
            body = json.dumps({"model": model, "messages": [{"role": "user", "content": "Hi"}]}).encode()
            try:
                with urllib.request.urlopen(urllib.request.Request(self.base + "/v1/chat/completions", body)) as r:
                    self.assertTrue(json.load(r)["choices"])
            except urllib.error.HTTPError as e:
                self.assertIn("message", json.load(e)["error"])


if __name__ == "__main__":
    unittest.main()
