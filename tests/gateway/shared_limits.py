"""Two gateways that count the requests of a key together in Redis. JSONHEAL names the tool; skipped where there is no redis-server."""
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

TOOL = os.environ["JSONHEAL"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Redis:
    def __init__(self, port, folder):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder],
            stdout=subprocess.DEVNULL)
        for _ in range(500):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.02)
        raise RuntimeError("redis-server did not start")

    def stop(self):
        self.process.kill()
        self.process.wait()


class Gateway:
    def __init__(self, config):
        self.process = subprocess.Popen([TOOL, "serve", "--config", config, "--port", "0"], stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.base = None
        started = threading.Event()

        def read():
            for line in self.process.stderr:
                self.lines.append(line)
                found = re.search(r"http://\S+:\d+", line)
                if found and self.base is None:
                    self.base = found.group(0)
                    started.set()
            started.set()

        self.reader = threading.Thread(target=read)
        self.reader.start()
        started.wait(30)

    def ask(self, key):
        """The status, and what Retry-After says."""
        body = json.dumps({"model": "demo", "messages": [{"role": "user", "content": "Hi"}]}).encode()
        request = urllib.request.Request(self.base + "/v1/chat/completions", body, {"Authorization": "Bearer " + key})
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return response.status, None
        except urllib.error.HTTPError as e:
            e.read()
            return e.code, e.headers["Retry-After"]

    def logged(self, event):
        return sum(f'"event":"{event}"' in line for line in self.lines)

    def stop(self):
        self.process.terminate()
        code = self.process.wait(timeout=30)
        self.reader.join()
        self.process.stderr.close()
        return code


@unittest.skipUnless(shutil.which("redis-server"), "there is no redis-server on this machine")
class SharedLimits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.port = free_port()
        keys = [{"name": n, "sha256": hashlib.sha256(n.encode()).hexdigest(), "requests_per_minute": 6} for n in "abc"]
        self.config = os.path.join(self.folder.name, "gateway.yaml")
        with open(self.config, "w", encoding="utf-8") as f:  # JSON is YAML
            json.dump({"upstreams": [{"name": "demo", "script": "builtin"}], "keys": keys,
                       "redis": {"port": self.port, "timeout": "2s"}}, f)

    def gateways(self):
        both = [Gateway(self.config), Gateway(self.config)]
        for g in both:
            self.addCleanup(g.stop)
        return both

    def granted(self, gateways, key, requests=10):
        answers = [g.ask(key) for _ in range(requests) for g in gateways]
        for status, retry in answers:
            self.assertIn(status, (200, 429))
            if status == 429:
                self.assertTrue(1 <= int(retry) <= 60, retry)
        return sum(status == 200 for status, _ in answers)

    def test_together_apart_and_together_again(self):
        redis = Redis(self.port, self.folder.name)
        both = self.gateways()
        # One is given back every ten seconds, so a slow machine may see one more.
        self.assertIn(self.granted(both, "a"), (6, 7))
        self.assertEqual(both[0].ask("wrong")[0], 401)
        both[0].process.send_signal(signal.SIGHUP)
        self.assertIn(self.granted(both, "a", 2), (0, 1), "a reload forgets nothing")
        redis.stop()
        self.assertIn(self.granted(both, "b"), (12, 13, 14), "each counts for itself")
        for g in both:
            self.assertEqual(g.logged("redis_away"), 1, g.lines)
        redis = Redis(self.port, self.folder.name)
        self.addCleanup(redis.stop)
        for _ in range(1000):
            if all(g.logged("redis_back") for g in both):
                break
            time.sleep(0.02)
        self.assertIn(self.granted(both, "c"), (6, 7))

    def test_without_redis_it_starts_all_the_same(self):
        both = self.gateways()
        self.assertEqual(both[0].ask("a")[0], 200)
        self.assertEqual(both[0].logged("redis_away"), 1)


if __name__ == "__main__":
    unittest.main()
