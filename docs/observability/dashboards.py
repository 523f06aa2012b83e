#!/usr/bin/env python3
"""Writes the dashboards in grafana/, for Grafana 10 or later. A new panel is a line here.

    python3 docs/observability/dashboards.py [--check]

--check writes nothing and ends with status 1 if a file is not what would be written.
A query is a pair of an expression and its legend. In expressions SELECT stands for the
variables of the dashboard and WINDOW for Grafana's interval.
"""

import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "grafana"
ALL = "rpc_client_connections|rpc_server_connections"
CALLS = "rpc_client_calls_seconds_count|rpc_server_calls_seconds_count"
FAILED = 'status!~"OK|DECLARED|APPLICATION|CANCELLED|UNKNOWN|ALREADY_EXISTS|ABORTED|OUT_OF_RANGE|DATA_LOSS"'
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}


def rate(meter, by, more=""):
    matchers = "SELECT" + (", " + more if more else "")
    return f"sum by ({by}) (rate({meter}{{{matchers}}}[WINDOW]))"


def mean(timer, by):
    return f"{rate(timer + '_sum', by)} / ({rate(timer + '_count', by)} > 0)"


def quantile(share, timer, by):
    return f"histogram_quantile({share}, {rate(timer + '_bucket', 'le, ' + by)})"


def longest(side, by):
    """A gauge of its own, or part of the timer where histograms are published."""
    return f"max by ({by}) (rpc_{side}_calls_max_seconds{{SELECT}} or rpc_{side}_calls_seconds_max{{SELECT}})"


def total(gauge, by="instance", more=""):
    matchers = "SELECT" + (", " + more if more else "")
    return f"sum by ({by}) ({gauge}{{{matchers}}})"


def both(query, legend):
    """One query for the client and one for the server."""
    return [(query("client"), "client " + legend), (query("server"), "server " + legend)]


