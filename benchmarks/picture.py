#!/usr/bin/env python3
"""Draws the throughput of the systems as ratios to grpc-java, one group of bars for each
scenario, out of the turns.csv of a comparison:

    python3 picture.py target/benchmarks/turns.csv ../docs/performance.svg

A bar is the median of the ratios within each round; the thin line on it runs from the
least to the greatest. The axis is logarithmic. Needs nothing but Python 3.
"""

import csv
import html
import math
import statistics
import sys
from collections import OrderedDict

BASE = "grpc"

# name in the file, name in the picture, colour in light, colour in dark
SYSTEMS = [
    ("netty", "raw Netty (the limit)", "#8c959f", "#8b949e"),
    ("ours-loop", "ours, non-blocking", "#0550ae", "#58a6ff"),
    ("ours", "ours, no setting", "#54a3ff", "#1f6feb"),
    ("rocketmq", "RocketMQ remoting", "#bc4c00", "#f0883e"),
    ("grpc-direct", "grpc-java, direct", "#1a7f37", "#3fb950"),
    ("dubbo", "Dubbo", "#8250df", "#bc8cff"),
    ("sofarpc", "SOFARPC", "#bf3989", "#f778ba"),
]

BAR = 13
GAP = 16
LEFT = 190
WIDTH = 860
RIGHT = 64
TOP = 92


def read(path):
    """Returns scenario -> system -> round -> calls per second, of the main part."""
    scenarios = OrderedDict()
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["part"] != "main" or row["rate"] != "0" or row["call"].startswith("sleep"):
                continue
            waiting = "blocking" if row["mode"] == "blocking" else "asynchronous"
            callers = "caller" if row["callers"] == "1" else "callers"
            name = (row["call"], "%s, %s %s" % (waiting, row["callers"], callers))
            systems = scenarios.setdefault(name, OrderedDict())
            systems.setdefault(row["system"], {})[row["round"]] = float(row["throughput"])
    return scenarios


def ratios(systems):
    """Returns system -> (least, median, greatest) of the ratios within a round."""
    base = systems.get(BASE, {})
    result = {}
    for name, rounds in systems.items():
        values = [value / base[turn] for turn, value in rounds.items() if base.get(turn)]
        if values and name != BASE:
            result[name] = (min(values), statistics.median(values), max(values))
    return result


def text(value):
    return "%.0f" % value if value >= 10 else "%.1f" % value if value >= 1 else "%.2f" % value


