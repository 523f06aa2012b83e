package io.rpcboot.internal.server.call;

import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.server.runtime.ResponseMemory;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one response in the budget, from before it is built until it is written or
 * dropped. A call has one if memory is reserved before it runs, if its response is in
 * chunks (over 8 KiB), or if its response waits in an array of more than 1 KiB (less if
 * the limit is low, see {@link ResponseMemory#isEntered}). One thread at a time.
 */
final class ResponseReservation {

	private final ScheduledCall call;

	private final ResponseMemory memory;

	/** Unsent bytes of all responses of the connection. */
	private final AtomicLong allUnsent;

	/** Bytes reserved for a response that is not built yet. */
	private long reserved;

	/** Bytes of the pool of clients that read responses. */
	private long pooled;

	/** Bytes reserved for a response in an array. */
	private int entered;

	/** Response that is too long for an array, null without one. */
	private @Nullable ChunkedBody large;

	/** Bytes of this response in {@link #allUnsent}. */
	private int unsent;

	/** True while the call counts as one that runs, until its response is built. */
	private boolean begun;

	ResponseReservation(ScheduledCall call, ResponseMemory memory, AtomicLong allUnsent) {
		this.call = call;
		this.memory = memory;
		this.allUnsent = allUnsent;
	}

	/**
	 * Receives a reservation for a response that will be built.
	 * @param fromPool bytes of it that are of the pool of clients that read responses
	 */
	void reserved(long bytes, long fromPool) {
		this.reserved = bytes;
		this.pooled = fromPool;
	}

	/**
	 * Counts the call as one that runs. Returns false if it waits without a thread,
	 * because the size of responses is unknown and too many calls of its method run.
	 */
	boolean begin() {
		if (this.begun || this.memory.begin(this.call)) {
			this.begun = true;
			return true;
		}
		free();
		this.call.awaitedMemory = true;
		this.call.started = false;
		this.memory.untilAnswered(this.call); // another thread may have run it by now
		return false;
	}

	private void end() {
		if (this.begun) {
			this.begun = false;
			this.memory.end(this.call);
		}
	}

	/** Returns the bytes that are reserved for a response that is not built yet. */
	long reservedBytes() {
		return this.reserved;
	}

	/** Returns the body of a response that is too long for an array. */
	ChunkedBody body(boolean mayWait) {
		ChunkedBody body = this.large;
		if (body == null) {
			long all = this.reserved;
			this.reserved = 0;
			body = this.memory.largeBody(this.call, mayWait, all);
			this.large = body;
		}
		return body;
	}

	/** Returns why that body is incomplete, null if there was memory. */
	@Nullable MemoryShortageException shortage() {
		return (this.large != null) ? this.large.shortage() : null;
	}

	/** Reserves exactly the length of a response in an array, which waits. */
	void enter(int length) {
		long unused = this.reserved - length;
		this.reserved = 0;
		this.entered = length;
		if (unused < 0) {
			this.memory.account().overdraw(Direction.OUTGOING, -unused);
		}
		else if (unused > 0) {
			this.memory.account().release(Direction.OUTGOING, unused);
		}
		waits(length);
	}

	/** Counts a response as unsent. */
	void waits(int length) {
		this.call.method.results.entered();
		this.unsent = length;
		this.allUnsent.addAndGet(length);
		end();
	}

	/** Releases everything. */
	void free() {
		long all = this.entered + this.reserved;
		this.entered = 0;
		this.reserved = 0;
		if (this.pooled > 0) {
			this.memory.account().returnPassed(Direction.OUTGOING, this.pooled);
			this.pooled = 0;
		}
		if (all > 0) {
			this.memory.account().release(Direction.OUTGOING, all);
		}
		this.allUnsent.addAndGet(-this.unsent);
		this.unsent = 0;
		if (this.large != null) {
			this.large.release();
			this.large = null;
		}
		end();
	}

}
