package io.rpcboot.spring.reference;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;

/**
 * References of a context and of its parents, as far as they are known: those in known
 * bean classes, and those of created beans. Reading them connects nothing.
 *
 * @since 0.1.0
 */
public final class RpcReferences {

	private static final String SPRING = "org.springframework.";

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates a view.
	 * @param beanFactory the context
	 */
	public RpcReferences(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns the references that are known now.
	 * @return one for each distinct reference
	 */
	public Set<Declared> declared() {
		Set<Declared> declared = new LinkedHashSet<>();
		forEachContext((each) -> {
			for (String name : each.getBeanNamesForType(RpcReferenceFactoryBean.class, true, false)) {
				RpcReferenceFactoryBean<?> reference = each.getBean(name, RpcReferenceFactoryBean.class);
				declared.add(reference.declared());
			}
		});
		return declared;
	}

	/**
	 * Returns true if a known reference has TLS of its own.
	 * @return true if at least one has
	 */
	public boolean haveTls() {
		List<RpcReferenceFactoryBean<?>> known = new ArrayList<>();
		forEachContext((each) -> {
			for (String name : each.getBeanNamesForType(RpcReferenceFactoryBean.class, true, false)) {
				known.add(each.getBean(name, RpcReferenceFactoryBean.class));
			}
		});
		return known.stream().anyMatch(RpcReferenceFactoryBean::hasTls);
	}

	/**
	 * Returns the references that the client has created, with their effective options.
	 * @param service the identity of the service
	 * @return one for each distinct reference
	 */
	public List<Made> made(String service) {
		List<Made> result = new ArrayList<>();
		forEachContext((each) -> {
			for (String name : each.getBeanNamesForType(RpcReferenceFactoryBean.class, true, false)) {
				Made made = each.getBean(name, RpcReferenceFactoryBean.class).made();
				if (made != null && made.service().toString().equals(service)) {
					result.add(made);
				}
			}
		});
		return result;
	}

	/**
	 * Computes the options of the references of this context again that the client has
	 * created.
	 * @param change applies the options, by reference of the client, or throws an
	 * exception; then reports keep the former ones
	 */
	public void reconfigure(Consumer<Map<Object, ReferenceOptions>> change) {
		Map<Object, ReferenceOptions> options = new HashMap<>();
		List<Runnable> published = new ArrayList<>();
		for (String name : this.beanFactory.getBeanNamesForType(RpcReferenceFactoryBean.class, true, false)) {
			RpcReferenceFactoryBean<?> each = this.beanFactory.getBean(name, RpcReferenceFactoryBean.class);
			published.add(each.reconfigure(options::put));
		}
		change.accept(options);
		published.forEach(Runnable::run);
	}

	/**
	 * Creates the references of a class that is no bean, so that they connect before
	 * their first call. Replaced references are left out.
	 * @param type a class of a test
	 * @throws io.rpcboot.RpcConfigurationException if a reference is not usable
	 */
	public void connect(Class<?> type) {
		RpcReferenceOverrides overrides = RpcReferenceOverrides.of(this.beanFactory);
		if (overrides == null || !(this.beanFactory instanceof BeanDefinitionRegistry registry)) {
			return;
		}
		ReferencePoint.in(type, overrides::isReplaced).forEach((key, where) -> {
			String name = BeanFactory.FACTORY_BEAN_PREFIX + ReferenceDefinitions.register(registry, key, where);
			if (overrides.beanNameFor(key.type()) == null && this.beanFactory.containsBean(name)
					&& this.beanFactory.getBean(name) instanceof RpcReferenceFactoryBean<?> reference) {
				reference.connect();
			}
		});
	}

	/**
	 * Returns the bean names of the references to an interface. Creates no bean, so it
	 * works for a context that failed.
	 * @param type the interface
	 * @return the bean names
	 */
	public List<String> beanNames(Class<?> type) {
		String prefix = ReferenceKey.BEAN_NAME_PREFIX + type.getName();
		List<String> names = new ArrayList<>();
		forEachContext((each) -> Arrays.stream(each.getBeanDefinitionNames())
			.filter((name) -> name.startsWith(prefix) && ":@#?".contains(first(name.substring(prefix.length()))))
			.filter((name) -> ReferenceDefinitions.isReference(each.getBeanDefinition(name)))
			.forEach(names::add));
		return names;
	}

	private static String first(String rest) {
		return rest.isEmpty() ? "" : rest.substring(0, 1);
	}

	/**
	 * Returns true if a bean that is created later may have a reference that is not known
	 * yet, because its class is not known: the bean is lazy or not a singleton, and
	 * declared as an interface, an abstract class or {@code Object}. Beans that Spring
	 * itself declares have no references.
	 * @return false if all references of this context are known
	 */
	public boolean mayComeLater() {
		return Arrays.stream(this.beanFactory.getBeanDefinitionNames())
			.anyMatch((name) -> !this.beanFactory.containsSingleton(name)
					&& isHidden(name, this.beanFactory.getMergedBeanDefinition(name)));
	}

	private boolean isHidden(String name, BeanDefinition definition) {
		if (definition.isAbstract() || ReferenceDefinitions.isReference(definition) || isOfSpring(definition)) {
			return false;
		}
		Class<?> type = type(name);
		return type == null || type == Object.class || Modifier.isAbstract(type.getModifiers());
	}

	private boolean isOfSpring(BeanDefinition definition) {
		String owner = definition.getFactoryBeanName();
		Class<?> type = (owner != null) ? type(owner) : null;
		String name = (type != null) ? type.getName() : definition.getBeanClassName();
		return name != null && name.startsWith(SPRING);
	}

	private @Nullable Class<?> type(String name) {
		try {
			return this.beanFactory.getType(name, false);
		}
		catch (RuntimeException | LinkageError ignored) {
			// unknown, like a bean that is declared as Object
			return null;
		}
	}

	private void forEachContext(Consumer<ConfigurableListableBeanFactory> action) {
		BeanFactory next = this.beanFactory;
		while (next instanceof ConfigurableListableBeanFactory each) {
			action.accept(each);
			next = each.getParentBeanFactory();
		}
	}

	/**
	 * A reference as its annotation declares it.
	 *
	 * @param type the interface
	 * @param name the name in properties, empty for none
	 * @param version the declared version, empty for none
	 * @param group the declared group, empty for none
	 */
	public record Declared(Class<?> type, String name, String version, String group) {
	}

	/**
	 * A reference that the client has created.
	 *
	 * @param name the bean name
	 * @param service the effective identity
	 * @param contract supplies the contract, with the values of its annotations
	 * @param values options that differ from the client, named as in properties
	 * @param origins sources of these values, by option
	 */
	public record Made(String name, ServiceId service, Supplier<ServiceDescriptor> contract, Map<String, Object> values,
			Map<String, String> origins) {
	}

}
