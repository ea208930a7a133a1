"""The table of a run as text."""


def figure(value):
    """Three digits: 0.0567 1.23 45.6 789 12345"""
    if value >= 100:
        return "%.0f" % value
    return "%.3g" % value


def duration(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return "%s %s" % (figure(seconds / scale), unit)
    return "%s ns" % figure(seconds / 1e-9)


def grid(head, body):
    widths = [max(len(str(line[i])) for line in [head] + body) for i in range(len(head))]
    def line(cells):
        return "  ".join(str(c).ljust(w) if i == 0 else str(c).rjust(w)
                         for i, (c, w) in enumerate(zip(cells, widths))).rstrip()
    return "\n".join([line(head), line(["-" * w for w in widths])] + [line(b) for b in body])


def cell(row):
    """`123 (0.08)`: MB/s and the ratio to simdjson; what was wrong with the answer, beside it."""
    if row is None:
        return ""
    if "seconds" not in row:
        return row["answer"]
    text = figure(row["mb_per_s"])
    if "ratio" in row:
        text += " (%.*f)" % (2 if row["ratio"] >= 0.995 else 3, row["ratio"])
    return text if row.get("answer", "right") == "right" else "%s %s" % (row["answer"], text)


def unique(values):
    return list(dict.fromkeys(values))


def size_table(rows, size):
    own = [r for r in rows if r["group"] == "sizes" and r["size"] == size]
    subjects = unique(r["subject"] for r in own)
    at = {(r["subject"], r["kind"]): r for r in own}
    kinds = unique(r["kind"] for r in own)
    return grid([size] + kinds, [[s] + [cell(at.get((s, k))) for k in kinds] for s in subjects])


def table(results):
    rows = results["rows"]
    parts = ["jsonheal benchmarks, %s, %s; load by others when it began: %.1f"
             % (results["machine"], results["date"], results["load"])]
    parts += ["left out: " + why for why in results["left_out"]]
    sizes = unique(r["size"] for r in rows if r["group"] == "sizes")
    if sizes:
        parts.append("MB/s of the text given (ratio to simdjson's DOM parse of the undamaged text in the same rounds);\n"
                     "`wrong` stands beside the time of an answer with another value, `refused` has no time")
    parts += [size_table(rows, size) for size in sizes]

    small = [r for r in rows if r["group"] == "small"]
    if small:
        parts.append(grid(["tool call of %d bytes" % small[0]["bytes"], "time", "answer"],
                          [[r["subject"], duration(r["seconds"]) if "seconds" in r else "", r["answer"]]
                           for r in small]))
    cold = [r for r in rows if r["group"] == "cold"]
    if cold:
        parts.append(grid(["first answer of a fresh process", "size", "MB/s", "edits", "peak beyond the text", "per byte"],
                          [["%s %s" % (r["subject"], r["kind"]), r["size"], figure(r["mb_per_s"]), r.get("edits", ""),
                            "%.2f MB" % (r["peak_bytes"] / 1e6), "%.2f" % (r["peak_bytes"] / r["bytes"])]
                           for r in cold]))
    extract = [r for r in rows if r["group"] == "extract"]
    if extract:
        parts.append(grid(["extract over prose", "MB/s"], [[r["size"], figure(r["mb_per_s"])] for r in extract]))
    growth = [r for r in rows if r["group"] == "growth"]
    if growth:
        parts.append(grid(["growth family", "10 KB", "100 KB", "1 MB", "exponent"],
                          [[r["kind"]] + [duration(t) for t in r["times"]] + ["%.2f" % r["exponent"]]
                           for r in growth]))
    if results["targets"]:
        parts.append(grid(["target", "wanted", "got", "on", ""],
                          [[t["name"], "%s %s" % (t["wanted"], t["unit"]), figure(t["got"]), t["on"],
                            "reached" if t["reached"] else "MISSED"] for t in results["targets"]]))
    return "\n\n".join(parts) + "\n"