OVERVIEW = [
    "At a glance",
    ("stat", "Calls made", "reqps", "Calls of clients, all instances.",
     [("sum(rate(rpc_client_calls_seconds_count{SELECT}[WINDOW]))", "")]),
    ("stat", "Calls answered", "reqps", "Calls of servers, all instances.",
     [("sum(rate(rpc_server_calls_seconds_count{SELECT}[WINDOW]))", "")]),
    ("stat", "Failed in the engine", "percentunit", "Share of the calls made that ended neither with a result nor with an exception of the application.",
     [(f"(sum(rate(rpc_client_calls_seconds_count{{SELECT, {FAILED}}}[WINDOW])) or vector(0)) / (sum(rate(rpc_client_calls_seconds_count{{SELECT}}[WINDOW])) > 0)", "")]),
    ("stat", "Under way", "short", "Calls that wait for an answer at clients.", [("sum(rpc_client_calls_pending_calls{SELECT})", "")]),
    ("stat", "Connections", "short", "Connections of clients that take calls.",
     [('sum(rpc_client_connections{SELECT, state="ready"})', "")]),
    ("stat", "Registry", "short", "Instances that are connected to their registry.", [("sum(rpc_registry_connected{SELECT})", "")]),
    "Calls",
    ("graph", "Calls made by service", "reqps", "Calls of clients.", [(rate("rpc_client_calls_seconds_count", "service"), "{{service}}")]),
    ("graph", "Calls by protocol", "reqps", "Native calls and those over gRPC.",
     both(lambda side: rate(f"rpc_{side}_calls_seconds_count", "protocol"), "{{protocol}}")),
    ("graph", "Calls that did not end with OK", "reqps", "By status, client. DECLARED and APPLICATION are exceptions of implementations.",
     [(rate("rpc_client_calls_seconds_count", "status", 'status!="OK"'), "{{status}}")]),
    ("graph", "Mean time of a call", "s", "From its start to its end at the client, and from decoding to the answer at the server. The difference is network, batches and waiting.",
     both(lambda side: mean(f"rpc_{side}_calls_seconds", "service"), "{{service}}")),
    ("graph", "Longest call", "s", "The longest of the last minutes.",
     both(lambda side: longest(side, "service"), "{{service}}")),
    ("graph", "Exceptions that interfaces do not declare", "ops", "By class: bugs, mostly. The server's log has the stack trace.",
     [(rate("rpc_server_exceptions_total", "exception"), "{{exception}}")]),
    ("graph", "What costs nobody an answer in time", "ops", "Calls that ended before they were sent or ran, and results that nobody waited for.",
     both(lambda side: rate(f"rpc_{side}_calls_expired_total", "instance"), "expired {{instance}}")
     + both(lambda side: rate(f"rpc_{side}_calls_cancelled_total", "instance"), "cancelled {{instance}}")
     + [(rate("rpc_server_results_dropped_total", "instance"), "result dropped {{instance}}")]),
    ("graph", "One-way calls that nobody learns of", "ops", "Lost before the socket took them (client), or arrived and did not begin (server).",
     [(rate("rpc_client_calls_lost_total", "instance"), "lost {{instance}}"),
      (rate("rpc_server_calls_dropped_total", "instance"), "dropped {{instance}}")]),
    ("graph", "Calls sent again", "ops", "By reason. Refused, go away, disconnected: the attempt did not run. Failed: it may have, and its method is idempotent. Denied: so many failed that the budget of retries was used up.",
     [(rate("rpc_client_calls_resent_total", "reason"), "{{reason}}"), (rate("rpc_client_retries_denied_total", "instance"), "denied {{instance}}")]),
    ("graph", "Calls that may be made once more", "short", "What is left of the budget of retries, by service. At 0 failed calls are denied another attempt.",
     [("min by (service) (rpc_client_retries_left_calls{SELECT})", "{{service}}")]),
    "Where calls wait",
    ("graph", "Client", "short", "Pending: under way. Queued: rpc.client.max-pending-calls are under way. Held: servers grant no more, or a socket is full.",
     [(total("rpc_client_calls_pending_calls"), "pending {{instance}}"), (total("rpc_client_calls_queued_calls"), "queued {{instance}}"),
      (total("rpc_client_calls_held_calls"), "held {{instance}}")]),
    ("graph", "Server", "short", "In flight: executed, waiting for a thread or being answered; open streams among them. Waiting: no thread of the pool is free for them.",
     [(total("rpc_server_calls_in_flight_calls"), "in flight {{instance}}"), (total("rpc_server_streams"), "streams {{instance}}"),
      (total("rpc_server_pool_waiting_calls"), "waiting {{instance}}")]),
    ("graph", "Open streams", "short", "Calls with several requests or results, which stay open. rpc/streams of the endpoint shows the oldest, and which side waits.",
     both(lambda side: total(f"rpc_{side}_streams"), "{{instance}}")),
    ("graph", "Elements of streams", "ops", "By direction: of arguments, and of results. Open streams without elements are idle feeds, or have a slow subscriber.",
     both(lambda side: rate(f"rpc_{side}_streams_elements_total", "direction"), "{{direction}}")),
    ("graph", "Time to the first element", "s", "Mean time from the start of a call with several results to the first of them, by service. What follows may take hours.",
     both(lambda side: mean(f"rpc_{side}_streams_first_seconds", "service"), "{{service}}")),
    ("graph", "Threads of the server's pool", "short", "Busy ones, and the most there may be (rpc.server.pool.max-threads).",
     [(total("rpc_server_pool_busy_threads"), "busy {{instance}}"), (total("rpc_server_pool_threads"), "most {{instance}}")]),
    ("graph", "Callback threads of the client", "short", "They complete futures. Waiting tasks mean that callbacks block.",
     [(total("rpc_client_callbacks_busy_threads"), "busy {{instance}}"), (total("rpc_client_callbacks_threads"), "most {{instance}}"),
      (total("rpc_client_callbacks_waiting_tasks"), "waiting {{instance}}")]),
    ("graph", "Memory in use, share of the limit", "percentunit", "One direction has at most three quarters of memory.limit.",
     both(lambda side: f"rpc_{side}_memory_used_bytes{{SELECT}} / ignoring (direction) group_left () rpc_{side}_memory_limit_bytes{{SELECT}}",
          "{{direction}} {{instance}}")),
    "Who is there",
    ("graph", "Instances by state", "short", "Of each service, as clients see them.",
     [("sum by (service, state) (rpc_client_instances{SELECT}) > 0", "{{service}} {{state}}")]),
    ("graph", "Connections by state", "short", "Opening: the handshake is not done. Leaving: it finishes what is under way.",
     both(lambda side: total(f"rpc_{side}_connections", "state"), "{{state}}")),
    ("graph", "Connects and go-aways", "ops", "A go-away says that a server shuts down, or that a connection is old (rpc.server.connection-max-age).",
     [(rate("rpc_client_connects_total", "outcome"), "{{outcome}}"), (rate("rpc_client_goaways_total", "instance"), "go-away received {{instance}}"),
      (rate("rpc_server_goaways_total", "instance"), "go-away sent {{instance}}"),
      (rate("rpc_server_connections_aged_total", "instance"), "ended by age {{instance}}")]),
    ("graph", "Registry", "short", "1 while an instance is connected to its registry, how often it was lost since the start, and services whose instances are still those of the snapshot. 0 for a server that an operator has taken out.",
     [(total("rpc_registry_connected"), "connected {{instance}}"), (total("rpc_registry_outages_total"), "outages {{instance}}"),
      (total("rpc_registry_snapshot_services"), "of the snapshot {{instance}}"), (total("rpc_server_online"), "online {{instance}}")]),
    ("graph", "Contracts refused", "ops", "A peer asks for a service, or a version of its interface, that is not offered.",
     both(lambda side: rate(f"rpc_{side}_contracts_refused_total", "instance"), "{{instance}}")),
    ("graph", "Serialization failures", "ops", "What could not be written or read.",
     both(lambda side: rate(f"rpc_{side}_serialization_failures_total", "service, direction"), "{{direction}} {{service}}")),
    ("graph", "Callers refused", "ops", "By status: UNAUTHENTICATED has proved nothing, PERMISSION_DENIED lacks the right.",
     [(rate("rpc_server_callers_refused_total", "status"), "{{status}}")]),
    ("graph", "New connections by caller", "ops", "Of callers with a certificate or credentials, and of applications in clear text while TLS is optional.",
     [(rate("rpc_server_connections_identified_total", "caller"), "{{caller}}"),
      (rate("rpc_server_connections_clear_text_total", "client"), "clear text {{client}}")]),
]

