/**
 * Public API of the server: {@link io.rpcboot.server.RpcServer}, its builder, options and
 * snapshots. Applications use it; the implementation is in {@code internal.server}. Only
 * {@code RpcServer} and {@code RpcServerBuilder} use the implementation, which in turn
 * uses the options and snapshots.
 */
@NullMarked
package io.rpcboot.server;

import org.jspecify.annotations.NullMarked;
