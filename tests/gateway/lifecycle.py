"""The gateway as a process: clients that leave, upstreams that fail, signals. JSONHEAL names the tool."""
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import types
import unittest

TOOL = os.environ["JSONHEAL"]
SCHEMA = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}


def answer(text, reason="stop"):
    body = json.dumps({"id": "x", "object": "chat.completion", "created": 1, "model": "m",
                       "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}]})
    return ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)).encode() + body.encode()


def chunk(text):
    event = "data: " + json.dumps({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m",
                                   "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]}) + "\n\n"
    return ("%x\r\n%s\r\n" % (len(event), event)).encode()


STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


class Upstream:
    """Answers each request, in order, by a list of byte strings; after a list that ends in None the connection hangs until the
    other side closes it, and `closed` has the times of that."""

    def __init__(self, *plans):
        self.plans, self.asked, self.closed = list(plans), [], []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def read_request(self, connection):
        text = b""
        while b"\r\n\r\n" not in text:
            got = connection.recv(65536)
            if not got:
                return None
            text += got
        head, body = text.split(b"\r\n\r\n", 1)
        length = int(re.search(rb"content-length: *(\d+)", head, re.I).group(1))
        while len(body) < length:
            body += connection.recv(65536)
        return body

    def talk(self, connection):
        with connection:
            while True:
                body = self.read_request(connection)
                if body is None:
                    return
                self.asked.append(body)
                for piece in self.plans.pop(0) if self.plans else [answer("{}")]:
                    if piece is None:
                        while connection.recv(65536):
                            pass
                        self.closed.append(time.monotonic())
                        return
                    if piece == b"":
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                        return
                    connection.sendall(piece)


class Gateway:
    def __init__(self, upstream, more=""):
        self.folder = tempfile.TemporaryDirectory()
        self.config = os.path.join(self.folder.name, "gateway.yaml")
        self.write(upstream, more)
        self.process = subprocess.Popen([TOOL, "serve", "--config", self.config], stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/v1", self.process.stderr.readline()).group(1))
        self.said = []
        self.listening = threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True)
        self.listening.start()

    def write(self, upstream, more):
        with open(self.config, "w", encoding="utf-8") as f:
            f.write("listen: {port: 0}\nupstreams:\n  - name: u\n    base_url: http://127.0.0.1:%d/v1\n"
                    "    retries: 0\n    timeouts: {connect: 1s, first_token: 1s, idle: 1s}\n%s\n" % (upstream.port, more))

    def connect(self, body):
        c = socket.create_connection(("127.0.0.1", self.port))
        text = json.dumps(body).encode()
        c.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(text) + text)
        return c

    def ask(self, body):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        c.request("POST", "/v1/chat/completions", json.dumps(body))
        r = c.getresponse()
        text = r.read().decode()
        c.close()
        return r.status, text, r.headers

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.listening.join()
        self.process.stderr.close()
        self.folder.cleanup()


def asked(**more):
    return {"model": "m", "messages": [{"role": "user", "content": "hi"}], **more}


def wait_until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.005)


