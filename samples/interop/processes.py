"""Folders, commands and servers of run.py."""

import pathlib
import platform
import re
import socket
import subprocess
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = HERE / "target"
TOOLS = TARGET / "bin"
PROTOS = TARGET / "protos"
GENERATED = TARGET / "generated"
# as the artifacts of protoc are named
PLATFORM = "-".join(({"Darwin": "osx", "Windows": "windows"}.get(platform.system(), "linux"),
                     {"aarch64": "aarch_64", "arm64": "aarch_64"}.get(platform.machine(), "x86_64")))
CASE_SECONDS = 120
START_SECONDS = 120
LONGEST_SHOWN = 300


class Failure(Exception):
    pass


def output(command, seconds=CASE_SECONDS, **options):
    """Returns the status and the output of a command."""
    try:
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=seconds, **options)
    except subprocess.TimeoutExpired as expired:
        return 1, f"not done in {expired.timeout} s"
    return done.returncode, done.stdout


def required(command, **options):
    print("$ " + " ".join(str(word) for word in command)[:LONGEST_SHOWN], flush=True)
    status, text = output(command, seconds=900, **options)
    if status != 0:
        raise Failure(f"{command[0]} ended with {status}:\n{text[-4000:]}")
    return text


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """A process that tells in its output where it listens. It ends with its input."""

    def __init__(self, name, command):
        self.log = TARGET / f"{name}.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([str(word) for word in command], cwd=TARGET, stdin=subprocess.PIPE,
                                            stdout=log, stderr=subprocess.STDOUT)

    def await_match(self, pattern):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            found = re.search(pattern, self.log.read_text(errors="replace"))
            if found:
                return found.group(1)
            time.sleep(0.2)
        raise Failure(f"{self.log}: {pattern} is not in it:\n{self.log.read_text(errors='replace')[-4000:]}")

    def await_port(self, port):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.2)
        raise Failure(f"{self.log}: nothing listens at {port}:\n{self.log.read_text(errors='replace')[-4000:]}")

    def stop(self):
        self.process.stdin.close()
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def protoc(folder):
    """Returns the compiler of protobuf, of the version of protobuf-java here, and puts its files into a folder."""
    library = next((TARGET / "lib").glob("protobuf-java-*.jar"))
    with zipfile.ZipFile(library) as files:
        files.extractall(folder, [name for name in files.namelist() if name.endswith(".proto")])
    version = library.stem.removeprefix("protobuf-java-")
    compiler = TOOLS / f"protoc-{version}-{PLATFORM}.exe"
    if not compiler.exists():
        required(["mvn", "-q", "-B", "-ntp", "-pl", "samples/interop", "dependency:copy", f"-DoutputDirectory={TOOLS}",
                  f"-Dartifact=com.google.protobuf:protoc:{version}:exe:{PLATFORM}"], cwd=ROOT)
    compiler.chmod(0o755)
    return compiler
