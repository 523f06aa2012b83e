package io.rpcboot.spring.test;

import java.net.URL;
import java.security.CodeSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Beans that a test declares itself: in a {@code @TestConfiguration}, in a class nested
 * in the test class, or by {@code @Import} on the test class.
 */
final class TestBeans {

	private static final String TEST_CONFIGURATION = "org.springframework.boot.test.context.TestConfiguration";

	private static final String APPLICATION = "org.springframework.boot.SpringBootConfiguration";

	private final Class<?> testClass;

	private final Set<Class<?>> imported;

	private final Set<Class<?>> listed;

	/**
	 * Creates a view.
	 * @param testClass the test
	 * @param listed the classes of its context
	 */
	TestBeans(Class<?> testClass, Set<Class<?>> listed) {
		this.testClass = testClass;
		this.listed = listed;
		this.imported = TestAnnotations.of(testClass)
			.stream(Import.class)
			.flatMap((each) -> Stream.of(each.getClassArray("value")))
			.collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Returns the test class, the classes around it, and the nested tests inside of all
	 * of them.
	 */
	Set<Class<?>> testClasses() {
		Set<Class<?>> classes = new LinkedHashSet<>();
		Class<?> outermost = this.testClass;
		while (TestContextAnnotationUtils.searchEnclosingClass(outermost)) {
			outermost = outermost.getEnclosingClass();
		}
		addWithInner(outermost, classes);
		return classes;
	}

	private static void addWithInner(Class<?> type, Set<Class<?>> classes) {
		classes.add(type);
		for (Class<?> each : type.getDeclaredClasses()) {
			if (ClassUtils.isInnerClass(each)) {
				addWithInner(each, classes);
			}
		}
	}

	boolean declare(ConfigurableListableBeanFactory beanFactory, String name) {
		for (Class<?> type = declaringType(beanFactory, name); type != null; type = type.getEnclosingClass()) {
			if (type.isAssignableFrom(this.testClass) || this.imported.contains(type)
					|| TestAnnotations.of(type).isPresent(TEST_CONFIGURATION)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns true if a bean may be intended as one of the test, although it is not
	 * declared as such: its class is in the folder of the test, or is listed in addition
	 * to an application in another folder.
	 */
	boolean resemble(ConfigurableListableBeanFactory beanFactory, String name) {
		Class<?> declaring = declaringType(beanFactory, name);
		if (declaring == null) {
			return false;
		}
		List<Class<?>> applications = this.listed.stream().filter(TestBeans::isApplication).toList();
		return isBeside(declaring, this.testClass) || (this.listed.contains(declaring) && !applications.isEmpty()
				&& applications.stream().noneMatch((each) -> isBeside(declaring, each)));
	}

	private static boolean isApplication(Class<?> type) {
		return MergedAnnotations.from(type).isPresent(APPLICATION);
	}

	private static boolean isBeside(Class<?> type, Class<?> other) {
		return Objects.equals(place(type), place(other));
	}

	/** Returns the folder or jar of a class, null for none. */
	private static @Nullable URL place(Class<?> type) {
		CodeSource source = type.getProtectionDomain().getCodeSource();
		return (source != null) ? source.getLocation() : null;
	}

	private static @Nullable Class<?> declaringType(ConfigurableListableBeanFactory beanFactory, String name) {
		String declaring = declaringClass(beanFactory.getBeanDefinition(name));
		return (declaring == null || !ClassUtils.isPresent(declaring, beanFactory.getBeanClassLoader())) ? null
				: ClassUtils.getUserClass(ClassUtils.resolveClassName(declaring, beanFactory.getBeanClassLoader()));
	}

	private static @Nullable String declaringClass(BeanDefinition definition) {
		return (definition instanceof AnnotatedBeanDefinition annotated && annotated.getFactoryMethodMetadata() != null)
				? annotated.getFactoryMethodMetadata().getDeclaringClassName() : definition.getBeanClassName();
	}

}
