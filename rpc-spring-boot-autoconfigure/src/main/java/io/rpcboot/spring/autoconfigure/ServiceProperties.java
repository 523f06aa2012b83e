package io.rpcboot.spring.autoconfigure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.autoconfigure.RpcServerProperties.Method;
import io.rpcboot.spring.autoconfigure.RpcServerProperties.Service;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

/**
 * Lets {@code rpc.server.services.<name>.*} decide for single services.
 */
final class ServiceProperties {

	private static final String PROPERTY = "rpc.server.services";

	private final Map<String, Service> services;

	private final SerializerCatalog serializers;

	private final NamedEntries<Service> entries;

	/** How properties of a service begin, by how names of its options begin. */
	private final Map<String, String> prefixes = new HashMap<>();

	ServiceProperties(Map<String, Service> services, SerializerCatalog serializers) {
		this.services = services;
		this.serializers = serializers;
		this.entries = new NamedEntries<>(PROPERTY, services);
	}

	/**
	 * What differs from other services, by identity.
	 * @param offered all services of the server
	 * @throws InvalidPropertyException if settings name no service or method, or may be
	 * meant for several
	 */
	Map<ServiceId, ServiceOptions> optionsOf(List<ServiceDescriptor> offered) {
		Set<String> simpleNames = new TreeSet<>();
		Set<String> names = new HashSet<>();
		for (ServiceDescriptor each : offered) {
			simpleNames.add(each.type().getSimpleName());
			names.add(each.id().toString());
		}
		names.addAll(simpleNames);
		Map<ServiceId, ServiceOptions> options = new HashMap<>();
		Set<String> used = new HashSet<>();
		for (ServiceDescriptor each : offered) {
			String entry = entryOf(each, names);
			if (entry != null) {
				used.add(entry);
				options.put(each.id(), options(each, entry));
			}
		}
		for (String unknown : this.entries.unknown(used)) {
			throw unknown(this.entries, unknown,
					"the simple name of an interface that is offered: " + String.join(", ", simpleNames));
		}
		return options;
	}

	private @Nullable String entryOf(ServiceDescriptor service, Set<String> names) {
		String entry = this.entries.entryOf(service.id().toString(), () -> names);
		return (entry != null) ? entry : this.entries.entryOf(service.type().getSimpleName(), () -> names);
	}

	private ServiceOptions options(ServiceDescriptor service, String entry) {
		String prefix = PROPERTY + "." + (entry.matches("[\\w-]+") ? entry : "[" + entry + "]") + ".";
		this.prefixes.put("services." + service.id() + ".", prefix);
		Service found = Objects.requireNonNull(this.services.get(entry));
		Map<String, Method> methods = methods(prefix + "methods", service, found.methods());
		return OptionNames.under(prefix, () -> options(prefix, found, methods));
	}

	private static Map<String, Method> methods(String property, ServiceDescriptor service, Map<String, Method> found) {
		Set<String> known = new TreeSet<>();
		service.methods().forEach((method) -> known.add(method.name()));
		NamedEntries<Method> entries = new NamedEntries<>(property, found);
		for (String unknown : entries.unknown(known)) {
			throw unknown(entries, unknown, "a method of the interface: " + String.join(", ", known));
		}
		Map<String, Method> methods = new TreeMap<>();
		for (String name : known) {
			String entry = entries.entryOf(name, () -> known);
			if (entry != null) {
				methods.put(name, Objects.requireNonNull(found.get(entry)));
			}
		}
		return methods;
	}

	private static InvalidPropertyException unknown(NamedEntries<?> entries, String name, String expected) {
		return entries.failure(name, "'" + name + "'", expected,
				"Correct the name '%s', or remove what is set for it.".formatted(name));
	}

	private ServiceOptions options(String prefix, Service service, Map<String, Method> methods) {
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
		for (Map.Entry<String, Method> method : methods.entrySet()) {
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

}
