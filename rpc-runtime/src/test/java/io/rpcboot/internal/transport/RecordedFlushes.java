package io.rpcboot.internal.transport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.metrics.TransportRecorder;

/** Keeps the flushes it is told of, and the times until frames were written. */
class RecordedFlushes implements TransportRecorder {

	record Flush(FlushReason reason, int messages, int bytes) {
	}

	final List<Flush> flushes = new CopyOnWriteArrayList<>();

	final List<Long> written = new CopyOnWriteArrayList<>();

	@Override
	public void flushed(FlushReason reason, int messages, int bytes) {
		this.flushes.add(new Flush(reason, messages, bytes));
	}

	@Override
	public void written(long nanos) {
		this.written.add(nanos);
	}

	List<FlushReason> reasons() {
		return this.flushes.stream().map(Flush::reason).toList();
	}

}
