#!/usr/bin/env python3
"""Repeats the tests and reports each failure and the times: python3 config/repeat-tests.py --unit=20 --integration=5

--unit=N         runs of the unit tests
--integration=M  runs of the integration tests
--all=K          runs of `mvn verify`, with the checks
--modules=a,b    of these modules and those that they need alone (default: all)
--beside         each run has a second one beside it, in a copy of the folder
--maven=...      more arguments for Maven, such as "-P !tests-on-jdk25"

A run goes on after a failure. Logs, and the reports of failed tests, are in target/repeat-tests. The exit code is 1 if any test failed in any run.
"""
import argparse
import collections
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / "target" / "repeat-tests"
NO_CHECKS = ["-Dcheckstyle.skip", "-Dspring-javaformat.validate.skip"]
KINDS = {
    "unit": ["test", *NO_CHECKS],
    "integration": ["verify", *NO_CHECKS, "-Dtest=NONE", "-Dsurefire.failIfNoSpecifiedTests=false"],
    "all": ["verify"],
}


def reports(folder):
    for pattern in ("*", "samples/*"):
        yield from folder.glob(pattern + "/target/*-reports*/TEST-*.xml")


def begin(folder, kind, options, log):
    for report in reports(folder):
        report.unlink()
    command = ["mvn", "-B", "-ntp", "-fae", "-Dmaven.test.failure.ignore=true", *KINDS[kind], *shlex.split(options.maven)]
    if options.modules:
        command += ["-pl", options.modules, "-am"]
    with open(log, "w") as out:
        return subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT)


def parse(report):
    """Returns the root of a report without what XML forbids and a test may have printed."""
    text = report.read_bytes().decode("utf-8", "replace")
    return ElementTree.fromstring(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text))


def failures(folder):
    """Returns the number of tests, and the failed ones with the first line of what they say."""
    count, failed = 0, []
    for report in reports(folder):
        which = report.parent.name.replace("-reports", "")
        for case in parse(report).iter("testcase"):
            count += 1
            for fault in [*case.findall("failure"), *case.findall("error")]:
                name = f"{case.get('classname')}.{case.get('name')} ({which})"
                text = (fault.get("message") or fault.text or "").strip().split("\n")
                failed.append((name, " ".join(text[:2])[:300]))
                shutil.copy(report, LOGS)
    return count, failed


def run(kind, number, folders, options, found):
    """Runs the tests in each folder at the same time, and returns the seconds."""
    logs = [LOGS / f"{kind}-{number}{'-beside' * place}.log" for place in range(len(folders))]
    start = time.monotonic()
    processes = [begin(folder, kind, options, log) for folder, log in zip(folders, logs)]
    codes = [process.wait() for process in processes]
    seconds = time.monotonic() - start
    for folder, log, code in zip(folders, logs, codes):
        count, failed = failures(folder)
        if code != 0 or count == 0:
            failed.append((f"mvn {kind}", f"exit code {code}, {count} tests: see {log.relative_to(ROOT)}"))
        print(f"{log.stem}: {seconds:.0f} s, {count} tests, {len(failed)} failed", flush=True)
        for name, text in failed:
            found[name].append((log.stem, text))
            print(f"  {name}: {text}", flush=True)
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for kind in KINDS:
        parser.add_argument(f"--{kind}", type=int, default=0)
    parser.add_argument("--modules", default="")
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--maven", default="")
    options = parser.parse_args()
    if not any(getattr(options, kind) for kind in KINDS):
        parser.error("nothing to run (expected: --unit, --integration or --all)")
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    found, times = collections.defaultdict(list), collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as other:
        folders = [ROOT]
        if options.beside:
            folders.append(pathlib.Path(other) / "copy")
            shutil.copytree(ROOT, folders[1], ignore=shutil.ignore_patterns("target", ".git"))
        for kind in KINDS:
            for number in range(1, getattr(options, kind) + 1):
                times[kind].append(run(kind, number, folders, options, found))
    for kind, seconds in times.items():
        print(f"{kind}: {len(seconds)} runs, {min(seconds):.0f} to {max(seconds):.0f} s, {sum(seconds):.0f} s altogether")
    for name, faults in sorted(found.items(), key=lambda each: -len(each[1])):
        print(f"failed {len(faults)} times: {name}: {', '.join(run for run, _ in faults)}")
    print("each test succeeded in each run" if not found else f"{len(found)} failed")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
