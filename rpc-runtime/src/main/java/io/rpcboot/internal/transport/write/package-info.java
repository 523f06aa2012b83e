/**
 * The write path of a connection: write queue, batch, flush policy, blocked frames.
 * <p>
 * Uses frames and event loops; connections and flow control are built on it, and each
 * connection has one write queue. Everything but enqueueing runs on the event loop, so a
 * flush needs no lock, and a batch is flushed on every way out: limit, empty queue, full
 * socket, close.
 */
@NullMarked
package io.rpcboot.internal.transport.write;

import org.jspecify.annotations.NullMarked;
