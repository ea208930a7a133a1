#!/usr/bin/env python3
"""The gate's statistics, the targets, and the pages and plots made from results. No clock is read here."""
import os
import random
import sys
import unittest
from xml.etree import ElementTree

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))
import docs_page  # noqa: E402
import gate_statistics  # noqa: E402
import report  # noqa: E402
import targets  # noqa: E402
from run import GROWTH_SIZES, KINDS, SIZES  # noqa: E402


def ratios(r, slowdown, noise, pairs=15):
    return [slowdown * r.lognormvariate(0, noise) for _ in range(pairs)]


class Gate(unittest.TestCase):
    def failures(self, slowdown, noise, runs=4):
        r = random.Random(3)
        return sum(any(v["slower"] for v in gate_statistics.judge(
            {str(i): ratios(r, slowdown, noise) for i in range(3)})) for _ in range(runs))

    def test_the_same_speed_passes_under_noise_of_four_percent(self):
        self.assertEqual(self.failures(1.0, 0.04), 0)

    def test_ten_percent_slower_fails_under_noise_of_three_percent(self):
        self.assertEqual(self.failures(1.1, 0.03), 4)

    def test_faster_passes(self):
        self.assertEqual(self.failures(0.8, 0.03), 0)

    def test_pairs_without_spread_are_judged_by_their_ratio(self):
        [same, slower] = gate_statistics.judge({"same": [1.0] * 9, "slower": [1.2] * 9})
        self.assertFalse(same["slower"])
        self.assertTrue(slower["slower"])

    def test_a_drift_of_the_machine_cancels_within_a_pair(self):
        base = [1.0, 2.0, 4.0, 8.0]
        self.assertAlmostEqual(gate_statistics.pair_ratio([1.1 * b for b in base], base), 1.1)


def results(speed=1000.0, answer="right"):
    """Results of a run in which everything has one speed, in MB/s."""
    count = {"200B": 200, "1KB": 1_000, "100KB": 100_000, "1MB": 1_000_000, "10MB": 10_000_000}

    def row(group, size, kind, subject, **more):
        seconds = count[size] / speed / 1e6
        return {"group": group, "size": size, "kind": kind, "subject": subject, "bytes": count[size], "edits": 10,
                "edit_bytes": 24, "answer": answer, "seconds": seconds, "mb_per_s": speed, "ratio": speed / 2000,
                "samples": 3, **more}

    rows = []
    for size in SIZES:
        for kind in KINDS:
            rows += [row("sizes", size, kind, s) for s in docs_page.SETTINGS + ["simdjson", "jsonrepair"]]
        rows.append(row("extract", size, "prose", "jsonheal extract"))
    rows += [row("cold", "10MB", kind, "jsonheal", peak_bytes=count["10MB"]) for kind in KINDS]
    rows.append(row("small", "200B", "tool_call", "jsonheal"))
    rows.append(row("growth", "1MB", "deep_array", "jsonheal", times=[1e-5, 1e-4, 1e-3], exponent=1.0))
    assert len(GROWTH_SIZES) == 3
    return {"date": "2000-01-01", "machine": "test & <machine>", "load": 0.0, "left_out": ["nothing: really"],
            "rows": rows, "targets": targets.judge(rows)}


class Targets(unittest.TestCase):
    def reached(self, speed):
        return {t["name"]: t["reached"] for t in results(speed)["targets"]}

    def test_every_target_is_judged(self):
        self.assertEqual(len(self.reached(1000)), 16)

    def test_fast_is_reached_and_slow_is_missed(self):
        fast, slow = self.reached(2000), self.reached(1)
        self.assertTrue(fast["valid, 10 MB"])
        self.assertTrue(fast["broken, cold process, 10 MB"])
        self.assertTrue(fast["a broken call of 1 KB"])
        self.assertFalse(slow["valid, 10 MB"])
        self.assertFalse(slow["sparse damages, 100 KB"])
        self.assertFalse(slow["growth families, 1 MB"])

    def test_the_worst_text_decides(self):
        rows = results(2000)["rows"]
        bad = next(r for r in rows if r["kind"] == "comments" and r["size"] == "100KB" and r["subject"] == "jsonheal")
        bad["ratio"] = 0.1
        judged = {t["name"]: t for t in targets.judge(rows)}
        self.assertFalse(judged["sparse damages, 100 KB"]["reached"])
        self.assertEqual(judged["sparse damages, 100 KB"]["on"], "100KB comments")

    def test_a_peer_over_the_limit_counts_as_done_at_the_limit(self):
        rows = results(1000)["rows"]
        for r in rows:
            if r["subject"] == "jsonrepair":
                del r["seconds"]
                r["over_seconds"] = 20.0
        lead = {t["name"]: t for t in targets.judge(rows)}["lead over npm jsonrepair, every size and kind"]
        self.assertAlmostEqual(lead["got"], 20.0 / 0.01)


class Pages(unittest.TestCase):
    def test_a_wrong_answer_is_shown_beside_its_time(self):
        wrong = results(answer="wrong")
        self.assertIn("wrong 1000 (0.500)", report.table(wrong))
        self.assertIn("wrong: 1000 (0.500)", docs_page.page(wrong))

    def test_what_was_left_out_is_said(self):
        self.assertIn("left out: nothing: really", report.table(results()))
        self.assertIn("nothing: really", docs_page.page(results()))

    def test_plots_are_xml_and_follow_the_page_to_the_dark(self):
        plots = docs_page.plots(results())
        self.assertEqual(set(plots), {"valid.svg", "growth.svg", "memory.svg"} |
                         {"broken-%s.svg" % s for s in SIZES})
        for svg in plots.values():
            ElementTree.fromstring(svg)
            self.assertIn("prefers-color-scheme: dark", svg)

    def test_every_plot_of_the_page_is_made(self):
        page, plots = docs_page.page(results()), docs_page.plots(results())
        for name in plots:
            self.assertIn("plots/" + name, page)


if __name__ == "__main__":
    unittest.main()
