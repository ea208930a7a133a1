"""Workers: processes that time one thing at a time when asked, one line in, one line of JSON out."""
import json
import os
import queue
import shutil
import subprocess
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PEERS = os.path.join(HERE, "peers")


class TooSlow(Exception):
    """The worker did not answer in time; it is ended."""


class Crashed(Exception):
    """The worker ended before it answered."""


class Worker:
    """One process. It is started when first asked, and again after it crashed or was too slow."""

    def __init__(self, command):
        self.command = command
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, encoding="utf-8")
        self.lines = queue.Queue()
        threading.Thread(target=self._read, args=(self.process, self.lines), daemon=True).start()

    @staticmethod
    def _read(process, lines):
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    def ask(self, *fields, limit=120):
        """The answer to a line of fields between tabs."""
        return self.ask_line("\t".join(str(f) for f in fields), limit)

    def ask_line(self, line, limit):
        """The answer to one line. Raises TooSlow after `limit` seconds, Crashed if the process ends."""
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=limit)
        except queue.Empty:
            self.close()
            raise TooSlow() from None
        except OSError:
            line = None
        if line is None:
            self.close()
            raise Crashed()
        return json.loads(line)

    def subjects(self):
        try:
            return self.ask("subjects")
        except Crashed:
            return []

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process = None


def install_peers(folder):
    """Puts the JavaScript libraries into FOLDER/node_modules. None if all is well, else why not."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "node or npm is not installed"
    os.makedirs(folder, exist_ok=True)
    files = ("package.json", "package-lock.json", ".npmrc")
    stamp = os.path.join(folder, "node_modules", ".package-lock.json")
    changed = [f for f in files if not same_file(os.path.join(PEERS, f), os.path.join(folder, f))]
    if not changed and os.path.exists(stamp):
        return None
    for name in files:
        shutil.copyfile(os.path.join(PEERS, name), os.path.join(folder, name))
    try:
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, timeout=180,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "npm ci did not end within three minutes"
    return None if done.returncode == 0 else "npm ci failed; is there a network?"


def same_file(a, b):
    try:
        with open(a, "rb") as f, open(b, "rb") as g:
            return f.read() == g.read()
    except OSError:
        return False


def node_worker(folder):
    return Worker(["node", "--stack-size=4000", os.path.join(PEERS, "worker.mjs"), folder])
