"""Bar charts as SVG, written by hand: no library, readable on a light and on a dark page."""
import math
from xml.sax.saxutils import escape

WIDTH, LABELS, RIGHT = 760, 190, 110
BAR, GAP, GROUP_GAP, TOP, BOTTOM = 13, 2, 10, 64, 34
COLOURS = ["#2f6fde", "#d9822b", "#2f9e62", "#8a63d2", "#c2477f", "#5b8fa8", "#9a8f2f", "#7d7d7d"]
STYLE = """
  .page { fill: #ffffff } text { fill: #1f2328; font: 12px sans-serif }
  .title { font-size: 15px; font-weight: bold } .small { font-size: 11px; fill: #59636e }
  .grid { stroke: #d1d9e0; stroke-width: 1 } .mark { stroke: #cf222e; stroke-width: 1.5; stroke-dasharray: 5 3 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } text { fill: #e6edf3 } .small { fill: #9198a1 } .grid { stroke: #3d444d } .mark { stroke: #ff7b72 }
  }
"""


class Scale:
    """A value to a place on the x axis: logarithmic by decades, or linear from zero."""

    def __init__(self, values, log):
        self.log = log
        high = max(values)
        if log:
            self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(high))
            if self.high == self.low:
                self.high += 1
            self.ticks = [10.0 ** e for e in range(self.low, self.high + 1)]
        else:
            step = 10 ** math.floor(math.log10(high))
            step = step / 2 if high / step < 3 else step
            self.ticks = [step * i for i in range(int(math.ceil(high / step)) + 1)]
            self.low, self.high = 0, self.ticks[-1]

    def x(self, value):
        at = math.log10(value) if self.log else value
        return LABELS + (at - self.low) / (self.high - self.low) * (WIDTH - LABELS - RIGHT)


def short(value):
    return "%g" % float("%.3g" % value)


def bar_chart(title, axis, groups, log=False, mark=None):
    """groups: [(label, [(series, value or None, note)])]; bars with a note of "wrong" are hollow.

    `mark`: (value, text) of a line across all bars.
    """
    series = list(dict.fromkeys(s for _, bars in groups for s, _, _ in bars))
    values = [v for _, bars in groups for _, v, _ in bars if v] + ([mark[0]] if mark else [])
    scale = Scale(values, log)
    legend = len(series) > 1
    legend_lines = math.ceil(len(series) / 4) if legend else 0
    top = TOP + 18 * legend_lines
    height = top + sum(len(b) * (BAR + GAP) + GROUP_GAP for _, b in groups) + BOTTOM
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">' % (WIDTH, height),
           "<title>%s</title>" % escape(title), "<style>%s</style>" % STYLE,
           '<rect class="page" width="%d" height="%d"/>' % (WIDTH, height), text(16, 26, title, "title"),
           text(16, 44, axis, "small")]
    for i, name in enumerate(series if legend else []):
        x, y = 16 + 180 * (i % 4), 64 + 18 * (i // 4)
        out += ['<rect x="%d" y="%d" width="10" height="10" fill="%s"/>' % (x, y - 9, colour(series, name)),
                text(x + 15, y, name)]
    for tick in scale.ticks:
        x = scale.x(tick)
        out += ['<line class="grid" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>' % (x, x, top - 8, height - BOTTOM),
                text(x, height - BOTTOM + 16, short(tick), "small", "middle")]
    y = top
    for label, bars in groups:
        middle = y + len(bars) * (BAR + GAP) / 2 + 3
        out.append(text(LABELS - 8, middle, label, anchor="end"))
        for name, value, note in bars:
            out += bar(scale, y, value, note, colour(series, name))
            y += BAR + GAP
        y += GROUP_GAP
    if mark:
        x = scale.x(mark[0])
        out += ['<line class="mark" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>' % (x, x, top - 8, height - BOTTOM),
                text(x, top - 12, mark[1], "small", "middle")]
    return "\n".join(out + ["</svg>"]) + "\n"


def bar(scale, y, value, note, fill):
    base = scale.x(scale.ticks[0])
    if not value:
        return [text(base + 4, y + BAR - 3, note, "small")]
    width = max(scale.x(value) - base, 1)
    wrong = note == "wrong"
    look = 'fill="none" stroke="%s" stroke-dasharray="3 2"' % fill if wrong else 'fill="%s"' % fill
    said = short(value) + (" (%s)" % note if note else "")
    return ['<rect x="%.1f" y="%.1f" width="%.1f" height="%d" %s/>' % (base, y, width, BAR, look),
            text(base + width + 4, y + BAR - 3, said, "small")]


def colour(series, name):
    return COLOURS[series.index(name) % len(COLOURS)]


def text(x, y, content, style=None, anchor=None):
    return '<text x="%.1f" y="%.1f"%s%s>%s</text>' % (
        x, y, ' class="%s"' % style if style else "", ' text-anchor="%s"' % anchor if anchor else "",
        escape(str(content)))
