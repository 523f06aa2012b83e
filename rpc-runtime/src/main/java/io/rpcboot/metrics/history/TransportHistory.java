package io.rpcboot.metrics.history;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import io.rpcboot.metrics.TransportRecorder;

/** Connections and flushes of a side. Any thread. */
final class TransportHistory implements TransportRecorder {

	/** Frames of all flushes. */
	static final int MESSAGES = FlushReason.values().length;

	static final int STALLS = MESSAGES + 1;

	/** Established connections. */
	static final int CONNECTS = STALLS + 1;

	static final int CONNECT_FAILURES = CONNECTS + 1;

	static final int COUNTERS = CONNECT_FAILURES + 1;

	private final AtomicInteger connections = new AtomicInteger();

	private final LongAdder[] counts = Stream.generate(LongAdder::new).limit(COUNTERS).toArray(LongAdder[]::new);

	@Override
	public void connectionOpened(String remote, String application, long nanos) {
		this.connections.incrementAndGet();
		this.counts[CONNECTS].add(1);
	}

	@Override
	public void connectFailed(String remote, String why, long nanos) {
		this.counts[CONNECT_FAILURES].add(1);
	}

	@Override
	public void connectionClosed(String remote, String application, String why, long nanos) {
		this.connections.decrementAndGet();
	}

	@Override
	public void flushed(FlushReason reason, int messages, int bytes) {
		this.counts[reason.ordinal()].add(1);
		this.counts[MESSAGES].add(messages);
	}

	@Override
	public void stalled() {
		this.counts[STALLS].add(1);
	}

	int connections() {
		return this.connections.get();
	}

	/**
	 * Returns a count since the start: the flushes for a reason, by its ordinal, or one
	 * of the other counters.
	 */
	long sum(int counter) {
		return this.counts[counter].sum();
	}

}
