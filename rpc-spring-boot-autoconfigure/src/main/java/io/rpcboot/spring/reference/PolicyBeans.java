package io.rpcboot.spring.reference;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.transport.Options;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Looks up the interceptors and fallbacks of single references and services. They are
 * beans: attributes name them by class, properties by bean name.
 *
 * @since 0.1.0
 */
public final class PolicyBeans {

	/** Bean that adds the token of a security context to calls. */
	public static final String TOKEN_RELAY = "rpcTokenRelay";

	private static final List<CredentialsProvider> CHOICES = List.of(CredentialsProvider.none(),
			CredentialsProvider.ofClient());

	private static final String INTERCEPTOR = "rpcInterceptor:";

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates a look-up.
	 * @param beanFactory the context; beans of its parents are found, too
	 */
	public PolicyBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Registers a bean for each class that has none, so that ahead-of-time processing
	 * sees it. It is no candidate for injection and applies to nothing else.
	 */
	public static void declare(BeanDefinitionRegistry registry, Collection<Class<?>> interceptors) {
		for (Class<?> type : interceptors) {
			synchronized (registry) {
				if (registry instanceof ListableBeanFactory beans && !Modifier.isAbstract(type.getModifiers())
						&& names(beans, type).isEmpty()) {
					RootBeanDefinition definition = new RootBeanDefinition(type);
					definition.setDefaultCandidate(false);
					definition.setLazyInit(true);
					registry.registerBeanDefinition(INTERCEPTOR + type.getName(), definition);
				}
			}
		}
	}

	/**
	 * Returns the interceptor bean of each class; registers one if there is none.
	 * @param where the attribute and its owner, for messages
	 * @throws RpcConfigurationException if a class has several beans or cannot be a bean
	 */
	public <T> List<T> interceptors(String where, Class<T> kind, List<Class<?>> classes) {
		if (this.beanFactory instanceof BeanDefinitionRegistry registry) {
			declare(registry, classes);
		}
		return classes.stream().map((each) -> kind.cast(this.beanFactory.getBean(only(where, each)))).toList();
	}

	/**
	 * Returns interceptors by bean name.
	 * @param kind the type of interceptors
	 * @param names the bean names
	 * @param <T> the type of interceptors
	 * @return the beans, in the same order
	 * @throws Options.InvalidOptionException if there is no such bean; its option is
	 * {@code interceptors}
	 */
	public <T> List<T> interceptors(Class<T> kind, List<String> names) {
		return names.stream().map((name) -> bean("interceptors", "names of beans", kind, name)).toList();
	}

	private <T> T bean(String option, String expected, Class<T> kind, String name) {
		Options.require(this.beanFactory.containsBean(name) && this.beanFactory.isTypeMatch(name, kind), option,
				"'" + name + "'", "%s of type %s%s".formatted(expected, kind.getSimpleName(), known(kind)));
		return this.beanFactory.getBean(name, kind);
	}

	/**
	 * Rejects providers of credentials whose names mean something else.
	 * @throws RpcConfigurationException if there is such a bean
	 */
	public void requireNamesOfCredentials() {
		for (CredentialsProvider each : CHOICES) {
			String name = each.toString();
			if (this.beanFactory.containsBean(name) && this.beanFactory.isTypeMatch(name, CredentialsProvider.class)) {
				throw new RpcConfigurationException(
						"CredentialsProvider bean '%s' (expected: another name, because rpc.client.references.<name>.credentials=%s means no bean)"
							.formatted(name, name),
						"Give the bean another name.");
			}
		}
	}

	/**
	 * Returns a provider of credentials by bean name.
	 * @param name the bean name; {@code none} or {@code default} for a choice without
	 * bean
	 * @return the bean
	 * @throws Options.InvalidOptionException if there is no such bean; its option is
	 * {@code credentials}
	 */
	public CredentialsProvider credentials(String name) {
		return CHOICES.stream()
			.filter((each) -> each.toString().equals(name))
			.findFirst()
			.orElseGet(
					() -> bean("credentials", "none, default, or the name of a bean", CredentialsProvider.class, name));
	}

	/**
	 * Adds the interceptor that finds the caller's token in a security context, if the
	 * application has one.
	 * @param options options of a reference that relays credentials
	 * @return options with {@value #TOKEN_RELAY} as outermost interceptor
	 */
	public ReferenceOptions relaying(ReferenceOptions options) {
		if (!this.beanFactory.containsBean(TOKEN_RELAY)) {
			return options;
		}
		List<RpcClientInterceptor> interceptors = new ArrayList<>();
		interceptors.add(this.beanFactory.getBean(TOKEN_RELAY, RpcClientInterceptor.class));
		interceptors.addAll(options.interceptors());
		return options.withInterceptors(interceptors);
	}

