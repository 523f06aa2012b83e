/**
 * One connection, whatever its protocol: its state, its notifications for users, the
 * least data rate of large bodies.
 * <p>
 * Uses the write path and event loops; the protocols are built on it, each with its
 * {@link io.rpcboot.internal.transport.connection.InboundHandler}. Callbacks run on the
 * event loop of the channel and must not block; only
 * {@link io.rpcboot.internal.transport.connection.ConnectionNotifier} calls user code,
 * never on an event loop.
 */
@NullMarked
package io.rpcboot.internal.transport.connection;

import org.jspecify.annotations.NullMarked;
