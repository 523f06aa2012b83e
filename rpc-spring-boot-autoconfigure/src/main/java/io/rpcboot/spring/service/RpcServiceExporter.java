package io.rpcboot.spring.service;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.spring.RpcGrpcServices;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.RpcServiceCustomizer;
import io.rpcboot.spring.reference.AttributeResolver;
import io.rpcboot.spring.reference.OptionValues;
import io.rpcboot.spring.reference.PolicyBeans;
import io.rpcboot.spring.reference.ServiceInterfaces;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Offers the beans with {@link RpcService}. Reads their classes only: a bean is created
 * by its first call, and calls use {@code getBean}, so that proxies and lazy, scoped and
 * prototype beans work.
 *
 * @since 0.1.0
 */
public final class RpcServiceExporter {

	private final ConfigurableListableBeanFactory beanFactory;

	private final AttributeResolver values;

	private final Map<ServiceId, Map<String, String>> origins = new ConcurrentHashMap<>();

	/**
	 * Creates an exporter.
	 * @param beanFactory the context
	 */
	public RpcServiceExporter(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.values = new AttributeResolver(beanFactory);
	}

	/**
	 * Adds a service for each interface that a bean offers, and those of
	 * {@link RpcGrpcServices} beans.
	 * @param builder builder of the server
	 * @param settings changes the options of all services; {@link RpcServiceCustomizer}
	 * beans change them afterwards
	 * @throws RpcConfigurationException with all mistakes at once: an annotation on an
	 * interface, a bean with no interface or several, an interface that is not public, a
	 * service that two beans offer
	 */
	public void export(RpcServerBuilder builder, RpcServiceSettings settings) {
		Mistakes mistakes = new Mistakes();
		Map<ServiceId, Offer> offers = new LinkedHashMap<>();
		for (String name : ServiceBeans.names(this.beanFactory)) {
			ServiceBeans.Carried found = ServiceBeans.find(this.beanFactory, name);
			if (found == null) {
				continue;
			}
			for (Class<?> type : interfaces(name, found, mistakes)) {
				Offer offer = offer(name, type, found, mistakes);
				Offer other = (offer == null) ? null : offers.putIfAbsent(offer.service().id(), offer);
				if (other != null) {
					mistakes.add(
							"Service %s is offered by two beans, '%s' and '%s'".formatted(other.service().id(),
									other.beanName(), name),
							"Give one of them another version or group, or remove its @RpcService.");
				}
			}
		}
		mistakes.throwIfAny();
		Map<ServiceDescriptor, ServiceOptions> declared = new LinkedHashMap<>();
		offers.values().forEach((offer) -> declared.put(offer.service(), declared(offer)));
		List<GrpcServiceDefinition> hosted = this.beanFactory.getBeansOfType(RpcGrpcServices.class, true, false)
			.values()
			.stream()
			.flatMap((each) -> each.definitions().stream())
			.toList();
		hosted.forEach((each) -> declared.put(RpcServerBuilder.descriptor(each), ServiceOptions.defaults()));
		Map<ServiceDescriptor, ServiceOptions> options = settings.customize(declared);
		offers.values()
			.forEach((offer) -> builder.service(offer.service(), implementation(offer.beanName()),
					inForce(offer.service(), declared, options, settings)));
		hosted.forEach((each) -> builder.grpcService(each,
				inForce(RpcServerBuilder.descriptor(each), declared, options, settings)));
	}

	/**
	 * Returns the classes of the beans with {@link RpcService}. Creates no bean.
	 * @return classes as they are written, as far as they are known
	 */
	Set<Class<?>> implementations() {
		return ServiceBeans.names(this.beanFactory)
			.stream()
			.map((name) -> ServiceBeans.find(this.beanFactory, name))
			.filter((found) -> found != null && found.type() != null)
			.map((found) -> ClassUtils.getUserClass(found.type()))
			.collect(Collectors.toSet());
	}

