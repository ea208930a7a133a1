"""Is one of two programs slower, beyond noise? From paired samples; no clock, no process, so that it can be tested.

Each program is started several times, since where a process happens to lie in memory shifts all its times alike; one
start of each is a pair. Within a pair the two take turns, and the pair's ratio is that of their medians. The ratio of
a row is the mean over its pairs, on a logarithmic scale, and its lower bound is by bootstrap over the pairs.
"""
import math
import random
import statistics

CONFIDENCE = 0.999  # one-sided; there are about ten rows a run, and a gate that cries wolf is switched off
ALLOWED = 1.03      # a row is slower if its lower bound is above this: slower by 3 % is let through
RESAMPLES = 2000


def pair_ratio(new, base):
    """The ratio of two programs' times within one pair, from samples in turn."""
    return statistics.median(n / b for n, b in zip(new, base))


def lower_bound(ratios, confidence=CONFIDENCE, seed=7):
    """(mean, lower bound) of the geometric mean of the pairs' ratios, studentised bootstrap."""
    logs = [math.log(r) for r in ratios]
    n, mean = len(logs), statistics.fmean(logs)
    spread = statistics.stdev(logs) / math.sqrt(n)
    if spread == 0:
        return math.exp(mean), math.exp(mean)
    r = random.Random(seed)
    scores = []
    for _ in range(RESAMPLES):
        again = r.choices(logs, k=n)
        own = statistics.stdev(again) / math.sqrt(n)
        # A sample of one value repeated has no spread; it says nothing.
        if own > 0:
            scores.append((statistics.fmean(again) - mean) / own)
    scores.sort()
    high = scores[min(len(scores) - 1, int(confidence * len(scores)))]
    return math.exp(mean), math.exp(mean - high * spread)


def judge(rows):
    """rows: name → ratios of the pairs. One dict a row: name, ratio, bound, slower."""
    out = []
    for name, ratios in rows.items():
        ratio, bound = lower_bound(ratios)
        out.append({"name": name, "ratio": ratio, "bound": bound, "slower": bound > ALLOWED})
    return out
