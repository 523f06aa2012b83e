/**
 * Calls on one connection, whatever its protocol: pending table, statistics, deadlines,
 * fair shares, waiting calls and drain. A protocol has a room of its own below, with a
 * {@link io.rpcboot.internal.client.connection.ClientProtocol} and a subclass of
 * {@link io.rpcboot.internal.client.connection.ClientConnection}.
 * <p>
 * Uses the packages call, contract, limits and runtime of the client, the cluster
 * statistics, memory, metrics and the transport. The pool owns connections and receives
 * their events through {@link io.rpcboot.internal.client.connection.ConnectionObserver};
 * the packages routing, reference, retry and broadcast use them, too. State is confined
 * to the event loop of the connection; other threads enqueue frames or tasks.
 * <p>
 * A call that the connection cannot write does not wait in it but returns to the queue of
 * its reference, so that any connection can pull it. A long call that has requested
 * window bytes is the exception: its frame is over 4 KiB ({@code ReceiveWindow.SHARE}).
 */
@NullMarked
package io.rpcboot.internal.client.connection;

import org.jspecify.annotations.NullMarked;
