"""What the client in samples/python can do, against the server of PythonClientIntegrationTests."""

import datetime
import struct
import sys
import time

import quickstart
import rpc
from values import Contract

LEDGER = "io.rpcboot.samples.quickstart.python.Ledger"

ENTRY = """  1 account java.lang.String
  2 amount long
  3 kind {0}$Kind
  4 lines java.util.Map<java.lang.String,java.util.List<java.lang.Integer>>
  5 payment {0}$Payment+
  6 memo java.util.Optional<java.lang.String>
  7 days int[]
  8 code short
  9 rate double
  10 at java.time.LocalDateTime
  11 remark java.lang.String
"""

CONTRACT = ("""protostuff/1
method book({0}$Entry) {0}$Entry throws {0}$Overdrawn
method copy(byte[]) byte[]
method fail(java.lang.String) void
method never() java.lang.String
method note(java.lang.String) void one-way
method notes() java.util.List<java.lang.String>
method size(java.util.Map<java.lang.String,java.lang.String>) int
method gone(int, int) void
record {0}$Card
  1 number java.lang.String
record {0}$Cash
record {0}$Entry
""" + ENTRY + """enum {0}$Kind
  0 CREDIT void
  1 DEBIT void
exception {0}$Overdrawn
  1 message java.lang.String
  2 missing long
base {0}$Payment+
  1 - {0}$Card
  2 - {0}$Cash
""").format(LEDGER)


def equal(actual, expected):
    if actual != expected:
        raise AssertionError("%r (expected: %r)" % (actual, expected))


def until(condition):
    deadline = time.monotonic() + 5
    while not condition():  # calls have no order
        if time.monotonic() > deadline:
            raise AssertionError("not in time")


def failure(action, *arguments, **options):
    try:
        result = action(*arguments, **options)
    except (rpc.RpcError, rpc.Declared) as ex:
        return ex
    raise AssertionError("%r (expected: a failure)" % (result,))


def users(host, port):
    connection = rpc.Connection(host, port)
    service = connection.bind(quickstart.API + "UserService", quickstart.CONTRACT)
    equal(service.refused, {})
    equal(service.call("existUser", None), True)
    equal(service.call("existUser", "a@b.c1"), False)
    equal(service.call("createUser", {"name": "Ann \U0001f600", "permissions": [1, None]}), True)
    equal(service.call("createUser", None), False)
    user = service.call("getUser", 7)
    equal((user["id"], user["name"], user["birthday"]), (7, "Doug Lea", datetime.date(1968, 12, 8)))
    equal(user["permissions"][:3], [1, 2, 3])
    equal(abs(user["createTime"] - datetime.datetime.now()) < datetime.timedelta(days=1), True)
    page = service.call("listUser", 3)
    equal((page["pageNo"], page["total"], len(page["result"])), (3, 1000, 15))
    equal(page["result"][14]["name"], "Doug Lea14")
    # the server's own text: equal hashes, no table on the way
    again = connection.bind(quickstart.API + "UserService", service.server.text)
    equal(again.contract.hash, service.server.hash)
    equal(again.call("getUser", 8)["id"], 8)
    connection.close()
    # a second connection knows the table, and is not sent it again
    connection = rpc.Connection(host, port)
    equal(connection.bind(quickstart.API + "UserService", quickstart.CONTRACT).call("getUser", 9)["id"], 9)
    connection.ping(42)
    connection.close()


def values(ledger):
    entry = {"account": "a\ud800", "amount": 1 << 40, "kind": "DEBIT", "lines": {"x": [1, -1], "y": []},
             "payment": (LEDGER + "$Card", {"number": "7"}), "memo": "m", "days": [3, -3], "code": -2, "rate": 0.1,
             "at": datetime.datetime(2024, 2, 29, 12, 34, 56, 789), "remark": None}
    equal(ledger.call("book", entry), entry)
    entry.update(payment=(LEDGER + "$Cash", {}), memo=None, lines={}, days=[], remark="")
    equal(ledger.call("book", entry), dict(entry, memo=None))
    ex = failure(ledger.call, "book", dict(entry, amount=-5))
    equal((ex.type, ex.fields), (LEDGER + "$Overdrawn", {"message": "not enough on a\ud800", "missing": 5}))
    whole = ledger.connection.bind(LEDGER, ledger.server.text)
    anything = ("java.util.List<java.lang.Object>", [("java.lang.Long", 5), None, (LEDGER + "$Entry", entry)])
    equal(whole.call("echo", anything), anything)
    equal(whole.call("echo", None), None)