METHODS = 'SELECT, service=~"$service", method=~"$method"'


def of_methods(queries):
    return [(expr.replace("SELECT", METHODS), legend) for expr, legend in queries]


SERVICE = [
    "Calls",
    ("graph", "Calls made by method", "reqps", "Client.", of_methods([(rate("rpc_client_calls_seconds_count", "method"), "{{method}}")])),
    ("graph", "Calls answered by method", "reqps", "Server.", of_methods([(rate("rpc_server_calls_seconds_count", "method"), "{{method}}")])),
    ("graph", "Calls made, by status", "reqps", "Client. DECLARED, APPLICATION, CANCELLED, UNKNOWN, ALREADY_EXISTS, ABORTED, OUT_OF_RANGE and DATA_LOSS are no failures of the engine.",
     of_methods([(rate("rpc_client_calls_seconds_count", "status"), "{{status}}")])),
    ("graph", "Calls answered, by status", "reqps", "Server.", of_methods([(rate("rpc_server_calls_seconds_count", "status"), "{{status}}")])),
    ("graph", "Calls answered, by instance", "reqps", "Server. Instances of equal weight have equal shares.",
     of_methods([(rate("rpc_server_calls_seconds_count", "instance"), "{{instance}}")])),
    ("graph", "Instances by state", "short", "As the clients see them.",
     [('sum by (instance, state) (rpc_client_instances{SELECT, service=~"$service"}) > 0', "{{state}} at {{instance}}")]),
    "Time",
    ("graph", "Mean time by method", "s", "Client and server: what both show is the method, what only the client shows is the way or the waiting.",
     of_methods(both(lambda side: mean(f"rpc_{side}_calls_seconds", "method"), "{{method}}"))),
    ("graph", "Longest call by method", "s", "The longest of the last minutes.",
     of_methods(both(lambda side: longest(side, "method"), "{{method}}"))),
    ("graph", "p50 and p99, server", "s", "Needs management.metrics.distribution.percentiles-histogram.rpc.server.calls=true.",
     of_methods([(quantile(0.5, "rpc_server_calls_seconds", "method"), "p50 {{method}}"),
                 (quantile(0.99, "rpc_server_calls_seconds", "method"), "p99 {{method}}")])),
    ("graph", "p50 and p99, client", "s", "Needs management.metrics.distribution.percentiles-histogram.rpc.client.calls=true.",
     of_methods([(quantile(0.5, "rpc_client_calls_seconds", "method"), "p50 {{method}}"),
                 (quantile(0.99, "rpc_client_calls_seconds", "method"), "p99 {{method}}")])),
    ("graph", "The ten slowest methods", "s", "Mean time at the server in the last five minutes, from a recording rule.",
     [('topk(10, job_service_method:rpc_server_call_seconds:mean5m{job=~"$job", service=~"$service"})', "{{service}}.{{method}}")]),
    ("graph", "The ten methods that fail most", "reqps", "Failures of the engine at the client in the last five minutes, from a recording rule.",
     [('topk(10, job_service_method:rpc_client_failures:rate5m{job=~"$job", service=~"$service"} > 0)', "{{service}}.{{method}}")]),
    "Bytes and faults",
    ("graph", "Bytes by method", "Bps", "Arguments and results in serialized form, server.",
     of_methods([(rate("rpc_server_calls_bytes_total", "method, direction"), "{{direction}} {{method}}")])),
    ("graph", "Bytes of a call", "bytes", "Mean of arguments and of results, client.",
     of_methods([(f"{rate('rpc_client_calls_bytes_total', 'method, direction')} / on (method) group_left () ({rate('rpc_client_calls_seconds_count', 'method')} > 0)",
                  "{{direction}} {{method}}")])),
    ("graph", "Exceptions that the interface does not declare", "ops", "By class, server.",
     of_methods([(rate("rpc_server_exceptions_total", "method, exception"), "{{exception}} {{method}}")])),
    ("graph", "Serialization failures", "ops", "What could not be written or read.",
     of_methods(both(lambda side: rate(f"rpc_{side}_serialization_failures_total", "method, direction"), "{{direction}} {{method}}"))),
]