class Picture:
    def __init__(self, scenarios):
        self.groups = [(name, ratios(systems)) for name, systems in scenarios.items()]
        self.groups = [(name, found) for name, found in self.groups if found]
        if not self.groups:
            raise SystemExit("turns.csv: no scenario with %s and another system (expected: a comparison with it)" % BASE)
        every = [value for _, found in self.groups for triple in found.values() for value in triple]
        self.low = math.floor(math.log10(min(min(every), 0.5)) * 2) / 2
        self.high = math.ceil(math.log10(max(max(every), 2)) * 2) / 2
        self.lines = []

    def x(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def add(self, line):
        self.lines.append(line)

    def draw(self):
        present = [system for system in SYSTEMS if any(system[0] in found for _, found in self.groups)]
        height = TOP + sum(len(self.shown(found)) * BAR + GAP for _, found in self.groups) + 34
        self.add('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" '
                 'font-family="system-ui, sans-serif" font-size="11">' % (WIDTH, height))
        self.add("<title>Calls per second as a ratio to grpc-java</title>")
        self.add("<desc>%s</desc>" % html.escape(self.description()))
        self.style(present)
        self.add('<rect class="paper" width="%d" height="%d" rx="6"/>' % (WIDTH, height))
        self.add('<text class="title" x="16" y="24">Calls per second, as a ratio to grpc-java with its executors</text>')
        self.add('<text class="quiet" x="16" y="41">client and server in two processes on one machine, one connection; '
                 'logarithmic; median and range of the rounds</text>')
        self.legend(present)
        self.axis(height)
        y = TOP + 6
        for (call, load), found in self.groups:
            y = self.group(call, load, found, y)
        self.add("</svg>")
        return "\n".join(self.lines) + "\n"

    def shown(self, found):
        return [system for system in SYSTEMS if system[0] in found]

    def description(self):
        parts = []
        for (call, load), found in self.groups:
            bars = ", ".join("%s %s" % (label, text(found[name][1])) for name, label, _, _ in self.shown(found))
            parts.append("%s %s: %s" % (call, load, bars))
        return "; ".join(parts)

    def style(self, present):
        light = "".join(".%s{fill:%s}" % (name, colour) for name, _, colour, _ in present)
        dark = "".join(".%s{fill:%s}" % (name, colour) for name, _, _, colour in present)
        self.add("<style>.paper{fill:#ffffff}text{fill:#1f2328}.quiet{fill:#59636e}.title{font-size:14px;font-weight:600}"
                 ".name{font-weight:600}.grid{stroke:#d1d9e0}.one{stroke:#59636e}.range{stroke:#1f2328;stroke-opacity:.55}"
                 + light + "@media(prefers-color-scheme:dark){.paper{fill:#0d1117}text{fill:#f0f6fc}.quiet{fill:#9198a1}"
                 ".grid{stroke:#3d444d}.one{stroke:#9198a1}.range{stroke:#f0f6fc}" + dark + "}</style>")

    def legend(self, present):
        x = 16
        for name, label, _, _ in present:
            self.add('<rect class="%s" x="%d" y="54" width="10" height="10" rx="2"/>' % (name, x))
            self.add('<text x="%d" y="63">%s</text>' % (x + 14, html.escape(label)))
            x += 26 + int(len(label) * 6.1)

    def axis(self, height):
        exponent = math.floor(self.low)
        while exponent <= self.high:
            for digit in (1, 2, 5):
                value = digit * 10.0 ** exponent
                if self.low <= math.log10(value) <= self.high:
                    x = self.x(value)
                    kind = "one" if value == 1 else "grid"
                    self.add('<line class="%s" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>' % (kind, x, x, TOP, height - 28))
                    label = "grpc-java" if value == 1 else "%g" % value
                    self.add('<text class="quiet" x="%.1f" y="%d" text-anchor="middle">%s</text>' % (x, TOP - 6, label))
                    self.add('<text class="quiet" x="%.1f" y="%d" text-anchor="middle">%s</text>'
                             % (x, height - 14, label))
            exponent += 1

    def group(self, call, load, found, y):
        shown = self.shown(found)
        middle = y + len(shown) * BAR / 2
        self.add('<text class="name" x="%d" y="%.1f" text-anchor="end">%s</text>' % (LEFT - 12, middle - 1, call))
        self.add('<text class="quiet" x="%d" y="%.1f" text-anchor="end">%s</text>' % (LEFT - 12, middle + 12, load))
        one = self.x(1)
        for name, label, _, _ in shown:
            least, median, greatest = found[name]
            end = self.x(median)
            self.add('<rect class="%s" x="%.1f" y="%d" width="%.1f" height="%d" rx="1.5"><title>%s</title></rect>'
                     % (name, min(one, end), y, max(abs(end - one), 1), BAR - 2,
                        html.escape("%s: %s [%s to %s]" % (label, text(median), text(least), text(greatest)))))
            line = y + (BAR - 2) / 2
            self.add('<line class="range" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>'
                     % (self.x(least), self.x(greatest), line, line))
            edge = max(end, one, self.x(greatest)) + 4
            self.add('<text class="quiet" x="%.1f" y="%.1f" font-size="10">%s</text>' % (edge, line + 3.5, text(median)))
            y += BAR
        return y + GAP


def main(arguments):
    if len(arguments) != 2:
        raise SystemExit("usage: picture.py <turns.csv> <picture.svg>")
    drawing = Picture(read(arguments[0])).draw()
    with open(arguments[1], "w", encoding="utf-8") as file:
        file.write(drawing)


if __name__ == "__main__":
    main(sys.argv[1:])
