package io.rpcboot.internal.server.call;

import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.server.runtime.ResponseMemory;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.transport.frame.ChunkedBody;
import org.jspecify.annotations.Nullable;

/**
 * What the account holds for the result of one call, from before it is made until it is
 * written or dropped. Stands beside server call, for those whose result is not small. For
 * one thread at a time.
 */
final class ResponseReservation {

	private final ScheduledCall call;

	private final ResponseMemory memory;

	/** Bytes of all results of the connection. */
	private final AtomicLong allUnsent;

	/** For a result that is not made yet. */
	private long reserved;

	/** For a result in an array. */
	private int entered;

	/** Bytes that the connection counts as unsent. */
	private int unsent;

	ResponseReservation(ScheduledCall call, ResponseMemory memory, AtomicLong allUnsent) {
		this.call = call;
		this.memory = memory;
		this.allUnsent = allUnsent;
	}

	/** The account has so much for a result that will be made. */
	void reserved(long bytes) {
		this.reserved = bytes;
	}

	/** Where a result goes that is too long for an array. */
	ChunkedBody largeBody(boolean mayWait) {
		long all = this.reserved;
		this.reserved = 0;
		return this.memory.largeBody(this.call, mayWait, all);
	}

	/** A result in an array waits; what was reserved beyond is others' now. */
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

	/** A result waits or is being written. */
	void waits(int length) {
		this.call.method.results.entered();
		this.unsent = length;
		this.allUnsent.addAndGet(length);
	}

	/** Give everything back. */
	void free(@Nullable ChunkedBody large) {
		long all = this.entered + this.reserved;
		this.entered = 0;
		this.reserved = 0;
		if (all > 0) {
			this.memory.account().release(Direction.OUTGOING, all);
		}
		this.allUnsent.addAndGet(-this.unsent);
		this.unsent = 0;
		if (large != null) {
			large.release();
		}
	}

}
