package io.rpcboot.internal.server.connection;

import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.Failure;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.server.call.ServerTransport;
import io.rpcboot.internal.server.scheduling.ScheduledCall;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;

/**
 * Refuses calls that do not begin. Stands beside server connection, between it and what
 * finds the reasons. Event loop only.
 */
final class CallRejector {

	private final ServerTransport link;

	CallRejector(ServerTransport link) {
		this.link = link;
	}

	/** A call that was counted as in flight already is one too many. */
	void overLimit(boolean oneWay, long callId, int size) {
		this.link.callEnded();
		refuse(oneWay, callId, RpcStatus.RESOURCE_EXHAUSTED, inFlight(this.link.server.options.maxInFlightCalls), size,
				false);
	}

	/**
	 * Many calls are in flight, and this one is counted as the last of them. Returns
	 * whether it may begin; else it was refused.
	 * @param count calls in flight
	 */
	boolean admits(ScheduledCall call, int count) {
		if (count > this.link.server.options.maxInFlightCalls) {
			overLimit(call.oneWay, call.id(), call.requestSize);
			return false;
		}
		return joins(call, count);
	}

	/**
	 * The same for a call that was counted long ago: only its service may have too many.
	 */
	boolean joins(ScheduledCall call, int count) {
		if (!call.method.line.tryJoinOverflow()) {
			this.link.callEnded();
			refuse(call.oneWay, call.id(), RpcStatus.RESOURCE_EXHAUSTED,
					inFlight(count) + ", and too many of this service", call.requestSize, false);
			return false;
		}
		call.countsAgainstService = true;
		return true;
	}

	private static String inFlight(int calls) {
		return "limits.in-flight-calls: " + calls + " calls are in flight at the server";
	}

	/** The client sent more than it was granted. */
	void overGrant(boolean oneWay, long callId) {
		this.link.goingAway = true;
		this.link.problem = "more was sent than the server's grant allows";
		if (!oneWay) {
			answer(callId, RpcStatus.RESOURCE_EXHAUSTED, this.link.problem, 0, false);
		}
		this.link.closeAfterFlush();
	}

	/**
	 * A call that may have waited for longer than its time while the event loop stood
	 * still.
	 */
	void afterGap(boolean oneWay, long callId, int size, long gapNanos) {
		refuse(oneWay, callId, RpcStatus.UNAVAILABLE, "the server stood still for "
				+ TimeUnit.NANOSECONDS.toMillis(gapNanos) + " ms, and the call may have waited for as long", size,
				false);
	}

	/**
	 * Refuse a call.
	 * @param size of its request
	 * @param counted whether it was counted as in flight
	 */
	void refuse(boolean oneWay, long callId, RpcStatus status, String message, int size, boolean counted) {
		if (!oneWay) {
			answer(callId, status, message, size, counted);
			return;
		}
		this.link.dropped(status, () -> message);
		this.link.released(size);
		if (counted) {
			this.link.callEnded();
		}
	}

	/** The same for one that is not a one-way call. */
	void answer(long callId, RpcStatus status, String message, int size, boolean counted) {
		NotExecuted answer;
		try {
			byte[] body = Failure.fitting(message, "", FrameType.MAX_CONTROL_BODY).encode();
			answer = new NotExecuted(callId, status, body, size, counted);
		}
		catch (Error ex) { // there is no memory for it, and the connection ends
			if (counted) {
				this.link.callEnded();
			}
			throw ex;
		}
		if (!this.link.queue.enqueue(answer)) {
			answer.onRejected();
		}
	}

	/** The answer to a call that was refused: its place is free when it is written. */
	private final class NotExecuted extends OutboundFrame {

		private final int requestSize;

		/** Whether the call was held, and counted as in flight. */
		private final boolean counted;

		NotExecuted(long callId, RpcStatus status, byte[] body, int requestSize, boolean counted) {
			super(FrameType.RESPONSE, body);
			this.callId = callId;
			this.code = (char) status.code();
			this.flags = (short) FrameHeader.FLAG_NOT_EXECUTED;
			this.requestSize = requestSize;
			this.counted = counted;
		}

		@Override
		public WriteDecision beforeWrite(boolean writable) {
			if (!writable) {
				return WriteDecision.HOLD;
			}
			CallRejector.this.link.released(this.requestSize);
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
				CallRejector.this.link.callEnded();
			}
		}

	}

}
