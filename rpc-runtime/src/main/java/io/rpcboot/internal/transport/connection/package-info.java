/**
 * One connection: its decoder, its listener for frames, its notifications for users.
 * <p>
 * Uses frames, the write path and event loops; the connections of client and server are
 * built on it and are its {@link io.rpcboot.internal.transport.connection.FrameListener}.
 * Callbacks run on the event loop of the channel and must not block; only
 * {@link io.rpcboot.internal.transport.connection.ConnectionNotifier} calls user code,
 * never on an event loop.
 */
@NullMarked
package io.rpcboot.internal.transport.connection;

import org.jspecify.annotations.NullMarked;
