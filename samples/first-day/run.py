#!/usr/bin/env python3
"""Does what README.md says, in an empty folder with an empty local repository.

A sentence that ends with a path in backquotes and a colon, before a block of code, makes
the block that file. Blocks of the language `sh` are commands, run in order: one that
begins with `# in another terminal` stays up until the next that begins with `# stop`. A
command that starts with `curl` is repeated until it answers what README says.

    python3 samples/first-day/run.py [--keep] [--warm]

--keep leaves the folder, --warm uses the local repository of this account. Needs what
README says: a JDK and Maven; besides it curl and Python 3.9.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = re.compile(r"`([\w./-]+)`:\n\n```(?:java|xml|properties)\n(.*?)```", re.S)
STEP = re.compile(r"```sh\n(.*?)```(?:\n\n(?:It answers|answers) `([^`]+)`)?", re.S)
LONGEST_SECONDS = 900
ANSWER_SECONDS = 60


class Failure(Exception):
    pass


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


def run(command, folder, log):
    print(f"$ {command}", flush=True)
    with log.open("a") as output:
        done = subprocess.run(command, shell=True, cwd=folder, stdout=output,
                              stderr=subprocess.STDOUT, timeout=LONGEST_SECONDS)
    if done.returncode != 0:
        raise Failure(f"{command}: ended with {done.returncode}, see {log}")


def start(command, folder, log):
    print(f"$ {command} &", flush=True)
    with log.open("a") as output:
        return subprocess.Popen(command, shell=True, cwd=folder, stdout=output,
                                stderr=subprocess.STDOUT, start_new_session=True)


def stop(processes):
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
    for process in processes:
        try:
            process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise Failure(f"process {process.pid} does not end")


def work(folder, options):
    text = section((ROOT / "README.md").read_text())
    maven = "mvn -q -B -ntp" + ("" if "--warm" in options else f" -Dmaven.repo.local={folder / 'repository'}")
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
                until_it_answers(lines[0], application, expected)
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
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rpc-first-day"))
    print(f"in {folder}")
    try:
        work(folder, sys.argv[1:])
    except Failure as failure:
        print(f"FAILED: {failure}")
        return 1
    if "--keep" not in sys.argv:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
