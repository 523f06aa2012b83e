#!/usr/bin/env python3
"""Calls servers of this project with clients and tools of gRPC that others have written.

    python3 samples/interop/run.py [part ...]

Parts: java, go (their clients for the interoperability tests of gRPC, on an interface and on a generated service of
ours, and our client on their servers), python, node,
grpcurl, tls (grpcurl with and without certificates and secret, which openssl makes), probes (grpc_health_probe on
servers with TLS, secrets, lists and rules), buf, evolution (clients in Python, generated from older and newer versions
of an interface), conformance (the tests of Connect: of our server over Connect and gRPC, with and without streams, and
of our client over gRPC), connect (generated clients of Connect in Node), requests (JSON by requests in Python), browser
(generated clients and foreign pages in Debian's chromium with chromium-driver); without one, all.
Builds the servers with Maven, and installs the tools into the folder target beside this file: by Go, pip, npm and
Maven, so that they must be on the PATH (java, mvn, go, python3 with pip, npm, as the parts need them). Prints a
table; the status is 0 if everything passed. No process is left.
"""

import concurrent.futures
import json
import os
import re
import shutil
import signal
import sys
import urllib.request
import zipfile

import conformance
import openapi
import values
import web
from processes import (CASE_SECONDS, GENERATED, HERE, PLATFORM, PROTOS, ROOT, TARGET, TOOLS, Failure, Server,
                       free_port, output, required)

GRPCURL = "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4"
GO_TOOLS = {
    "go": {"client": "google.golang.org/grpc/interop/client@v1.85.0",
           "server": "google.golang.org/grpc/interop/server@v1.85.0"},
    "grpcurl": {"grpcurl": GRPCURL},
    "tls": {"grpcurl": GRPCURL},
    "probes": {"grpc-health-probe": "github.com/grpc-ecosystem/grpc-health-probe@v0.4.63"},
    "buf": {"buf": "github.com/bufbuild/buf/cmd/buf@v1.75.0"},
    "conformance": {"connectconformance": conformance.TOOL},
}
PYTHON_TOOLS = ("grpcio==1.85.3", "grpcio-tools==1.85.1", "grpcio-status==1.85.1", "requests==2.34.2")
NEEDS = {"java": ("javac",), "go": ("go",), "python": (), "node": ("node", "npm"), "grpcurl": ("go",),
         "tls": ("go", "openssl"), "probes": ("go", "openssl", "javac"), "buf": ("go", "javac"),
         "evolution": ("javac",), "conformance": ("go", "javac"), "connect": ("node", "npm"), "requests": (),
         "browser": ("javac", "npm"), "openapi": openapi.NEEDS}
PYTHON_PARTS = {"python", "evolution", "requests"}
NODE_PARTS = {"node", "connect", "browser"}
OWN_SERVERS = {"probes", "evolution", "conformance"}

CASES = ("empty_unary", "large_unary", "special_status_message", "unimplemented_method", "unimplemented_service",
         "rpc_soak", "channel_soak", "client_streaming", "server_streaming", "ping_pong", "empty_stream",
         "timeout_on_sleeping_server", "cancel_after_begin", "cancel_after_first_response", "status_code_and_message")
# The client of Go has no cases of compression.
COMPRESSION = ("client_compressed_unary_noprobe", "server_compressed_unary", "client_compressed_streaming_noprobe")

# What a generated service has besides. An interface has no leading metadata of single calls, so that checks.py has
# custom_metadata for it, and the server compresses all of its long messages or none.
METADATA = "custom_metadata"
HOSTED_COMPRESSION = ("server_compressed_streaming",)

# Our client compresses no requests; custom_metadata is that of a single call.
OURS = (*CASES, METADATA)

API = "io.rpcboot.samples.quickstart.api."
LINT = """version: v2
lint:
  except:
    # a Java package need not end with a version
    - PACKAGE_VERSION_SUFFIX
"""
# an interface whose parameters change, and what a client sends and an answer has by the first version
SEARCH = "String search(String state, int customer, int size);\n"
SENT = {"state": "paid", "customer": 7, "size": 3}
ANSWER = "customer=7 size=3 state=paid"
BREAKING = """version: v2
breaking:
  use:
    - WIRE
"""
TABLE = ROOT / "rpc-runtime" / "src" / "test" / "resources" / "protobuf" / "edits.txt"
EDITS = TARGET / "edits"


