"""The targets: what the table is held against, one row each."""

SPARSE = ["trailing_commas", "missing_close", "truncated", "fence_prose", "python_literals", "comments",
          "missing_commas", "unescaped_quotes"]
DENSE = ["single_quotes", "unquoted_keys"]
EDIT_BYTES = 24
MEGABYTE = 1_000_000


def picked(rows, group, kinds, size=None, subject="jsonheal"):
    return [r for r in rows if r["group"] == group and r["kind"] in kinds and r["subject"] == subject
            and (size is None or r["size"] == size) and "seconds" in r]


def worst(rows, of, least):
    """The row furthest from its target: the least value if the target is a least one, else the greatest."""
    return (min if least else max)(rows, key=of)


def ratio(r):
    return r["ratio"]


def speed(r):
    return r["mb_per_s"]


def microseconds(r):
    return r["seconds"] * 1e6


def milliseconds(r):
    return r["seconds"] * 1e3


def log_bytes(r):
    return r.get("edits", 0) * r.get("edit_bytes", EDIT_BYTES)


def memory_share(r):
    """Peak memory as a share of what is allowed: the text if it is intact; else three texts, the log and 1 MB."""
    if r["kind"] == "valid":
        return r["peak_bytes"] / r["bytes"]
    return r["peak_bytes"] / (3 * r["bytes"] + log_bytes(r) + MEGABYTE)


def lead_over_jsonrepair(rows):
    """For each text that both were timed on: how many times as fast as npm's jsonrepair, which counts as done at the
    time limit where it was slower than that."""
    theirs = {(r["size"], r["kind"]): r.get("seconds", r.get("over_seconds")) for r in rows
              if r["group"] == "sizes" and r["subject"] == "jsonrepair"}
    own = [r for r in rows if r["group"] == "sizes" and r["subject"] == "jsonheal" and "seconds" in r]
    return [{**r, "lead": theirs[r["size"], r["kind"]] / r["seconds"]} for r in own
            if theirs.get((r["size"], r["kind"]))]


def judge(rows):
    """One dict a target: name, unit, wanted, got, the text it was got on, reached. Targets without rows are left out."""
    found = []

    def target(name, own, of, unit, least=None, most=None):
        if not own:
            return
        r = worst(own, of, least is not None)
        got = of(r)
        found.append({"name": name, "unit": unit, "wanted": ("at least %g" % least) if least else "at most %g" % most,
                      "got": got, "on": "%s %s" % (r["size"], r["kind"]),
                      "reached": got >= least if least else got <= most})

    x = "x simdjson"
    sizes = [r for r in rows if r["group"] == "sizes"]
    target("valid, 1 KB", picked(sizes, "sizes", ["valid"], "1KB"), ratio, x, least=0.7)
    target("valid, 100 KB", picked(sizes, "sizes", ["valid"], "100KB"), ratio, x, least=0.9)
    target("valid, 10 MB", picked(sizes, "sizes", ["valid"], "10MB"), ratio, x, least=0.9)
    target("sparse damages, 100 KB", picked(sizes, "sizes", SPARSE, "100KB"), ratio, x, least=0.2)
    target("sparse damages, 10 MB", picked(sizes, "sizes", SPARSE, "10MB"), ratio, x, least=0.27)
    target("dense damages, buffers reused, 100 KB", picked(sizes, "sizes", DENSE, "100KB", "jsonheal reused"), ratio,
           x, least=0.13)
    target("dense damages, buffers reused, 10 MB", picked(sizes, "sizes", DENSE, "10MB", "jsonheal reused"), ratio, x,
           least=0.18)
    target("broken, cold process, 10 MB", picked(rows, "cold", SPARSE + DENSE, "10MB"), speed, "MB/s", least=200)
    target("lead over npm jsonrepair, every size and kind", lead_over_jsonrepair(rows), lambda r: r["lead"], "x",
           least=10)
    target("a broken call of 1 KB", picked(sizes, "sizes", SPARSE + DENSE, "1KB"), microseconds, "us", most=3)
    for size, name in (("1KB", "1 KB"), ("100KB", "100 KB"), ("10MB", "10 MB")):
        target("extract over prose without JSON, " + name,
               picked(rows, "extract", ["prose"], size, "jsonheal extract"), speed, "MB/s", least=1000)
    growth = [r for r in rows if r["group"] == "growth"]
    target("growth families, 1 MB", growth, milliseconds, "ms", most=50)
    target("memory, intact: share of the text", picked(rows, "cold", ["valid"]), memory_share, "x", most=1)
    target("memory, broken: share of 3 texts + log + 1 MB", picked(rows, "cold", SPARSE + DENSE), memory_share, "x",
           most=1)
    return found
