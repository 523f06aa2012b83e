package io.rpcboot.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import io.rpcboot.metrics.RpcMetrics.Gauge;

/**
 * Gauges of one component, which are removed together. Thread-safe.
 *
 * @since 0.1.0
 */
public final class GaugeRegistrations implements AutoCloseable {

	private final RpcMetrics metrics;

	private final List<AutoCloseable> offered = new ArrayList<>();

	/**
	 * Creates an empty set of gauges.
	 * @param metrics receives the gauges
	 */
	public GaugeRegistrations(RpcMetrics metrics) {
		this.metrics = metrics;
	}

	/**
	 * Adds a gauge.
	 * @param level the gauge
	 * @param value returns its value; called from any thread
	 * @return this object
	 */
	public GaugeRegistrations offer(Gauge level, LongSupplier value) {
		return offer(level, "", value);
	}

	/**
	 * Adds a gauge with a subject.
	 * @param level the gauge
	 * @param subject subject of the gauge, for example a service
	 * @param value returns its value; called from any thread
	 * @return this object
	 */
	public synchronized GaugeRegistrations offer(Gauge level, String subject, LongSupplier value) {
		this.offered.add(this.metrics.gauge(level, subject, value));
		return this;
	}

	/**
	 * Removes all gauges. Repeated calls have no effect.
	 * @throws IllegalStateException if one could not be removed; the others are
	 */
	@Override
	public synchronized void close() {
		IllegalStateException failed = null;
		for (AutoCloseable each : this.offered) {
			try {
				each.close();
			}
			catch (Exception ex) {
				failed = new IllegalStateException(ex);
			}
		}
		this.offered.clear();
		if (failed != null) {
			throw failed;
		}
	}

}
