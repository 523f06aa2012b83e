package io.rpcboot.metrics.history;

import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.internal.metrics.history.call.StripedCounts;
import io.rpcboot.metrics.TransportRecorder;

/** Connections and flushes of a side. Any thread. */
final class TransportHistory implements TransportRecorder {

	private static final int MESSAGES = FlushReason.values().length;

	private static final int STALLS = MESSAGES + 1;

	private static final int CONNECTS = STALLS + 1;

	private static final int CONNECT_FAILURES = CONNECTS + 1;

	private final AtomicInteger connections = new AtomicInteger();

	private final StripedCounts counts = new StripedCounts();

	@Override
	public void connectionOpened(String remote, String application, long nanos) {
		this.connections.incrementAndGet();
		this.counts.add(CONNECTS, 1);
	}

	@Override
	public void connectFailed(String remote, String why, long nanos) {
		this.counts.add(CONNECT_FAILURES, 1);
	}

	@Override
	public void connectionClosed(String remote, String application, String why, long nanos) {
		this.connections.decrementAndGet();
	}

	@Override
	public void flushed(FlushReason reason, int messages, int bytes) {
		this.counts.add(reason.ordinal(), 1);
		this.counts.add(MESSAGES, messages);
	}

	@Override
	public void stalled() {
		this.counts.add(STALLS, 1);
	}

	int connections() {
		return this.connections.get();
	}

	/** Returns the flushes since the start. */
	long flushes(FlushReason reason) {
		return this.counts.sum(reason.ordinal());
	}

	/** Returns the frames of all flushes since the start. */
	long messages() {
		return this.counts.sum(MESSAGES);
	}

	/** Returns the connections established since the start. */
	long connects() {
		return this.counts.sum(CONNECTS);
	}

	long connectFailures() {
		return this.counts.sum(CONNECT_FAILURES);
	}

	long stalls() {
		return this.counts.sum(STALLS);
	}

}
