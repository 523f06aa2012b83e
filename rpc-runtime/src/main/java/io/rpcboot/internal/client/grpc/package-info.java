/**
 * Services of others that are called over gRPC: their messages and paths.
 */
@NullMarked
package io.rpcboot.internal.client.grpc;

import org.jspecify.annotations.NullMarked;