	/**
	 * Returns true if a bean has {@link RpcService}, valid or not, or is an
	 * {@link RpcGrpcServices}. Creates no bean.
	 * @return true if there is something to export
	 */
	public boolean hasServices() {
		return this.beanFactory.getBeanNamesForType(RpcGrpcServices.class, true, false).length > 0 || Stream
			.concat(Stream.of(this.beanFactory.getBeanDefinitionNames()),
					Stream.of(this.beanFactory.getSingletonNames()))
			.anyMatch((name) -> ServiceBeans.find(this.beanFactory, name) != null);
	}

	/**
	 * Returns true if a bean has {@link RpcService}, valid or not. Creates no bean.
	 * @param beanName name of a bean
	 * @return true for one that is to be exported
	 */
	public boolean isService(String beanName) {
		return ServiceBeans.find(this.beanFactory, beanName) != null;
	}

	/**
	 * Returns the sources of the options of a service, without those of its methods'
	 * annotations.
	 * @param service an exported service
	 * @return annotation, property or class of a customizer, by option named as in
	 * properties; empty for an unknown service
	 */
	public Map<String, String> origins(ServiceId service) {
		return this.origins.getOrDefault(service, Map.of());
	}

	/**
	 * Returns the services that {@link #export} would offer. Creates no bean; mistakes
	 * are left to {@code export}.
	 * @return their identities
	 */
	public Set<ServiceId> serviceIds() {
		Set<ServiceId> ids = new HashSet<>();
		for (String name : this.beanFactory.getBeanDefinitionNames()) {
			ServiceBeans.Carried found = ServiceBeans.find(this.beanFactory, name);
			if (found == null) {
				continue;
			}
			RpcService annotation = found.annotation();
			try {
				String version = value(found.type(), "version", annotation.version());
				String group = value(found.type(), "group", annotation.group());
				interfaces(name, found, new Mistakes())
					.forEach((type) -> ids.add(new ServiceId(type.getName(), version, group)));
			}
			catch (RpcConfigurationException ignored) {
				// an invalid or unknown version or group, which export reports
			}
		}
		return ids;
	}

	/**
	 * Returns the {@link #serviceIds} of parent contexts.
	 * @return their identities
	 */
	public Set<ServiceId> serviceIdsOfParents() {
		Set<ServiceId> ids = new HashSet<>();
		BeanFactory next = this.beanFactory.getParentBeanFactory();
		while (next instanceof ConfigurableListableBeanFactory each) {
			ids.addAll(new RpcServiceExporter(each).serviceIds());
			next = each.getParentBeanFactory();
		}
		return ids;
	}

	private ServiceOptions declared(Offer offer) {
		ServiceOptions options = ServiceOptions.defaults()
			.withInterceptors(new PolicyBeans(this.beanFactory).interceptors(
					"@RpcService bean '%s' has interceptors".formatted(offer.beanName()), RpcServerInterceptor.class,
					offer.interceptors()));
		Class<?> type = offer.implementation();
		return (type != null) ? options.withImplementation(ClassUtils.getUserClass(type)) : options;
	}

	/** Applies settings and customizers, and records the source of each option. */
	private ServiceOptions inForce(ServiceDescriptor service, Map<ServiceDescriptor, ServiceOptions> declared,
			Map<ServiceDescriptor, ServiceOptions> set, RpcServiceSettings settings) {
		OptionValues values = new OptionValues(OptionValues.of(ServiceOptions.defaults()));
		ServiceOptions options = Objects.requireNonNull(declared.get(service));
		values.changed(OptionValues.of(options), "@RpcService", Map.of());
		options = set.getOrDefault(service, options);
		values.changed(OptionValues.of(options), OptionValues.nameOf(settings), settings.origins(service.id()));
		for (RpcServiceCustomizer each : this.beanFactory.getBeanProvider(RpcServiceCustomizer.class)
			.orderedStream()
			.toList()) {
			options = each.customize(service, options);
			values.changed(OptionValues.of(options), OptionValues.nameOf(each), Map.of());
		}
		this.origins.put(service.id(), values.origins());
		return options;
	}

