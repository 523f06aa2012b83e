package io.rpcboot.metrics;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/** Records the calls of a method in its own metrics and in the next ones. */
final class CompositeCallRecorder implements CallRecorder {

	private final CompositeMetrics metrics;

	private final CallRecorder own;

	private final @Nullable CompositeCallRecorder next;

	CompositeCallRecorder(CompositeMetrics metrics, CallRecorder own, @Nullable CompositeCallRecorder next) {
		this.metrics = metrics;
		this.own = own;
		this.next = next;
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer) {
		if (this.metrics.isWorking()) {
			try {
				this.own.record(status, nanos, peer);
			}
			catch (Throwable ex) {
				this.metrics.threw(ex);
			}
		}
		if (this.next != null) {
			this.next.record(status, nanos, peer);
		}
	}

	@Override
	public void record(RpcStatus status, long nanos, String peer, String traceId) {
		if (this.metrics.isWorking()) {
			try {
				this.own.record(status, nanos, peer, traceId);
			}
			catch (Throwable ex) {
				this.metrics.threw(ex);
			}
		}
		if (this.next != null) {
			this.next.record(status, nanos, peer, traceId);
		}
	}

	@Override
	public void record(RpcStatus status, long[] nanos, int calls, String peer) {
		if (this.metrics.isWorking()) {
			try {
				this.own.record(status, nanos, calls, peer);
			}
			catch (Throwable ex) {
				this.metrics.threw(ex);
			}
		}
		if (this.next != null) {
			this.next.record(status, nanos, calls, peer);
		}
	}

	@Override
	public void threw(String type) {
		if (this.metrics.isWorking()) {
			try {
				this.own.threw(type);
			}
			catch (Throwable ex) {
				this.metrics.threw(ex);
			}
		}
		if (this.next != null) {
			this.next.threw(type);
		}
	}

	@Override
	public void carried(long argumentBytes, long resultBytes) {
		if (this.metrics.isWorking()) {
			try {
				this.own.carried(argumentBytes, resultBytes);
			}
			catch (Throwable ex) {
				this.metrics.threw(ex);
			}
		}
		if (this.next != null) {
			this.next.carried(argumentBytes, resultBytes);
		}
	}

	@Override
	public void failed(Serialization way) {
		if (this.metrics.isWorking()) {
			try {
				this.own.failed(way);
			}
			catch (Throwable ex) {
				this.metrics.threw(ex);
			}
		}
		if (this.next != null) {
			this.next.failed(way);
		}
	}

}
