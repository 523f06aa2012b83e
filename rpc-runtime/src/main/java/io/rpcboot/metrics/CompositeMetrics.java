package io.rpcboot.metrics;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to its own metrics and to the next ones. A chain instead of a list, so that
 * each place that calls a recorder mostly meets one or two classes, and the compiler
 * inlines them.
 */
final class CompositeMetrics implements RpcMetrics {

	private static final Logger logger = LoggerFactory.getLogger("rpc.metrics");

	private final RpcMetrics own;

	private final @Nullable CompositeMetrics next;

	/** Whether its own metrics have not thrown; never true again once false. */
	private volatile boolean working = true;

	private CompositeMetrics(RpcMetrics own, @Nullable CompositeMetrics next) {
		this.own = own;
		this.next = next;
	}

	/** See {@link RpcMetrics#all}. */
	static RpcMetrics of(List<? extends RpcMetrics> metrics) {
		List<? extends RpcMetrics> some = metrics.stream().filter((each) -> !each.isNone()).toList();
		if (some.isEmpty()) {
			return RpcMetrics.none();
		}
		return (some.size() > 1) ? chain(some) : some.get(0);
	}

	private static CompositeMetrics chain(List<? extends RpcMetrics> some) {
		List<? extends RpcMetrics> rest = some.subList(1, some.size());
		return new CompositeMetrics(some.get(0), rest.isEmpty() ? null : chain(rest));
	}

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return callsChain(side, method);
	}

	private CompositeCallRecorder callsChain(Side side, MethodDescriptor method) {
		return new CompositeCallRecorder(this, resolve((metrics) -> metrics.calls(side, method)),
				(this.next != null) ? this.next.callsChain(side, method) : null);
	}

	@Override
	public TransportRecorder transport(Side side) {
		return transportChain(side);
	}

	private CompositeTransportRecorder transportChain(Side side) {
		return new CompositeTransportRecorder(this, resolve((metrics) -> metrics.transport(side)),
				(this.next != null) ? this.next.transportChain(side) : null);
	}

	@Override
	public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
		AutoCloseable mine = resolve((metrics) -> metrics.gauge(level, subject, value));
		AutoCloseable others = (this.next != null) ? this.next.gauge(level, subject, value) : () -> {
		};
		return () -> {
			try {
				mine.close();
			}
			catch (Throwable ex) {
				threw(ex);
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
				threw(ex);
			}
		}
		return recorder.apply(RpcMetrics.none());
	}

	/** Whether its own metrics are still told. */
	boolean isWorking() {
		return this.working;
	}

	/**
	 * Leave its own metrics out from now on. What the JVM lacks, such as stack for one
	 * deep caller, is not their fault.
	 */
	void threw(Throwable ex) {
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

}
