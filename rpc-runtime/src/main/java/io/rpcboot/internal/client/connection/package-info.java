/**
 * Calls on one connection: call ids, pending table, windows, deadlines, service bindings
 * and drain.
 * <p>
 * Uses calls, contracts and the transport; the pool owns connections and receives their
 * events through {@link io.rpcboot.internal.client.connection.ConnectionObserver}. State
 * is confined to the event loop of the connection; other threads enqueue frames or tasks.
 * <p>
 * A call that the connection cannot write does not wait in it but returns to the queue of
 * its reference, so that any connection can pull it. A large call that has requested
 * window bytes is the exception.
 */
@NullMarked
package io.rpcboot.internal.client.connection;

import org.jspecify.annotations.NullMarked;
