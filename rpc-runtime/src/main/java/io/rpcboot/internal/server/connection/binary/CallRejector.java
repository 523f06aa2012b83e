package io.rpcboot.internal.server.connection.binary;

import java.util.concurrent.TimeUnit;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.internal.protocol.binary.Failure;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.connection.ServerConnectionDrain;
import io.rpcboot.internal.transport.binary.BinaryFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.write.WriteQueue;

/**
 * Rejects calls of one connection that never become a {@link ServerCall} in flight. Event
 * loop only.
 */
final class CallRejector {

	private final ServerTransport connection;

	private final ServerConnectionDrain drain;

	private final ServerFlowControl flow;

	private final WriteQueue queue;

	CallRejector(ServerTransport connection, ServerConnectionDrain drain, ServerFlowControl flow, WriteQueue queue) {
		this.connection = connection;
		this.drain = drain;
		this.flow = flow;
		this.queue = queue;
	}

	/** Reports and logs a call that its caller may not make. */
	void logDenied(MethodDescriptor method, AccessDenial why) {
		RpcConnection client = this.connection.listened();
		if (client != null) {
			this.connection.refused(client.identity(), method.service().toString(), method.signature(), why.status());
		}
		this.drain.warn("Call refused", why.status(), "%s: %s".formatted(method, why.message()));
	}

	/** Rejects a call beyond the window of its client, and closes the connection. */
	void overGrant(boolean oneWay, long callId) {
		String fault = "more was sent than the server's grant allows";
		this.drain.rejectAll(fault);
		if (!oneWay) {
			answer(callId, RpcStatus.RESOURCE_EXHAUSTED, fault, 0, false);
		}
		this.drain.closeAfterFlush();
	}

	/** Rejects a call whose deadline may have passed while the event loop stood still. */
	void afterGap(boolean oneWay, long callId, int size, long gapNanos) {
		reject(oneWay, callId, RpcStatus.UNAVAILABLE, "the server stood still for "
				+ TimeUnit.NANOSECONDS.toMillis(gapNanos) + " ms, and the call may have waited for as long", size,
				false);
	}

	/**
	 * Rejects a call.
	 * @param size body of its request in bytes
	 * @param counted true if the call was counted as in flight
	 */
	void reject(boolean oneWay, long callId, RpcStatus status, String message, int size, boolean counted) {
		if (!oneWay) {
			answer(callId, status, message, size, counted);
			return;
		}
		this.connection.dropped(status, () -> message);
		this.flow.released(size);
		if (counted) {
			this.connection.callsEnded(1);
		}
	}

	private void answer(long callId, RpcStatus status, String message, int size, boolean counted) {
		byte[] body = Failure.fitting(message, "", FrameType.MAX_CONTROL_BODY).encode();
		NotExecuted response = new NotExecuted(callId, status, body, size, counted);
		if (!this.queue.enqueue(response)) {
			response.onRejected();
		}
	}

	/**
	 * Response to a rejected call. Releases the permit of the call when it is written.
	 */
	private final class NotExecuted extends BinaryFrame {

		private final int requestSize;

		/** True if the call was counted as in flight. */
		private final boolean counted;

		NotExecuted(long callId, RpcStatus status, byte[] body, int requestSize, boolean counted) {
			super(FrameType.RESPONSE, body);
			this.callId = callId;
			this.code = (char) status.code();
			boolean isFinal = status == RpcStatus.UNAUTHENTICATED || status == RpcStatus.PERMISSION_DENIED;
			this.flags = (short) (FrameHeader.FLAG_NOT_EXECUTED | (isFinal ? FrameHeader.FLAG_FINAL : 0));
			this.requestSize = requestSize;
			this.counted = counted;
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			if (!writable) {
				return WriteDecision.BLOCKED_BY_SOCKET;
			}
			CallRejector.this.flow.released(this.requestSize);
			return WriteDecision.WRITE;
		}

		@Override
		public boolean wantsWriteResult() {
			return this.counted;
		}

		@Override
		public void onWriteComplete(boolean written) {
			onRejected();
		}

		@Override
		public void onRejected() {
			if (this.counted) {
				CallRejector.this.connection.callsEnded(1);
			}
		}

	}

}
