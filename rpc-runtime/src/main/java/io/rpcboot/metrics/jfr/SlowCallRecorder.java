package io.rpcboot.metrics.jfr;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;

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
			write(status, nanos, peer, "");
		}
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer, String traceId) {
		if (nanos >= this.slowNanos && SlowCallEvent.isWanted()) {
			write(status, nanos, peer, traceId);
		}
	}

	@Override
	public void record(RpcStatus status, long[] nanos, int calls, String peer) {
		if (!SlowCallEvent.isWanted()) {
			return;
		}
		for (int i = 0; i < calls; i++) {
			record(status, nanos[i], peer);
		}
	}

	private void write(RpcStatus status, long nanos, String peer, String traceId) {
		SlowCallEvent event = new SlowCallEvent();
		event.side = this.side.name();
		event.service = this.method.service().toString();
		event.method = this.method.signature();
		event.peer = peer;
		event.status = status.name();
		event.trace = traceId;
		event.took = nanos;
		event.commit();
	}

}
