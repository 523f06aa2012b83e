#!/usr/bin/env python3
"""Count the lines of Java code in some folders.

A line counts if it has code: blank lines, comments, imports, the line of the package
and the files package-info.java and module-info.java do not.

Usage: config/count-lines.py FOLDER...
       config/count-lines.py --classes FILE FOLDER...

With --classes only the classes are counted that the file names, wherever they stand in
the folders, each with its numeric constants ("static final" of a primitive number).
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
CONSTANT = re.compile(r"\bstatic final (?:byte|short|int|long|float|double)\s+\w+\s*=")
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


def count_classes(names, folders):
    listing = "\n".join(line for line in pathlib.Path(names).read_text().splitlines() if line[:1] != "#")
    lines = constants = files = 0
    for name in listing.split():
        found = [file for folder in folders for file in sorted(folder.rglob(f"{name}.java"))]
        if not found:
            sys.exit(f"{names}: no class {name} in the folders (expected: one or more; remove or rename it)")
        for file in found:
            source = file.read_text(encoding="utf-8")
            own = len(CONSTANT.findall(without_comments(source)))
            print(f"{count(source):8} lines {own:6} constants  {file}")
            lines += count(source)
            constants += own
        files += len(found)
    print(f"{lines:8} lines {constants:6} constants  in {files} classes")


def main(folders):
    if folders[:1] == ["--classes"] and len(folders) > 2:
        count_classes(folders[1], list(map(pathlib.Path, folders[2:])))
        return
    if not folders or folders[0].startswith("-"):
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
