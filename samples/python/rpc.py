"""A client of one connection, written from docs/protocol.md and docs/wire-types.md alone.

It blocks and is for one thread. Where the documents leave a choice it takes the simple one.
"""

import hashlib
import socket
import struct
import time

from values import Contract, Reader, Writer

HELLO, BIND, BIND_REPLY, REQUEST, RESPONSE, ONE_WAY, CANCEL, PING, PONG, WINDOW, GO_AWAY = range(1, 12)
CONTRACT, NEED, YIELD = 14, 15, 16

REMAINING_TIME, NOT_EXECUTED, DECLARED_EXCEPTION, LAST_GRANTED, ANSWERS_NEED = 1, 8, 16, 32, 64

STATUS = {0: "OK", 1: "CANCELLED", 2: "UNKNOWN", 3: "INVALID_ARGUMENT", 4: "DEADLINE_EXCEEDED", 5: "NOT_FOUND",
          6: "ALREADY_EXISTS", 7: "PERMISSION_DENIED", 8: "RESOURCE_EXHAUSTED", 9: "FAILED_PRECONDITION", 10: "ABORTED",
          11: "OUT_OF_RANGE", 12: "UNIMPLEMENTED", 13: "INTERNAL", 14: "UNAVAILABLE", 15: "DATA_LOSS",
          16: "UNAUTHENTICATED", 64: "APPLICATION"}

PREFACE = bytes.fromhex("8f525043 0001 0000")
HEADER = struct.Struct(">IBBHQ")
MAX_FRAME = 8 << 20
MAX_CONTROL = 4096
SHARE = 4096  # a longer body waits for the answer to its NEED


class RpcError(Exception):
    """A call that failed; `executed` is False where it is certain that it did not run."""

    def __init__(self, status, message, thrown="", executed=True):
        super().__init__("%s: %s" % (status, message))
        self.status, self.message, self.thrown, self.executed = status, message, thrown, executed


class Declared(Exception):
    """An exception of the throws clause: its class, its message and its fields."""

    def __init__(self, type_name, fields):
        super().__init__("%s: %s" % (type_name, fields["message"]))
        self.type, self.fields = type_name, fields


def text(value):
    data = value.encode()
    return struct.pack(">H", len(data)) + data


def take_text(body, at):
    end = at + 2 + struct.unpack_from(">H", body, at)[0]
    return body[at + 2:end].decode(), end