def certificates(folder):
    """Makes an authority with certificates, and one certificate of another authority."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for authority, names in (("ca", ("localhost", "shop", "till")), ("other-ca", ("stranger",))):
        required(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={authority}",
                  "-keyout", folder / f"{authority}-key.pem", "-out", folder / f"{authority}.pem"])
        for name in names:
            required(["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}",
                      "-keyout", folder / f"{name}-key.pem", "-out", folder / f"{name}.csr"])
            (folder / "names.txt").write_text(f"subjectAltName=DNS:{name},IP:127.0.0.1")
            required(["openssl", "x509", "-req", "-in", folder / f"{name}.csr", "-CA", folder / f"{authority}.pem",
                      "-CAkey", folder / f"{authority}-key.pem", "-CAcreateserial", "-days", "1",
                      "-extfile", folder / "names.txt", "-out", folder / f"{name}.pem"])


def certificate(folder, name):
    """Returns the options of grpcurl for a certificate."""
    return ["-cert", folder / f"{name}.pem", "-key", folder / f"{name}-key.pem"]


class Version:
    """A version of the service of the table of edits, compiled, with folders of its files."""

    def __init__(self, name, types, lock=""):
        self.folder = EDITS / name
        self.types = types
        source = self.folder / "Api.java"
        source.parent.mkdir(parents=True)
        source.write_text("package evolution;\nimport io.protostuff.Tag;\nimport io.rpcboot.*;\nimport java.util.*;\n"
                          + "public interface Api {\n" + types + "}\n")
        status, text = output(["javac", "-parameters", "-proc:none", "-cp", f"{TARGET / 'lib'}/*", "-d", self.folder,
                               source])
        if status != 0:
            raise Failure(f"{source}: {text}")
        if lock:
            file = self.folder / "locked" / "META-INF" / "rpc" / "protobuf.lock"
            file.parent.mkdir(parents=True)
            file.write_text("evolution.Api" + lock)

    def write(self, folder, *options):
        """Runs ContractFiles. Returns its status and output."""
        return output(["java", "-cp", f"{self.folder}{os.pathsep}{TARGET / 'lib'}/*",
                       "io.rpcboot.serialization.protobuf.ContractFiles", *options, f"--to={self.folder / folder}",
                       "evolution.Api"])

    def python(self, environment):
        """Generates classes of Python from the locked file."""
        file = next((self.folder / "locked").rglob("services.proto"))
        shutil.copy(file, self.folder / "api.proto")
        status, text = output([sys.executable, "-m", "grpc_tools.protoc", "-I.", "--python_out=.",
                               "--grpc_python_out=.", "api.proto"], cwd=self.folder, env=environment)
        if status != 0:
            raise Failure(f"{file}: {text}")

    def breaking(self, first, folder):
        (self.folder / folder / "buf.yaml").write_text(BREAKING)
        return output([TOOLS / "buf", "breaking", "--against", first.folder / folder], cwd=self.folder / folder)


def install(folder, versions, command):
    """Runs a command that installs into a folder, unless it was run for the same versions."""
    done = TARGET / f"{folder}.installed"
    if not done.exists() or done.read_text() != versions:
        shutil.rmtree(TARGET / folder, ignore_errors=True)
        required(command)
        done.write_text(versions)


class Interop:
    def __init__(self, parts):
        self.parts = parts
        self.rows = []
        self.servers = []

    # what is installed

    def build(self):
        shutil.rmtree(TARGET / "probed", ignore_errors=True)
        required(["mvn", "-q", "-B", "-ntp", "-Pinterop", "-DskipTests", "-pl", "samples/interop,samples/quickstart",
                  "-am", "package"], cwd=ROOT)
        for part in self.parts:
            for tool, module in GO_TOOLS.get(part, {}).items():
                if not (TOOLS / tool).exists():
                    required(["go", "install", module], env={**os.environ, "GOBIN": str(TOOLS)})
        if PYTHON_PARTS & set(self.parts):
            install("python", " ".join(PYTHON_TOOLS),
                    [sys.executable, "-m", "pip", "install", "-q", "--target", TARGET / "python", *PYTHON_TOOLS])
        if NODE_PARTS & set(self.parts):
            for file in "package.json", "package-lock.json":
                shutil.copy(HERE / file, TARGET)
            install("node_modules", (TARGET / "package-lock.json").read_text(),
                    ["npm", "ci", "--silent", "--no-fund", "--no-audit", "--prefix", TARGET])
        shutil.rmtree(TARGET / "hosted", ignore_errors=True)
        if {"java", "go"} & set(self.parts) and not (TARGET / "grpc-java").exists():
            required(["mvn", "-q", "-B", "-ntp", "-f", HERE / "grpc-java" / "pom.xml", "dependency:copy-dependencies",
                      f"-DoutputDirectory={TARGET / 'grpc-java'}", f"-Dprotoc.classifier={PLATFORM}"])

    def start(self):
        shutil.rmtree(PROTOS, ignore_errors=True)
        shutil.rmtree(GENERATED, ignore_errors=True)
        GENERATED.mkdir(parents=True)
        testing = Server("server", ["java", "-cp", f"{TARGET / 'classes'}{os.pathsep}{TARGET / 'lib'}/*",
                                    "io.rpcboot.samples.interop.InteropServer", PROTOS])
        self.servers.append(testing)
        jar = max((ROOT / "samples" / "quickstart" / "target").glob("rpc-sample-quickstart-*.jar"))
        quickstart = Server("quickstart", ["java", "-jar", jar, "--rpc.quickstart.load-time=100ms",
                                           "--rpc.server.grpc.compression=gzip"])
        self.servers.append(quickstart)
        self.testing = testing.await_match(r"listens on (\S+:\d+)\s")
        self.users = quickstart.await_match(r"listens on (\S+:\d+)\s")
        self.actuator = quickstart.await_match(r"(http\S+/actuator/)rpcdashboard \(provider\)")
        self.write_protos(self.actuator)

    def write_protos(self, actuator):
        """Writes the files of the quickstart, which its endpoint has, beside those of the other server."""
        with urllib.request.urlopen(actuator + "rpc/proto", timeout=CASE_SECONDS) as answer:
            files = json.load(answer)["files"]
        for name, text in files.items():
            (PROTOS / name).parent.mkdir(parents=True, exist_ok=True)
            (PROTOS / name).write_text(text)
        # a package of Python would hide the modules `io` and `grpc`, therefore without folders
        for package, name in ("api", "users"), ("interop", "check"), ("testing", "testing"):
            shutil.copy(next(PROTOS.rglob(package + "/services.proto")), GENERATED / (name + ".proto"))

    def stop(self):
        for server in self.servers:
            server.stop()

    # what is tried

    def row(self, part, case, passed, text=""):
        self.rows.append((part, case, passed))
        lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("at ")]
        why = "" if passed else ": " + " / ".join(lines)[-1500:]
        print(f"{part:8} {case:34} {'ok' if passed else 'FAILED'}{why}", flush=True)

    def serve(self, name, *options):
        """Starts ProbedServer with properties. Returns the server and its address."""
        classes = TARGET / "probed"
        if not classes.exists():
            required(["javac", "-parameters", "-proc:none", "-d", classes, "-cp",
                      f"{TARGET / 'classes'}{os.pathsep}{TARGET / 'lib'}/*",
                      *(HERE / "src" / "probes").rglob("*.java")])
        server = Server(name, [
            "java", "-cp", f"{classes}{os.pathsep}{TARGET / 'classes'}{os.pathsep}{TARGET / 'lib'}/*",
            "io.rpcboot.samples.interop.ProbedServer", "--rpc.server.port=0", "--rpc.registry.type=none",
            "--rpc.server.bind-address=127.0.0.1", *options])
        self.servers.append(server)
        return server, server.await_match(r"listens on (\S+:\d+)\s")

    def checks(self, part, program, status, text):
        """Adds what a program has printed: a line for each check, its name, a colon and its result."""
        checks = re.findall(r"^(.+?): (.*)$", text, re.MULTILINE)
        if status != 0 or not checks:
            self.row(part, program, False, text)
        for name, result in checks:
            self.row(part, name, result == "ok", result)

    def java(self):
        client = ["java", "-cp", f"{TARGET / 'grpc-java'}/*", "io.grpc.testing.integration.TestServiceClient",
                  "--use_tls=false"]
        self.cases("java", "", client, self.testing, (*CASES, *COMPRESSION))
        self.cases("java", "generated: ", client, self.hosted(),
                   (*CASES, METADATA, *COMPRESSION, *HOSTED_COMPRESSION))
        self.row("java", "values", *self.java_values())
        port = free_port()
        self.ours("java", (*OURS, "server_compressed_unary"), port,
                  ["java", "-cp", f"{TARGET / 'grpc-java'}/*", "io.grpc.testing.integration.TestServiceServer",
                   f"--port={port}", "--use_tls=false"])

    def cases(self, part, prefix, client, server, cases):
        """Calls a server of ours with the client of others."""
        host, port = server.split(":")
        for case in cases:
            status, text = output([*client, f"--server_host={host}", f"--server_port={port}", f"--test_case={case}"])
            self.row(part, prefix + case, status == 0, text)

    def hosted(self):
        """Returns the address of a server with grpc-java's implementation, which it starts once."""
        classes = TARGET / "hosted"
        if classes.exists():
            return self.generated
        others = [each for each in (TARGET / "grpc-java").glob("*.jar") if not each.name.startswith("netty")]
        path = os.pathsep.join(map(str, (classes, TARGET / "classes", f"{TARGET / 'lib'}/*", *others)))
        required(["javac", "-parameters", "-proc:none", "-d", classes, "-cp", path,
                  *(HERE / "src" / "hosted").rglob("*.java")])
        server = Server("hosted", ["java", "-cp", path, "io.rpcboot.samples.interop.HostedServer"])
        self.servers.append(server)
        self.generated = server.await_match(r"listens on (\S+:\d+)\s")
        return self.generated

    def java_values(self):
        """Reads the values of ValueService with classes that protoc generates. Returns whether they are equal."""
        classes = TARGET / "values"
        shutil.rmtree(classes, ignore_errors=True)
        classes.mkdir()
        class_path = f"{classes}{os.pathsep}{TARGET / 'grpc-java'}/*"
        protoc = next((TARGET / "grpc-java").glob("protoc-*.exe"))
        protoc.chmod(0o755)
        with zipfile.ZipFile(next((TARGET / "grpc-java").glob("protobuf-java-[0-9]*.jar"))) as jar:
            jar.extractall(classes, [name for name in jar.namelist() if name.endswith(".proto")])
        for command in (
                [protoc, f"-I{GENERATED}", f"-I{classes}", f"--java_out={classes}", "check.proto"],
                ["javac", "-proc:none", "-cp", class_path, "-sourcepath", classes, "-d", classes,
                 HERE / "grpc-java" / "ValuesClient.java"],
                ["java", "-cp", class_path, "ValuesClient", self.testing, values.COUNT]):
            status, text = output(command)
            if status != 0:
                return False, text
        messages = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
        texts = [text for index, each in enumerate(messages) for text in values.differences(index, each)]
        return len(messages) == values.COUNT and not texts, "\n".join(texts)

    def ours(self, part, cases, port, command):
        """Calls a server of others with our client."""
        server = Server(part + "-server", command)
        self.servers.append(server)
        server.await_port(port)
        status, text = output(["java", "-cp", f"{TARGET / 'classes'}{os.pathsep}{TARGET / 'lib'}/*",
                               "io.rpcboot.samples.interop.InteropClient", f"127.0.0.1:{port}", *cases])
        results = dict(re.findall(r"^(\w+) (.*)$", text, re.MULTILINE))
        for case in cases:
            result = results.get(case, text)
            self.row(part, "ours: " + case, status == 0 and result == "ok", result)

    def go(self):
        self.cases("go", "", [TOOLS / "client"], self.testing, CASES)
        self.cases("go", "generated: ", [TOOLS / "client"], self.hosted(), (*CASES, METADATA))
        port = free_port()
        self.ours("go", OURS, port, [TOOLS / "server", f"--port={port}", "--use_tls=false"])

    def conformance(self):
        conformance.run(self)

    def connect(self):
        web.connect(self)

    def openapi(self):
        openapi.install()
        for case, passed, text in openapi.cases(self.actuator, self.users):
            self.row("openapi", case, passed, text)

    def requests(self):
        web.requests(self)

    def browser(self):
        web.browser(self)

    def python(self):
        environment = {**os.environ, "PYTHONPATH": f"{TARGET / 'python'}{os.pathsep}{GENERATED}"}
        status, text = output([sys.executable, "-m", "grpc_tools.protoc", "-I.", "--python_out=.",
                               "--grpc_python_out=.", "users.proto", "check.proto", "testing.proto"],
                              cwd=GENERATED, env=environment)
        self.row("python", "protoc", status == 0, text)
        status, text = output([sys.executable, HERE / "users.py", self.users], env=environment)
        self.row("python", "users.py", status == 0 and "7 Doug Lea 1968-12-08" in text, text)
        self.checks("python", "checks.py",
                    *output([sys.executable, HERE / "checks.py", self.testing, self.users], env=environment))

    def node(self):
        status, text = output(["node", HERE / "users.js", self.users], cwd=GENERATED,
                              env={**os.environ, "NODE_PATH": str(TARGET / "node_modules")})
        self.row("node", "users.js", status == 0 and "Doug Lea" in text, text)
        self.checks("node", "streams.js", *output(["node", HERE / "streams.js", self.testing], cwd=GENERATED,
                                                  env={**os.environ, "NODE_PATH": str(TARGET / "node_modules")}))

    def grpcurl(self):
        def call(case, expected, words, *options):
            status, text = output([TOOLS / "grpcurl", "-plaintext", *options, self.users, *words])
            self.row("grpcurl", case, status == 0 and all(each in text for each in expected), text)

        users = API + "UserService"
        call("list", (users, "grpc.health.v1.Health", "grpc.reflection.v1.", "grpc.reflection.v1alpha."), ["list"])
        call("list of a service", (users + ".GetUser",), ["list", users])
        call("describe", ("rpc GetUser",), ["describe", users + ".GetUser"])
        call("call with JSON", ('"id": "7"', '"name": "Doug Lea"'), [users + "/GetUser"], "-d", '{"id": 7}')
        call("health", ('"SERVING"',), ["grpc.health.v1.Health/Check"], "-d", "{}")

    def tls(self):
        """Calls of a guarded service, with the .proto where reflection is refused, too."""
        files = TARGET / "tls"
        certificates(files)
        secret = required(["openssl", "rand", "-hex", "32"]).strip()
        users = API + "UserService"
        jar = max((ROOT / "samples" / "quickstart" / "target").glob("rpc-sample-quickstart-*.jar"))
        bundle = "--spring.ssl.bundle.pem.rpc."
        server = Server("guarded", ["java", "-jar", jar, "--rpc.quickstart.load-time=100ms", "--server.port=0",
                                    f"{bundle}keystore.certificate=file:{files / 'localhost.pem'}",
                                    f"{bundle}keystore.private-key=file:{files / 'localhost-key.pem'}",
                                    f"{bundle}truststore.certificate=file:{files / 'ca.pem'}",
                                    "--rpc.server.ssl.bundle=rpc", "--rpc.server.ssl.client-auth=want",
                                    "--rpc.server.ssl.server-name=localhost",
                                    "--rpc.client.ssl.bundle=rpc", f"--rpc.server.auth.secret={secret}",
                                    "--rpc.server.services.UserService.allow=localhost,shop,user:shared-secret"])
        self.servers.append(server)
        address = "127.0.0.1:" + server.await_match(r"listens on \S+:(\d+)\s")
        file = next(each.relative_to(PROTOS) for each in PROTOS.rglob("*.proto")
                    if "service UserService" in each.read_text())
        trust = ["-cacert", files / "ca.pem"]
        wrong = ["-H", "authorization: Bearer " + secret[::-1]]
        proofs = {
            "nothing": [],
            "certificate in the list": certificate(files, "shop"),
            "certificate not in the list": certificate(files, "till"),
            "certificate of another authority": certificate(files, "stranger"),
            "secret": ["-H", "authorization: Bearer " + secret],
            "wrong secret": wrong,
            "certificate in the list, wrong secret": [*certificate(files, "shop"), *wrong],
        }
        refused = {"nothing": "Unauthenticated", "certificate not in the list": "PermissionDenied",
                   "certificate of another authority": "", "wrong secret": "Unauthenticated",
                   "certificate in the list, wrong secret": "Unauthenticated"}
        for proof, options in proofs.items():
            proto = ["-import-path", PROTOS, "-proto", file, "-d", '{"id": 7}']
            status, text = output([TOOLS / "grpcurl", *trust, *options, *proto, address, users + "/GetUser"])
            if proof in refused:
                passed = status != 0 and refused[proof] in text and "Doug Lea" not in text
            else:
                passed = status == 0 and "Doug Lea" in text
            self.row("tls", "call: " + proof, passed, text)
            status, text = output([TOOLS / "grpcurl", *trust, *options, address, "list"])
            listed = proof not in refused  # reflection is for callers on all lists
            self.row("tls", "list: " + proof, (status == 0) == listed and (users in text) == listed, text)
        status, text = output([TOOLS / "grpcurl", "-plaintext", address, "list"])
        self.row("tls", "list: clear text", status != 0 and users not in text, text)
        log = server.log.read_text(errors="replace")
        self.row("tls", "the secret is in no line of the log", secret not in log and secret[::-1] not in log)

    def probes(self):
        """Asks servers for health as Kubernetes does, with and without TLS and proofs."""
        files = TARGET / "probes"
        certificates(files)
        secret = required(["openssl", "rand", "-hex", "32"]).strip()
        bundle = "--spring.ssl.bundle.pem.rpc."
        ssl = [f"{bundle}keystore.certificate=file:{files / 'localhost.pem'}",
               f"{bundle}keystore.private-key=file:{files / 'localhost-key.pem'}",
               f"{bundle}truststore.certificate=file:{files / 'ca.pem'}", "--rpc.server.ssl.bundle=rpc"]
        guarded = ["--rpc.server.auth.secret=" + secret]
        clear = [*guarded, "--rpc.server.auth.allow-clear-text=true"]
        allow = "--rpc.server.services.CheckService.allow=shop,user:shared-secret"
        tls = ["-tls", "-tls-ca-cert", files / "ca.pem", "-tls-server-name", "localhost"]
        header = ["-rpc-header", "authorization: Bearer " + secret]
        wrong = ["-rpc-header", "authorization: Bearer " + secret[::-1]]

        def holder(name):
            return ["-tls-client-cert", files / f"{name}.pem", "-tls-client-key", files / f"{name}-key.pem"]

        served, unknown, nobody, denied = "status: SERVING", "NotFound", "Unauthenticated", "PermissionDenied"
        closed = "failed to connect"
        # the server's options, then for each proof what it gets for the server's names, its service and no name of its
        servers = {
            "clear text": ([], {"nothing": ([], served, served, unknown)}),
            "secret": (clear, {
                "nothing": ([], served, nobody, nobody), "wrong secret": (wrong, served, nobody, nobody),
                "secret": (header, served, served, unknown), "TLS": (tls, closed, closed, closed)}),
            "TLS": (ssl, {
                "nothing": ([], closed, closed, closed), "TLS": (tls, served, served, unknown)}),
            "TLS optional": ([*ssl, *guarded, "--rpc.server.ssl.mode=optional"], {
                "nothing": ([], served, nobody, nobody), "TLS": (tls, served, nobody, nobody),
                "TLS, secret": ([*tls, *header], served, served, unknown)}),
            "TLS, list": ([*ssl, *guarded, "--rpc.server.ssl.client-auth=want", allow], {
                "TLS": (tls, served, nobody, nobody), "wrong secret": ([*tls, *wrong], served, nobody, nobody),
                "secret": ([*tls, *header], served, served, unknown),
                "certificate in the list": ([*tls, *holder("shop")], served, served, unknown),
                "certificate not in the list": ([*tls, *holder("till")], served, denied, denied)}),
            "certificates": ([*ssl, "--rpc.server.ssl.client-auth=need"], {
                "TLS": (tls, closed, closed, closed),
                "certificate": ([*tls, *holder("till")], served, served, unknown),
                "certificate of another authority": ([*tls, *holder("stranger")], closed, closed, closed)}),
            "rules that permit": ([*clear, "--rules=permit"], {
                "nothing": ([], served, served, unknown), "secret": (header, served, served, unknown)}),
            "rules that guard": ([*clear, "--rules=guard"], {
                "nothing": ([], nobody, nobody, nobody), "secret": (header, served, served, unknown)}),
        }
        service = "io.rpcboot.samples.interop.CheckService"
        for name, (options, proofs) in servers.items():
            server, address = self.serve("probed-" + re.sub(r"\W+", "-", name), *options)
            for proof, (words, own, offered, other) in proofs.items():
                expected = {"": own, "readiness": own, "liveness": own, service: offered, "acme.Unknown": other}
                if own == closed:
                    expected = {"": closed}  # each takes the whole time
                self.row("probes", f"{name}: {proof}", *self.probed(address, words, expected))
            server.stop()
            log = server.log.read_text(errors="replace")
            self.row("probes", f"{name}: the log has no secret", secret not in log and secret[::-1] not in log)

    def probed(self, address, words, expected):
        """Asks for each name. Returns whether all answers are as expected, and those that are not."""
        different = []
        for name, pattern in expected.items():
            seconds = "5s" if "connect" in pattern else "20s"  # the first one may meet a cold server
            status, text = output([TOOLS / "grpc-health-probe", "-addr", address, "-service", name,
                                   "-connect-timeout", seconds, "-rpc-timeout", seconds, *words])
            if not re.search(pattern, text) or (status == 0) != (pattern == "status: SERVING"):
                different.append(f"{name or 'no name'}: {status} {text.strip()} (expected: {pattern})")
        return not different, "\n".join(different)

    def evolution(self):
        """Calls versions of an interface with clients of other versions, by the lock."""
        shutil.rmtree(EDITS, ignore_errors=True)
        environment = {**os.environ, "PYTHONPATH": str(TARGET / "python")}
        first = Version("first", SEARCH)
        status, text = first.write("locked")
        if status != 0:
            raise Failure(f"the first version cannot be written: {text}")
        first.python(environment)
        required(["javac", "-proc:none", "-cp", f"{first.folder}{os.pathsep}{TARGET / 'lib'}/*", "-d", EDITS / "server",
                  *(HERE / "src" / "evolution").rglob("*.java")])
        self.evolved("first version", first, first, ANSWER)
        edits = {
            "inserted in the middle": ("int customer", "int page, int customer", "customer=7 page=0 size=3 state=paid"),
            "text inserted in the middle": ("int size", "String tenant, int size", ANSWER + " tenant=null"),
            "inserted in front": ("String state", "int age, String state", "age=0 " + ANSWER),
            "added at the end": ("int size", "int size, int zone", ANSWER + " zone=0"),
            "exchanged": ("int customer, int size", "int size, int customer", ANSWER),
            "removed": ("int customer, ", "", "size=3 state=paid"),
            "removed, another inserted": ("int customer", "int page", "page=0 size=3 state=paid"),
            "renamed with an alias": ("int customer", '@RpcAlias("customer") int client',
                                      "client=7 size=3 state=paid"),
            "widened": ("int customer", "long customer", ANSWER),
        }
        for name, (old, new, expected) in edits.items():
            version = Version(name.replace(", ", "-").replace(" ", "-"), SEARCH.replace(old, new))
            shutil.copytree(first.folder / "locked", version.folder / "locked")
            status, text = version.write("locked")
            if status != 0:
                self.row("evolution", name, False, text)
                continue
            self.evolved(name, first, version, expected)
            if name == "inserted in the middle":
                version.python(environment)
                self.evolved("newer client at the first version", version, first, ANSWER, page=9)
                self.evolved("newer client at its version", version, version, expected.replace("page=0", "page=9"),
                             page=9)
                # what the lock is for
                self.evolved("inserted without the lock", first, version, "customer=3 page=7 size=0 state=paid",
                             folder="unlocked")

    def evolved(self, case, client, version, expected, folder="locked", **sent):
        """Calls a version of the interface, with the lock of a folder, with the classes of a version."""
        server = Server("evolution", ["java", "-cp", os.pathsep.join(map(str, (
            EDITS / "server", version.folder, version.folder / folder, f"{TARGET / 'lib'}/*"))), "evolution.ApiServer"])
        self.servers.append(server)
        address = server.await_match(r"listens on (\S+:\d+)\s")
        status, text = output([sys.executable, HERE / "evolution.py", address, json.dumps({**SENT, **sent})],
                              env={**os.environ, "PYTHONPATH": f"{TARGET / 'python'}{os.pathsep}{client.folder}"})
        server.stop()
        self.row("evolution", case, status == 0 and text.strip() == expected, f"{text} (expected: {expected})")

    def buf(self):
        (PROTOS / "buf.yaml").write_text(LINT)
        for command in ("build", "lint"):
            status, text = output([TOOLS / "buf", command], cwd=PROTOS)
            self.row("buf", command, status == 0, text)
        shutil.rmtree(EDITS, ignore_errors=True)
        _, types, lock, edits = re.split(r"(?m)^= \w+\n", TABLE.read_text())
        first = Version("first", types, lock)
        if first.write("locked")[0] != 0 or first.write("unlocked")[0] != 0:
            raise Failure(f"the first version of {TABLE} cannot be written")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            rows = edits.splitlines()
            for row, (passed, text) in zip(rows, pool.map(lambda each: self.edit(first, each), rows)):
                self.row("buf", "edit: " + row.split(" | ")[0], passed, text)

    def edit(self, first, row):
        """Compares a row of the table with ContractFiles and with buf. Returns whether it holds, and the outputs."""
        name, changes, verdict, plain = row.split(" | ")
        types = first.types
        for change in changes.split(" ; "):
            old, new = re.split(" => ?", change)
            types = types.replace(old, new)
        version = Version(name.replace(" ", "-"), types)
        shutil.copytree(first.folder / "locked", version.folder / "locked")
        kind, _, expected = verdict.partition(" ")
        checked, found = version.write("locked", "--check")
        written, text = version.write("locked")
        unlocked, more = version.write("unlocked")
        outputs = "\n".join((found, text, more))
        holds = (checked == 0) == (kind == "none") and (written == 0) == (kind in ("none", "proto", "line"))
        holds = holds and expected in found
        locked, text = version.breaking(first, "locked")
        broken, more = version.breaking(first, "unlocked") if unlocked == 0 else (0, "")
        outcome = "refused" if unlocked else "breaks" if broken else "ok"
        return holds and locked == 0 and outcome == plain, f"{outputs}\n{text}\n{more}\nunlocked: {outcome}"


def interrupt(number, frame):
    raise Failure(f"interrupted by signal {number}")


def main():
    parts = sys.argv[1:] or list(NEEDS)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    interop = Interop(parts)
    try:
        for part in parts:
            if part not in NEEDS:
                raise Failure(f"{part}: no part (expected: some of {', '.join(NEEDS)})")
            for program in ("java", "mvn", *NEEDS[part]):
                if not shutil.which(program):
                    raise Failure(f"{program} is not on the PATH (expected: it is, for the part {part})")
        interop.build()
        if set(parts) - OWN_SERVERS:
            interop.start()
        for part in parts:
            getattr(interop, part)()
    except Failure as failure:
        print(f"FAILED: {failure}")
        return 1
    finally:
        interop.stop()
    failed = [f"{part} {case}" for part, case, passed in interop.rows if not passed]
    print(f"{len(interop.rows)} tried, {len(interop.rows) - len(failed)} passed"
          + (f", failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
