package io.rpcboot.internal.client.retry;

import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.frame.InboundBody;
import org.jspecify.annotations.Nullable;

/**
 * A call once more, at another instance, while its answer is on its way: the answer that
 * comes first is the caller's. Beside the path of a call.
 */
public final class HedgedAttempt extends ClientCall {

	private final ClientCall first;

	private HedgedAttempt(ClientCall first, byte[] body) {
		super(FrameType.REQUEST, first.reference, first.method, System.nanoTime());
		this.first = first;
		this.context = (first.context != null) ? first.context.forHedge() : null;
		this.mayHaveRun = true; // the first one was sent
		this.recorded = true;
		body(body, body.length);
		markAdmitted();
	}

	/** Returns null if the call is over, or if its arguments are too long for a copy. */
	public static @Nullable HedgedAttempt of(ClientCall first) {
		byte[] body = first.copyBody();
		// the array may have become that of the reply meanwhile, but not before the end
		return (body == null || first.isAbandoned()) ? null : new HedgedAttempt(first, body);
	}

	@Override
	public boolean isAsynchronous() {
		return true;
	}

	@Override
	public long deadlineNanos() {
		return this.first.deadlineNanos();
	}

	/**
	 * The answer stays here: the event loop of the first call may be writing that, or
	 * another one is about to send it.
	 */
	@Override
	public boolean completeWithReply(int flagsOfReply, byte[] bytes, int offset, int length,
			@Nullable InboundBody own) {
		byte[] array = (own != null) ? bytes : copy(bytes, offset, offset + length);
		if (!claimForReply(flagsOfReply)) {
			return false;
		}
		body(array, length, (own != null) ? own.value() : null);
		int previous = this.first.claim();
		if (previous < 0) {
			return false;
		}
		CallTransport before = this.first.connection;
		this.first.answeredBy = this;
		this.first.completed();
		this.reference.callbacks.wake(); // it is none of those that were read here
		if (before != null && previous == SENT) {
			before.cancelRemote(this.first);
		}
		return true;
	}

	/** It has only the context that is the first call's. */
	@Override
	protected void releaseArguments() {
	}

	/** It has failed, for an answer goes another way. */
	@Override
	public void completed() {
		if (this.first.awaitsHedge && this.first.claim() >= 0) {
			this.first.connection = this.connection;
			this.first.failure = this.failure;
			this.first.completed();
		}
	}

}