class Connection:
    tables = {}  # of servers, by service and hash, for the whole process

    def __init__(self, host, port, window=1 << 20, timeout=5.0):
        self.window = window  # bytes of replies that may be on their way
        self.calls = self.granted = self.sent_calls = self.sent = 0  # what we may send, what we have sent
        self.admitted = window  # what the server may send in total
        self.consumed = 0  # what it has sent, or given back
        self.answered = True  # whether the last NEED of ours was
        self.unwanted = 0  # what we asked for and do not want any more
        self.last_id = self.next_number = 0
        self.pings = set()
        self.services, self.replies, self.waiting = {}, {}, set()
        self.hello = self.last_served = self.reason = None
        self.received = bytearray()
        self.socket = socket.create_connection((host, port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        hello = struct.pack(">IB", MAX_FRAME, 1) + text("protostuff") + text("python")
        self.socket.sendall(PREFACE)
        self.frame(HELLO, body=hello)
        self.frame(WINDOW, body=struct.pack(">Q", self.admitted))
        deadline = time.monotonic() + timeout
        self.need_bytes(len(PREFACE), deadline)
        if self.received[:6] != PREFACE[:6]:
            raise RpcError("INTERNAL", "the server speaks another protocol")
        del self.received[:len(PREFACE)]
        self.pump(lambda: self.hello is not None, deadline)

    # frames

    def frame(self, kind, flags=0, code=0, call_id=0, body=b""):
        self.socket.settimeout(None)
        self.socket.sendall(HEADER.pack(len(body), kind, flags, code, call_id) + body)

    def need_bytes(self, count, deadline):
        while len(self.received) < count:
            rest = deadline - time.monotonic()
            if rest <= 0:
                raise TimeoutError
            self.socket.settimeout(rest)
            try:
                data = self.socket.recv(65536)
            except ConnectionError:
                data = b""
            if not data:
                raise RpcError("UNAVAILABLE", "the connection was lost: %s" % (self.reason or "closed by the server"))
            self.received += data

    def pump(self, done, deadline):
        """Read frames until something is true."""
        while not done():
            if self.reason and not self.hello:
                raise RpcError(*self.reason, executed=False)
            self.need_bytes(HEADER.size, deadline)
            length, kind, flags, code, call_id = HEADER.unpack_from(self.received)
            self.need_bytes(HEADER.size + length, deadline)
            body = bytes(self.received[HEADER.size:HEADER.size + length])
            del self.received[:HEADER.size + length]
            self.on_frame(kind, flags, code, call_id, body)
            if kind in (CONTRACT, BIND_REPLY) or (kind == RESPONSE and not flags & NOT_EXECUTED):
                self.consume(length)

    def on_frame(self, kind, flags, code, call_id, body):
        if kind == HELLO:
            self.hello = struct.unpack_from(">I", body)[0]
        elif kind == WINDOW:
            self.calls = max(self.calls, call_id)
            self.granted = max(self.granted, struct.unpack(">Q", body)[0])
            if flags & ANSWERS_NEED:
                self.answered = True
                if self.unwanted:
                    self.sent += self.unwanted
                    self.frame(YIELD, call_id=self.unwanted)
                    self.unwanted = 0
        elif kind == CONTRACT:
            service = self.services[code]
            if body:
                Connection.tables[service.name, hashlib.sha256(body).digest()[:16]] = Contract(body.decode())
            else:
                table = service.contract.text.encode()
                self.await_room(len(table), time.monotonic() + 5)
                self.sent += len(table)
                self.frame(CONTRACT, code=code, body=table)
        elif kind == BIND_REPLY:
            self.services[call_id].on_reply(code, body)
        elif kind == RESPONSE:
            if call_id in self.waiting:
                self.waiting.remove(call_id)
                self.replies[call_id] = flags, code, body
        elif kind == PING:
            self.frame(PONG, call_id=call_id)
        elif kind == PONG:
            self.pings.discard(call_id)
        elif kind == NEED:
            if call_id > SHARE:
                self.admit(self.admitted + call_id, ANSWERS_NEED)
            else:
                self.admit(max(self.admitted, self.consumed + max(self.window, call_id)), 0)
        elif kind == YIELD:
            self.consume(call_id)
        elif kind == GO_AWAY:
            self.reason = STATUS.get(code, "INTERNAL"), body.decode()
            self.last_served = call_id
        else:
            raise RpcError("INTERNAL", "frame type %d" % kind)

    # what the server may send

    def consume(self, count):
        self.consumed += count
        if self.admitted - self.consumed <= self.window // 2:
            self.admit(self.consumed + self.window, 0)

    def admit(self, total, flags):
        self.admitted = total
        self.frame(WINDOW, flags, body=struct.pack(">Q", total))

    # what we may send

    def await_room(self, size, deadline):
        """Wait until the grant covers a body; whoever waits counts it as sent at once."""
        if size > self.hello:
            raise RpcError("INVALID_ARGUMENT", "%d bytes (expected: at most %d)" % (size, self.hello), executed=False)
        self.pump(lambda: not self.unwanted, deadline)
        if self.sent + size > self.granted:
            self.answered = size <= SHARE
            self.frame(NEED, call_id=size)
            try:
                self.pump(lambda: self.answered and self.sent + size <= self.granted, deadline)
            except TimeoutError:
                self.unwanted = 0 if self.answered else size
                raise

    # calls

    def bind(self, name, contract, timeout=5.0):
        """Give numbers to the methods of a service. Raises RpcError if it is refused."""
        service = Service(self, name, Contract(contract), self.next_number)
        self.next_number += len(service.contract.methods)
        self.services[service.first] = service
        known = [table_hash for table_name, table_hash in Connection.tables if table_name == name][-8:]
        body = struct.pack(">H", len(service.contract.methods)) + service.contract.hash
        body += bytes([len(known)]) + b"".join(known) + text(name) + text("protostuff")
        self.frame(BIND, code=service.first, body=body)
        self.pump(lambda: service.bound is not None, time.monotonic() + timeout)
        if service.bound != 0:
            raise RpcError(STATUS.get(service.bound, "INTERNAL"), service.why, executed=False)
        return service

    def start(self, kind, number, arguments, timeout):
        """Send a call and return its id."""
        deadline = time.monotonic() + timeout
        try:
            self.pump(lambda: self.sent_calls < self.calls or self.last_served is not None, deadline)
            self.await_room(4 + len(arguments), deadline)
        except TimeoutError:
            raise RpcError("DEADLINE_EXCEEDED", "no room for the call", executed=False) from None
        if self.last_served is not None:
            raise RpcError(*self.reason, executed=False)
        self.last_id += 1
        self.sent_calls += 1
        self.sent += 4 + len(arguments)
        if kind == REQUEST:
            self.waiting.add(self.last_id)
        flags = REMAINING_TIME | (LAST_GRANTED if self.sent_calls == self.calls else 0)
        rest = max(0, int((deadline - time.monotonic()) * 1000))
        self.frame(kind, flags, number, self.last_id, struct.pack(">I", rest) + arguments)
        return self.last_id

    def finish(self, call_id, timeout):
        """Wait for the reply to a call: flags, status and body."""
        try:
            self.pump(lambda: call_id in self.replies or self.is_refused(call_id), time.monotonic() + timeout)
        except TimeoutError:
            self.waiting.discard(call_id)
            self.frame(CANCEL, call_id=call_id)
            raise RpcError("DEADLINE_EXCEEDED", "no answer in time") from None
        if call_id not in self.replies:
            raise RpcError(*self.reason, executed=False)
        return self.replies.pop(call_id)

    def is_refused(self, call_id):
        return self.last_served is not None and call_id > self.last_served

    def ping(self, number=1, timeout=5.0):
        self.pings.add(number)
        self.frame(PING, call_id=number)
        self.pump(lambda: number not in self.pings, time.monotonic() + timeout)

    def close(self):
        self.socket.close()


class Service:
    """A service that was bound. Its methods are called by their names."""

    def __init__(self, connection, name, contract, first):
        self.connection, self.name, self.contract, self.first = connection, name, contract, first
        self.bound, self.why, self.refused, self.server = None, "", {}, contract

    def on_reply(self, status, body):
        self.bound = status
        if status != 0:
            self.why = body.decode()
            return
        if body[:16] != self.contract.hash:
            self.server = Connection.tables[self.name, body[:16]]
        at = 18
        for _ in range(struct.unpack_from(">H", body, 16)[0]):
            index = struct.unpack_from(">H", body, at)[0]
            self.refused[index], at = take_text(body, at + 2)

    def call(self, name, *arguments, timeout=2.0):
        """Call a method and return its result. Raises Declared or RpcError."""
        index, method = self.contract.method(name)
        writer = Writer(self.contract)
        for number, (parameter, value) in enumerate(zip(method.parameters, arguments, strict=True), 1):
            writer.field(number, parameter, value)
        if method.one_way:
            self.connection.start(ONE_WAY, self.first + index, bytes(writer.out), timeout)
            return None
        started = time.monotonic()
        call_id = self.connection.start(REQUEST, self.first + index, bytes(writer.out), timeout)
        flags, status, body = self.connection.finish(call_id, timeout - (time.monotonic() - started))
        return self.reply(method, flags, status, body)

    def reply(self, method, flags, status, body):
        written = self.server.counterpart(method)  # by whose layout the server writes
        if status == 0:
            return Reader(self.server, body).message({1: ("result", written.result)})["result"]
        if flags & DECLARED_EXCEPTION:
            clause = {place: (thrown, thrown) for place, thrown in enumerate(written.exceptions, 1)}
            thrown = Reader(self.server, body).message(clause)
            raise next(Declared(type_name, fields) for type_name, fields in thrown.items() if fields is not None)
        message, at = take_text(body, 0)
        raise RpcError(STATUS.get(status, "INTERNAL"), message, take_text(body, at)[0], not flags & NOT_EXECUTED)