class Lifecycle(unittest.TestCase):
    # A client that leaves must cost nothing more. 100 ms, and something for a busy machine.
    LEAVE_SECONDS = 0.4

    def leave(self, upstream, body, wait_for):
        gate = Gateway(upstream)
        self.addCleanup(gate.stop)
        client = gate.connect(body)
        wait_for(client)
        left = time.monotonic()
        client.close()
        wait_until(lambda: upstream.closed)
        self.assertLess(upstream.closed[0] - left, self.LEAVE_SECONDS)
        count = len(upstream.asked)
        time.sleep(0.2)
        self.assertEqual(len(upstream.asked), count, "a generation was asked for after the client had left")

    def test_client_leaves_before_the_answer(self):
        for more in ({}, {"response_schema": SCHEMA}, {"stream": True}, {"stream": True, "response_schema": SCHEMA}):
            with self.subTest(more):
                up = Upstream([None])
                self.leave(up, asked(**more), lambda _: wait_until(lambda: up.asked))

    def test_client_leaves_in_the_middle_of_a_stream(self):
        for more in ({}, {"response_schema": SCHEMA, "healing_options": {"stream": "live"}}):
            with self.subTest(more):
                up = Upstream([STREAM + chunk('{"age": 3, "x": "lo'), chunk("ng"), None])
                self.leave(up, asked(stream=True, **more), lambda c: c.recv(4096))

    def test_client_leaves_during_a_further_attempt(self):
        up = Upstream([answer("no JSON here")], [None])
        self.leave(up, asked(response_schema=SCHEMA), lambda _: wait_until(lambda: len(up.asked) == 2))

    def test_upstream_that_fails_before_the_answer(self):
        for plan, status in ([[b""], 502], [[b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"], 502],
                             [[b"nonsense\r\n\r\n"], 502]):
            with self.subTest(plan):
                gate = Gateway(Upstream(plan))
                self.addCleanup(gate.stop)
                got, body, _ = gate.ask(asked(response_schema=SCHEMA))
                self.assertEqual(got, status, body)
                self.assertIn("message", json.loads(body)["error"])

    def test_upstream_that_hangs(self):
        gate = Gateway(Upstream([None]))
        self.addCleanup(gate.stop)
        began = time.monotonic()
        status, _, _ = gate.ask(asked(response_schema=SCHEMA))
        self.assertEqual(status, 504)
        self.assertLess(time.monotonic() - began, 4)

    def test_upstream_that_stops_in_a_stream(self):
        for last in (b"", None):
            with self.subTest(last):
                gate = Gateway(Upstream([STREAM + chunk('{"age": 3, "note": "abc'), last]))
                self.addCleanup(gate.stop)
                status, body, _ = gate.ask(asked(stream=True, response_schema=SCHEMA, healing_options={"stream": "live"}))
                self.assertEqual(status, 200)
                self.assertIn('"finish_reason":"error"', body)
                self.assertTrue(body.rstrip().endswith("data: [DONE]"), body)

    def test_no_upstream_there(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            gone = types.SimpleNamespace(port=listener.getsockname()[1])
        gate = Gateway(gone)
        self.addCleanup(gate.stop)
        status, body, _ = gate.ask(asked())
        self.assertEqual(status, 502)
        self.assertIn("upstream 'u'", json.loads(body)["error"]["message"])

    def test_drain(self):
        up = Upstream([STREAM + chunk("Hello "), None])
        gate = Gateway(up, "limits: {drain: 2s}")
        self.addCleanup(gate.stop)
        client = gate.connect(asked(stream=True))
        client.recv(4096)
        gate.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.1", gate.port), timeout=0.5).recv(1)
        self.assertIsNone(gate.process.poll(), "the stream still runs")
        self.assertEqual(gate.process.wait(timeout=6), 0)

    def test_reload(self):
        first, second = Upstream(), Upstream()
        gate = Gateway(first)
        self.addCleanup(gate.stop)
        gate.ask(asked())
        gate.write(second, "")
        gate.process.send_signal(signal.SIGHUP)
        wait_until(lambda: any("read again" in line for line in gate.said))
        gate.ask(asked())
        self.assertEqual((len(first.asked), len(second.asked)), (1, 1))
        gate.write(second, "nonsense: 1")
        gate.process.send_signal(signal.SIGHUP)
        wait_until(lambda: any("stays as it was" in line for line in gate.said))
        self.assertEqual(gate.ask(asked())[0], 200)

    def test_keys_stay_secret(self):
        digest = hashlib.sha256(b"secret-of-the-team").hexdigest()
        gate = Gateway(Upstream(), "keys: [{name: team, sha256: %s}]\nlog: {level: debug}" % digest)
        self.addCleanup(gate.stop)
        self.assertEqual(gate.ask(asked())[0], 401)
        c = http.client.HTTPConnection("127.0.0.1", gate.port)
        c.request("POST", "/v1/chat/completions", json.dumps(asked()), {"Authorization": "Bearer secret-of-the-team"})
        self.assertEqual(c.getresponse().status, 200)
        c.close()
        wait_until(lambda: any('"status":200' in line for line in gate.said))
        self.assertFalse([line for line in gate.said if "secret-of-the-team" in line])

    def test_start_that_cannot_be(self):
        for arguments, words in ([["--config", "/nonexistent.yaml"], "nonexistent"], [[], "--demo"]):
            run = subprocess.run([TOOL, "serve", *arguments], capture_output=True, text=True, timeout=10)
            self.assertEqual(run.returncode, 2)
            self.assertIn(words, run.stderr)


if __name__ == "__main__":
    unittest.main()