	private static List<Class<?>> interfaces(String name, ServiceBeans.Carried carried, Mistakes mistakes) {
		RpcService annotation = carried.annotation();
		Class<?> type = carried.type();
		if (type == null) {
			mistakes.add("The class of @RpcService bean '%s' is not known before it is created".formatted(name),
					"Declare the class or the interface as the return type of its @Bean method.");
			return List.of();
		}
		if (carried.onInterface() != null) {
			mistakes.add(
					"@RpcService is on the interface %s, so bean '%s' of class %s would be offered like every other bean that implements it"
						.formatted(carried.onInterface().getName(), name, type.getName()),
					"Remove @RpcService from %s and put it on the class to offer, or on its @Bean method."
						.formatted(carried.onInterface().getSimpleName()));
			return List.of();
		}
		if (annotation.interfaces().length > 0) {
			return named(name, type, List.of(annotation.interfaces()), mistakes);
		}
		List<Class<?>> found = ServiceInterfaces.of(type);
		if (found.size() == 1) {
			return found;
		}
		if (found.isEmpty()) {
			mistakes.add("@RpcService bean '%s' of class %s implements no interface".formatted(name, type.getName()),
					"Let %s implement the interface of the service.".formatted(type.getSimpleName()));
			return List.of();
		}
		String names = found.stream().map(Class::getName).collect(Collectors.joining(", "));
		mistakes.add(
				"@RpcService bean '%s' of class %s implements %d interfaces: %s".formatted(name, type.getName(),
						found.size(), names),
				"Choose those to offer: @RpcService(interfaces = %s.class).".formatted(found.get(0).getSimpleName()));
		return List.of();
	}

	private static List<Class<?>> named(String name, Class<?> type, List<Class<?>> named, Mistakes mistakes) {
		for (Class<?> candidate : named) {
			if (candidate.isInterface() && !candidate.isAssignableFrom(type)) {
				mistakes.add(
						"@RpcService bean '%s' of class %s does not implement %s, which it offers".formatted(name,
								type.getName(), candidate.getName()),
						"Implement it, or correct the attribute interfaces.");
				return List.of();
			}
		}
		return named;
	}

	private @Nullable Offer offer(String name, Class<?> type, ServiceBeans.Carried carried, Mistakes mistakes) {
		RpcService annotation = carried.annotation();
		try {
			String version = value(carried.type(), "version", annotation.version());
			String group = value(carried.type(), "group", annotation.group());
			return new Offer(name, carried.type(),
					ServiceDescriptor.of(type, version, group, this.values::ofServedMethod),
					List.of(annotation.interceptors()));
		}
		catch (RpcConfigurationException ex) {
			mistakes.add("@RpcService bean '%s': %s".formatted(name, ex.getMessage()), ex.action());
			return null;
		}
	}

	private String value(@Nullable Class<?> type, String attribute, String text) {
		return this.values.resolve("@RpcService of " + ((type != null) ? type.getName() : "an unknown class"),
				attribute, text);
	}

	private Supplier<?> implementation(String beanName) {
		Supplier<Object> lookup = () -> this.beanFactory.getBean(beanName);
		return EntryMarker.watching(this.beanFactory.isSingleton(beanName) ? SingletonSupplier.of(lookup) : lookup);
	}

	private record Offer(String beanName, @Nullable Class<?> implementation, ServiceDescriptor service,
			List<Class<?>> interceptors) {
	}

	/** Collects all mistakes, so that they can be corrected at once. */
	private static final class Mistakes {

		private final List<String> descriptions = new ArrayList<>();

		private final List<String> actions = new ArrayList<>();

		void add(String description, String action) {
			this.descriptions.add(description);
			this.actions.add(action);
		}

		void throwIfAny() {
			if (!this.descriptions.isEmpty()) {
				throw new RpcConfigurationException(lines(this.descriptions), lines(this.actions));
			}
		}

		private static String lines(List<String> lines) {
			return lines.stream().distinct().collect(Collectors.joining(System.lineSeparator()));
		}

	}

}
