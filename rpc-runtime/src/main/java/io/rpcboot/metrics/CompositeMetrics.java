package io.rpcboot.metrics;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to its own metrics and to the next metrics of a chain. Metrics that throw are
 * left out from then on. A chain instead of a list, so that each call site of a recorder
 * mostly sees one or two classes, which the JIT compiler inlines. Any thread.
 */
final class CompositeMetrics implements RpcMetrics {

	private static final Logger logger = LoggerFactory.getLogger("rpc.metrics");

	private final RpcMetrics own;

	private final RpcMetrics next;

	/** True until its own metrics throw; never true again. */
	private volatile boolean working = true;

	private CompositeMetrics(RpcMetrics own, RpcMetrics next) {
		this.own = own;
		this.next = next;
	}

	/** Returns metrics as {@link RpcMetrics#all} describes them. */
	static RpcMetrics of(List<? extends RpcMetrics> metrics) {
		List<? extends RpcMetrics> some = metrics.stream().filter((each) -> !each.isNone()).toList();
		return (some.size() == 1) ? some.get(0) : chain(some);
	}

	/** Returns a chain that ends with metrics that record nothing. */
	private static RpcMetrics chain(List<? extends RpcMetrics> some) {
		return some.isEmpty() ? RpcMetrics.none()
				: new CompositeMetrics(some.get(0), chain(some.subList(1, some.size())));
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return new Calls(resolve((metrics) -> metrics.calls(side, method)), this.next.calls(side, method));
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method, String protocol) {
		return new Calls(resolve((metrics) -> metrics.calls(side, method, protocol)),
				this.next.calls(side, method, protocol));
	}

	@Override
	public TransportRecorder transport(Side side) {
		return new Transport(resolve((metrics) -> metrics.transport(side)), this.next.transport(side));
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		AutoCloseable mine = resolve((metrics) -> metrics.gauge(level, subject, value));
		AutoCloseable others = this.next.gauge(level, subject, value);
		return () -> {
			try {
				mine.close();
			}
			catch (Throwable ex) {
				leaveOut(ex);
			}
			others.close();
		};
	}

	private <T> T resolve(Function<RpcMetrics, T> recorder) {
		if (this.working) {
			try {
				return recorder.apply(this.own);
			}
			catch (Throwable ex) {
				leaveOut(ex);
			}
		}
		return recorder.apply(RpcMetrics.none());
	}

	/** Reports a rare event; frequent events have no lambda. */
	private <T> void report(T recorder, Consumer<T> event) {
		if (this.working) {
			try {
				event.accept(recorder);
			}
			catch (Throwable ex) {
				leaveOut(ex);
			}
		}
	}

	/**
	 * Leaves its own metrics out from now on. An error of the JVM is thrown again: deep
	 * recursion of one caller, for example, is no fault of the metrics.
	 */
	private void leaveOut(Throwable ex) {
		if (ex instanceof VirtualMachineError error) {
			throw error;
		}
		synchronized (this) {
			if (!this.working) {
				return;
			}
			this.working = false;
		}
		logger.warn(
				"Metrics of {} threw an exception: they are left out from now on (expected: recorders that never"
						+ " throw). Start the application again when that is mended",
				this.own.getClass().getName(), ex);
	}

	/** Records the calls of a method. */
	private final class Calls implements CallRecorder {

		private final CallRecorder own;

		private final CallRecorder next;

		Calls(CallRecorder own, CallRecorder next) {
			this.own = own;
			this.next = next;
		}

		@Override
		public void record(RpcStatus status, long nanos, String peer) {
			if (CompositeMetrics.this.working) {
				try {
					this.own.record(status, nanos, peer);
				}
				catch (Throwable ex) {
					leaveOut(ex);
				}
			}
			this.next.record(status, nanos, peer);
		}

		@Override
		public void record(RpcStatus status, long nanos, String peer, CallDetails details) {
			if (CompositeMetrics.this.working) {
				try {
					this.own.record(status, nanos, peer, details);
				}
				catch (Throwable ex) {
					leaveOut(ex);
				}
			}
			this.next.record(status, nanos, peer, details);
		}

		@Override
		public void record(RpcStatus status, long[] nanos, long[] waited, int calls, String peer) {
			if (CompositeMetrics.this.working) {
				try {
					this.own.record(status, nanos, waited, calls, peer);
				}
				catch (Throwable ex) {
					leaveOut(ex);
				}
			}
			this.next.record(status, nanos, waited, calls, peer);
		}

		@Override
		public void carried(long argumentBytes, long resultBytes) {
			if (CompositeMetrics.this.working) {
				try {
					this.own.carried(argumentBytes, resultBytes);
				}
				catch (Throwable ex) {
					leaveOut(ex);
				}
			}
			this.next.carried(argumentBytes, resultBytes);
		}

		@Override
		public void streamEnded(StreamEnd end) {
			if (CompositeMetrics.this.working) {
				try {
					this.own.streamEnded(end);
				}
				catch (Throwable ex) {
					leaveOut(ex);
				}
			}
			this.next.streamEnded(end);
		}

		@Override
		public void elements(long arguments, long results) {
			if (CompositeMetrics.this.working) {
				try {
					this.own.elements(arguments, results);
				}
				catch (Throwable ex) {
					leaveOut(ex);
				}
			}
			this.next.elements(arguments, results);
		}

		@Override
		public void firstElement(long nanos) {
			report(this.own, (recorder) -> recorder.firstElement(nanos));
			this.next.firstElement(nanos);
		}

		@Override
		public void threw(String type) {
			report(this.own, (recorder) -> recorder.threw(type));
			this.next.threw(type);
		}

		@Override
		public void failed(Serialization way) {
			report(this.own, (recorder) -> recorder.failed(way));
			this.next.failed(way);
		}

	}

	/** Records the events of connections. */
	private final class Transport implements TransportRecorder {

		private final TransportRecorder own;

		private final TransportRecorder next;

		Transport(TransportRecorder own, TransportRecorder next) {
			this.own = own;
			this.next = next;
		}

		@Override
		public void flushed(FlushReason reason, int messages, int bytes) {
			if (CompositeMetrics.this.working) {
				try {
					this.own.flushed(reason, messages, bytes);
				}
				catch (Throwable ex) {
					leaveOut(ex);
				}
			}
			this.next.flushed(reason, messages, bytes);
		}

		@Override
		public void started(long nanos) {
			report(this.own, (recorder) -> recorder.started(nanos));
			this.next.started(nanos);
		}

		@Override
		public void written(long nanos) {
			report(this.own, (recorder) -> recorder.written(nanos));
			this.next.written(nanos);
		}

		@Override
		public void stalled() {
			report(this.own, TransportRecorder::stalled);
			this.next.stalled();
		}

		@Override
		public void connectionOpened(String remote, String application, long nanos) {
			report(this.own, (recorder) -> recorder.connectionOpened(remote, application, nanos));
			this.next.connectionOpened(remote, application, nanos);
		}

		@Override
		public void connectionIdentified(String caller) {
			report(this.own, (recorder) -> recorder.connectionIdentified(caller));
			this.next.connectionIdentified(caller);
		}

		@Override
		public void connectFailed(String remote, String why, long nanos) {
			report(this.own, (recorder) -> recorder.connectFailed(remote, why, nanos));
			this.next.connectFailed(remote, why, nanos);
		}

		@Override
		public void connectionClosed(String remote, String application, String why, long nanos) {
			report(this.own, (recorder) -> recorder.connectionClosed(remote, application, why, nanos));
			this.next.connectionClosed(remote, application, why, nanos);
		}

	}

}
