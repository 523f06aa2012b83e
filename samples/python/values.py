"""Contracts and values, written from docs/wire-types.md alone.

Objects are dictionaries by the names of their fields, constants are texts. Where several types may
stand, in a `base` or an `any`, a value is the pair of the type and the value.
"""

import datetime
import hashlib
import re
import struct
from typing import NamedTuple

METHOD = re.compile(r"method ([^(]+)\((.*?)\) (\S+)( one-way)?(?: throws (\S+(?:, \S+)*))?(?: aka .*)?$")
COLLECTION = re.compile(r"java\.util\..*(List|Set|Collection|Queue|Deque|Vector|Stack)$")
MAP = re.compile(r"java\.util\..*(Map|Hashtable|Properties)$")

BOXES = {"java.lang.Byte": "byte", "java.lang.Short": "short", "java.lang.Integer": "int", "java.lang.Long": "long",
         "java.lang.Float": "float", "java.lang.Double": "double", "java.lang.Boolean": "boolean",
         "java.lang.Character": "char"}
ZEROS = {"byte": 0, "short": 0, "int": 0, "long": 0, "float": 0.0, "double": 0.0, "boolean": False, "char": "\0"}
BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}

STRUCTS = ("bean", "record", "exception")
HOLDERS = ("java.util.Optional", "java.util.concurrent.atomic.AtomicReference")

VARINT, FIXED64, BYTES, START, END, FIXED32, MARKER = range(7)
EMPTY, NULL, REVERSED = range(3)


class Method(NamedTuple):
    name: str
    parameters: list
    result: str
    one_way: bool
    exceptions: list


class Definition:
    def __init__(self, kind):
        self.kind = kind
        self.members = {}  # number: (name, type)

    def number(self, wanted, at):
        """The number of a constant (at 0) or of a type (at 1)."""
        for number, member in self.members.items():
            if member[at] == wanted:
                return number
        raise ValueError("%s (expected: one of %s)" % (wanted, [member[at] for member in self.members.values()]))


class Contract:
    def __init__(self, text):
        self.text = text
        self.hash = hashlib.sha256(text.encode()).digest()[:16]
        self.methods, self.types = [], {}
        last = None
        for line in text.split("\n")[1:-1]:
            if line.startswith("method "):
                name, parameters, result, one_way, thrown = METHOD.match(line).groups()
                self.methods.append(Method(name, parameters.split(", ") if parameters else [], result, bool(one_way),
                                           thrown.split(", ") if thrown else []))
            elif line.startswith("  "):
                number, name, type_name = line.split()[:3]
                last.members[int(number)] = name, type_name
            else:
                kind, type_name = line.split()[:2]
                last = self.types[type_name] = Definition(kind)

    def method(self, name):
        index = next(index for index, each in enumerate(self.methods) if each.name == name)
        return index, self.methods[index]

    def counterpart(self, method):
        """The method of this contract that a method of another one calls."""
        named = [each for each in self.methods
                 if each.name == method.name and len(each.parameters) == len(method.parameters)]
        return next((each for each in named if each.parameters == method.parameters), named[0])


def arguments(type_name):
    """The type arguments of a type, as texts."""
    inner, depth, start, result = type_name[type_name.index("<") + 1:-1], 0, 0, []
    for at, char in enumerate(inner + ","):
        depth += (char == "<") - (char == ">")
        if char == "," and depth == 0:
            result.append(inner[start:at])
            start = at + 1
    return result


def shape(contract, type_name):
    """What a type looks like on the wire, and the types of its parts."""
    if type_name in contract.types:
        return contract.types[type_name].kind, []
    if type_name == "byte[]":
        return "bytes", []
    if type_name.endswith("[]"):
        return "array", [type_name[:-2]]
    name = type_name.split("<")[0]
    if name in BOXES or name in ZEROS:
        return BOXES.get(name, name), []
    if name in HOLDERS:
        return "holder", arguments(type_name)
    if MAP.match(name) and "<" in type_name:
        return "map", arguments(type_name)
    if COLLECTION.match(name) and "<" in type_name:
        return "collection", arguments(type_name)
    return name, []


