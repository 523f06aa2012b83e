"""Calls the quickstart's UserService over gRPC, as docs/grpc.md describes."""

import sys

import grpc
import users_pb2
import users_pb2_grpc

with grpc.insecure_channel(sys.argv[1]) as channel:
    users = users_pb2_grpc.UserServiceStub(channel)
    try:
        user = users.GetUser(users_pb2.GetUserRequest(id=7), timeout=3).value
        print(user.id, user.name, user.birthday)
        page = users.ListUser(users_pb2.ListUserRequest(page_no=1), timeout=3).value
        print(page.total, [each.name for each in page.result][:3])
    except grpc.RpcError as error:
        print(error.code().name, error.details())
