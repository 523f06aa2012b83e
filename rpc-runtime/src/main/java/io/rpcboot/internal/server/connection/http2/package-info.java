/**
 * The connection of a gRPC client at the server: streams become calls, windows and memory
 * bound them, and the connection ends as RFC 9113 and gRPC ask for. The frames are those
 * of {@code internal.protocol.http2}.
 */
@NullMarked
package io.rpcboot.internal.server.connection.http2;

import org.jspecify.annotations.NullMarked;
