package io.rpcboot.metrics.jfr;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallDetails;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.StreamEnd;
import org.jspecify.annotations.Nullable;

/**
 * Writes the slow calls of one method. The latency of a stream is the time to its first
 * element.
 */
final class SlowCallRecorder implements CallRecorder {

	private final Side side;

	private final MethodDescriptor method;

	/** Duration from which on a call is slow. */
	private final long slowNanos;

	/** The same for ends of calls, which are not latencies if the method has streams. */
	private final long slowEndNanos;

	SlowCallRecorder(Side side, MethodDescriptor method, long slowNanos) {
		this.side = side;
		this.method = method;
		this.slowNanos = slowNanos;
		this.slowEndNanos = method.isStreaming() ? Long.MAX_VALUE : slowNanos;
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer) {
		if (nanos >= this.slowEndNanos && SlowCallEvent.isWanted()) {
			event(status, nanos, 0, peer).commit();
		}
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer, CallDetails details) {
		if (nanos >= this.slowEndNanos && SlowCallEvent.isWanted()) {
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
			if (nanos[i] >= this.slowEndNanos) {
				event(status, nanos[i], waited[i], peer).commit();
			}
		}
	}

	@Override
	public void streamEnded(StreamEnd end) {
		if (end.firstNanos() >= this.slowNanos && SlowCallEvent.isWanted()) {
			SlowCallEvent event = event(end.status(), end.firstNanos(), 0, end.peer());
			event.trace = text(end.traceId());
			event.commit();
		}
		if (StreamEvent.isWanted()) {
			stream(end).commit();
		}
	}

	private StreamEvent stream(StreamEnd end) {
		StreamEvent event = new StreamEvent();
		event.side = this.side.name();
		event.service = this.method.service().toString();
		event.method = this.method.signature();
		event.peer = end.peer();
		event.status = end.status().name();
		event.trace = text(end.traceId());
		event.took = end.nanos();
		event.firstElement = end.firstNanos();
		event.arguments = end.arguments();
		event.argumentBytes = end.argumentBytes();
		event.results = end.results();
		event.resultBytes = end.resultBytes();
		return event;
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
