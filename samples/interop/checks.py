"""Own checks of gRPC's Python client, run by run.py.

    python3 checks.py <address of InteropServer> <address of the quickstart's provider>

Expects testing_pb2, check_pb2 and users_pb2, which protoc generates from the files of the servers. Prints a line for
each check: `ok`, or the reason, behind its name and a colon.
"""

import concurrent.futures
import queue
import sys
import time

import check_pb2
import check_pb2_grpc
import grpc
import testing_pb2
import testing_pb2_grpc
import users_pb2
import users_pb2_grpc
import values
from google.protobuf import json_format
from grpc_status import rpc_status

SECONDS = 10
SPECIAL = "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n"
HEALTH = "/grpc.health.v1.Health/Check"
HELPERS = "unary", "cancelled", "await_cancelled"
SERVING = b"\x08\x01"


def equal(actual, expected):
    if actual != expected:
        raise AssertionError("%.300r (expected: %.300r)" % (actual, expected))


def failure(call):
    """The error that a call ends with."""
    try:
        call()
    except grpc.RpcError as error:
        return error
    raise AssertionError("success (expected: a failure)")


class Checks:
    def __init__(self, testing, users):
        self.channel = users
        self.testing = testing_pb2_grpc.TestServiceStub(testing)
        self.users = users_pb2_grpc.UserServiceStub(users)
        self.check = check_pb2_grpc.CheckServiceStub(testing)
        self.values = check_pb2_grpc.ValueServiceStub(testing)
        self.streams = check_pb2_grpc.StreamServiceStub(testing)

    def unary(self, size=0, body=b"", status=None, **options):
        request = testing_pb2.UnaryCallRequest(response_size=size)
        request.payload.body = body
        if status:
            request.response_status.code, request.response_status.message = status
        return self.testing.UnaryCall.with_call(request, timeout=SECONDS, **options)

    def empty_unary(self):
        equal(self.testing.EmptyCall(testing_pb2.EmptyCallRequest(), timeout=SECONDS), testing_pb2.EmptyCallResponse())

    def large_unary(self):
        response, _ = self.unary(314159, bytes(271828))
        equal(response.value.body, bytes(314159))

    def client_compressed_unary(self):
        response, _ = self.unary(100, bytes(271828), compression=grpc.Compression.Gzip)
        equal(len(response.value.body), 100)

    def status_code_and_message(self):
        error = failure(lambda: self.unary(status=(2, "test status message")))
        equal((error.code(), error.details()), (grpc.StatusCode.UNKNOWN, "test status message"))

    def special_status_message(self):
        error = failure(lambda: self.unary(status=(2, SPECIAL)))
        equal((error.code(), error.details()), (grpc.StatusCode.UNKNOWN, SPECIAL))

    def custom_metadata(self):
        """Both are in the trailers, because a server has all of them when the call ends."""
        sent = (("x-grpc-test-echo-initial", "test_initial_metadata_value"),
                ("x-grpc-test-echo-trailing-bin", b"\xab\xab\xab"))
        _, call = self.unary(metadata=sent)
        equal(set(sent) - set(map(tuple, call.trailing_metadata())), set())

    def unimplemented_method(self):
        call = self.channel.unary_unary("/io.rpcboot.samples.quickstart.api.UserService/GetUsr")
        error = failure(lambda: call(b"", timeout=SECONDS))
        equal((error.code(), "nearest: GetUser" in error.details()), (grpc.StatusCode.UNIMPLEMENTED, True))

    def malformed_message(self):
        call = self.channel.unary_unary("/io.rpcboot.samples.quickstart.api.UserService/GetUser")
        equal(failure(lambda: call(b"\xff", timeout=SECONDS)).code(), grpc.StatusCode.INVALID_ARGUMENT)

    def too_long_message(self):
        error = failure(lambda: self.unary(body=bytes(9 * 1024 * 1024)))
        equal(error.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)

    def cancelled(self):
        return self.check.Cancelled(check_pb2.CancelledRequest(), timeout=SECONDS).value

    def await_cancelled(self, count):
        end = time.monotonic() + SECONDS
        while self.cancelled() < count:
            if time.monotonic() > end:
                raise AssertionError("the method runs on (expected: it is cancelled)")
            time.sleep(0.05)

    def deadline(self):
        before = self.cancelled()
        error = failure(lambda: self.check.Pause(check_pb2.PauseRequest(millis=60000), timeout=0.3))
        equal(error.code(), grpc.StatusCode.DEADLINE_EXCEEDED)
        self.await_cancelled(before + 1)

    def cancel(self):
        before = self.cancelled()
        call = self.check.Pause.future(check_pb2.PauseRequest(millis=60000), timeout=60)
        time.sleep(0.3)
        call.cancel()
        equal(call.code(), grpc.StatusCode.CANCELLED)
        self.await_cancelled(before + 1)

    def undeclared_exception(self):
        error = failure(lambda: self.check.Fail(check_pb2.FailRequest(message="secret"), timeout=SECONDS))
        equal((error.code(), "IllegalStateException" in error.details(), "secret" in error.details()),
              (grpc.StatusCode.UNKNOWN, True, False))

    def declared_exception(self):
        error = failure(lambda: self.check.Refuse(check_pb2.RefuseRequest(reason="closed", code=7), timeout=SECONDS))
        equal(error.code(), grpc.StatusCode.UNKNOWN)
        thrown = check_pb2.CheckServiceRefused()
        equal(rpc_status.from_call(error).details[0].Unpack(thrown), True)
        equal((thrown.message, thrown.code), ("closed", 7))

    def every_type(self):
        item = check_pb2.CheckServiceItem(name="\u4e00", count=0, kind=check_pb2.CHECK_SERVICE_KIND_LARGE)
        item.at.FromSeconds(1)
        item.parts["one"].name = ""
        item.shapes.add().circle.radius = 0.5
        item.shapes.add().square.SetInParent()
        equal(self.check.Echo(check_pb2.EchoRequest(item=item), timeout=SECONDS).value, item)

    def values_of_every_type(self):
        for index in range(values.COUNT):
            read = self.values.Get(check_pb2.GetRequest(index=index), timeout=SECONDS).value
            message = json_format.MessageToDict(read, preserving_proto_field_name=True)
            equal(values.differences(index, message), [])
            equal(self.values.Check(check_pb2.CheckRequest(index=index, values=read), timeout=SECONDS).value, True)

    def feed(self):
        feed = self.streams.Numbers(check_pb2.NumbersRequest(count=1000), timeout=SECONDS)
        equal([each.value for each in feed], list(range(1, 1001)))

    def feed_that_fails(self):
        numbers = []
        def read():
            for each in self.streams.Numbers(check_pb2.NumbersRequest(count=3, fails=True), timeout=SECONDS):
                numbers.append(each.value)
        error = failure(read)
        equal((numbers, error.code(), error.details()),
              ([1, 2, 3], grpc.StatusCode.FAILED_PRECONDITION, "no more than 3"))

    def feed_that_is_left(self):
        feed = self.streams.Numbers(check_pb2.NumbersRequest(count=1_000_000_000), timeout=60)
        equal([next(feed).value for _ in range(10)], list(range(1, 11)))
        feed.cancel()
        equal(failure(lambda: list(feed)).code(), grpc.StatusCode.CANCELLED)

    def upload(self):
        numbers = (check_pb2.SumRequest(numbers=each) for each in range(10_001))
        equal(self.streams.Sum(numbers, timeout=SECONDS).value, 50_005_000)

    def compressed_upload(self):
        numbers = (check_pb2.SumRequest(numbers=each) for each in range(101))
        equal(self.streams.Sum(numbers, timeout=SECONDS, compression=grpc.Compression.Gzip).value, 5050)

    def both_ways(self):
        answered = queue.Queue()
        def numbers():
            for each in range(1, 11):
                yield check_pb2.SquaresRequest(numbers=each)
                answered.get(timeout=SECONDS)  # so that neither side waits for the end of the other one
        squares = []
        for each in self.streams.Squares(numbers(), timeout=SECONDS):
            squares.append(each.value)
            answered.put(None)
        equal(squares, [each * each for each in range(1, 11)])

    def null(self):
        equal(self.check.Echo(check_pb2.EchoRequest(), timeout=SECONDS).HasField("value"), False)

    def objects_and_lists(self):
        user = self.users.GetUser(users_pb2.GetUserRequest(id=7), timeout=SECONDS).value
        equal((user.id, user.name, user.birthday, user.permissions[:3]), (7, "Doug Lea", "1968-12-08", [1, 2, 3]))
        page = self.users.ListUser(users_pb2.ListUserRequest(page_no=2), timeout=SECONDS).value
        equal((page.page_no, [each.id for each in page.result]), (2, list(range(15))))

    def absent_and_empty(self):
        call = self.users.ExistUser
        equal([call(users_pb2.ExistUserRequest(**email), timeout=SECONDS).value
               for email in ({}, {"email": ""}, {"email": "a4"})], [True, True, False])
        equal(self.users.CreateUser(users_pb2.CreateUserRequest(), timeout=SECONDS).value, False)

    def health(self):
        check = self.channel.unary_unary(HEALTH)
        for name in (b"", b"liveness", b"readiness", b"io.rpcboot.samples.quickstart.api.UserService"):
            equal(check(b"\x0a" + bytes([len(name)]) + name, timeout=SECONDS), SERVING)
        equal(failure(lambda: check(b"\x0a\x01x", timeout=SECONDS)).code(), grpc.StatusCode.NOT_FOUND)

    def many_at_once(self):
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            calls = [pool.submit(self.users.GetUser, users_pb2.GetUserRequest(id=id), timeout=SECONDS)
                     for id in range(2000)]
            equal([call.result().value.id for call in calls], list(range(2000)))


def main():
    with grpc.insecure_channel(sys.argv[1]) as testing, grpc.insecure_channel(sys.argv[2]) as users:
        checks = Checks(testing, users)
        for name, check in vars(Checks).items():
            if name.startswith("_") or name in HELPERS:
                continue
            try:
                check(checks)
                print(name + ": ok", flush=True)
            except (AssertionError, grpc.RpcError) as failed:
                print(name + ": " + " ".join(str(failed).split()), flush=True)


if __name__ == "__main__":
    main()
