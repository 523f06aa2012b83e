package io.rpcboot.internal.server.runtime;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics.Gauge;

/**
 * Connections in clear text to a port that also speaks TLS, counted by the application
 * that the client reported: those that have to move before TLS is required. Any thread.
 */
public final class ClearTextClients {

	/** Maximum of applications; clients may report any name. */
	private static final int MAX_APPLICATIONS = 100;

	private static final String OTHER = "other";

	private static final String UNKNOWN = "unknown";

	private final GaugeRegistrations gauges;

	private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

	/**
	 * Creates counters that are 0.
	 * @param gauges gets a gauge for each application
	 */
	public ClearTextClients(GaugeRegistrations gauges) {
		this.gauges = gauges;
	}

	/**
	 * Counts a connection.
	 * @param application name that the client reported, empty for none
	 */
	public void connected(String application) {
		String name = application.isEmpty() ? UNKNOWN : application;
		LongAdder count = this.counts.get(name);
		((count != null) ? count : added(name)).increment();
	}

	private synchronized LongAdder added(String name) {
		String counted = (this.counts.size() < MAX_APPLICATIONS || this.counts.containsKey(name)) ? name : OTHER;
		return this.counts.computeIfAbsent(counted, (any) -> {
			LongAdder count = new LongAdder();
			this.gauges.offer(Gauge.CLEAR_TEXT_CONNECTIONS, counted, count::sum);
			return count;
		});
	}

	/** Returns the numbers of connections since the start. */
	public Map<String, Long> counts() {
		Map<String, Long> result = new TreeMap<>();
		this.counts.forEach((application, count) -> result.put(application, count.sum()));
		return result;
	}

}