TRANSPORT = [
    "Batches",
    ("graph", "Frames in a flush, mean", "short", "Near 1 with many callers: batches do not form.",
     both(lambda side: mean(f"rpc_{side}_flush_messages", "instance"), "{{instance}}")),
    ("graph", "Frames in a flush, most", "short", "Of the last minutes.",
     both(lambda side: f"max by (instance) (rpc_{side}_flush_messages_max{{SELECT}})", "{{instance}}")),
    ("graph", "Bytes in a flush, mean", "bytes", "", both(lambda side: mean(f"rpc_{side}_flush_bytes", "instance"), "{{instance}}")),
    ("graph", "Flushes by reason", "ops", "drained: nothing was left to write. messages, bytes: the batch was full. delay: mode always had waited. unwritable: the socket was full.",
     both(lambda side: rate(f"rpc_{side}_flushes_total", "reason"), "{{reason}}")),
    ("graph", "Decisions of mode auto", "ops", "To wait a round of the loop for more frames, to probe one, or to go at once.",
     both(lambda side: rate(f"rpc_{side}_flush_waits_total", "decision"), "{{decision}}")),
    ("graph", "Bytes written", "Bps", "All connections.", both(lambda side: rate(f"rpc_{side}_flush_bytes_sum", "instance"), "{{instance}}")),
    ("graph", "Until the socket took it", "s", "Sampled, mean: from the start of a call, or the readiness of its result.",
     both(lambda side: mean(f"rpc_{side}_written_seconds", "instance"), "{{instance}}")),
    ("graph", "Until a thread began it", "s", "Sampled, mean: from decoding at the server.",
     [(mean("rpc_server_started_seconds", "instance"), "{{instance}}")]),
    "Loops and sockets",
    ("graph", "Event loops, share of time busy", "percentunit", "Above 80 %, all connections of a loop wait for each other.",
     both(lambda side: f"{rate(f'rpc_{side}_loops_busy_seconds_total', 'instance')} / {total(f'rpc_{side}_loops_threads')}", "{{instance}}")),
    ("graph", "Tasks that wait for event loops", "short", "", both(lambda side: total(f"rpc_{side}_loops_tasks"), "{{instance}}")),
    ("graph", "Flushes after which the socket took no more", "ops", "The network, or a side that does not read.",
     both(lambda side: rate(f"rpc_{side}_stalls_total", "instance"), "{{instance}}")),
    ("graph", "Connections by state", "short", "", both(lambda side: total(f"rpc_{side}_connections", "instance, state"), "{{state}} {{instance}}")),
    ("graph", "Connects", "ops", "", [(rate("rpc_client_connects_total", "instance, outcome"), "{{outcome}} {{instance}}")]),
    "Memory",
    ("graph", "Memory in use", "bytes", "Incoming is reserved for what comes, or holds it; outgoing is being made or waits.",
     both(lambda side: total(f"rpc_{side}_memory_used_bytes", "instance, direction"), "{{direction}} {{instance}}")
     + both(lambda side: total(f"rpc_{side}_memory_limit_bytes"), "limit {{instance}}")),
    ("graph", "Calls that wait for memory", "short", "Above 0 for long: raise memory.limit, or have fewer large calls under way.",
     both(lambda side: total(f"rpc_{side}_memory_waiting_calls"), "{{instance}}")),
    ("graph", "Memory of Netty's allocator", "bytes", "Of the process, including what is cached for reuse.",
     [(total("rpc_allocator_used_bytes", "instance, memory"), "{{memory}} {{instance}}")]),
    ("graph", "Calls that clients may have under way", "short", "All connections together.", [(total("rpc_server_grants_calls"), "{{instance}}")]),
    ("graph", "Bytes of arguments that clients may have under way", "bytes", "All connections together.", [(total("rpc_server_grants_bytes"), "{{instance}}")]),
]


