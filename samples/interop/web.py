"""Parts of run.py: clients of HTTP and JSON, that is of Connect in Node and in a browser, and requests of Python."""

import functools
import http.server
import json
import os
import re
import shutil
import sys
import tempfile
import threading
import time
import urllib.request

from processes import GENERATED, HERE, TARGET, Failure, Server, free_port, output, protoc, required

# as connect.mjs and page.mjs name them; grpc-web is missing
PROTOCOLS = ("connect", "grpc")
PROTOCOLS_OF_PAGES = ("connect",)

CHECK_SERVICE = "io.rpcboot.samples.interop.CheckService"


def generate():
    """Generates the classes of the services for Node and pages."""
    (GENERATED / "package.json").write_text('{"type": "module"}')
    files = [each.name for each in GENERATED.glob("*.proto")]
    required([protoc(GENERATED), f"-I{GENERATED}", f"--plugin={TARGET / 'node_modules' / '.bin' / 'protoc-gen-es'}",
              f"--es_out={GENERATED}", "--es_opt=target=js", "--es_opt=import_extension=js", *files])


def connect(interop):
    generate()
    shutil.copy(HERE / "connect.mjs", GENERATED)
    interop.checks("connect", "connect.mjs",
                   *output(["node", GENERATED / "connect.mjs", interop.testing, interop.users, *PROTOCOLS]))


def requests(interop):
    interop.checks("requests", "requests_checks.py", *output(
        [sys.executable, HERE / "requests_checks.py", interop.testing, interop.users],
        env={**os.environ, "PYTHONPATH": str(TARGET / "python")}))


class Pages(http.server.ThreadingHTTPServer):
    """Server of the files in the folder target. Other hosts in its addresses are other origins."""

    def __init__(self):
        class Files(http.server.SimpleHTTPRequestHandler):
            extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript",
                              ".js": "text/javascript"}

            def log_message(self, *arguments):
                """Says nothing."""

        super().__init__(("127.0.0.1", 0), functools.partial(Files, directory=str(TARGET)))
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def origin(self, host):
        return f"http://{host}:{self.server_port}"


class Browser:
    """Debian's Chromium without a window, by the protocol of WebDriver."""

    def __init__(self):
        self.profile = tempfile.mkdtemp()
        port = free_port()
        self.driver = Server("chromedriver", ["chromedriver", f"--port={port}"])
        self.driver.await_port(port)
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                            f"--user-data-dir={self.profile}"], "binary": shutil.which("chromium")}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options}
        self.address += "/" + self.ask("", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]

    def ask(self, path, message):
        request = urllib.request.Request(self.address + path, json.dumps(message).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)["value"]

    def text(self, address):
        """Returns the text of a page once its title is `done`."""
        self.ask("/url", {"url": address})
        end = time.monotonic() + 60
        while time.monotonic() < end:
            title, text = self.ask("/execute/sync", {"script": "return [document.title, document.body.innerText]",
                                                     "args": []})
            if title == "done":
                return text
            time.sleep(0.2)
        raise Failure(f"{address}: not done in 60 s:\n{text}")

    def close(self):
        try:
            urllib.request.urlopen(urllib.request.Request(self.address, method="DELETE"), timeout=30).close()
        finally:
            self.driver.stop()
            shutil.rmtree(self.profile, ignore_errors=True)


def browser(interop):
    """Calls servers of another origin from pages: one that lets the page of 127.0.0.1 in, and one without CORS."""
    missing = [each for each in ("chromium", "chromedriver") if not shutil.which(each)]
    if missing:
        print(f"browser  skipped: {' and '.join(missing)} not on the PATH (Debian: chromium, chromium-driver)")
        return
    generate()
    for file in "page.html", "page.mjs":
        shutil.copy(HERE / file, GENERATED)
    pages = Pages()
    _, opened = interop.serve("cors", "--rpc.server.http.cors.allowed-origins=" + pages.origin("127.0.0.1"),
                              "--rpc.server.http.cors.exposed-headers=trailer-x-check")
    _, closed = interop.serve("no-cors")
    chromium = Browser()
    try:
        for page, host in ("page", "127.0.0.1"), ("foreign page", "localhost"):
            text = chromium.text(f"{pages.origin(host)}/generated/page.html?opened={opened}&closed={closed}"
                                 f"&foreign={host != '127.0.0.1'}&protocols={','.join(PROTOCOLS_OF_PAGES)}")
            interop.checks("browser", "page.mjs", 0, re.sub("^", page + ", ", text.strip(), flags=re.MULTILINE))
            for server, kind in (opened, "with CORS"), (closed, "without CORS"):
                # but for calls of clients the page has asked for this method alone
                count = call(server, "Counted")
                interop.row("browser", f"{page}, {kind}: runs nothing", count == 0, f"ran {count} times")
        call(opened, "Count")
        interop.row("browser", "what runs is counted", call(opened, "Counted") == 1)
    finally:
        chromium.close()
        pages.shutdown()


def call(server, method):
    """Calls a method of CheckService without parameters. Returns its result, 0 for none."""
    request = urllib.request.Request(f"http://{server}/{CHECK_SERVICE}/{method}", b"{}",
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response).get("value", 0)
