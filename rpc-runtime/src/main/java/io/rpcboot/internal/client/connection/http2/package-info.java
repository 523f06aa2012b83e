/**
 * The connection of a client to a gRPC server: calls become streams, windows of the
 * server bound them, and replies come back from DATA and trailers.
 */
@NullMarked
package io.rpcboot.internal.client.connection.http2;

import org.jspecify.annotations.NullMarked;
