package io.rpcboot.spring.test;

import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.reference.RpcReferenceOverrides;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.test.context.bean.override.BeanOverride;

/** Replacements of references in one test. */
final class TestOverrides implements RpcReferenceOverrides {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final ConfigurableListableBeanFactory beanFactory;

	private final Replacements replacements;

	private final TestBeans testBeans;

	/** Beans that Spring adds because there is none to replace, with their types. */
	private final Map<String, Class<?>> added = new TreeMap<>();

	/** Beans and types with a warning; each is logged once. */
	private final Set<String> warnings = ConcurrentHashMap.newKeySet();

	/**
	 * Creates replacements.
	 * @param beanFactory the test's context
	 * @param replacements declared replacements
	 * @param testBeans beans that the test declares
	 */
	TestOverrides(ConfigurableListableBeanFactory beanFactory, Replacements replacements, TestBeans testBeans) {
		this.beanFactory = beanFactory;
		this.replacements = replacements;
		this.testBeans = testBeans;
	}

	@Override
	public Set<Class<?>> testClasses() {
		return this.testBeans.testClasses();
	}

	@Override
	public boolean isReplaced(AnnotatedElement member) {
		return MergedAnnotations.from(member).isPresent(BeanOverride.class);
	}

	@Override
	public @Nullable String beanNameFor(Class<?> type) {
		List<String> candidates = Stream.of(this.beanFactory.getBeanNamesForType(type, true, false))
			.filter((name) -> !name.startsWith(REFERENCE_PREFIX) && isCandidate(name))
			.toList();
		String primary = candidates.stream().filter(this::isPrimary).findFirst().orElse(null);
		if (this.replacements.types().contains(type)) {
			return (primary != null || candidates.isEmpty()) ? primary : candidates.get(0);
		}
		this.added.forEach((name, added) -> warnOfAdded(name, added, type));
		if (primary == null || isService(primary)) {
			return null;
		}
		if (this.testBeans.declare(this.beanFactory, primary)) {
			return primary;
		}
		warnOfPrimary(primary, type);
		return null;
	}

	/**
	 * Returns true for a bean that Spring replaces by type, and not for a fallback bean.
	 */
	private boolean isCandidate(String name) {
		return !this.beanFactory.containsBeanDefinition(name)
				|| !(this.beanFactory.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition)
				|| definition.isDefaultCandidate();
	}

	private boolean isPrimary(String name) {
		return this.beanFactory.containsBeanDefinition(name)
				&& this.beanFactory.getMergedBeanDefinition(name).isPrimary();
	}

	/** Returns true for a service that the test offers, which is called, not injected. */
	private boolean isService(String name) {
		return this.beanFactory.findAnnotationOnBean(name, RpcService.class, false) != null;
	}

	private void warnOfPrimary(String name, Class<?> type) {
		if (this.testBeans.resemble(this.beanFactory, name) && this.warnings.add(name + " " + type.getName())) {
			logger.warn(
					"Primary bean {} replaces no reference to {} (expected: declared in a @TestConfiguration,"
							+ " in a class nested in the test class, or by @Import on the test class)."
							+ " To replace it, declare the bean there, or use @MockitoBean or @TestBean.",
					name, type.getName());
		}
	}

	private void warnOfAdded(String name, Class<?> added, Class<?> type) {
		if (added == type && this.warnings.add(name + " " + type.getName())) {
			logger.warn("The test's bean {} replaces no reference to {} (expected: the name of a reference or of"
					+ " another bean, or no name). Leave the name out to replace every reference, or annotate the"
					+ " field with @RpcReference and the attributes of one.", name, type.getName());
		}
	}

	@Override
	public void check(Set<String> known) {
		for (String reference : this.replacements.references()) {
			Set<String> others = of(type(reference), known);
			if (!others.isEmpty() && !others.contains(reference)) {
				throw unknown(reference, others,
						"Leave @RpcReference out to replace every reference of %s, or give it the attributes of the reference."
							.formatted(type(reference)));
			}
		}
		this.replacements.names().forEach((name, type) -> check(name, type, known));
	}

	private void check(String name, Class<?> type, Set<String> known) {
		Set<String> references = of(type.getName(), known);
		if (references.contains(name) || this.beanFactory.containsBean(name)) {
			return;
		}
		if (name.startsWith(REFERENCE_PREFIX)) {
			if (!references.isEmpty()) {
				throw unknown(name, references,
						"Leave the name out to replace every reference of %s, or give the name of the reference."
							.formatted(type.getName()));
			}
			return;
		}
		this.added.put(name, type);
		if (!references.isEmpty() && !this.replacements.types().contains(type)) {
			warnOfAdded(name, type, type);
		}
	}

	private static RpcConfigurationException unknown(String reference, Set<String> known, String action) {
		return new RpcConfigurationException("The test replaces %s, which the application does not use (expected: %s)"
			.formatted(reference, String.join(" or ", known)), action);
	}

	private static Set<String> of(String type, Set<String> known) {
		Set<String> references = new TreeSet<>(known);
		references.removeIf((name) -> !type(name).equals(type));
		return references;
	}

	private static String type(String reference) {
		return reference.split("[:@#?]")[1];
	}

	/**
	 * Replacements that a test declares with {@code @MockitoBean} and the like.
	 *
	 * @param types interfaces of which every reference is replaced
	 * @param references bean names of single references to replace
	 * @param names bean names to replace or add, with their interfaces
	 */
	record Replacements(Set<Class<?>> types, Set<String> references, Map<String, Class<?>> names) {

		Replacements {
			types = Set.copyOf(types);
			references = Set.copyOf(references);
			names = Map.copyOf(names);
		}

	}

}
