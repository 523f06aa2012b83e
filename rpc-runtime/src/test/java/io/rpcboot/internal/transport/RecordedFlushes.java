package io.rpcboot.internal.transport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.metrics.TransportRecorder;

/** Keeps the flushes it is told of. */
class RecordedFlushes implements TransportRecorder {

	record Flush(FlushReason reason, int messages, int bytes) {
	}

	final List<Flush> flushes = new CopyOnWriteArrayList<>();

	@Override
	public void connectionOpened() {
	}

	@Override
	public void connectionClosed() {
	}

	@Override
	public void flushed(FlushReason reason, int messages, int bytes) {
		this.flushes.add(new Flush(reason, messages, bytes));
	}

	List<FlushReason> reasons() {
		return this.flushes.stream().map(Flush::reason).toList();
	}

}
