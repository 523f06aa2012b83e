package io.rpcboot.metrics.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Undeclared exceptions of a method, by class; a class has a counter from its first
 * exception on. At most 16 classes. Any thread.
 */
final class ExceptionCounters {

	private static final int MOST_CLASSES = 16;

	private final Meters meters;

	private final String service;

	private final String method;

	private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();

	ExceptionCounters(Meters meters, String service, String method) {
		this.meters = meters;
		this.service = service;
		this.method = method;
	}

	void add(String type) {
		LongAdder known = this.counters.get(type);
		((known != null) ? known : resolve(type)).increment();
	}

	private synchronized LongAdder resolve(String type) {
		boolean other = !this.counters.containsKey(type) && this.counters.size() >= MOST_CLASSES;
		return this.counters.computeIfAbsent(other ? RpcMeters.OTHER : type,
				(name) -> this.meters.counter(RpcMeters.SERVER_EXCEPTIONS, RpcMeters.TAG_SERVICE, this.service,
						RpcMeters.TAG_METHOD, this.method, RpcMeters.TAG_EXCEPTION, name));
	}

}
