package io.rpcboot.metrics.jfr;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallDetails;
import io.rpcboot.metrics.CallRecorder;
import org.jspecify.annotations.Nullable;

/** Writes the slow calls of one method. */
final class SlowCallRecorder implements CallRecorder {

	private final Side side;

	private final MethodDescriptor method;

	private final long slowNanos;

	SlowCallRecorder(Side side, MethodDescriptor method, long slowNanos) {
		this.side = side;
		this.method = method;
		this.slowNanos = slowNanos;
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer) {
		if (nanos >= this.slowNanos && SlowCallEvent.isWanted()) {
			event(status, nanos, 0, peer).commit();
		}
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer, CallDetails details) {
		if (nanos >= this.slowNanos && SlowCallEvent.isWanted()) {
			SlowCallEvent event = event(status, nanos, details.waitedNanos(), peer);
			event.trace = text(details.traceId());
			event.message = text(details.shortMessage());
			event.exception = text(details.exceptionType());
			event.commit();
		}
	}

	private static String text(@Nullable String text) {
		return (text != null) ? text : "";
	}

	@Override
	public void record(RpcStatus status, long[] nanos, long[] waited, int calls, String peer) {
		if (!SlowCallEvent.isWanted()) {
			return;
		}
		for (int i = 0; i < calls; i++) {
			if (nanos[i] >= this.slowNanos) {
				event(status, nanos[i], waited[i], peer).commit();
			}
		}
	}

	private SlowCallEvent event(RpcStatus status, long nanos, long waitedNanos, String peer) {
		SlowCallEvent event = new SlowCallEvent();
		event.side = this.side.name();
		event.service = this.method.service().toString();
		event.method = this.method.signature();
		event.peer = peer;
		event.status = status.name();
		event.took = nanos;
		event.waited = Math.min(waitedNanos, nanos);
		return event;
	}

}
