"""Part of run.py: the tests of Connect.

By itself a small one of its runs, which .ci/run does after the build with the profile interop:

    python3 samples/interop/conformance.py [install]

With `install` it only installs the tests by Go, which takes a minute or two if Go has not compiled them before.
"""

import json
import os
import pathlib
import re
import shutil
import sys

from processes import HERE, TARGET, TOOLS, Failure, output, protoc, required

TOOL = "connectrpc.com/conformance/cmd/connectconformance@v1.0.7"
MODULE = "connectrpc.com/conformance@v1.0.7"
JAVA_OPTIONS = r'\1 option java_multiple_files = true; option java_package = "com.\2";'
PROGRAM = "io.rpcboot.samples.interop.conformance.Conformance"

# A server has 10 s to start, and does little afterwards.
JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
ONE_SERVER = ("--max-servers", "1")

# Why known cases fail: texts that all lines about such a case have to match.
# max-frame-size bounds responses, too, and the response has the request within it
SIZE = r"received an unexpected error:|.*rpc\.server\.max-frame-size: the result takes more .*|expecting . response messages but .* 0"
# the HEADERS of an interface's method that takes a stream leave when it begins, before it can attach anything; gRPC may
# have all in one place without messages
HEADERS = r'actual response headers missing "x-custom-header"'
# a stream whose time ends at the server first is reset instead of answered
RESET = r"actual error .* does not match expected code 4 \(deadline_exceeded\)"
# references clean messages of servers, which end in logs
CLEANED = r"actual error .* does not match expected message .*"

# What is run: the role, the program's argument, options for cases that are left out or fail, and why they fail.
# Streams have a run of their own, because the service of the other one, which tells headers from trailers, has none.
RUNS = {
    # in clear text and without compression
    "fast": ("server", (), ONE_SERVER, ()),
    "server": ("server", (), (*ONE_SERVER, "--known-failing", "Server Message Size/**/request-equal-to-server-limit"),
               (SIZE,)),
    "streams": ("server", ("streams",), (
        *ONE_SERVER,
        "--known-failing", "Server Message Size/**/request-equal-to-server-limit",
        "--known-failing", "Server Message Size/**/all-requests-equal-to-server-limit",
        "--known-flaky", "Basic/**/client-stream/**", "--known-flaky", "Basic/**/bidi-stream/**",
        "--known-flaky", "Duplicate Metadata/**/client-stream/**",
        "--known-flaky", "Duplicate Metadata/**/bidi-stream/**", "--known-flaky", "Errors/**/bidi-stream/**",
        "--known-flaky", "Timeouts/**"), (SIZE, HEADERS, RESET)),
    # references compress no requests
    "client": ("client", (), ("--skip", "**/Compression:COMPRESSION_GZIP/**", "--known-failing",
                              "Errors/**/unary/unicode-error-message"), (CLEANED,)),
}
FAST = "fast"
# For each run the texts of the file of the role that are others.
CHANGES = {
    "fast": {"COMPRESSION_IDENTITY, COMPRESSION_GZIP": "COMPRESSION_IDENTITY",
             "supports_tls: true": "supports_tls: false\n  supports_message_receive_limit: false"},
    "streams": {"STREAM_TYPE_UNARY": "STREAM_TYPE_CLIENT_STREAM, STREAM_TYPE_SERVER_STREAM, "
                                     "STREAM_TYPE_HALF_DUPLEX_BIDI_STREAM, STREAM_TYPE_FULL_DUPLEX_BIDI_STREAM"},
}


def install():
    """Installs the tool, unless it is there."""
    if not (TOOLS / "connectconformance").exists():
        required(["go", "install", TOOL], env={**os.environ, "GOBIN": str(TOOLS)})


def compile_programs():
    """Compiles the programs with messages that are generated from the module's files. Returns their class path."""
    module = pathlib.Path(json.loads(required(["go", "mod", "download", "-json", MODULE]))["Dir"])
    shutil.rmtree(TARGET / "conformance", ignore_errors=True)
    protos, sources, classes = (TARGET / "conformance" / each for each in ("proto", "java", "classes"))
    sources.mkdir(parents=True)
    for each in (module / "proto").rglob("*.proto"):
        copy = protos / each.relative_to(module / "proto")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(re.sub(r"^(package (.*);)$", JAVA_OPTIONS, each.read_text(), flags=re.MULTILINE))
    required([protoc(protos), f"-I{protos}", f"--java_out={sources}", *(protos / "connectrpc").rglob("*.proto")])
    path = f"{classes}{os.pathsep}{TARGET / 'lib'}/*"
    required(["javac", "-nowarn", "-parameters", "-d", classes, "-cp", path, *sources.rglob("*.java"),
              *(HERE / "src" / "conformance").rglob("*.java")])
    return f"{path}{os.pathsep}{TARGET / 'classes'}"


def configuration(name, role):
    """Returns the file that says what a program can do, written anew if a run has other texts in it."""
    file = HERE / f"conformance-{role}.yaml"
    if name not in CHANGES:
        return file
    text = file.read_text()
    for before, after in CHANGES[name].items():
        if before not in text:
            raise Failure(f"{file}: {before} is not in it")
        text = text.replace(before, after)
    written = TARGET / "conformance" / f"{name}.yaml"
    written.write_text(text)
    return written


def unexplained(text, reasons):
    """Returns the lines about known cases that fail for no known reason."""
    cases = re.findall(r"^INFO: .* failed \(as expected\):\n((?:\t.*\n)+)", text, re.MULTILINE)
    return [line for case in cases for line in case.splitlines()
            if line.strip() and not any(re.fullmatch(each, line.strip()) for each in reasons)]


def run(interop, names=tuple(each for each in RUNS if each != FAST)):
    path = compile_programs()
    for name in names:
        role, arguments, options, reasons = RUNS[name]
        status, text = output([TOOLS / "connectconformance", "--mode", role, "--conf", configuration(name, role),
                               *options, "--", *JAVA, "-cp", path, PROGRAM + role.capitalize(), *arguments],
                              seconds=600)
        (TARGET / f"conformance-{name}.log").write_text(text)
        passed = re.search(r"(\d+ passed.*)", text)
        others = unexplained(text, reasons)
        interop.row("conformance", f"{name}: {passed.group(1) if passed else ''}", status == 0 and not others,
                    "\n".join([text, *others]))


class Alone:
    """Prints the rows of this part, without run.py."""

    def __init__(self):
        self.has_failed = False

    def row(self, part, case, passed, text):
        self.has_failed |= not passed
        print(f"{part} {case}" if passed else f"{part} {case} FAILED:\n{text[-8000:]}", flush=True)


def main():
    try:
        install()
        alone = Alone()
        if sys.argv[1:] != ["install"]:
            run(alone, (FAST,))
        return 1 if alone.has_failed else 0
    except Failure as failure:
        print(failure)
        return 1


if __name__ == "__main__":
    sys.exit(main())
