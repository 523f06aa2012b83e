package io.rpcboot.spring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.client.ReferenceOptions;
import org.jspecify.annotations.Nullable;

/** What was said of a reference, by option as properties call it, and where. */
final class ReferenceValues {

	private final Map<String, String> origins = new HashMap<>();

	private Map<String, Object> values = Map.of();

	/**
	 * Somebody has changed the options.
	 * @param options as they are now
	 * @param by who it was, for what is not named
	 * @param named origins of options, also of those that are equal to what they were
	 */
	void changed(ReferenceOptions options, String by, Map<String, String> named) {
		Map<String, Object> before = this.values;
		this.values = of(options);
		this.values.forEach((option, value) -> {
			if (!value.equals(before.get(option))) {
				this.origins.put(option, by);
			}
		});
		this.origins.putAll(named);
		this.origins.keySet().retainAll(this.values.keySet());
	}

	/** A customizer; of one that is a lambda, the class that has it. */
	static String nameOf(RpcReferenceCustomizer customizer) {
		String name = customizer.getClass().getName();
		int lambda = name.indexOf("$$Lambda");
		return (lambda > 0) ? name.substring(0, lambda) : name;
	}

	Map<String, Object> values() {
		return this.values;
	}

	Map<String, String> origins() {
		return Map.copyOf(this.origins);
	}

	private static Map<String, Object> of(ReferenceOptions options) {
		Map<String, Object> values = new LinkedHashMap<>();
		put(values, "timeout", options.timeout());
		put(values, "wait-for-instance", options.waitForInstance());
		put(values, "version", options.version().isEmpty() ? null : options.version());
		put(values, "group", options.group().isEmpty() ? null : options.group());
		put(values, "addresses", options.endpoints().isEmpty() ? null : options.endpoints());
		put(values, "serializer", (options.serializer() != null) ? options.serializer().name() : null);
		put(values, "batching", options.batching());
		put(values, "callbacks", options.callbacks());
		put(values, "detached", options.isDetached() ? true : null);
		put(values, "fallback", (options.fallback() != null) ? options.fallback().toString() : null);
		List<String> interceptors = new ArrayList<>();
		options.interceptors().forEach((each) -> interceptors.add(each.getClass().getName()));
		put(values, "interceptors", interceptors.isEmpty() ? null : interceptors);
		options.methodTimeouts().forEach((method, timeout) -> values.put("methods." + method + ".timeout", timeout));
		options.idempotence()
			.forEach((method, idempotent) -> values.put("methods." + method + ".idempotent", idempotent));
		return values;
	}

	private static void put(Map<String, Object> values, String option, @Nullable Object value) {
		if (value != null) {
			values.put(option, value);
		}
	}

}
