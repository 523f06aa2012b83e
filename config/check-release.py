#!/usr/bin/env python3
"""Builds a release twice and checks what it stages: nothing is uploaded or installed.

Copies the files of this work tree into two folders, gives them the version of a release,
and stages them with `mvn -Prelease deploy` into a folder each, signed with a key that
lives as long as this script. Every jar and every SBOM has to be the same twice, byte by
byte. What is staged has to be what Maven Central asks for: for each module a POM with all
elements, a jar, its sources, its Javadoc and its SBOM, each with a good signature and
right checksums, and nothing of the samples and benchmarks.

    python3 config/check-release.py [--keep] [options of Maven]

--keep leaves the folders. Needs a JDK, Maven, git, gpg and Python 3.9. Maven deploys
nothing with -o, not even into a folder.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = "0.0.1"
KEY = "Release check <release@check.invalid>"
POM = "{http://maven.apache.org/POM/4.0.0}"
ELEMENTS = ("name", "description", "url", "licenses/license/url", "developers/developer/name", "scm/url", "scm/connection")
CLASSIFIERS = {"": ".jar", "sources": ".jar", "javadoc": ".jar", "cyclonedx": ".json"}


class Failure(Exception):
    pass


def run(command, log=None, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if log:
        log.write_text(result.stdout)
    if result.returncode != 0:
        end = "\n".join(result.stdout.splitlines()[-40:])
        raise Failure(f"{' '.join(map(str, command))}: ended with {result.returncode}\n{end}")
    return result.stdout


def make_key(home):
    """Returns an armored secret key, which only this keyring knows."""
    home.mkdir(mode=0o700)
    gpg = ["gpg", "--homedir", home, "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""]
    run([*gpg, "--quick-generate-key", KEY, "rsa3072", "sign", "1d"])
    return subprocess.run([*gpg, "--armor", "--export-secret-keys"], check=True, capture_output=True, text=True).stdout


def copy(folder):
    """Copies the work tree without what git ignores, as a release."""
    files = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT).splitlines()
    version = ElementTree.parse(ROOT / "pom.xml").findtext(POM + "version")
    for name in filter(lambda each: (ROOT / each).is_file(), files):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
        if target.name == "pom.xml":
            target.write_text(target.read_text().replace(f"<version>{version}</version>", f"<version>{VERSION}</version>"))


def build(folder, staged, key, zone, options):
    print(f"$ mvn -Prelease deploy in {folder}", flush=True)
    environment = {**os.environ, "MAVEN_GPG_KEY": key, "MAVEN_GPG_PASSPHRASE": "", "TZ": zone}
    # the checks of each build are not repeated
    run(["mvn", "-B", "-ntp", *options, "-Prelease", "-P!tests-on-jdk25", "-Dmaven.test.skip=true", "-Dmaven.install.skip=true",
         "-Dcheckstyle.skip", "-Dspring-javaformat.skip", f"-DaltDeploymentRepository=local::{staged.as_uri()}", "deploy"],
        log=folder.with_suffix(".log"), cwd=folder, env=environment)


def published():
    """Returns the packaging by artifact of each module that is no sample, with the parent."""
    modules = [each.text for each in ElementTree.parse(ROOT / "pom.xml").iter(POM + "module")]
    poms = [ElementTree.parse(ROOT / each / "pom.xml") for each in [".", *modules]
            if not each.startswith(("samples/", "benchmarks"))]
    return {pom.findtext(POM + "artifactId"): pom.findtext(POM + "packaging", "jar") for pom in poms}


def expected(artifact, packaging):
    base = f"{artifact}-{VERSION}"
    if artifact == "rpc-bom":
        return {f"{base}.pom"}
    kinds = {"cyclonedx": ".json"} if packaging == "pom" else CLASSIFIERS
    return {f"{base}.pom", *(f"{base}{classifier and '-' + classifier}{kind}" for classifier, kind in kinds.items())}


def check_staged(staged, home):
    group = staged / "io" / "rpcboot"
    modules = published()
    problems = different("modules", {each.name for each in group.iterdir()}, set(modules))
    for artifact, packaging in modules.items():
        folder = group / artifact / VERSION
        files = {each.name for each in folder.glob("*")}
        main = {each for each in files if not each.endswith((".asc", ".md5", ".sha1", ".sha256", ".sha512"))}
        problems += different(artifact, main, expected(artifact, packaging))
        for name in sorted(main):
            problems += check_file(folder / name, home)
        problems += check_pom(folder / f"{artifact}-{VERSION}.pom", group)
        sbom = folder / f"{artifact}-{VERSION}-cyclonedx.json"
        if sbom.is_file():
            problems += check_sbom(sbom, artifact, packaging)
    print(f"{len(modules)} modules in {group}")
    return problems


def different(what, found, wanted):
    return [f"{what}: has {sorted(found - wanted)}, has not {sorted(wanted - found)}"] if found != wanted else []


def check_file(file, home):
    problems = []
    for name in ("md5", "sha1"):
        checksum = file.with_name(f"{file.name}.{name}")
        if not checksum.is_file() or checksum.read_text().strip() != hashlib.new(name, file.read_bytes()).hexdigest():
            problems.append(f"{checksum.name}: missing or wrong")
    signature = file.with_name(f"{file.name}.asc")
    verified = subprocess.run(["gpg", "--homedir", home, "--batch", "--verify", signature, file], capture_output=True, text=True)
    if verified.returncode != 0:
        problems.append(f"{signature.name}: {verified.stderr.strip()}")
    return problems


def check_pom(file, group):
    pom = ElementTree.parse(file).getroot()
    parent = pom.findtext(f"{POM}parent/{POM}artifactId")
    inherited = ElementTree.parse(group / parent / VERSION / f"{parent}-{VERSION}.pom").getroot() if parent else pom
    problems = [f"{file.name}: has no {element}" for element in ELEMENTS
                if not (text(pom, element) or (element not in ("name", "description") and text(inherited, element)))]
    if "SNAPSHOT" in file.read_text():
        problems.append(f"{file.name}: names a SNAPSHOT")
    if any(pom.iter(POM + "repositories")):
        problems.append(f"{file.name}: names repositories")
    return problems


def text(pom, path):
    return pom.findtext("/".join(POM + element for element in path.split("/")))


def check_sbom(file, artifact, packaging):
    sbom = json.loads(file.read_text())
    subject = sbom.get("metadata", {}).get("component", {})
    problems = different(file.name, {(sbom.get("bomFormat"), subject.get("name"), subject.get("version"))},
                         {("CycloneDX", artifact, VERSION)})
    components = sbom.get("components", [])
    if not components and packaging == "jar":
        problems.append(f"{file.name}: names no library")
    unhashed = [each["name"] for each in components if not each.get("hashes") and not each["name"].startswith("rpc-")]
    if unhashed:
        problems.append(f"{file.name}: no hashes of {unhashed}")
    return problems


def check_same(first, second):
    """Compares everything staged but signatures, whose time is that of signing, and what follows from them."""
    names = {side: {str(each.relative_to(side)) for each in side.rglob("*") if each.suffix in (".jar", ".pom", ".json")}
             for side in (first, second)}
    problems = different("the second build", names[second], names[first])
    compared = sorted(names[first] & names[second])
    for name in compared:
        if (first / name).read_bytes() != (second / name).read_bytes():
            problems.append(f"{name}: differs, see {first} and {second}, with --keep")
    print(f"{len(compared)} jars, POMs and SBOMs compared")
    return problems


def work(folder, options):
    home = folder / "gpg"
    try:
        key = make_key(home)
        first, second = folder / "first", folder / "another-folder" / "second"
        staged = [folder / "staged-first", folder / "staged-second"]
        for target, place, zone in ((first, staged[0], "UTC"), (second, staged[1], "Pacific/Chatham")):
            copy(target)
            build(target, place, key, zone, options)
        problems = check_staged(staged[0], home) + check_same(*staged)
    finally:
        subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=False)
    if problems:
        raise Failure("\n".join(problems))


def main():
    options = [each for each in sys.argv[1:] if each != "--keep"]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rpc-release"))
    print(f"in {folder}")
    try:
        for program in ("java", "mvn", "git", "gpg"):
            if not shutil.which(program):
                raise Failure(f"{program} is not on the PATH (expected: a JDK, Maven, git and gpg)")
        work(folder, options)
        print("The release is complete, signed, and the same twice.")
        return 0
    except Failure as failure:
        print(f"FAILED: {failure}")
        return 1
    finally:
        if "--keep" not in sys.argv:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
