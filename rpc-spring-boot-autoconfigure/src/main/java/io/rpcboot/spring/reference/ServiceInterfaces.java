package io.rpcboot.spring.reference;

import java.util.Arrays;
import java.util.List;

import org.springframework.util.ClassUtils;

/**
 * Finds the interfaces of a class that may be services.
 *
 * @since 0.1.0
 */
public final class ServiceInterfaces {

	private static final List<String> FOREIGN_PACKAGES = List.of("java.", "javax.", "jakarta.", "kotlin.", "groovy.",
			"org.springframework.", "org.mockito.");

	private ServiceInterfaces() {
	}

	/**
	 * Returns the interfaces that the class or a superclass implements, without those of
	 * Java, Spring and Mockito, and without superinterfaces of others.
	 */
	public static List<Class<?>> of(Class<?> type) {
		List<Class<?>> all = Arrays.stream(ClassUtils.getAllInterfacesForClass(ClassUtils.getUserClass(type)))
			.<Class<?>>map((candidate) -> candidate)
			.filter(ServiceInterfaces::isOwn)
			.toList();
		return all.stream()
			.filter((candidate) -> all.stream().noneMatch((other) -> extendsIt(other, candidate)))
			.toList();
	}

	private static boolean isOwn(Class<?> candidate) {
		return FOREIGN_PACKAGES.stream().noneMatch(candidate.getName()::startsWith);
	}

	private static boolean extendsIt(Class<?> type, Class<?> candidate) {
		return type != candidate && candidate.isAssignableFrom(type);
	}

}
