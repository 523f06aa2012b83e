package io.rpcboot.spring.discovery;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;

/**
 * Options of {@link DiscoveryClientRegistry}.
 *
 * @param applications application of the discovery system by service: the simple name of
 * its interface, its full name, its identity, or its package; case-insensitive, and a
 * nested interface is written with a dot or with $
 * @param interval pause between two look-ups of an application
 * @param portMetadata metadata key of the RPC port; empty for the instance's own port in
 * the discovery system
 * @since 0.1.0
 */
public record DiscoveryOptions(Map<String, String> applications, Duration interval, String portMetadata) {

	/** Name of the property with the applications. */
	public static final String APPLICATIONS = "rpc.registry.discovery-client.applications";

	public DiscoveryOptions {
		applications = Map.copyOf(applications);
	}

	/**
	 * Returns the application that offers a service.
	 * @param service the service
	 * @return its name in the discovery system
	 * @throws RpcConfigurationException if none is set
	 */
	public String applicationOf(ServiceId service) {
		Map<String, String> set = new LinkedHashMap<>();
		this.applications.forEach((key, application) -> set.put(uniform(key), application));
		String name = uniform(service.name());
		for (String key : new String[] { uniform(service.toString()), name, simple(name) }) {
			String application = set.get(key);
			if (application != null) {
				return application;
			}
		}
		return set.entrySet()
			.stream()
			.filter((each) -> name.startsWith(each.getKey() + "."))
			.max(Comparator.comparingInt((each) -> each.getKey().length()))
			.map(Map.Entry::getValue)
			.orElseThrow(() -> unknown(service));
	}

	/** Returns a name in lower case, with dots before nested interfaces. */
	private static String uniform(String name) {
		return name.toLowerCase(Locale.ROOT).replace('$', '.');
	}

	private static String simple(String name) {
		return name.substring(name.lastIndexOf('.') + 1);
	}

	private RpcConfigurationException unknown(ServiceId service) {
		int end = service.name().lastIndexOf('.');
		String place = (end > 0) ? service.name().substring(0, end) : service.name();
		return new RpcConfigurationException(
				"%s: nothing is set for %s (expected: the application that offers it)".formatted(APPLICATIONS, service),
				"Set %s to the name of the application in the discovery system, "
					.formatted(property(simple(service.name().replace('$', '.'))))
						+ "or %s for all interfaces of this package, or give the reference addresses."
							.formatted(property(place)));
	}

	/**
	 * Returns the property of a key, in brackets if the binder would drop characters of
	 * it.
	 */
	private static String property(String key) {
		return APPLICATIONS + (key.matches("[A-Za-z0-9.-]+") ? "." + key : "[" + key + "]");
	}

}