	/**
	 * Returns a fallback by class.
	 * @throws RpcConfigurationException if there is not exactly one bean of the class
	 */
	Supplier<?> fallback(String where, Class<?> type, Class<?> fallback) {
		if (!type.isAssignableFrom(fallback)) {
			throw new RpcConfigurationException(
					"%s = %s (expected: a class that implements %s)".formatted(where, fallback.getName(),
							type.getName()),
					"Let %s implement %s, or name another class.".formatted(fallback.getSimpleName(),
							type.getSimpleName()));
		}
		String name = only(where, fallback);
		return new Fallback(name, type, lookup(name));
	}

	/**
	 * Returns a fallback by bean name.
	 * @param type the interface that it implements
	 * @param name the bean name
	 * @return supplies the bean, which is looked up at the first call
	 * @throws Options.InvalidOptionException if there is no such bean; its option is
	 * {@code fallback}
	 */
	public Supplier<?> fallback(Class<?> type, String name) {
		Options.require(
				!ReferenceDefinitions.isReference(name) && this.beanFactory.containsBean(name) && mayBe(name, type),
				"fallback", "'" + name + "'",
				"the name of a bean that implements %s%s".formatted(type.getName(), known(type)));
		return new Fallback(name, type, lookup(name));
	}

	/**
	 * Returns true if a bean may implement an interface. A {@code @Bean} method may
	 * return more than it declares.
	 */
	private boolean mayBe(String name, Class<?> type) {
		Class<?> declared = this.beanFactory.getType(name, false);
		return declared == null || type.isAssignableFrom(declared) || declared == Object.class;
	}

	private Supplier<?> lookup(String name) {
		Supplier<Object> lookup = () -> this.beanFactory.getBean(name);
		return this.beanFactory.isSingleton(name) ? SingletonSupplier.of(lookup) : lookup;
	}

	private String only(String where, Class<?> type) {
		List<String> names = names(this.beanFactory, type);
		if (names.size() == 1) {
			return names.get(0);
		}
		String found = names.isEmpty() ? "there is none" : "there are " + String.join(", ", names);
		throw new RpcConfigurationException(
				"%s = %s (expected: the class of one bean; %s)".formatted(where, type.getName(), found),
				names.isEmpty()
						? "Declare a bean of type %s, for example with @Component.".formatted(type.getSimpleName())
						: "Name the bean by a property, or name a class that has only one bean.");
	}

	private String known(Class<?> type) {
		List<String> names = names(this.beanFactory, type);
		return names.isEmpty() ? "; there is none" : ": " + String.join(", ", names);
	}

	private static List<String> names(ListableBeanFactory beans, Class<?> type) {
		List<String> names = named(beans, type).toList();
		if (!names.isEmpty() || type.isInterface()
				|| !(beans instanceof ConfigurableListableBeanFactory configurable)) {
			return names;
		}
		// a proxy of the interfaces of the class is no object of the class
		return ClassUtils.getAllInterfacesForClassAsSet(type)
			.stream()
			.flatMap((each) -> named(beans, each))
			.distinct()
			.filter((name) -> isProxyOf(configurable, name, type))
			.toList();
	}

	private static Stream<String> named(ListableBeanFactory beans, Class<?> type) {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false))
			.filter((name) -> !ReferenceDefinitions.isReference(name) && !ScopedProxyUtils.isScopedTarget(name));
	}

	private static boolean isProxyOf(ConfigurableListableBeanFactory beans, String name, Class<?> type) {
		Class<?> target = beans.containsBeanDefinition(name) ? AutoProxyUtils.determineTargetClass(beans, name) : null;
		return target != null && type.isAssignableFrom(target);
	}

	/** Supplies a fallback bean; its text is the bean name. */
	private record Fallback(String name, Class<?> type, Supplier<?> lookup) implements Supplier<Object> {

		@Override
		public Object get() {
			Object bean = this.lookup.get();
			if (!this.type.isInstance(bean)) {
				throw new IllegalStateException("fallback: bean '%s' of %s (expected: a bean that implements %s)"
					.formatted(this.name, bean.getClass().getName(), this.type.getName()));
			}
			return bean;
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
