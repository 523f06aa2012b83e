/**
 * Encodes and decodes the words of gRPC over HTTP/2 ({@code PROTOCOL-HTTP2.md} of gRPC):
 * deadlines, statuses and their details, metadata, prefix and compression of messages.
 * Knows no connection; those of both sides use it and know the order of headers, messages
 * and trailers. The bytes of a peer become a value, or a
 * {@link io.rpcboot.internal.protocol.grpc.GrpcException} with the status of the call.
 */
@NullMarked
package io.rpcboot.internal.protocol.grpc;

import org.jspecify.annotations.NullMarked;