def zigzag(number):
    return number << 1 ^ number >> 63


def pack_date(date):
    return date.year << 9 | date.month << 5 | date.day


def pack_time(time):
    seconds, micros = time.hour << 12 | time.minute << 6 | time.second, time.microsecond
    if micros == 0:
        return seconds << 2
    if micros % 1000 == 0:
        return (seconds << 10 | micros // 1000) << 2 | 1
    return (seconds << 20 | micros) << 2 | 2


def unpack_date(number):
    return datetime.date(number >> 9, number >> 5 & 15, number & 31)


def unpack_time(number):
    bits = number & 3 and 10 * (number & 3)
    seconds, fraction = number >> 2 + bits, number >> 2 & (1 << bits) - 1
    micros = fraction * 1000 if bits == 10 else fraction // 1000 if bits == 30 else fraction
    return datetime.time(seconds >> 12, seconds >> 6 & 63, seconds & 63, micros)


class Writer:
    def __init__(self, contract):
        self.contract = contract
        self.out = bytearray()

    def varint(self, number):
        number &= (1 << 64) - 1
        while number > 127:
            self.out.append(number & 127 | 128)
            number >>= 7
        self.out.append(number)

    def tag(self, number, wire_type):
        self.varint(number << 3 | wire_type)

    def data(self, number, data):
        self.tag(number, BYTES)
        self.varint(len(data))
        self.out += data

    def marker(self, number, marker):
        self.tag(number, MARKER)
        self.varint(marker)

    def field(self, number, type_name, value):
        """A value as a field: null is absent, a collection repeats it."""
        kind, parts = shape(self.contract, type_name)
        if value is None and type_name in ZEROS:
            raise ValueError("None (expected: a %s)" % type_name)
        if value is None:
            return
        if kind != "collection":
            self.element(number, type_name, value)
        elif not value:
            self.marker(number, EMPTY)
        else:
            for each in value:
                self.element(number, parts[0], each)

    def element(self, number, type_name, value):
        kind, parts = shape(self.contract, type_name)
        definition = self.contract.types.get(type_name)
        if value is None:
            self.marker(number, NULL)
        elif kind in BITS:
            if not -1 << BITS[kind] - 1 <= value < 1 << BITS[kind] - 1:
                raise ValueError("%d (expected: a %s)" % (value, kind))
            self.tag(number, VARINT)
            self.varint(value & 0xffffffff if kind in ("byte", "short") else value)
        elif kind in ("boolean", "char"):
            self.tag(number, VARINT)
            self.varint(ord(value) if kind == "char" else int(value))
        elif kind in ("float", "double"):
            self.tag(number, FIXED32 if kind == "float" else FIXED64)
            self.out += struct.pack("<f" if kind == "float" else "<d", value)
        elif kind == "java.lang.String":
            self.data(number, value.encode("utf-8", "surrogatepass"))
        elif kind == "bytes":
            self.data(number, value)
        elif kind == "java.time.LocalDate":
            self.tag(number, VARINT)
            self.varint(zigzag(pack_date(value)))
        elif kind == "java.time.LocalDateTime":
            pair = Writer(self.contract)
            pair.varint(zigzag(pack_date(value)))
            pair.varint(pack_time(value))
            self.data(number, pair.out)
        elif kind == "enum":
            self.tag(number, VARINT)
            self.varint(definition.number(value, 0))
        else:
            self.tag(number, START)
            self.group(kind, parts, definition, value)
            self.tag(number, END)

    def group(self, kind, parts, definition, value):
        if kind in STRUCTS:
            for number, (name, type_name) in definition.members.items():
                self.field(number, type_name, value.get(name, ZEROS.get(type_name)))
        elif kind in ("base", "any"):
            self.field(definition.number(value[0], 1), *value)
        elif kind in ("collection", "holder"):
            self.field(1, parts[0] if kind == "holder" else "java.util.List<%s>" % parts[0], value)
        elif kind == "map":
            for key, each in value.items():
                self.tag(1, START)
                self.field(1, parts[0], key)
                self.field(2, parts[1], each)
                self.tag(1, END)
        elif kind == "array":
            self.tag(1, VARINT)
            self.varint(len(value))
            for each in value:
                self.element(2, parts[0], each)
        else:
            raise NotImplementedError(kind)


class Reader:
    def __init__(self, contract, data):
        self.contract, self.bytes, self.at = contract, data, 0

    def varint(self):
        number = shift = 0
        while True:
            byte = self.bytes[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def take(self, count):
        self.at += count
        return self.bytes[self.at - count:self.at]

    def message(self, fields, end=0):
        """The values of fields by name, until the tag that ends them, 0 for the end of all."""
        values = {name: ZEROS.get(type_name) for name, type_name in fields.values()}
        while end or self.at < len(self.bytes):
            tag = self.varint()
            if tag == end:
                break
            name, type_name = fields[tag >> 3]
            kind, parts = shape(self.contract, type_name)
            if kind == "collection":
                values[name] = self.add(values[name] or [], parts[0], tag)
            else:
                values[name] = self.value(type_name, tag)
        return values

    def add(self, elements, type_name, tag):
        if tag & 7 != MARKER:
            elements.append(self.value(type_name, tag))
        elif self.marker() == NULL:
            elements.append(None)
        return elements

    def marker(self):
        marker = self.varint()
        if marker > REVERSED:
            raise ValueError("marker %d, of keys that are found in any case (expected: 0 to %d)" % (marker, REVERSED))
        return marker

    def value(self, type_name, tag):
        """One value, whose tag was read."""
        kind, parts = shape(self.contract, type_name)
        definition = self.contract.types.get(type_name)
        if tag & 7 == START:
            return self.group(kind, parts, definition, tag + END - START)
        if kind in BITS:
            bits = 64 if kind in ("int", "long") else 32
            number = self.varint()
            return number - (1 << bits) if number >> bits - 1 else number
        if kind in ("float", "double"):
            return struct.unpack("<f" if kind == "float" else "<d", self.take(4 if kind == "float" else 8))[0]
        if kind in ("boolean", "char"):
            return self.varint() == 1 if kind == "boolean" else chr(self.varint())
        if kind == "enum":
            return definition.members[self.varint()][0]
        if kind == "java.time.LocalDate":
            return unpack_date(self.signed())
        if kind == "java.lang.String":
            return self.take(self.varint()).decode("utf-8", "surrogatepass")
        if kind == "bytes":
            return self.take(self.varint())
        if kind == "java.time.LocalDateTime":
            self.varint()
            return datetime.datetime.combine(unpack_date(self.signed()), unpack_time(self.varint()))
        raise NotImplementedError(kind)

    def signed(self):
        number = self.varint()
        return number >> 1 ^ -(number & 1)

    def group(self, kind, parts, definition, end):
        if kind in STRUCTS:
            return self.message(definition.members, end)
        if kind in ("base", "any"):
            tag = self.varint()
            type_name = definition.members[tag >> 3][1]
            self.at -= 1 if tag < 128 else 2
            return type_name, self.message({tag >> 3: ("value", type_name)}, end)["value"]
        if kind == "holder":
            return self.message({1: ("value", parts[0])}, end)["value"]
        values, tag = [], self.varint()
        while tag != end:
            if kind == "map" and tag == 1 << 3 | START:
                entry = self.message({1: ("key", parts[0]), 2: ("value", parts[1])}, 1 << 3 | END)
                values.append((entry["key"], entry["value"]))
            elif kind == "array" and tag >> 3 == 1:
                self.varint()  # the length
            elif kind == "map":
                self.marker()  # the reverse order
            else:
                self.add(values, parts[0], tag)
            tag = self.varint()
        return dict(values) if kind == "map" else values