def variable(name, label, query):
    return {"name": name, "label": label, "type": "query", "datasource": DATASOURCE, "definition": query,
            "query": {"query": query, "refId": name}, "refresh": 2, "sort": 1, "multi": True, "includeAll": True,
            "allValue": ".*", "current": {"text": "All", "value": "$__all"}}


def panel(number, kind, title, unit, description, queries, place):
    custom = {"drawStyle": "line", "fillOpacity": 10, "lineWidth": 1, "showPoints": "never"}
    made = {"id": number, "type": "stat" if kind == "stat" else "timeseries", "title": title, "description": description,
            "datasource": DATASOURCE, "gridPos": place,
            "fieldConfig": {"defaults": {"unit": unit, "min": 0} | ({} if kind == "stat" else {"custom": custom}), "overrides": []},
            "targets": [{"refId": chr(ord("A") + at), "datasource": DATASOURCE, "expr": expand(expr), "legendFormat": legend or "__auto"}
                        for at, (expr, legend) in enumerate(queries)]}
    if kind == "stat":
        made["options"] = {"reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}, "graphMode": "area"}
    else:
        made["options"] = {"legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
                           "tooltip": {"mode": "multi", "sort": "desc"}}
    return made


def expand(expr):
    return expr.replace("SELECT", 'job=~"$job", instance=~"$instance"').replace("WINDOW", "$__rate_interval")


def dashboard(uid, title, parts, variables):
    panels, x, y, height = [], 0, 0, 0
    for number, part in enumerate(parts, 1):
        if isinstance(part, str):
            y, x, height = y + height, 0, 0
            panels.append({"id": number, "type": "row", "title": part, "collapsed": False, "panels": [],
                           "gridPos": {"x": 0, "y": y, "w": 24, "h": 1}})
            y += 1
            continue
        width, high = (4, 4) if part[0] == "stat" else (12, 8)
        if x + width > 24:
            x, y = 0, y + height
        height = high
        panels.append(panel(number, *part, {"x": x, "y": y, "w": width, "h": high}))
        x += width
    source = {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"}
    return {"uid": uid, "title": title, "tags": ["rpc"], "schemaVersion": 38, "version": 1, "editable": True,
            "graphTooltip": 1, "refresh": "10s", "time": {"from": "now-30m", "to": "now"}, "timezone": "browser",
            "links": [{"type": "dashboards", "title": "RPC", "tags": ["rpc"], "asDropdown": False, "includeVars": True, "keepTime": True}],
            "templating": {"list": [source, *variables]}, "panels": panels}


def main():
    job = variable("job", "Job", f'label_values({{__name__=~"{ALL}"}}, job)')
    instance = variable("instance", "Instance", f'label_values({{__name__=~"{ALL}", job=~"$job"}}, instance)')
    service = variable("service", "Service", f'label_values({{__name__=~"{CALLS}", job=~"$job"}}, service)')
    method = variable("method", "Method", f'label_values({{__name__=~"{CALLS}", job=~"$job", service=~"$service"}}, method)')
    boards = [dashboard("rpc-overview", "RPC overview", OVERVIEW, [job, instance]),
              dashboard("rpc-service", "RPC service", SERVICE, [job, instance, service, method]),
              dashboard("rpc-transport", "RPC batching and transport", TRANSPORT, [job, instance])]
    differs = []
    for board in boards:
        file = FOLDER / (board["uid"] + ".json")
        text = json.dumps(board, indent=1) + "\n"
        if "--check" in sys.argv:
            differs += [] if file.is_file() and file.read_text() == text else [file.name]
        else:
            FOLDER.mkdir(exist_ok=True)
            file.write_text(text)
    if differs:
        print(f"not what dashboards.py writes: {', '.join(differs)} (expected: run it, and commit what it wrote)")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
