"""What the gateway promises, over plain HTTP, against tests/clients/script.yaml. JSONHEAL names the tool."""
import http.client
import json
import os
import re
import subprocess
import tempfile
import unittest

TOOL = os.environ["JSONHEAL"]
PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name", "age"]}
ADA = {"name": "Ada", "age": 36}
WEATHER = {"type": "function", "function": {"name": "get_weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}}}


def start(*arguments):
    process = subprocess.Popen([TOOL, "serve", *arguments], stderr=subprocess.PIPE, text=True)
    return process, int(re.search(r":(\d+)/v1", process.stderr.readline()).group(1))


class Gateway:
    def __init__(self, more=""):
        self.folder = tempfile.TemporaryDirectory()
        self.upstream, port = start("--script", "tests/clients/script.yaml", "--port", "0")
        path = os.path.join(self.folder.name, "gateway.yaml")
        with open(path, "w", encoding="utf-8") as f:
            f.write("listen: {port: 0}\nlog: {level: off}\nupstreams:\n  - name: scripted\n    base_url: http://127.0.0.1:%d/v1\n"
                    "    retries: 0\n    timeouts: {first_token: 2s, idle: 2s}\n%s\n" % (port, more))
        self.process, self.port = start("--config", path)

    def request(self, method, path, body=None, headers=None):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        c.request(method, path, None if body is None else json.dumps(body), headers or {})
        r = c.getresponse()
        text = r.read().decode()
        c.close()
        return r.status, text, r.headers

    def ask(self, model, headers=None, **more):
        body = {"model": model, "messages": [{"role": "user", "content": "Who?"}], **more}
        return self.request("POST", "/v1/chat/completions", body, headers)

    def stop(self):
        for p in (self.process, self.upstream):
            p.kill()
            p.wait()
            p.stderr.close()
        self.folder.cleanup()


def events(text):
    """The data of a stream's events; [DONE] must end it."""
    data = [line[6:] for line in text.split("\n") if line.startswith("data: ")]
    assert data[-1] == "[DONE]", text
    return [json.loads(d) for d in data[:-1]]


def content(text):
    return "".join(c["choices"][0]["delta"].get("content") or "" for c in events(text) if c["choices"])


class Healing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gate = Gateway("    models: []")

    @classmethod
    def tearDownClass(cls):
        cls.gate.stop()

    def healed(self, model, **more):
        status, text, headers = self.gate.ask(model, **more)
        self.assertEqual(status, 200, text)
        answer = json.loads(text)
        self.assertEqual(json.loads(answer["choices"][0]["message"]["content"]), ADA)
        return answer, headers

    def test_each_way_to_switch_it_on(self):
        schema_format = {"type": "json_schema", "json_schema": {"name": "p", "schema": PERSON}}
        with_options = {"type": "json_schema", "json_schema": {"name": "p", "schema": PERSON, "healing_options": {}}}
        for more in ({"response_schema": PERSON}, {"response_format": with_options},
                     {"response_format": schema_format, "plugins": [{"id": "response-healing"}]},
                     {"response_format": schema_format, "plugins": [{"id": "response_healing", "enabled": True}]},
                     {"response_format": {"type": "json_object"}, "plugins": [{"id": "response-healing"}]}):
            with self.subTest(more):
                self.healed("fenced", **more)
        status, text, _ = self.gate.ask("fenced", response_format=schema_format)
        self.assertIn("```json", json.loads(text)["choices"][0]["message"]["content"], "nobody asked for healing")
        status, text, _ = self.gate.ask("fenced", response_format=schema_format,
                                        plugins=[{"id": "response-healing", "enabled": False}])
        self.assertIn("```json", json.loads(text)["choices"][0]["message"]["content"])

    def test_attempts_and_usage(self):
        answer, headers = self.healed("second", response_schema=PERSON)
        self.assertEqual((answer["usage"]["prompt_tokens"], answer["usage"]["completion_tokens"]), (30, 11))
        self.assertEqual(headers["x-jsonheal-attempts"], "2")
        for attempts in (1, 2, 10):
            status, text, headers = self.gate.ask("never", response_schema=PERSON, healing_options={"max_attempts": attempts})
            error = json.loads(text)["error"]
            self.assertEqual((status, error["code"], error["attempts"]), (503, "service_unavailable", attempts))
            self.assertEqual((headers["retry-after"], headers["x-should-retry"]), ("5", "false"))
            self.assertEqual(error["violations"][0]["path"], "/age")

    def test_a_cut_answer_is_never_whole(self):
        _, headers = self.healed("cut", response_schema=PERSON)
        self.assertEqual(headers["x-jsonheal-attempts"], "2")
        status, _, _ = self.gate.ask("cut", response_schema=PERSON, healing_options={"max_attempts": 1})
        self.assertEqual(status, 503)

    def test_of_several_choices_only_the_bad_ones_are_asked_again(self):
        status, text, headers = self.gate.ask("second", response_schema=PERSON, n=2)
        self.assertEqual(status, 200, text)
        answer = json.loads(text)
        self.assertEqual([json.loads(c["message"]["content"]) for c in answer["choices"]], [ADA, ADA])
        self.assertEqual([c["index"] for c in answer["choices"]], [0, 1])
        self.assertEqual(headers["x-jsonheal-attempts"], "3")

    def test_a_refusal_is_no_failure(self):
        for stream in (False, True):
            status, text, _ = self.gate.ask("refusal", response_schema=PERSON, stream=stream)
            self.assertEqual(status, 200)
            self.assertIn("I cannot help with that.", text)

    def test_streams(self):
        for policy in ("buffer", "live"):
            for model in ("clean", "fenced", "prose", "wrong-type", "slow", "misfit-early"):
                with self.subTest((policy, model)):
                    _, text, _ = self.gate.ask(model, response_schema=PERSON, stream=True, healing_options={"stream": policy})
                    self.assertEqual(json.loads(content(text)), ADA)
                    finals = [c["choices"][0]["finish_reason"] for c in events(text) if c["choices"] and c["choices"][0]["finish_reason"]]
                    self.assertEqual(finals, ["stop"])

    def test_the_end_of_a_stream_that_failed(self):
        for policy in ("buffer", "live"):
            _, text, _ = self.gate.ask("misfit-late", response_schema=PERSON, stream=True,
                                       healing_options={"stream": policy, "max_attempts": 1})
            last = events(text)[-1]
            self.assertEqual(last["choices"][0]["finish_reason"], "error")
            self.assertEqual(last["error"]["code"], "service_unavailable")

    def test_usage_in_a_stream_comes_once_and_last(self):
        for policy in ("buffer", "live"):
            _, text, _ = self.gate.ask("clean", response_schema=PERSON, stream=True, stream_options={"include_usage": True},
                                       healing_options={"stream": policy})
            with_usage = [c for c in events(text) if c.get("usage")]
            self.assertEqual(len(with_usage), 1)
            self.assertEqual(events(text)[-1]["choices"], [])

    def test_tool_calls(self):
        for model in ("tool", "tool-text", "tool-cut"):
            for stream in (False, True):
                with self.subTest((model, stream)):
                    _, text, _ = self.gate.ask(model, tools=[WEATHER], stream=stream)
                    if stream:
                        deltas = [c["choices"][0]["delta"] for c in events(text) if c["choices"]]
                        calls = [t for d in deltas for t in d.get("tool_calls") or []]
                        arguments = "".join(t["function"].get("arguments") or "" for t in calls)
                        self.assertTrue(all("index" in t for t in calls))
                        self.assertEqual((calls[0]["function"]["name"], calls[0]["type"]), ("get_weather", "function"))
                        reasons = [c["choices"][0]["finish_reason"] for c in events(text) if c["choices"]]
                        self.assertEqual(reasons[-1], "tool_calls")
                    else:
                        choice = json.loads(text)["choices"][0]
                        arguments = choice["message"]["tool_calls"][0]["function"]["arguments"]
                        self.assertEqual(choice["finish_reason"], "tool_calls")
                    self.assertEqual(json.loads(arguments)["city"], "Paris")

    def test_plain_text_is_not_touched(self):
        plain = "Hello there, this is plain text with {braces} and `code`."
        for tools in ([], [WEATHER]):
            more = {"tools": tools} if tools else {}
            _, text, _ = self.gate.ask("chat", **more)
            self.assertEqual(json.loads(text)["choices"][0]["message"]["content"], plain)
            _, text, _ = self.gate.ask("chat", stream=True, **more)
            self.assertEqual(content(text), plain)

    def test_requests_that_cannot_be(self):
        good = {"model": "clean", "messages": [{"role": "user", "content": "x"}]}
        for change, status, param in (
                ({"messages": None}, 400, "messages"),
                ({"messages": []}, 400, "messages"),
                ({"response_schema": {"type": 3}}, 400, "response_schema"),
                ({"response_schema": PERSON, "healing_options": {"max_attempts": 0}}, 400, "healing_options.max_attempts"),
                ({"response_schema": PERSON, "healing_options": {"max_attempts": 11}}, 400, "healing_options.max_attempts"),
                ({"response_schema": PERSON, "healing_options": {"stream": "later"}}, 400, "healing_options.stream"),
                ({"plugins": {}}, 400, "plugins"), ({"prompt": "x"}, 400, "prompt")):
            with self.subTest(change):
                got, text, _ = self.gate.request("POST", "/v1/chat/completions", {**good, **change})
                error = json.loads(text)["error"]
                self.assertEqual((got, error["param"]), (status, param), text)
                self.assertEqual(set(error) & {"message", "type", "param", "code"}, {"message", "type", "param", "code"})

    def test_addresses(self):
        for method, path, status in (("GET", "/v1/nothing/here", 404), ("GET", "/elsewhere", 404), ("GET", "/v1/chat/completions", 405),
                                     ("GET", "/healthz", 200), ("GET", "/readyz", 200), ("GET", "/metrics", 200),
                                     ("GET", "/v1/healings/unknown", 404), ("POST", "/v1/heal", 400)):
            with self.subTest(path):
                self.assertEqual(self.gate.request(method, path, {} if method == "POST" else None)[0], status)

    def test_heal(self):
        _, text, _ = self.gate.request("POST", "/v1/heal", {"text": "I say {name: 'Ada', age: '36'}", "schema": PERSON})
        self.assertEqual(json.loads(json.loads(text)["parts"][0]["after"]), ADA)
        _, text, _ = self.gate.request("POST", "/v1/heal", {"text": "main.go", "tool": "read_file"})
        self.assertEqual(json.loads(json.loads(text)["parts"][0]["after"]), {"file": "main.go"})
        _, text, _ = self.gate.request("POST", "/v1/heal", {"text": "{'a': [1, 2"})
        self.assertEqual(json.loads(text)["parts"][0]["verdict"], "truncated")


class Settings(unittest.TestCase):
    def test_models_keys_and_reports(self):
        import hashlib
        keys = ", ".join("{name: %s, sha256: %s%s}" % (n, hashlib.sha256(n.encode()).hexdigest(), more)
                         for n, more in (("one", ", automatic_healing: true"), ("two", ", models: [clean]"), ("three", ", requests_per_minute: 1")))
        gate = Gateway("    models: [clean, fenced]\nmodels: {short: {upstream: scripted, model: fenced}}\nkeys: [%s]" % keys)
        self.addCleanup(gate.stop)
        by = lambda key: {"Authorization": "Bearer " + key}
        self.assertEqual(gate.ask("clean")[0], 401)
        self.assertEqual(gate.ask("clean", by("nobody"))[0], 401)
        self.assertEqual(gate.ask("fenced", by("two"))[0], 404)
        self.assertEqual(gate.ask("nothing", by("one"))[0], 404)
        self.assertEqual(gate.ask("clean", by("three"))[0], 200)
        status, _, headers = gate.ask("clean", by("three"))
        self.assertEqual(status, 429)
        self.assertGreater(int(headers["retry-after"]), 0)
        status, text, headers = gate.ask("short", by("one"), response_format={"type": "json_object"})
        self.assertEqual(json.loads(json.loads(text)["choices"][0]["message"]["content"]), ADA)
        report = "/v1/healings/" + headers["x-request-id"]
        self.assertEqual(gate.request("GET", report, None, by("one"))[0], 200)
        self.assertEqual(gate.request("GET", report, None, by("two"))[0], 404, "a report is its key's alone")
        _, text, _ = gate.request("GET", "/v1/models", None, by("two"))
        self.assertEqual([m["id"] for m in json.loads(text)["data"]], ["clean"])

    def test_what_a_failure_says(self):
        gate = Gateway("healing: {failure_status: 422, best_candidate: true, should_retry: true, retry_after: 9s, max_attempts: 2}")
        self.addCleanup(gate.stop)
        status, text, headers = gate.ask("never", response_schema=PERSON)
        error = json.loads(text)["error"]
        self.assertEqual((status, error["attempts"], headers["retry-after"], headers["x-should-retry"]), (422, 2, "9", "true"))
        self.assertIn("Ada", error["candidate"])

    def test_policies_for_cut_calls(self):
        for policy, status in (("accept", 200), ("accept_closers", 200), ("reask", 200)):
            gate = Gateway("healing: {cut_calls: %s}" % policy)
            self.addCleanup(gate.stop)
            got, text, headers = gate.ask("tool-cut", tools=[WEATHER])
            self.assertEqual(got, status, text)
            call = json.loads(text)["choices"][0]["message"]["tool_calls"][0]
            city = json.loads(call["function"]["arguments"])["city"]
            self.assertEqual((city, headers["x-jsonheal-attempts"]), ("Pa", "1") if policy == "accept" else ("Paris", "2"))


if __name__ == "__main__":
    unittest.main()
