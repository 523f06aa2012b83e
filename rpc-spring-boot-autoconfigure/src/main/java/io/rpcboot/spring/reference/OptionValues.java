package io.rpcboot.spring.reference;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;

/**
 * Effective options of a reference or a service, by option name as in properties, and the
 * source of each.
 *
 * @since 0.1.0
 */
public final class OptionValues {

	private final Map<String, String> origins = new HashMap<>();

	private Map<String, Object> values;

	/**
	 * Starts with defaults.
	 * @param defaults the default values
	 */
	public OptionValues(Map<String, Object> defaults) {
		this.values = defaults;
	}

	/**
	 * Records a change of the options.
	 * @param now the values after the change
	 * @param by source of the changed values that {@code named} does not contain
	 * @param named sources of options, including options with an unchanged value
	 */
	public void changed(Map<String, Object> now, String by, Map<String, String> named) {
		now.forEach((option, value) -> {
			if (!value.equals(this.values.get(option))) {
				this.origins.put(option, by);
			}
		});
		this.values = now;
		this.origins.putAll(named);
		this.origins.keySet().retainAll(now.keySet());
	}

	/**
	 * Returns the class name of a customizer; for a lambda, that of its declaring class.
	 */
	public static String nameOf(Object customizer) {
		String name = customizer.getClass().getName();
		int lambda = name.indexOf("$$Lambda");
		return (lambda > 0) ? name.substring(0, lambda) : name;
	}

	Map<String, Object> values() {
		return this.values;
	}

	public Map<String, String> origins() {
		return Map.copyOf(this.origins);
	}

	static Map<String, Object> of(ReferenceOptions options) {
		Map<String, Object> values = new LinkedHashMap<>();
		put(values, "timeout", options.timeout());
		put(values, "wait-for-instance", options.waitForInstance());
		put(values, "version", options.version().isEmpty() ? null : options.version());
		put(values, "group", options.group().isEmpty() ? null : options.group());
		put(values, "addresses", addresses(options));
		put(values, "protocol", options.protocol());
		CredentialsProvider credentials = options.credentials();
		put(values, "credentials",
				(credentials instanceof Enum<?> || credentials == null) ? credentials : nameOf(credentials));
		put(values, "relay-credentials", options.relaysCredentials() ? true : null);
		put(values, "serializer", (options.serializer() != null) ? options.serializer().name() : null);
		put(values, "batching", options.batching());
		putResilience(values, options.resilience());
		put(values, "callbacks", options.callbacks());
		put(values, "detached", options.isDetached());
		put(values, "fallback", (options.fallback() != null) ? options.fallback().toString() : null);
		put(values, "interceptors", classes(options.interceptors()));
		options.methodTimeouts().forEach((method, timeout) -> values.put("methods." + method + ".timeout", timeout));
		options.idempotence()
			.forEach((method, idempotent) -> values.put("methods." + method + ".idempotent", idempotent));
		return values;
	}

	private static @Nullable List<String> addresses(ReferenceOptions options) {
		List<String> addresses = Stream
			.concat(options.endpoints().stream().map(Endpoint::toString),
					options.dnsEndpoints().stream().map((each) -> "dns:" + each))
			.toList();
		return addresses.isEmpty() ? null : addresses;
	}

	private static void putResilience(Map<String, Object> values, @Nullable ResilienceOptions options) {
		if (options != null) {
			put(values, "routing.tag", options.routing().tag());
			put(values, "routing.strict", options.routing().isStrict());
			put(values, "ejection.enabled", options.ejection().isEnabled());
			put(values, "retry.max-attempts", options.retry().maxAttempts());
			put(values, "retry.budget", options.retry().budget());
			options.hedging()
				.forEach((method, hedging) -> values.put("methods." + method + ".hedge-after", hedging.delay()));
		}
	}

	public static Map<String, Object> of(ServiceOptions options) {
		Map<String, Object> values = new LinkedHashMap<>();
		List<String> serializers = options.serializers().stream().map(Serializer::name).toList();
		put(values, "serializers", serializers.isEmpty() ? null : serializers);
		put(values, "dispatch", options.dispatch());
		put(values, "max-threads", options.maxThreads());
		put(values, "max-streams", options.maxStreams());
		put(values, "interceptors", classes(options.interceptors()));
		options.methodDispatch().forEach((method, value) -> values.put("methods." + method + ".dispatch", value));
		options.methodMaxThreads().forEach((method, value) -> values.put("methods." + method + ".max-threads", value));
		options.idempotence().forEach((method, value) -> values.put("methods." + method + ".idempotent", value));
		return values;
	}

	private static @Nullable List<String> classes(List<?> interceptors) {
		return interceptors.isEmpty() ? null : interceptors.stream().map((each) -> each.getClass().getName()).toList();
	}

	private static void put(Map<String, Object> values, String option, @Nullable Object value) {
		if (value != null) {
			values.put(option, value);
		}
	}

}
