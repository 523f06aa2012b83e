"""Calls evolution.Api with the classes of one version of its file, run by run.py.

    python3 evolution.py <address> <parameters as JSON>

Expects api_pb2, which protoc generates. Prints the answer, or the status.
"""

import json
import sys

import api_pb2
import api_pb2_grpc
import grpc

with grpc.insecure_channel(sys.argv[1]) as channel:
    try:
        request = api_pb2.SearchRequest(**json.loads(sys.argv[2]))
        print(api_pb2_grpc.ApiStub(channel).Search(request, timeout=10).value)
    except grpc.RpcError as error:
        print(error.code().name, error.details())
