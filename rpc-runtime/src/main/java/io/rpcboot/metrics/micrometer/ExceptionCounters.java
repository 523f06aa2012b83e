package io.rpcboot.metrics.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import io.rpcboot.MethodDescriptor;

/** What a method has thrown, by class; a class appears with its first exception. */
final class ExceptionCounters {

	private static final int MOST_CLASSES = 16;

	private static final String OTHER = "other";

	private final MeterRegistry registry;

	private final MethodDescriptor method;

	private final Map<String, Counter> counters = new ConcurrentHashMap<>();

	ExceptionCounters(MeterRegistry registry, MethodDescriptor method) {
		this.registry = registry;
		this.method = method;
	}

	void add(String type) {
		Counter known = this.counters.get(type);
		((known != null) ? known : resolve(type)).increment();
	}

	private synchronized Counter resolve(String type) {
		boolean other = !this.counters.containsKey(type) && this.counters.size() >= MOST_CLASSES;
		return this.counters.computeIfAbsent(other ? OTHER : type, this::register);
	}

	private Counter register(String type) {
		return Counter.builder(RpcMeters.SERVER_EXCEPTIONS.meterName())
			.description(RpcMeters.SERVER_EXCEPTIONS.description())
			.tag(RpcMeters.TAG_SERVICE, this.method.service().toString())
			.tag(RpcMeters.TAG_METHOD, this.method.signature())
			.tag(RpcMeters.TAG_EXCEPTION, type)
			.register(this.registry);
	}

}
