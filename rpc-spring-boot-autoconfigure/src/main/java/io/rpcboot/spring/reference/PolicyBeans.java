package io.rpcboot.spring.reference;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.transport.Options;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.function.SingletonSupplier;

/**
 * The interceptors and fallbacks of single references and services: beans, which
 * attributes name by class and properties by name.
 */
public final class PolicyBeans {

	private static final String INTERCEPTOR = "rpcInterceptor:";

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Look for beans.
	 * @param beanFactory where they are, or in its parents
	 */
	public PolicyBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Declare a bean for each class that has none, so that ahead-of-time processing sees
	 * it. It is no candidate for injection, and stands around nothing else.
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
	 * Interceptors by class: the bean of each, or one that is made here.
	 * @param where which attribute of what names them
	 * @throws RpcConfigurationException if a class has several beans, or cannot have one
	 */
	public <T> List<T> interceptors(String where, Class<T> kind, List<Class<?>> classes) {
		if (this.beanFactory instanceof BeanDefinitionRegistry registry) {
			declare(registry, classes);
		}
		return classes.stream().map((each) -> kind.cast(this.beanFactory.getBean(only(where, each)))).toList();
	}

	/**
	 * Interceptors by the names of their beans.
	 * @param kind the type of interceptors
	 * @param names the names
	 * @param <T> the type of interceptors
	 * @return in the same order
	 * @throws Options.InvalidOptionException if there is no such bean; its option is
	 * {@code interceptors}
	 */
	public <T> List<T> interceptors(Class<T> kind, List<String> names) {
		return names.stream().map((name) -> {
			Options.require(this.beanFactory.containsBean(name) && this.beanFactory.isTypeMatch(name, kind),
					"interceptors", "'" + name + "'",
					"names of beans of type %s%s".formatted(kind.getSimpleName(), known(kind)));
			return this.beanFactory.getBean(name, kind);
		}).toList();
	}

	/**
	 * A fallback by class.
	 * @throws RpcConfigurationException if there is not exactly one bean of it
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
	 * A fallback by the name of its bean.
	 * @param type the interface that it implements
	 * @param name the name
	 * @return gives the bean, which is not looked up before
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
	 * Unless another class was declared; what a method makes may be more than it says.
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
						: "Name the bean that is meant in a property, or name a class that only it has.");
	}

	private String known(Class<?> type) {
		List<String> names = names(this.beanFactory, type);
		return names.isEmpty() ? "; there is none" : ": " + String.join(", ", names);
	}

	private static List<String> names(ListableBeanFactory beans, Class<?> type) {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false))
			.filter((name) -> !ReferenceDefinitions.isReference(name) && !ScopedProxyUtils.isScopedTarget(name))
			.toList();
	}

	/** Its text is the name of the bean. */
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