def calls(ledger):
    connection = ledger.connection
    equal(ledger.call("note", "一"), None)
    until(lambda: ledger.call("notes") == ["一"])
    ex = failure(ledger.call, "fail", "no luck")
    equal((ex.status, ex.message, ex.thrown),
          ("APPLICATION", "its text and stack trace are in the server's log (rpc.server.expose-exceptions=message sends the text)", "java.lang.IllegalStateException"))
    equal(sorted(ledger.refused), [6, 7])
    ex = failure(ledger.call, "size", {})
    equal((ex.status, ex.executed), ("FAILED_PRECONDITION", False))
    ex = failure(ledger.call, "never", timeout=0.1)
    equal((ex.status, ex.executed), ("DEADLINE_EXCEEDED", True))
    number = ledger.first + ledger.contract.method("notes")[0]
    late = connection.start(rpc.REQUEST, number, b"", 0)
    equal(status(connection.finish(late, 2)), ("DEADLINE_EXCEEDED", True))
    unread = connection.start(rpc.REQUEST, number, b"\x08\x01", 2)
    equal(status(connection.finish(unread, 2)), ("INVALID_ARGUMENT", True))
    unbound = connection.start(rpc.REQUEST, 4711, b"", 2)
    equal(status(connection.finish(unbound, 2)), ("UNIMPLEMENTED", True))
    # numbers that are bound again mean the methods of the last BIND
    other = rpc.Connection(*connection.socket.getpeername())
    other.bind(quickstart.API + "UserService", quickstart.CONTRACT)
    other.next_number = 0
    equal(other.bind(LEDGER, CONTRACT).call("notes"), ["一"])
    other.close()
    ex = failure(connection.bind, LEDGER + ":2", CONTRACT)
    equal((ex.status, ex.executed), ("NOT_FOUND", False))
    ex = failure(connection.bind, LEDGER, "protostuff/1\nmethod gone() void\n")
    equal(ex.status, "FAILED_PRECONDITION")


def status(reply):
    flags, code, _ = reply
    return rpc.STATUS[code], bool(flags & rpc.NOT_EXECUTED)


def memory(host, port):
    # replies of 300,000 bytes through a window of 8,192, and more calls than are granted at first
    connection = rpc.Connection(host, port, window=8192)
    ledger = connection.bind(LEDGER, CONTRACT)
    blob = bytes(range(250)) * 1200
    for _ in range(3):
        equal(ledger.call("copy", blob), blob)
    for size in range(200):
        equal(len(ledger.call("copy", bytes(20 * size))), 20 * size)
    ids = [connection.start(rpc.REQUEST, ledger.first + ledger.contract.method("notes")[0], b"", 5) for _ in range(500)]
    for call_id in ids:
        equal(connection.finish(call_id, 5)[1], 0)
    ex = failure(ledger.call, "copy", bytes(9 << 20))
    equal((ex.status, ex.executed), ("INVALID_ARGUMENT", False))
    connection.close()


def ends(host, port):
    """What the document says ends a connection does."""
    for kind, call_id, body in ((rpc.GO_AWAY, 0, b""), (rpc.RESPONSE, 1, b""), (12, 0, b""), (rpc.REQUEST, 0, b"\0"),
                                (rpc.REQUEST, 1 << 63, b"\0"), (rpc.PING, 1, bytes(4097)), (rpc.YIELD, 1 << 40, b""),
                                (rpc.CONTRACT, 0, b"x"), (rpc.HELLO, 0, struct.pack(">IBH", 0, 0, 0))):
        connection = rpc.Connection(host, port)
        connection.frame(kind, call_id=call_id, body=body)
        ended = False
        try:
            connection.ping(timeout=3)
        except (rpc.RpcError, OSError) as ex:
            ended = not isinstance(ex, TimeoutError)
        equal((kind, ended), (kind, True))
        connection.close()


def go_away(ledger):
    print("shut down now", flush=True)
    started = time.monotonic()
    try:
        while time.monotonic() - started < 10:
            ledger.call("notes")
            time.sleep(0.01)
    except rpc.RpcError as ex:
        equal((ex.status, ex.message, ex.executed), ("UNAVAILABLE", "the server is shutting down", False))
        equal(ledger.connection.last_id - ledger.connection.last_served in (0, 1), True)
        return
    raise AssertionError("no GO_AWAY")


def main(address):
    host, port = address.rsplit(":", 1)
    host, port = host, int(port)
    quickstart.main(address)
    users(host, port)
    ledger = rpc.Connection(host, port).bind(LEDGER, CONTRACT)
    calls(ledger)
    values(ledger)
    memory(host, port)
    ends(host, port)
    ledger.call("note", "seen")
    until(lambda: len(ledger.call("notes")) == 2)
    go_away(ledger)
    print("all done")


if __name__ == "__main__":
    main(*sys.argv[1:])
