package io.rpcboot.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import io.rpcboot.metrics.RpcMetrics.Gauge;

/** Levels that are offered by one part and taken back together. Thread-safe. */
public final class GaugeRegistrations implements AutoCloseable {

	private final RpcMetrics metrics;

	private final List<AutoCloseable> offered = new ArrayList<>();

	/**
	 * Create it without levels.
	 * @param metrics where they are offered
	 */
	public GaugeRegistrations(RpcMetrics metrics) {
		this.metrics = metrics;
	}

	/**
	 * Offer a number.
	 * @param level what it counts
	 * @param value reads it, from any thread
	 * @return this
	 */
	public GaugeRegistrations offer(Gauge level, LongSupplier value) {
		return offer(level, "", value);
	}

	/**
	 * Offer a number that is about something.
	 * @param level what it counts
	 * @param subject what it is about, such as a service
	 * @param value reads it, from any thread
	 * @return this
	 */
	public synchronized GaugeRegistrations offer(Gauge level, String subject, LongSupplier value) {
		this.offered.add(this.metrics.gauge(level, subject, value));
		return this;
	}

	/**
	 * Take all back. Twice does nothing.
	 * @throws IllegalStateException if one could not be taken back; the others are
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
