package io.rpcboot.spring.reference;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The references of a context and of its parents, as far as they are known: those that
 * bean classes ask for, and those of beans that have been created. Looking at them
 * connects nothing.
 */
public final class RpcReferences {

	private static final String SPRING = "org.springframework.";

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Look at the references of a context.
	 * @param beanFactory the beans of the context
	 */
	public RpcReferences(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * The references that are known now.
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
	 * The references that the client has made, with what is in force for them.
	 * @param service the identity of their service
	 * @return one for each distinct reference; each was made once
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
	 * The beans of the references to an interface. Creates no bean, so a context that has
	 * failed may be asked, too.
	 * @param type the interface
	 * @return the names of the beans
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
	 * Whether a bean of this context that is created later may ask for a reference that
	 * is not known now, because its class is not known: it is lazy or not a singleton,
	 * and is declared as an interface, an abstract class or {@code Object}. Beans that
	 * Spring itself declares ask for none.
	 * @return false if all references of this context's beans are known
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
			// not known, as if it were declared as Object
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
	 * What is known of a reference.
	 *
	 * @param type the interface
	 * @param name the name in properties, empty for none
	 * @param version the version that its annotation says, empty for none
	 * @param group the group that its annotation says, empty for none
	 */
	public record Declared(Class<?> type, String name, String version, String group) {
	}

	/**
	 * A reference that the client has made.
	 *
	 * @param name the name of its bean
	 * @param service the identity that is in force
	 * @param type the interface
	 * @param values what differs from the client, by option as properties call it
	 * @param origins where these were said, by option
	 */
	public record Made(String name, ServiceId service, Class<?> type, Map<String, Object> values,
			Map<String, String> origins) {
	}

}
