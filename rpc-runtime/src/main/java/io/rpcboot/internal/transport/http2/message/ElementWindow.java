package io.rpcboot.internal.transport.http2.message;

import java.util.function.LongSupplier;

import io.rpcboot.internal.protocol.http2.Http2Limits;

/**
 * Window of a stream of elements: bytes that its peer may send before its subscriber has
 * taken others. It widens while the subscriber waits for elements and takes many, and so
 * follows the speed of the reader, as the receive buffer of TCP does in Linux ("dynamic
 * right-sizing", tcp_moderate_rcvbuf). That one takes the round-trip time as its period;
 * the estimators of gRPC in Go and Java measure it by PINGs, Chromium's QUIC by packets:
 * it doubles a window that is used up within two round trips. This one has a fixed
 * period, because many peers limit PINGs, and a period that is longer than the round trip
 * only makes the window wider than needed:
 * {@code doubled if all of it was taken within PERIOD, halved if that took longer than
 * 2 PERIOD}. Example: a subscriber that takes 3 MB/s takes 260 KB in 87 ms, so the window
 * becomes 520 KB, which is enough for 5 MB/s over a round trip of 100 ms.
 * <p>
 * A wider window promises no memory: elements are reserved when they arrive, as those in
 * the first 65 KB. So that a peer can send little that this side does not want,
 * {@link InboundMemory} bounds the widening of a connection, and while memory is short no
 * window widens and none is filled beyond its first size. Event loop only.
 */
public final class ElementWindow {

	/** Smallest size, which each stream has. */
	static final int SMALLEST = Http2Limits.STREAM_WINDOW;

	/**
	 * Largest size: with more, an element on loopback costs the same. Half of the window
	 * that a server gives to a connection.
	 */
	static final int LARGEST = 8 * SMALLEST;

	/** Longest time for all of a window that widens it: most round trips are shorter. */
	private static final long PERIOD_NANOS = 200_000_000;

	private final InboundMemory memory;

	private final LongSupplier clock;

	private int size = SMALLEST;

	/** Bytes of elements that wait for the subscriber. */
	private int unconsumed;

	/** Bytes that were taken since {@link #sinceNanos}. */
	private int taken;

	/** Time of the last decision. */
	private long sinceNanos;

	/** True if the subscriber has waited for an element since then. */
	private boolean waited;

	private boolean closed;

	/**
	 * Creates a window of the smallest size.
	 * @param memory memory of the connection
	 * @param clock as {@link System#nanoTime()}
	 */
	public ElementWindow(InboundMemory memory, LongSupplier clock) {
		this.memory = memory;
		this.clock = clock;
		this.sinceNanos = clock.getAsLong();
	}

	/** Adds an element that waits for the subscriber. */
	public void add(int bytes) {
		this.unconsumed += bytes;
	}

	/**
	 * Removes elements that the subscriber has taken, and decides about the size.
	 * @param bytes their bytes
	 * @param hasWaited true if the subscriber has waited for one of them
	 * @param left bytes that the peer may send now
	 */
	public void consumed(int bytes, boolean hasWaited, int left) {
		this.unconsumed -= bytes;
		this.taken += bytes;
		this.waited |= hasWaited;
		if (this.taken >= this.size) {
			long now = this.clock.getAsLong();
			decide(now - this.sinceNanos, left);
			this.sinceNanos = now;
			this.taken = 0;
			this.waited = false;
		}
	}

	private void decide(long elapsed, int left) {
		if (this.memory.isWanted()) {
			narrow(SMALLEST, left);
		}
		else if (elapsed > 2 * PERIOD_NANOS) {
			narrow(Math.max(SMALLEST, this.size / 2), left);
		}
		else if (this.waited && elapsed <= PERIOD_NANOS && this.size < LARGEST && !this.closed
				&& this.memory.widens(this.size)) {
			this.size *= 2;
		}
	}

	/** A window cannot be taken back: the peer has to use it first. */
	private void narrow(int next, int left) {
		if (left <= next) {
			this.memory.narrows(this.size - next);
			this.size = next;
		}
	}

	/** Returns the bytes to which the peer's window is filled, less those that wait. */
	public int size() {
		return (this.size > SMALLEST && this.memory.isWanted()) ? SMALLEST : this.size;
	}

	/** Returns the bytes of elements that wait for the subscriber. */
	public int unconsumed() {
		return this.unconsumed;
	}

	/** Gives the widening back: the stream has ended. */
	public void close() {
		this.closed = true;
		this.memory.narrows(this.size - SMALLEST);
		this.size = SMALLEST;
	}

}
