"""jsonheal batch as a pipe: order, memory, back pressure, and ends that come early."""
import json
import os
import select
import subprocess

from tool import *


def start(*arguments):
    return subprocess.Popen([TOOL, "batch", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def is_sanitized():
    with open(TOOL, "rb") as f:
        program = f.read()
    return b"__asan_init" in program or b"__tsan_init" in program


class Order(CliTest):
    def test_answers_stand_in_the_order_of_the_records(self):
        # Sizes differ by four orders of magnitude, so that blocks finish out of order.
        records = [{"id": i, "input": "[" + "1," * (7 ** (i % 6)) + "2]"} for i in range(600)]
        for jobs in (1, 2, 16):
            answers = batch(records, "--jobs", jobs)
            self.assertEqual([a["id"] for a in answers], list(range(600)))
            self.assertEqual([len(a["value"]) for a in answers], [7 ** (i % 6) + 1 for i in range(600)])

    def test_an_answer_comes_before_the_next_record_is_written(self):
        p = start()
        for i in range(20):
            p.stdin.write(json.dumps({"id": i, "input": "[%d]" % i}).encode() + b"\n")
            p.stdin.flush()
            self.assertEqual(json.loads(p.stdout.readline())["value"], [i])
        p.stdin.close()
        self.assertEqual((p.wait(), p.stdout.read(), p.stderr.read()), (0, b"", b""))
        p.stdout.close()
        p.stderr.close()

    def test_records_may_be_large(self):
        text = json.dumps(["x" * 1000] * 20000)
        answers = batch([{"id": 1, "input": text}, {"id": 2, "input": "[]"}])
        self.assertEqual([a["verdict"] for a in answers], ["intact", "intact"])
        self.assertEqual(answers[0]["value"], json.loads(text))

    def test_records_may_be_deep(self):
        # Deeper than Python's reader goes, so the answer is looked at as text.
        deep = "[" * 300000 + "]" * 300000
        code, out, _ = run("batch", text=json.dumps({"id": 1, "input": deep}) + "\n")
        self.assertEqual((code, out), (0, '{"id":1,"verdict":"intact","risk":"exact","value":' + deep + "}\n"))


class Memory(CliTest):
    LINE = json.dumps({"id": 1, "input": json.dumps({"text": "word " * 200})}).encode() + b"\n"

    def test_it_does_not_grow_with_the_input(self):
        path = os.path.join(self.folder, "records")
        with open(path, "wb") as f:
            for _ in range(100):
                f.write(self.LINE * 1500)  # 150 MB and more
        self.assertGreater(os.path.getsize(path), 150_000_000)
        with open(os.devnull, "wb") as null:
            p = subprocess.Popen([TOOL, "batch", "--jobs", "2", path], stdout=null)
            _, status, usage = os.wait4(p.pid, 0)
            p.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(p.returncode, 0)
        if not is_sanitized():  # its shadow memory is not the tool's
            self.assertLess(usage.ru_maxrss * 1024, 100_000_000)

    def test_it_stops_reading_while_nobody_reads_its_answers(self):
        p = start("--jobs", "2")
        os.set_blocking(p.stdin.fileno(), False)
        written = 0
        while select.select([], [p.stdin], [], 1.5)[1]:  # until nothing is taken any more
            written += os.write(p.stdin.fileno(), self.LINE * 50)
            self.assertLess(written, 100_000_000)
        p.stdout.close()
        self.assertEqual(p.wait(), 2)
        self.assertIn(b"the reader has closed the pipe", p.stderr.read())
        p.stderr.close()
        p.stdin.close()


class Ends(CliTest):
    def test_it_ends_when_its_reader_goes_though_its_writer_stays(self):
        p = start()
        p.stdout.close()
        p.stdin.write(b'{"input":"1"}\n')
        p.stdin.flush()
        self.assertEqual(p.wait(timeout=30), 2)  # standard input is still open
        p.stdin.close()
        p.stderr.close()

    def test_an_input_that_cannot_be_read(self):
        for path, why in ((self.folder, "Is a directory"), (self.folder + "/missing", "No such file")):
            code, out, err = run("batch", path)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(why, err)


if __name__ == "__main__":
    main()
