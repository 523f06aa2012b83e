/**
 * The write path of a connection: write queue, batch, flush policy, blocked frames.
 * <p>
 * Uses frames and event loops; connections and flow control are built on it, and each
 * connection has one write queue. Any thread may enqueue, request a read of the source,
 * and reject frames after the end of the queue; all else runs on the event loop, so a
 * flush needs no lock.
 * <p>
 * Four places decide about flushing. {@code FlushPolicy} ends a batch at its limits and
 * learns whether another round of the event loop pays off. {@code WriteQueue} flushes at
 * the end of a drain: when the queue is empty, unless {@code waitsRound} returns true,
 * and after 1,024 frames. {@code DelayedFlush} replaces the flush of an empty queue in
 * mode ALWAYS. {@code WriteBatch.writeChunks} flushes the channel after each chunk except
 * the last, so that the peer reads while the next chunk is written; this ends no batch.
 * The end of the queue flushes the rest of the batch.
 * <p>
 * The socket takes more while the channel is writable: until Netty's outbound buffer
 * exceeds its high water mark (1 MiB by default), and again below its low water mark (256
 * KiB by default). A <em>long</em> frame has more than 4 KiB
 * ({@code ReceiveWindow.SHARE}) and may have to wait for memory of the peer. A
 * <em>large</em> body has more than 8 KiB ({@code OutboundFrame.LARGE_BODY}) and is
 * written from its chunks instead of being copied into the buffer of the batch.
 */
@NullMarked
package io.rpcboot.internal.transport.write;

import org.jspecify.annotations.NullMarked;
