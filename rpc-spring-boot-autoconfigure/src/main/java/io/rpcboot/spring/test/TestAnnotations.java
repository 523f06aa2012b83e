package io.rpcboot.spring.test;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Finds annotations of tests like Spring: inherited ones and those of enclosing classes.
 */
final class TestAnnotations {

	private TestAnnotations() {
	}

	/** Returns true for a test on the ports of the application. */
	static boolean definesPort(Class<?> testClass) {
		return of(testClass).get("org.springframework.boot.test.context.SpringBootTest")
			.getValue("webEnvironment")
			.filter((environment) -> environment.toString().equals("DEFINED_PORT"))
			.isPresent();
	}

	static MergedAnnotations of(Class<?> type) {
		return MergedAnnotations.search(SearchStrategy.TYPE_HIERARCHY)
			.withEnclosingClasses(TestContextAnnotationUtils::searchEnclosingClass)
			.from(type);
	}

}
