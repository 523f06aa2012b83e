package io.rpcboot.internal.client.retry;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ReplyReader;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Copy of a pending call at a second instance. The first reply of the two ends the
 * original call; a failure of the copy does so only if the original has failed before.
 * The copy takes no permit and is not recorded, because the caller has made one call.
 */
public final class HedgedAttempt extends ClientCall {

	private final ClientCall original;

	/** True if the original has failed and ends as this attempt does. */
	volatile boolean decides;

	private HedgedAttempt(ClientCall original, byte[] body) {
		super(original.reference, original.method, System.nanoTime());
		this.original = original;
		this.context = (original.context != null) ? original.context.forHedge() : null;
		this.recorded = true;
		body(body, body.length);
		markAdmitted();
	}

	/**
	 * Returns null if the call has ended, or if its arguments are too long for a copy.
	 */
	public static @Nullable HedgedAttempt of(ClientCall original) {
		byte[] body = original.copyBody();
		// the array may already hold the reply, but only once the call has ended
		return (body == null || original.isAbandoned()) ? null : new HedgedAttempt(original, body);
	}

	@Override
	public boolean isAsynchronous() {
		return true;
	}

	@Override
	public long deadlineNanos() {
		return this.original.deadlineNanos();
	}

	/** The original was sent. */
	@Override
	protected boolean mayHaveRunEarlier() {
		return true;
	}

	/**
	 * Keeps the reply here, because an event loop may be writing the body of the
	 * original.
	 */
	@Override
	public boolean completeWithReply(RpcStatus reply, @Nullable ReplyReader reader, byte[] bytes, int offset,
			int length, boolean own) {
		byte[] array = own ? bytes : OutboundFrame.copy(bytes, offset, offset + length);
		if (!claimForReply(reply, reader)) {
			return false;
		}
		body(array, length);
		int previous = this.original.claim();
		if (previous < 0) {
			return false;
		}
		CallTransport before = this.original.connection;
		this.isAnswer = true;
		this.original.completed();
		// the connection of this reply wakes callback threads only for its own calls
		this.reference.resources().callbacks.wake();
		if (before != null && previous == SENT) {
			before.cancelRemote(this.original);
		}
		return true;
	}

	/** Releases nothing: the parent of the call is bound to the original. */
	@Override
	protected void releaseArguments() {
	}

	/** Ends the original with the failure of this attempt if the original has failed. */
	@Override
	public void completed() {
		if (this.decides && this.original.claim() >= 0) {
			this.original.connection = this.connection;
			this.original.failure = this.failure;
			this.original.completed();
		}
	}

}
