"""Checks the OpenAPI document of the quickstart, and calls it with a client that is generated from the document.

By hand, while the quickstart runs: python3 openapi.py http://localhost:8080/actuator/ localhost:9090
"""

import os
import pathlib
import shutil
import subprocess
import sys
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE / "target" / "openapi"

PYTHON_TOOLS = ("openapi-spec-validator==0.9.0",)
NODE_TOOLS = ("openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3")
NEEDS = ("node", "npm")
SECONDS = 120

# `ok` is what openapi.ts prints for each of its calls
CALLS = ("a call", "a list", "an error", "a deadline")


def install():
    """Installs the tools, unless they are there."""
    if not (TARGET / "python").exists():
        required([sys.executable, "-m", "pip", "install", "-q", "--target", TARGET / "python", *PYTHON_TOOLS])
    if not (TARGET / "node_modules").exists():
        TARGET.mkdir(parents=True, exist_ok=True)
        required(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", TARGET, *NODE_TOOLS])


def output(command, **options):
    try:
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=SECONDS, **options)
    except subprocess.TimeoutExpired as expired:
        return 1, f"not done in {expired.timeout} s"
    return done.returncode, done.stdout


def required(command):
    status, text = output(command)
    if status != 0:
        raise RuntimeError(f"{command[0]} ended with {status}:\n{text[-4000:]}")


def document(actuator):
    """Returns the document of an endpoint."""
    with urllib.request.urlopen(actuator + "rpc/openapi", timeout=SECONDS) as answer:
        kind = answer.headers["Content-Type"]
        if not kind.startswith("application/json"):
            raise RuntimeError(f"Content-Type: {kind} (expected: application/json)")
        return answer.read()


def cases(actuator, server):
    """Yields name, success and output of each case.

    actuator: address of the endpoints, such as http://localhost:8080/actuator/
    server: host and port of the server, such as localhost:9090
    """
    first = document(actuator)
    yield "the same bytes again", document(actuator) == first, ""
    file = TARGET / "openapi.json"
    file.write_bytes(first)
    status, text = output([sys.executable, "-m", "openapi_spec_validator", file],
                          env={**os.environ, "PYTHONPATH": str(TARGET / "python")})
    yield "openapi-spec-validator", status == 0, text
    programs = TARGET / "node_modules" / ".bin"
    status, text = output([programs / "openapi-typescript", file, "-o", TARGET / "api.d.ts"])
    yield "openapi-typescript", status == 0, text
    shutil.copy(HERE / "openapi.ts", TARGET / "openapi.mts")
    status, text = output([programs / "tsc", "--strict", "--target", "es2022", "--module", "nodenext", "--outDir",
                           TARGET, TARGET / "openapi.mts"], cwd=TARGET)
    yield "tsc", status == 0, text
    status, text = output(["node", TARGET / "openapi.mjs", server])
    for case in CALLS:
        yield f"openapi-fetch: {case}", f"{case}: ok\n" in text, text


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    install()
    failed = 0
    for name, passed, text in cases(*sys.argv[1:]):
        print(f"{name:34} {'ok' if passed else 'FAILED: ' + text}", flush=True)
        failed += not passed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
