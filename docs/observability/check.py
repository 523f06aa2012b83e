#!/usr/bin/env python3
"""Tries dashboards, rules and alerts on running quickstarts, with a real Prometheus.

    mvn -DskipTests -pl samples/quickstart -am package
    python3 docs/observability/check.py [--only=slow-method,burst] [--parallel=3] [--keep]

Needs prometheus and promtool on the path, nothing else but the standard library. Every run
starts a quickstart and a Prometheus of its own on free ports of 127.0.0.1. For 45 s all is
well, and no alert may be pending or firing; then something breaks, and the alerts of the run
have to fire. There the windows of rules are 15 s and `for` is 15 s. Every expression of
dashboards, rules and alerts is asked in every run, and has to return data in one of them.
Ends with status 0 if all of this is so, after 45 minutes at most; a quarter of an hour is usual. What it prints is
kept in check.txt. --keep leaves the folder with logs.
"""

import concurrent.futures
import contextlib
import json
import math
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TURN = 45
FIRES_WITHIN = 90
LONGEST = 2700
STARTS_WITHIN = 240
# with histograms the longest call is part of the timer
HISTOGRAMS = ["--management.metrics.distribution.percentiles-histogram.rpc.client.calls=true",
              "--management.metrics.distribution.percentiles-histogram.rpc.server.calls=true"]
# name, what to start the quickstart with, alerts that have to fire
RUNS = [
    ("slow-method", ["--quickstart.show=slow-method", "--rpc.server.pool.max-threads=8", "--rpc.client.timeout=2s"],
     ["RpcSlowMethod", "RpcServerPoolUsedUp", "RpcServerCallsExpire", "RpcCallsFail"]),
    ("provider-comes-and-goes", ["--quickstart.show=provider-comes-and-goes"],
     ["RpcNoInstance", "RpcInstanceUnreachable", "RpcOneWayCallsLost", "RpcCallsFail"]),
    ("frozen-instance", ["--quickstart.show=frozen-instance"], ["RpcInstanceUnreachable"]),
    ("sick-instance", ["--quickstart.show=sick-instance"], ["RpcInstanceEjected"]),
    ("taken-out", ["--quickstart.show=taken-out"], ["RpcServerTakenOut"]),
    ("registry-gone", ["--quickstart.show=registry-gone"], ["RpcRegistryLost"]),
    ("lost-calls", ["--quickstart.show=lost-calls"], ["RpcOneWayCallsDropped", "RpcServerPoolUsedUp"]),
    ("failing-method", ["--quickstart.show=failing-method"],
     ["RpcUndeclaredExceptions", "RpcSerializationFails", "RpcContractsRefused", "RpcRetriesDenied"]),
    ("blocked-loop", ["--quickstart.show=blocked-loop", "--rpc.server.event-loop.threads=1"], ["RpcServerLoopsBusy"]),
    ("slow-callback", ["--quickstart.show=slow-callback", "--rpc.client.event-loop.threads=1"], ["RpcClientLoopsBusy"]),
    ("burst", ["--quickstart.show=burst", "--rpc.client.when-full=queue", "--rpc.client.max-pending-calls=1000",
               "--rpc.server.limits.in-flight-calls=64"], ["RpcClientFull", "RpcCallsHeld"]),
    ("batching-off", ["--quickstart.show=batching-off"], ["RpcBatchingOff"]),
    ("large-calls", ["--quickstart.show=large-calls"], ["RpcClientMemoryShort"]),
    ("large-calls-in", ["--quickstart.show=large-calls", "--rpc.client.memory.limit=64MB"], ["RpcServerMemoryShort"]),
]


# the quickstart speaks clear text; alerts.test.yml has these alone
OF_TLS = re.compile("certificate_expiry|clear_text|callers_refused|connections_identified")

stopped = threading.Event()


class Failure(Exception):
    pass


def free_port():
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return opened.getsockname()[1]


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


@contextlib.contextmanager
def process(command, log):
    """Started, and ended by its id whatever happens."""
    with log.open("w") as output:
        started = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=log.parent)
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(timeout=40)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def pause(seconds):
    if stopped.wait(seconds):
        raise Failure("stopped")


def until(condition, seconds, what):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            found = condition()
            if found:
                return found
        pause(0.5)
    raise Failure(f"not within {seconds} s: {what}")


