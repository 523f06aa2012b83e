package io.rpcboot.spring.autoconfigure;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.autoconfigure.RpcServerProperties.Method;
import io.rpcboot.spring.autoconfigure.RpcServerProperties.Service;

/**
 * Lets {@code rpc.server.services.<name>.*} decide for single services.
 */
final class ServiceProperties {

	private final Map<String, Service> services;

	private final SerializerCatalog serializers;

	private final Set<String> used = new HashSet<>();

	private final Set<String> offered = new TreeSet<>();

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
		for (Map.Entry<String, Method> method : service.methods().entrySet()) {
			if (method.getValue().dispatch() != null) {
				options = options.withDispatch(method.getKey(), method.getValue().dispatch());
			}
		}
		return options;
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
