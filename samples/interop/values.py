"""The values of ValueService in the JSON of protobuf, field by field; None where a field is absent."""

import json
import math
import struct
import sys

LONG = "z" * 300
SMILE = "\U0001f600"
INT, LONG_MAX = 2 ** 31 - 1, str(2 ** 63 - 1)
MIN, LONG_MIN = -2 ** 31, str(-2 ** 63)
DOUBLE, TINY = sys.float_info.max, 5e-324
FLOAT, TINY_FLOAT = struct.unpack("<ff", b"\xff\xff\x7f\x7f\x01\x00\x00\x00")
COLOUR = "VALUE_SERVICE_COLOUR_"
RED, GREEN, BLUE = COLOUR + "RED", COLOUR + "GREEN", COLOUR + "BLUE"


def circles(*radii):
    return [{"radius": radius} if radius else {} for radius in radii]


def rows(*items):
    return [{"items": list(each)} if each else {} for each in items]


FIELDS = {
    "flag": (None, True, True, None, True, True, None),
    "tiny": (None, 1, -1, 127, -128, 5, -128),
    "small": (None, 1, -1, 32767, -32768, 300, 128),
    "number": (None, 1, -1, INT, MIN, 70000, 128),
    "large": (None, "1", "-1", LONG_MAX, LONG_MIN, "5000000000", "16384"),
    "fraction": (None, 1, -1, FLOAT, TINY_FLOAT, 0.1, "Infinity"),
    "precise": (None, 1, -1, DOUBLE, TINY, 0.1, "-Infinity"),
    "letter": (None, 97, 65535, 122, 0x20ac, 9, 32),
    "boxed_flag": (None, True, False, True, False, False, None),
    "boxed_number": (None, 1, -1, INT, MIN, 0, 127),
    "boxed_precise": (None, 1, -1, DOUBLE, TINY, 0, "NaN"),
    "text": (None, "a", "\u4e00\u00df", LONG, SMILE + "\n\t\"\\", "", " "),
    "decimal": (None, "1", "-1.50", "1E+100", "-1E-100", "0", "0.00"),
    "whole": (None, "1", "-1", str(2 ** 100), str(-2 ** 100), "0", "127"),
    "id": (None, "00000000-0000-0000-0000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff",
           "7fffffff-ffff-ffff-7fff-ffffffffffff", "80000000-0000-0000-8000-000000000000",
           "00000000-0000-0000-0000-000000000000", "00000000-0000-0001-0000-000000000000"),
    "uri": (None, "http://a.example/b?c=d", "urn:a", "/", "mailto:a@b.example", "", "#a"),
    "date": (None, "2024-02-29", "0001-01-01", "9999-12-31", "1969-12-31", "1970-01-01", "2000-01-01"),
    "local": (None, "2024-02-29T23:59:58", "0001-01-01T00:00", "9999-12-31T23:59:59.999999999", "1969-12-31T12:00",
              "1970-01-01T00:00:00.000000001", "2000-01-01T00:00:01"),
    "at": (None, "1970-01-01T00:00:01Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59.999999999Z",
           "0001-01-01T00:00:00Z", "1970-01-01T00:00:00.000000001Z", "1970-01-01T00:00:00Z"),
    "lasting": (None, "1s", "-1s", "315576000000s", "-315576000000s", "0.000000001s", "0s"),
    "colour": (None, RED, GREEN, BLUE, RED, None, BLUE),
    "maybe_number": (None, 1, -1, INT, MIN, 0, 127),
    "maybe_text": (None, "a", "\u4e00", LONG, SMILE, "", " "),
    "texts": (None, ["a"], ["\u4e00", ""], [LONG, "b"], [SMILE], ["", ""], ["a", "b", "c"]),
    "numbers": (None, [1], [-1, 0], [INT, 300], [MIN], [0, 0], [127, 128, 16383, 16384]),
    "colours": (None, [RED], [GREEN, RED], [BLUE, BLUE, GREEN], [BLUE], [GREEN], [RED, GREEN]),
    "counts": (None, {"a": "1"}, {"\u4e00": "-1"}, {"z": LONG_MAX}, {SMILE: LONG_MIN}, {"": "0"}, {"a": "127"}),
    "names": (None, *([{"key": key, "value": value}] for key, value in
                      ((RED, "a"), (GREEN, "\u4e00"), (BLUE, "z"), (RED, SMILE), (GREEN, ""), (BLUE, " ")))),
    "rows": (None, rows([1]), rows([-1, 0], []), rows([INT], [2, 3]), rows([MIN]), rows([0], [], [0, 0]), rows([], [])),
    "shape": (None, {"circle": {"radius": 1}}, {"square": {"side": -1}}, {"square": {"side": INT}},
              {"circle": {"radius": TINY}}, {"square": {}}, {"circle": {"radius": "NaN"}}),
    "circles": (None, circles(1), circles(-1, 0), circles(DOUBLE), circles(TINY), circles(0), None),
    "page": (None, {"items": circles(1), "total": "1"}, {"total": "-1"}, {"items": circles(2, 3), "total": LONG_MAX},
             {"items": circles(-2), "total": LONG_MIN}, {"items": circles(0)}, {}),
}
COUNT = len(FIELDS["flag"])


def differences(index, message):
    """Compares a message of these values, as JSON with the names of the file. Returns a text for each difference."""
    texts = [f"{name}: unknown" for name in message if name not in FIELDS]
    for name, values in FIELDS.items():
        actual, expected = message.get(name), values[index]
        if name == "fraction" and isinstance(actual, float) and math.isfinite(actual):
            actual, expected = struct.pack("f", actual), struct.pack("f", expected)
        if actual != expected:
            texts.append(f"{index} {name}: {json.dumps(actual) if name != 'fraction' else actual} (expected: {expected})")
    return texts
