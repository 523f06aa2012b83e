package io.rpcboot.spring.discovery;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceId;

/**
 * How instances are found by a {@code DiscoveryClient}.
 *
 * @param applications which application of the discovery system offers a service, by the
 * simple name of its interface, its full name, its identity, or the package in which it
 * is; capitals do not matter, and a nested interface is written with a dot or with $
 * @param interval pause between two look-ups of an application
 * @param portMetadata the key in the metadata of an instance under which it says its RPC
 * port; empty for the port under which the discovery system has the instance
 */
public record DiscoveryOptions(Map<String, String> applications, Duration interval, String portMetadata) {

	/** The property that has the applications. */
	public static final String APPLICATIONS = "rpc.registry.discovery-client.applications";

	public DiscoveryOptions {
		applications = Map.copyOf(applications);
	}

	/**
	 * The application that offers a service.
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

	/** Without capitals, and nested interfaces as sources name them. */
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
				"Set %s to the name under which the discovery system has the application that offers it, "
					.formatted(property(simple(service.name().replace('$', '.'))))
						+ "or %s for all interfaces of this package, or give the reference addresses."
							.formatted(property(place)));
	}

	/** Without brackets the binder drops characters of a key. */
	private static String property(String key) {
		return APPLICATIONS + (key.matches("[A-Za-z0-9.-]+") ? "." + key : "[" + key + "]");
	}

}
