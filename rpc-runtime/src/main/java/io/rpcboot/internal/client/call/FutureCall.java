package io.rpcboot.internal.client.call;

import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.FrameBodies;
import io.rpcboot.internal.transport.frame.InboundBody;
import org.jspecify.annotations.Nullable;

/**
 * A call whose reply completes a future: on a callback thread, or, when asked to, on the
 * event loop that has read it.
 */
public class FutureCall extends AsyncCall implements Runnable {

	private final CallFuture future;

	/** Whether the reply is still in the array of the event loop, which completes it. */
	private boolean inPlace;

	public FutureCall(CallDispatcher reference, BoundMethod method, long startNanos, CallFuture future) {
		super(FrameType.REQUEST, reference, method, startNanos);
		this.future = future;
	}

	@Override
	public boolean completeWithReply(int flagsOfReply, byte[] bytes, int offset, int length,
			@Nullable InboundBody own) {
		CallTransport target = this.connection;
		boolean here = target != null && this.reference.completesOnLoop && !target.isTranslating();
		// not that of the caller
		byte[] array = (here || own != null) ? bytes : FrameBodies.array(length);
		if (!claimForReply(flagsOfReply)) {
			return false;
		}
		this.inPlace = here;
		if (here) {
			this.replyOffset = offset;
		}
		else if (own == null) {
			System.arraycopy(bytes, offset, array, 0, length);
		}
		body(array, length, (own != null) ? own.value() : null);
		try {
			if (target != null) {
				this.recorded = true;
				this.wasAdmitted = !here;
				target.onReply(this.method, status(), this.startNanos, here, length);
			}
		}
		finally {
			completed();
		}
		return true;
	}

	@Override
	public void completed() {
		boolean failedHere = this.failure != null && this.reference.completesOnLoop
				&& Thread.currentThread() instanceof EventLoopThread;
		if (this.inPlace || failedHere) {
			run();
			return;
		}
		try {
			this.reference.callbacks.publish(this);
		}
		catch (Error ex) { // there is no memory to hand it over
			run();
			return;
		}
		if (this.failure != null) {
			this.reference.callbacks.wake(); // a reply wakes them with all that were read
		}
	}

	/** Complete the future. On a callback thread, or where the reply was read. */
	@Override
	public void run() {
		Object result = null;
		Throwable thrown = null;
		try {
			result = result();
		}
		catch (Throwable ex) {
			thrown = ex;
		}
		try {
			leaveShare(this.wasAdmitted || this.inPlace);
			account();
			this.reference.onCompleted(this);
		}
		finally { // what waits for room may fail when it has it
			complete(result, thrown);
		}
	}

	private void complete(@Nullable Object result, @Nullable Throwable thrown) {
		this.future.belongsTo(null);
		if (thrown == null) {
			this.future.complete(result);
		}
		else {
			this.future.completeExceptionally(thrown);
		}
	}

	@Override
	boolean ownsReply() {
		return !this.inPlace;
	}

}
