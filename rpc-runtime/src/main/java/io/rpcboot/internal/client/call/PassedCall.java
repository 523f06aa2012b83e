package io.rpcboot.internal.client.call;

import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Call that a relay passes on: request and response go through it unread, so that it has
 * neither arguments nor a result. It counts as pending until the response has begun. Any
 * thread.
 */
public abstract class PassedCall extends AsyncCall {

	/** Time allowed for a call without a deadline. */
	public static final long UNLIMITED_NANOS = Long.MAX_VALUE / 4;

	private final AtomicBoolean permitReleased = new AtomicBoolean();

	/** True once the response has begun. */
	private volatile boolean begun;

	/**
	 * Creates a call.
	 * @param metadata time allowed for the whole call, and what routing asks for
	 */
	protected PassedCall(CallDispatcher reference, BoundMethod method, long startNanos, CallMetadata metadata) {
		super(reference, method, startNanos);
		this.context = metadata;
	}

	/** Returns true if another attempt could send all that an attempt has sent. */
	protected abstract boolean mayBeginAgain();

	/**
	 * The call has ended.
	 * @param failure null if the response has said how
	 */
	protected abstract void ended(@Nullable RpcException failure);

	/** Begins with the response: the call is not pending any more. Event loop only. */
	public final void responds() {
		this.begun = true;
		releasePermit(null);
	}

	/** Returns true if a call that an instance has refused goes to another one. */
	public final boolean goesElsewhere(RpcStatus status) {
		return mayRetry() && this.reference.mayRunElsewhere(this, status);
	}

	/** Ends a call, also at the instance that runs it. */
	protected final void end(RpcStatus status, String why) {
		CallTransport target = this.connection;
		fail(status, why);
		if (target != null) {
			target.cancelRemote(this);
		}
	}

	@Override
	protected final boolean mayRetry() {
		return !this.begun && mayBeginAgain();
	}

	@Override
	public final boolean markNotExecuted() {
		if (mayRetry()) {
			return super.markNotExecuted();
		}
		onError(new ErrorReply(RpcStatus.UNAVAILABLE, Execution.NONE, "",
				"the server ends the connection, and the request is not whole in the relay any more",
				Attachments.none()));
		return false;
	}

	@Override
	public final boolean completeWithReply(RpcStatus reply, @Nullable ReplyReader reader, byte[] bytes, int offset,
			int length, boolean own) {
		if (!claimForReply(reply, reader)) {
			return false;
		}
		body(OutboundFrame.NOTHING, 0);
		completed();
		return true;
	}

	@Override
	public final void completed() {
		try {
			countOut();
			if (!this.begun) {
				this.reference.onCompleted(this);
			}
		}
		finally { // a queued call that is admitted now may throw
			ended(this.failure);
		}
	}

	@Override
	public void expire() {
		if (this.begun) {
			fail(RpcStatus.DEADLINE_EXCEEDED, "the response has not ended within its time");
		}
		else {
			super.expire();
		}
	}

	/** Once: with the begin of the response, or at the end of a call that had none. */
	@Override
	final void releasePermit(@Nullable CallTransport from) {
		if (this.permitReleased.compareAndSet(false, true)) {
			super.releasePermit(from);
		}
	}

}
