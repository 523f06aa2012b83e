package io.rpcboot.spring.test;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

/**
 * Which beans a test declares itself: in a {@code @TestConfiguration}, in a class nested
 * in the test class, or with {@code @Import} on the test class.
 */
final class TestBeans {

	private static final String TEST_CONFIGURATION = "org.springframework.boot.test.context.TestConfiguration";

	private final Class<?> testClass;

	private final Set<Class<?>> imported;

	TestBeans(Class<?> testClass) {
		this.testClass = testClass;
		this.imported = TestAnnotations.of(testClass)
			.stream(Import.class)
			.flatMap((each) -> Stream.of(each.getClassArray("value")))
			.collect(Collectors.toUnmodifiableSet());
	}

	boolean declare(ConfigurableListableBeanFactory beanFactory, String name) {
		String declaring = declaringClass(beanFactory.getBeanDefinition(name));
		if (declaring == null || !ClassUtils.isPresent(declaring, beanFactory.getBeanClassLoader())) {
			return false;
		}
		Class<?> type = ClassUtils
			.getUserClass(ClassUtils.resolveClassName(declaring, beanFactory.getBeanClassLoader()));
		for (Class<?> current = type; current != null; current = current.getEnclosingClass()) {
			if (current.isAssignableFrom(this.testClass) || this.imported.contains(current)
					|| TestAnnotations.of(current).isPresent(TEST_CONFIGURATION)) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable String declaringClass(BeanDefinition definition) {
		return (definition instanceof AnnotatedBeanDefinition annotated && annotated.getFactoryMethodMetadata() != null)
				? annotated.getFactoryMethodMetadata().getDeclaringClassName() : definition.getBeanClassName();
	}

}