class Prometheus:

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"

    def api(self, path, **parameters):
        return json.loads(get(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"))["data"]

    def alerts(self):
        return {alert["labels"]["alertname"]: alert["state"] for alert in self.api("alerts")["alerts"]}

    def firing(self):
        return {name for name, state in self.alerts().items() if state == "firing"}

    def returns_data(self, expression):
        variable = re.fullmatch(r"label_values\((.*), (\w+)\)", expression)
        if variable:
            found = self.api("series", **{"match[]": variable.group(1)})
            return any(variable.group(2) in series for series in found)
        return any(sample["value"][1] != "NaN" for sample in self.api("query", query=expression)["result"])


def substituted(expression):
    expression = re.sub(r"\[(5m|\$__rate_interval)\]", "[15s]", expression)
    return re.sub(r"\$(job|instance|service|method)\b", ".*", expression)


def short(name, folder):
    text = re.sub(r"\[5m\]", "[15s]", (HERE / name).read_text())
    (folder / name).write_text(re.sub(r"(?m)^( +for: ).*$", r"\g<1>15s", text))


def expressions():
    """Each expression with the place where it stands."""
    found = []
    for file in sorted((HERE / "grafana").glob("*.json")):
        board = json.loads(file.read_text())
        for variable in board["templating"]["list"]:
            if "definition" in variable:
                found.append((f"{board['title']}: variable {variable['name']}", variable["definition"]))
        for panel in board["panels"]:
            for target in panel.get("targets", []):
                found.append((f"{board['title']}: {panel['title']}: {target['legendFormat']}", target["expr"]))
    for name in ("rules.yml", "alerts.yml"):
        text = (HERE / name).read_text()
        for what, block, line in re.findall(r"- (?:record|alert): (\S+)\n +expr: (?:\|-\n((?: {10}.*\n)+)|(.*)\n)", text):
            line = re.sub(r"^'(.*)'$", r"\1", line)
            found.append((f"{name}: {what}", block or line))
    return [(place, substituted(expression)) for place, expression in found]


class Run:

    def __init__(self, name, arguments, expected, folder, quickstart, asked):
        self.name, self.arguments, self.expected = name, arguments, expected
        self.folder, self.quickstart, self.asked = folder / name, quickstart, asked
        self.seen, self.lines, self.series, self.right = set(), [], {}, True

    def say(self, line, right=True):
        self.lines.append(f"  {'' if right else 'WRONG '}{line}")
        self.right = self.right and right

    def all_of_it(self):
        self.folder.mkdir()
        self.lines.append(" ".join([f"run {self.name}:", *self.arguments]))
        try:
            self.start()
        except (Failure, OSError, ValueError, KeyError) as failure:
            self.say(f"{type(failure).__name__}: {failure}, see --keep", False)
        return self

    def start(self):
        consumer, provider, own = free_port(), free_port(), free_port()
        for name in ("rules.yml", "alerts.yml"):
            short(name, self.folder)
        config = (HERE / "prometheus.yml").read_text().replace(": 5s", ": 2s")
        config = config.replace("127.0.0.1:8081", f"127.0.0.1:{consumer}").replace("127.0.0.1:8082", f"127.0.0.1:{provider}")
        (self.folder / "prometheus.yml").write_text(config)
        command = [*self.quickstart, f"--quickstart.consumer.port={consumer}", f"--quickstart.provider.port={provider}",
                   f"--quickstart.show-turn={TURN}s",
                   *(["--rpc.quickstart.load-time=500ms"] if self.expected else []),
                   "--rpc.quickstart.end-with-parent=true", *self.arguments,
                   *(HISTOGRAMS if self.name == "slow-method" else [])]
        self.actuators = [f"http://127.0.0.1:{port}/actuator/prometheus" for port in (consumer, provider)]
        log = self.folder / "quickstart.log"
        with process(command, log) as started:
            # the load of the start is no trouble of the run
            up = "\nShow: " if self.expected else ""
            until(lambda: all(map(get, self.actuators)) and up in log.read_text(), STARTS_WITHIN, "the quickstart is up")
            with process(["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
                          f"--web.listen-address=127.0.0.1:{own}"], self.folder / "prometheus.log"):
                self.prometheus = Prometheus(own)
                until(lambda: get(self.prometheus.url + "/-/ready"), 60, "Prometheus is ready")
                if self.expected:
                    self.broken(log)
                else:
                    self.healthy(log)
                if started.poll() is not None:
                    raise Failure("the quickstart has ended")

    def healthy(self, log):
        begin, alerts = time.monotonic(), {}
        until(lambda: self.look(alerts) or "Providers that take" in log.read_text(), STARTS_WITHIN, "the load is over")
        while time.monotonic() < begin + 2 * TURN:
            self.look(alerts)
            self.ask()
            pause(2)
        self.say(f"{2 * TURN} s and more under load: " + (f"alerts {sorted(alerts)}" if alerts else "no alert"), not alerts)

    def look(self, alerts):
        alerts.update(self.prometheus.alerts())
        self.scrape()

    def broken(self, log):
        before = {}
        line = f"Show: {self.name}"
        until(lambda: log.read_text().count("\nShow: ") > 1 or self.look(before), STARTS_WITHIN + TURN, line)
        self.say("while all is well: " + (f"alerts {sorted(before)}" if before else "no alert"), not before)
        begin, fired = time.monotonic(), {}
        while time.monotonic() < begin + FIRES_WITHIN and not set(self.expected) <= set(fired):
            if "RpcContractsRefused" in self.expected:
                self.ask_for_what_nobody_offers(log)
            for alert in self.prometheus.firing():
                fired.setdefault(alert, time.monotonic() - begin)
            self.scrape()
            self.ask()
            pause(2)
        self.ask()
        for alert in self.expected:
            self.say(f"{alert} fires" if alert in fired else f"{alert} does not fire in {FIRES_WITHIN} s", alert in fired)
        others = sorted(set(fired) - set(self.expected))
        if others:
            self.say("beside: " + ", ".join(others))

    def ask_for_what_nobody_offers(self, log):
        sys.path.insert(0, str(ROOT / "samples" / "python"))
        import rpc
        port = int(re.search(r"listens on 127\.0\.0\.1:(\d+)", log.read_text()).group(1))
        connection = rpc.Connection("127.0.0.1", port)
        try:
            connection.bind("demo.NoSuchService", "protostuff/1\nmethod get(long) long\n")
        except rpc.RpcError:
            pass
        finally:
            connection.close()

    def ask(self):
        for place, expression in self.asked:
            if place not in self.seen and self.prometheus.returns_data(expression):
                self.seen.add(place)

    def scrape(self):
        """Values are numbers of which none is below 0, and counters never fall."""
        for actuator in self.actuators:
            with contextlib.suppress(OSError):
                self.compare(actuator, get(actuator))

    def compare(self, actuator, text):
        types = dict(re.findall(r"(?m)^# TYPE (\S+) (\S+)$", text))
        for name, labels, value in re.findall(r"(?m)^(rpc_\w+)(\{.*\})? (\S+)$", text):
            number, key = float(value), actuator + name + labels
            rises = types.get(name) == "counter" or name.endswith(("_count", "_bucket"))
            if not math.isfinite(number) or number < 0 or rises and number < self.series.get(key, (0, 0))[1]:
                # a provider that was started again counts anew
                if self.name != "provider-comes-and-goes":
                    self.say(f"{name}{labels} is {value} after {self.series.get(key)}", False)
            self.series[key] = (name, number)

    def names(self):
        return {name for name, _ in self.series.values()}

    def moved(self):
        return {name for name, number in self.series.values() if number > 0}


def promtool():
    right = True
    for arguments in (["check", "rules", "rules.yml", "alerts.yml"], ["check", "config", "prometheus.yml"],
                      ["test", "rules", "alerts.test.yml"]):
        done = subprocess.run(["promtool", *arguments], cwd=HERE, capture_output=True, text=True)
        print(f"promtool {' '.join(arguments)}: {'right' if done.returncode == 0 else 'WRONG ' + done.stdout + done.stderr}")
        right = right and done.returncode == 0
    done = subprocess.run([sys.executable, str(HERE / "dashboards.py"), "--check"], capture_output=True, text=True)
    print(f"dashboards.py --check: {'right' if done.returncode == 0 else 'WRONG ' + done.stdout}")
    return right and done.returncode == 0


def option(name, otherwise):
    return next((arg.split("=", 1)[1] for arg in sys.argv if arg.startswith(f"--{name}=")), otherwise)


def quickstart():
    given = option("quickstart", "")
    if given:
        return shlex.split(given)
    jars = list((ROOT / "samples" / "quickstart" / "target").glob("rpc-sample-quickstart-*.jar"))
    if len(jars) != 1:
        sys.exit("samples/quickstart/target: no jar (expected: mvn -DskipTests -pl samples/quickstart -am package)")
    return ["java", "-jar", str(jars[0])]


def summary(runs, asked):
    seen = set().union(*(run.seen for run in runs))
    without = [place for place, expression in asked if place not in seen and not OF_TLS.search(expression)]
    print(f"expressions: {len(asked)}, of which {len(asked) - len(without)} returned data")
    for place in without:
        print(f"  WRONG no data: {place}")
    names, moved = set().union(*(run.names() for run in runs)), set().union(*(run.moved() for run in runs))
    documented = {name for name in re.findall(r"`(rpc_\w+)`", (ROOT / "docs" / "metrics.md").read_text()) if not OF_TLS.search(name)}
    strange = {name for name in names if name not in documented and re.sub("_(max|bucket)$", "_count", name) not in documented}
    print(f"names in /actuator/prometheus: {len(names)}; docs/metrics.md has {len(documented)}")
    for what, those in (("WRONG not documented", strange), ("WRONG never there", documented - names), ("never above 0", names - moved)):
        if those:
            print(f"  {what}: {', '.join(sorted(those))}")
    return not (without or strange or documented - names)


def main():
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *ignored: stopped.set())
    signal.alarm(LONGEST)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rpc-observability"))
    right, asked = promtool(), expressions()
    only = [name for name in option("only", "").split(",") if name]
    chosen = [("healthy", ["--rpc.quickstart.load-time=40s"], []), *RUNS]
    runs = [Run(*run, folder, quickstart(), asked) for run in chosen if not only or run[0] in only]
    try:
        # that under load runs alone: it is to show a machine that copes
        done = [run.all_of_it() for run in runs if run.name == "healthy"]
        with concurrent.futures.ThreadPoolExecutor(int(option("parallel", "3"))) as executor:
            done += executor.map(Run.all_of_it, [run for run in runs if run.name != "healthy"])
        for run in done:
            print("\n".join(run.lines))
        right = all([right, all(run.right for run in done), bool(only) or summary(done, asked)])
        if only:
            summary(done, asked)
    finally:
        if "--keep" in sys.argv:
            print(folder, file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print("all right" if right else "NOT all right")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
