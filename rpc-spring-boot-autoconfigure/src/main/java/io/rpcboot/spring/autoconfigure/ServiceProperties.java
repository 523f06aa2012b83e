package io.rpcboot.spring.autoconfigure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.autoconfigure.RpcServerProperties.Method;
import io.rpcboot.spring.autoconfigure.RpcServerProperties.Service;
import io.rpcboot.transport.Options.InvalidOptionException;

/**
 * Lets {@code rpc.server.services.<name>.*} decide for single services.
 */
final class ServiceProperties {

	private final Map<String, Service> services;

	private final SerializerCatalog serializers;

	private final Set<String> used = new HashSet<>();

	private final Set<String> offered = new TreeSet<>();

	/** How properties of a service begin, by how names of its options begin. */
	private final Map<String, String> prefixes = new HashMap<>();

	ServiceProperties(Map<String, Service> services, SerializerCatalog serializers) {
		this.services = services;
		this.serializers = serializers;
	}

	/** What differs from other services. */
	ServiceOptions optionsOf(ServiceDescriptor service) {
		String id = service.id().toString();
		String simpleName = service.type().getSimpleName();
		this.offered.add(simpleName);
		String name = this.services.containsKey(id) ? id : simpleName;
		Service found = this.services.get(name);
		if (found == null) {
			return ServiceOptions.defaults();
		}
		this.used.add(name);
		String prefix = "rpc.server.services.%s.".formatted(name.equals(id) ? "[" + id + "]" : name);
		this.prefixes.put("services." + id + ".", prefix);
		requireMethods(prefix + "methods", service, found.methods().keySet());
		return OptionNames.under(prefix, () -> options(prefix, found));
	}

	private ServiceOptions options(String prefix, Service service) {
		ServiceOptions options = ServiceOptions.defaults();
		if (!service.serializers().isEmpty()) {
			options = options
				.withSerializers(List.of(this.serializers.get(prefix + "serializers", service.serializers())));
		}
		if (service.dispatch() != null) {
			options = options.withDispatch(service.dispatch());
		}
		if (service.maxThreads() != null) {
			options = options.withMaxThreads(service.maxThreads());
		}
		for (Map.Entry<String, Method> method : service.methods().entrySet()) {
			if (method.getValue().dispatch() != null) {
				options = options.withDispatch(method.getKey(), method.getValue().dispatch());
			}
			if (method.getValue().maxThreads() != null) {
				options = options.withMaxThreads(method.getKey(), method.getValue().maxThreads());
			}
		}
		return options;
	}

	/**
	 * Let an option of a service that is refused later be named as its property. The
	 * server knows services by identity; a property may have the simple name.
	 * @param action makes the server
	 * @return what the action returns
	 * @throws InvalidPropertyException instead of {@link InvalidOptionException}, if it
	 * is about a service that has properties
	 */
	<T> T named(Supplier<T> action) {
		try {
			return action.get();
		}
		catch (InvalidOptionException ex) {
			for (Map.Entry<String, String> each : this.prefixes.entrySet()) {
				if (ex.name().startsWith(each.getKey())) {
					throw new InvalidPropertyException(ex,
							each.getValue() + ex.name().substring(each.getKey().length()));
				}
			}
			throw ex;
		}
	}

	private static void requireMethods(String property, ServiceDescriptor service, Set<String> named) {
		Set<String> known = new TreeSet<>();
		service.methods().forEach((method) -> known.add(method.name()));
		for (String name : named) {
			if (!known.contains(name)) {
				throw new InvalidPropertyException(property, "'" + name + "'",
						"a method of the interface: " + String.join(", ", known));
			}
		}
	}

	/**
	 * Ask when all services are known.
	 * @throws InvalidPropertyException if a name is that of no service
	 */
	void requireAllUsed() {
		for (String name : this.services.keySet()) {
			if (!this.used.contains(name)) {
				throw new InvalidPropertyException("rpc.server.services", "'" + name + "'",
						"the simple name of an interface that is offered: " + String.join(", ", this.offered));
			}
		}
	}

}
