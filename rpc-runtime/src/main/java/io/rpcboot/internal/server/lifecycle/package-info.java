/**
 * Life of a server: advertised address, registration, graceful shutdown, monitoring of
 * the worker pool. Used by {@code RpcServer} alone. A shutdown deregisters before it
 * sends GO_AWAY, and waits for calls in flight before it closes, so that clients that
 * listen to the registry lose no call.
 */
@NullMarked
package io.rpcboot.internal.server.lifecycle;

import org.jspecify.annotations.NullMarked;
