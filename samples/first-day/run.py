#!/usr/bin/env python3
"""Does what README.md says, in an empty folder with an empty local repository.

A sentence that ends with a path in backquotes and a colon, before a block of code, makes
the block that file. Blocks of the language `sh` are commands, run in order: one that
begins with `# in another terminal` stays up until the next that begins with `# stop`. A
command that starts with `curl` is repeated until it answers what README says.

    python3 samples/first-day/run.py [--keep] [--warm]

--keep leaves the folder. --warm begins with links to the local repository of this account
instead of an empty one; what is installed goes into the folder in both cases. Needs what
README says, a JDK and Maven; besides curl, Python 3.9 and the ports that README names. No
process is left, whether it succeeds, fails or is interrupted.
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = re.compile(r"`([\w./-]+)`:\n\n```(?:java|xml|properties)\n(.*?)```", re.S)
STEP = re.compile(r"```sh\n(.*?)```(?:\n\n(?:It answers|answers) `([^`]+)`)?", re.S)
OWN_ARTIFACTS = pathlib.Path("io", "rpcboot")
PORTS = (2181, 8080, 8081, 9090)
LONGEST_SECONDS = 900
ANSWER_SECONDS = 120
PORT_SECONDS = 60
STOP_SECONDS = 60
LINES = 60


class Failure(Exception):
    pass


def check_needs():
    if sys.version_info < (3, 9):
        raise Failure(f"Python {sys.version.split()[0]} (expected: 3.9 or later)")
    for program in ("java", "mvn", "curl"):
        if not shutil.which(program):
            raise Failure(f"{program} is not on the PATH (expected: a JDK, Maven and curl)")
    end = time.monotonic() + PORT_SECONDS
    while taken := [port for port in PORTS if is_taken(port)]:
        if time.monotonic() > end:
            raise Failure(f"ports {taken} are taken (expected: {PORTS} are free, because README names them)")
        time.sleep(0.5)


def is_taken(port):
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind(("", port))
        except OSError:
            return True
    return False


def link_repository(target):
    """Links what Maven has downloaded, and copies the files that Maven writes to."""
    told = subprocess.run("mvn -X -B -N -o validate", shell=True, cwd=ROOT, capture_output=True, text=True).stdout
    found = re.search(r"Using local repository at (.*)", told)
    source = pathlib.Path(found.group(1).strip()) if found else None
    if not source or not source.is_dir():
        raise Failure("Maven names no local repository that exists (expected: one, or no --warm)")
    for directory, folders, files in os.walk(source):
        inside = pathlib.Path(directory).relative_to(source)
        if inside == OWN_ARTIFACTS:
            folders.clear()
            continue
        (target / inside).mkdir(parents=True, exist_ok=True)
        for file in files:
            if file.endswith((".jar", ".pom")):
                os.symlink(pathlib.Path(directory, file), target / inside / file)
            else:
                shutil.copy(pathlib.Path(directory, file), target / inside / file)


def section(text):
    start = text.index("## Use it\n")
    return text[start:text.index("\n## ", start + 1)]


def write_files(text, folder):
    for path, content in FILE.findall(text):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        print(f"wrote {path}")


def until_it_answers(command, folder, expected):
    end = time.monotonic() + ANSWER_SECONDS
    answer = ""
    while time.monotonic() < end:
        answer = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True).stdout
        if expected and expected in answer:
            print(f"answered {answer}")
            return
        time.sleep(0.5)
    raise Failure(f"{command}: answered {answer!r} (expected: {expected!r})")


def start(command, folder, log):
    """Starts a shell in a group of processes of its own."""
    print(f"$ {command}", flush=True)
    with log.open("a") as output:
        return subprocess.Popen(command, shell=True, cwd=folder, stdout=output,
                                stderr=subprocess.STDOUT, start_new_session=True)


def run(command, folder, log):
    process = start(command, folder, log)
    try:
        status = process.wait(timeout=LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command}: not done in {LONGEST_SECONDS} s\n{end_of(log)}")
    finally:
        stop([process])
    if status != 0:
        raise Failure(f"{command}: ended with {status}\n{end_of(log)}")


def end_of(log):
    return "\n".join([f"end of {log}:", *log.read_text(errors="replace").splitlines()[-LINES:]])


def send(process, number):
    try:
        os.killpg(process.pid, number)
        return True
    except ProcessLookupError:
        return False


def runs(process):
    """Returns true if its group has a process that is no zombie."""
    if process.poll() is None or not pathlib.Path("/proc/self/stat").exists():
        return send(process, 0)
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, group = file.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(group) == process.pid and state != "Z":
            return True
    return False


def stop(processes):
    """Ends the groups of processes, whether or not their shells still run."""
    for process in processes:
        send(process, signal.SIGTERM)
    end = time.monotonic() + STOP_SECONDS
    for process in processes:
        while runs(process):
            if time.monotonic() > end:
                for each in processes:
                    send(each, signal.SIGKILL)
                raise Failure(f"{process.args}: does not end {STOP_SECONDS} s after SIGTERM")
            time.sleep(0.1)


def interrupt(number, frame):
    raise Failure(f"interrupted by signal {number}")


def work(folder, options):
    text = section((ROOT / "README.md").read_text())
    maven = f"mvn -q -B -ntp -Dmaven.repo.local={folder / 'repository'}"
    if "--warm" in options:
        link_repository(folder / "repository")
    application = folder / "application"
    application.mkdir()
    write_files(text, application)
    processes = []
    begin = time.monotonic()
    try:
        for number, (block, expected) in enumerate(STEP.findall(text)):
            lines = [re.sub(r"^mvn\b", maven, line) for line in block.strip().splitlines() if not line.startswith("#")]
            log = folder / f"step-{number}.log"
            if block.startswith("# in the folder of this project"):
                for line in lines:
                    run(line, ROOT, log)
            elif block.startswith("# in another terminal"):
                processes.append(start(" && ".join(lines), application, log))
            elif lines[0].startswith("curl"):
                try:
                    until_it_answers(lines[0], application, expected)
                except Failure as failure:
                    raise Failure(f"{failure}\n{end_of(folder / f'step-{number - 1}.log')}")
            else:
                if block.startswith("# stop"):
                    stop(processes)
                    processes.clear()
                for line in lines:
                    run(line, application, log)
    finally:
        stop(processes)
    print(f"all of it: {time.monotonic() - begin:.0f} s")


def main():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rpc-first-day"))
    print(f"in {folder}")
    try:
        check_needs()
        work(folder, sys.argv[1:])
        return 0
    except Failure as failure:
        print(f"FAILED: {failure}")
        return 1
    finally:
        if "--keep" not in sys.argv:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
