package io.rpcboot.spring.autoconfigure.server;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.properties.NamedEntries;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.autoconfigure.serialization.SerializerCatalog;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties.Method;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties.Service;
import io.rpcboot.spring.reference.PolicyBeans;
import io.rpcboot.spring.service.RpcServiceSettings;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.PropertyMapper;

/** Applies {@code rpc.server.services.<name>.*} to single services. */
final class ServiceProperties implements RpcServiceSettings {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final String PROPERTY = "rpc.server.services";

	private final Map<String, Service> services;

	private final SerializerCatalog serializers;

	private final PolicyBeans beans;

	private final boolean allowUnknown;

	/** Services of parent contexts, by all their names; they may have settings, too. */
	private final Set<String> elsewhere = new HashSet<>();

	private final NamedEntries<Service> entries;

	/** Prefix of the properties of a service, by prefix of its options. */
	private final Map<String, String> prefixes = new HashMap<>();

	/** Properties that are set for a service, by option. */
	private final Map<ServiceId, Map<String, String>> origins = new ConcurrentHashMap<>();

	/**
	 * Creates the settings.
	 * @param services settings by service name
	 * @param serializers serializers by name
	 * @param beans interceptors by name
	 * @param allowUnknown true to log settings without a service as a warning, because a
	 * test may leave out the service
	 * @param ofParents services of parent contexts, which may have settings, too
	 */
	ServiceProperties(Map<String, Service> services, SerializerCatalog serializers, PolicyBeans beans,
			boolean allowUnknown, Set<ServiceId> ofParents) {
		this.services = services;
		this.serializers = serializers;
		this.beans = beans;
		this.allowUnknown = allowUnknown;
		for (ServiceId each : ofParents) {
			this.elsewhere.add(each.toString());
			this.elsewhere.add(simpleName(each));
		}
		this.entries = new NamedEntries<>(PROPERTY, services);
	}

	private static String simpleName(ServiceId service) {
		return service.name().replaceFirst(".*[.$]", "");
	}

	@Override
	public Map<String, String> origins(ServiceId service) {
		return this.origins.getOrDefault(service, Map.of());
	}

	/**
	 * Returns the options of all services.
	 * @param declared all services of the server, with the options of annotations
	 * @return the same services with their options
	 * @throws InvalidPropertyException if settings name no service or method, or are
	 * ambiguous
	 */
	@Override
	public Map<ServiceDescriptor, ServiceOptions> customize(Map<ServiceDescriptor, ServiceOptions> declared) {
		Set<String> simpleNames = new TreeSet<>();
		Set<String> names = new HashSet<>();
		for (ServiceDescriptor each : declared.keySet()) {
			simpleNames.add(simpleName(each.id()));
			names.add(each.id().toString());
		}
		names.addAll(simpleNames);
		Map<ServiceDescriptor, ServiceOptions> options = new HashMap<>(declared);
		Set<String> used = new HashSet<>(this.elsewhere);
		for (ServiceDescriptor each : declared.keySet()) {
			String entry = entryOf(each, names);
			if (entry != null) {
				used.add(entry);
				options.computeIfPresent(each,
						(service, before) -> options(service, entry, allowing(service, names, before)));
			}
		}
		for (String unknown : this.entries.unknown(used)) {
			InvalidPropertyException failure = unknown(this.entries, unknown,
					"the simple name of an offered interface: " + String.join(", ", simpleNames));
			if (!this.allowUnknown) {
				throw failure;
			}
			logger.warn("{}", failure.getMessage());
		}
		return options;
	}

	private @Nullable String entryOf(ServiceDescriptor service, Set<String> names) {
		String entry = this.entries.entryOf(service.id().toString(), () -> names);
		return (entry != null) ? entry : this.entries.entryOf(simpleName(service.id()), () -> names);
	}

	/** Callers of the simple name hold as well, unless those of the identity are set. */
	private ServiceOptions allowing(ServiceDescriptor service, Set<String> names, ServiceOptions declared) {
		String entry = this.entries.entryOf(simpleName(service.id()), () -> names);
		Service wider = (entry != null) ? this.services.get(entry) : null;
		return (wider != null && wider.allow() != null) ? declared.withAllow(Set.copyOf(wider.allow())) : declared;
	}

	private ServiceOptions options(ServiceDescriptor service, String entry, ServiceOptions declared) {
		String prefix = PROPERTY + (entry.matches("[\\w-]+") ? "." + entry : "[" + entry + "]") + ".";
		this.prefixes.put("services." + service.id() + ".", prefix);
		Service found = Objects.requireNonNull(this.services.get(entry));
		Map<String, Method> methods = methods(prefix + "methods", service, found.methods());
		this.origins.put(service.id(), origins(prefix, found, methods));
		return OptionToPropertyNames.under(prefix, () -> options(prefix, found, methods, declared));
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
				"Correct the name '%s', or remove its settings.".formatted(name));
	}

	private static Map<String, String> origins(String prefix, Service service, Map<String, Method> methods) {
		Map<String, Object> set = new HashMap<>();
		set.put("serializers", service.serializers().isEmpty() ? null : service.serializers());
		set.put("dispatch", service.dispatch());
		set.put("max-threads", service.maxThreads());
		set.put("max-streams", service.maxStreams());
		set.put("interceptors", service.interceptors());
		set.put("allow", service.allow());
		methods.forEach((name, method) -> {
			set.put("methods." + name + ".dispatch", method.dispatch());
			set.put("methods." + name + ".max-threads", method.maxThreads());
			set.put("methods." + name + ".idempotent", method.idempotent());
		});
		set.values().removeIf(Objects::isNull);
		return set.keySet().stream().collect(Collectors.toMap((option) -> option, (option) -> prefix + option));
	}

	private ServiceOptions options(String prefix, Service service, Map<String, Method> methods,
			ServiceOptions declared) {
		PropertyMapper map = PropertyMapper.get();
		ServiceOptions options = declared;
		if (!service.serializers().isEmpty()) {
			options = options
				.withSerializers(List.of(this.serializers.get(prefix + "serializers", service.serializers())));
		}
		options = map.from(service::dispatch).to(options, ServiceOptions::withDispatch);
		options = map.from(service::maxThreads).to(options, ServiceOptions::withMaxThreads);
		options = map.from(service::maxStreams).to(options, ServiceOptions::withMaxStreams);
		options = map.from(service::interceptors)
			.to(options,
					(each, names) -> each.withInterceptors(this.beans.interceptors(RpcServerInterceptor.class, names)));
		options = map.from(service::allow).as(Set::copyOf).to(options, ServiceOptions::withAllow);
		for (Map.Entry<String, Method> entry : methods.entrySet()) {
			String name = entry.getKey();
			Method method = entry.getValue();
			options = map.from(method::dispatch).to(options, (each, value) -> each.withDispatch(name, value));
			options = map.from(method::maxThreads).to(options, (each, value) -> each.withMaxThreads(name, value));
			options = map.from(method::idempotent).to(options, (each, value) -> each.withIdempotent(name, value));
		}
		return options;
	}

	/**
	 * Runs an action, and names the property of a service's option that it rejects. The
	 * server knows services by identity; a property may have the simple name.
	 * @param action creates the server
	 * @return the result of the action
	 * @throws InvalidPropertyException instead of {@link InvalidOptionException}, if the
	 * option belongs to a service with properties
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
