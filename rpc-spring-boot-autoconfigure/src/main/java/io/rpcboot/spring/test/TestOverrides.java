package io.rpcboot.spring.test;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.spring.RpcReferenceOverrides;
import io.rpcboot.spring.RpcService;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** What one test puts in the place of references. */
final class TestOverrides implements RpcReferenceOverrides {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Set<Class<?>> types;

	private final Set<String> references;

	private final TestBeans testBeans;

	/**
	 * Create overrides.
	 * @param beanFactory of the test's context
	 * @param types interfaces of which every reference is replaced
	 * @param references bean names of the references that are replaced one by one
	 * @param testBeans knows which beans the test declares
	 */
	TestOverrides(ConfigurableListableBeanFactory beanFactory, Set<Class<?>> types, Set<String> references,
			TestBeans testBeans) {
		this.beanFactory = beanFactory;
		this.types = types;
		this.references = references;
		this.testBeans = testBeans;
	}

	@Override
	public @Nullable String beanNameFor(Class<?> type) {
		List<String> candidates = Stream.of(this.beanFactory.getBeanNamesForType(type, true, false))
			.filter((name) -> !name.startsWith(REFERENCE_PREFIX))
			.toList();
		String primary = candidates.stream().filter(this::isPrimary).findFirst().orElse(null);
		if (this.types.contains(type)) {
			return (primary != null || candidates.isEmpty()) ? primary : candidates.get(0);
		}
		return (primary != null && isReplacement(primary)) ? primary : null;
	}

	private boolean isPrimary(String name) {
		return this.beanFactory.containsBeanDefinition(name)
				&& this.beanFactory.getMergedBeanDefinition(name).isPrimary();
	}

	/** A service that the test offers is called, not injected. */
	private boolean isReplacement(String name) {
		return this.testBeans.declare(this.beanFactory, name)
				&& this.beanFactory.findAnnotationOnBean(name, RpcService.class, false) == null;
	}

	@Override
	public void check(Set<String> known) {
		for (String reference : this.references) {
			String type = reference.split("[:@#?]")[1];
			List<String> others = known.stream()
				.filter((name) -> name.split("[:@#?]")[1].equals(type))
				.sorted()
				.toList();
			if (!others.isEmpty() && !others.contains(reference)) {
				throw new RpcConfigurationException(
						"The test replaces %s, which the application does not use (expected: %s)".formatted(reference,
								String.join(" or ", others)),
						"Leave @RpcReference out to replace every reference of %s, or give it the attributes of the reference."
							.formatted(type));
			}
		}
	}

}
