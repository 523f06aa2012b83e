#!/usr/bin/env python3
"""Count the lines of Java code in some folders.

A line counts if it has code: blank lines, comments, imports, the line of the package
and the files package-info.java and module-info.java do not.

Usage: config/count-lines.py FOLDER...
"""

import pathlib
import re
import sys

# Literals are tokens, too: a comment mark within one is code.
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])*'"
    r"|//[^\n]*"
    r"|/\*.*?\*/",
    re.DOTALL,
)
HEAD = re.compile(r"\s*(?:package|import)\s+[\w.*\s]+;\s*")
NOT_COUNTED = {"package-info.java", "module-info.java"}


def without_comments(source):
    """Replace each comment by its line breaks; "int/**/a" stays two words."""

    def replace(match):
        token = match.group()
        return " " + "\n" * token.count("\n") if token.startswith("/") else token

    return TOKEN.sub(replace, source)


def count(source):
    code = without_comments(source)
    at = 0
    while True:
        head = HEAD.match(code, at)
        if not head:
            break
        at = head.end()
    return sum(1 for line in code[at:].splitlines() if line.strip())


def main(folders):
    if not folders:
        sys.exit(__doc__)
    total = 0
    for folder in map(pathlib.Path, folders):
        files = [file for file in sorted(folder.rglob("*.java")) if file.name not in NOT_COUNTED]
        if not files:
            sys.exit(f"{folder}: no Java files (expected: a folder of sources)")
        lines = sum(count(file.read_text(encoding="utf-8")) for file in files)
        print(f"{lines:8} lines {len(files):6} files  {folder}")
        total += lines
    if len(folders) > 1:
        print(f"{total:8} lines in all")


if __name__ == "__main__":
    main(sys.argv[1:])
