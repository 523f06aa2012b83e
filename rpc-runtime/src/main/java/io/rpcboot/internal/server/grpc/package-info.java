/**
 * What a server offers over gRPC: methods by their path, health and reflection. Knows no
 * frame.
 */
@NullMarked
package io.rpcboot.internal.server.grpc;

import org.jspecify.annotations.NullMarked;
