package io.rpcboot.internal.serialization.protobuf;

/** A class with the name of a request. */
public record GetRequest(int id) {
}
