package io.rpcboot.spring.autoconfigure;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Serializer;
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

	/** The serializers that are accepted for a service, empty for those of the server. */
	List<Serializer> serializersOf(ServiceDescriptor service) {
		String id = service.id().toString();
		String simpleName = service.type().getSimpleName();
		this.offered.add(simpleName);
		String name = this.services.containsKey(id) ? id : simpleName;
		Service found = this.services.get(name);
		if (found == null) {
			return List.of();
		}
		this.used.add(name);
		return found.serializers().isEmpty() ? List.of()
				: List.of(this.serializers.get("rpc.server.services." + name + ".serializers", found.serializers()));
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
