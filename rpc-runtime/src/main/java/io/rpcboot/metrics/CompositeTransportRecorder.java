package io.rpcboot.metrics;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** Records what connections do in its own metrics and in the next ones. */
final class CompositeTransportRecorder implements TransportRecorder {

	private final CompositeMetrics metrics;

	private final TransportRecorder own;

	private final @Nullable CompositeTransportRecorder next;

	CompositeTransportRecorder(CompositeMetrics metrics, TransportRecorder own,
			@Nullable CompositeTransportRecorder next) {
		this.metrics = metrics;
		this.own = own;
		this.next = next;
	}

	@Override
	public void connectionOpened(String remote, String application, long nanos) {
		each((recorder) -> recorder.connectionOpened(remote, application, nanos));
	}

	@Override
	public void connectFailed(String remote, String why, long nanos) {
		each((recorder) -> recorder.connectFailed(remote, why, nanos));
	}

	@Override
	public void connectionClosed(String remote, String application, String why, long nanos) {
		each((recorder) -> recorder.connectionClosed(remote, application, why, nanos));
	}

	@Override
	public void written(long nanos) {
		each((recorder) -> recorder.written(nanos));
	}

	@Override
	public void stalled() {
		each(TransportRecorder::stalled);
	}

	@Override
	public void flushed(FlushReason reason, int messages, int bytes) {
		if (this.metrics.isWorking()) {
			try {
				this.own.flushed(reason, messages, bytes);
			}
			catch (Throwable ex) {
				this.metrics.threw(ex);
			}
		}
		if (this.next != null) {
			this.next.flushed(reason, messages, bytes);
		}
	}

	@Override
	public void started(long nanos) {
		if (this.metrics.isWorking()) {
			try {
				this.own.started(nanos);
			}
			catch (Throwable ex) {
				this.metrics.threw(ex);
			}
		}
		if (this.next != null) {
			this.next.started(nanos);
		}
	}

	/** For what is not in the way of every batch. */
	private void each(Consumer<TransportRecorder> what) {
		for (CompositeTransportRecorder each = this; each != null; each = each.next) {
			if (each.metrics.isWorking()) {
				try {
					what.accept(each.own);
				}
				catch (Throwable ex) {
					each.metrics.threw(ex);
				}
			}
		}
	}

}
