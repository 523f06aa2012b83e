/**
 * Offer of a server over gRPC: methods by their path. Uses the codec of protobuf and the
 * table of services; knows no frame. Connections of HTTP/2 look up paths here.
 */
@NullMarked
package io.rpcboot.internal.server.grpc;

import org.jspecify.annotations.NullMarked;
