package io.rpcboot.internal.client.call;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.ByteArrayPool;
import org.jspecify.annotations.Nullable;

/**
 * Call whose reply completes a future: on a callback thread, or on the event loop that
 * reads the reply if the reference asks for that.
 */
public final class FutureCall extends AsyncCall implements Runnable {

	private final CallFuture future;

	/**
	 * Index of the reply in the array of the event loop, which completes the call from
	 * there; -1 if the call has an array of its own.
	 */
	private int place = -1;

	public FutureCall(CallDispatcher reference, BoundMethod method, long startNanos, CallFuture future) {
		super(reference, method, startNanos);
		this.future = future;
	}

	@Override
	public boolean completeWithReply(RpcStatus reply, @Nullable ReplyReader reader, byte[] bytes, int offset,
			int length, boolean own) {
		CallTransport target = this.connection;
		boolean here = target != null && this.reference.completesOnLoop() && (reader == null || !reader.mayCompile());
		// not the request array, which a retry may still read
		byte[] array = (here || own) ? bytes : ByteArrayPool.SHARED.take(length);
		if (!claimForReply(reply, reader)) {
			return false;
		}
		if (here) {
			this.place = offset;
		}
		else if (!own) {
			System.arraycopy(bytes, offset, array, 0, length);
		}
		body(array, length);
		try {
			if (target != null && !this.recorded) {
				this.recorded = true;
				target.record(this);
			}
		}
		finally {
			completed();
		}
		return true;
	}

	@Override
	public void completed() {
		boolean failedHere = this.failure != null && this.reference.completesOnLoop()
				&& Thread.currentThread() instanceof EventLoopThread;
		if (this.place >= 0 || failedHere) {
			run();
			return;
		}
		this.reference.publish(this);
		if (this.failure != null) {
			this.reference.resources().callbacks.wake(); // for replies the end of the
															// read does so
		}
	}

	/** Completes the future. Callback thread, or the event loop that reads the reply. */
	@Override
	public void run() {
		if (this.context != null) {
			this.context.resume(this::complete);
		}
		else {
			complete();
		}
	}

	private void complete() {
		Object result = null;
		Throwable thrown = null;
		try {
			result = result();
		}
		catch (Throwable ex) {
			thrown = ex;
		}
		try {
			countOut();
			this.reference.onCompleted(this);
		}
		finally { // a queued call that is admitted now may throw
			this.future.ended(this, result, thrown);
		}
	}

	@Override
	void releasePermit(@Nullable CallTransport from) {
		if (this.place >= 0 && from != null) {
			leaveShare();
			from.countOutAfterRead(this.length);
		}
		else {
			super.releasePermit(from);
		}
	}

	@Override
	int replyOffset() {
		return Math.max(0, this.place);
	}

	@Override
	boolean ownsReply() {
		return this.place < 0;
	}

}
