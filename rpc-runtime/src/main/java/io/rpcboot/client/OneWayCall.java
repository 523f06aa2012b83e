package io.rpcboot.client;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ServiceProxy.ProxyMethod;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.RateLimitedLog;

/** A call without an answer: it is over when its bytes were handed to the socket. */
final class OneWayCall extends ClientCall {

	private static final RateLimitedLog LOSSES = new RateLimitedLog(OneWayCall.class, System::nanoTime);

	OneWayCall(ServiceProxy proxy, ProxyMethod method, long startNanos) {
		super(FrameType.ONE_WAY, proxy, method, startNanos);
	}

	@Override
	protected boolean wantsOutcome() {
		return true;
	}

	/** All that can be known has happened. */
	@Override
	protected void outcome(boolean written) {
		ClientConnection target = this.connection;
		if (target != null) {
			target.ends().oneWayWritten();
		}
		if (written) {
			completeWithReply(0, NOTHING, 0, 0, false);
		}
		else {
			fail(RpcStatus.UNAVAILABLE, "the connection was lost while writing");
		}
	}

	/** Nobody else learns that it was lost. */
	@Override
	void completed() {
		RpcException lost = this.failure;
		if (lost != null) {
			LOSSES.warn("One-way call lost", () -> String.valueOf(lost.getMessage()));
		}
		account();
	}

	@Override
	boolean isAsynchronous() {
		return true;
	}

}
