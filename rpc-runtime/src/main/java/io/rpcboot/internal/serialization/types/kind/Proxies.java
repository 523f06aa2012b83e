package io.rpcboot.internal.serialization.types.kind;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Instances of classes without a source: proxies, mocks and anonymous classes. Libraries
 * are recognized by name, because most applications lack most of them. Writers only.
 */
public final class Proxies {

	private static final String HIBERNATE = "org.hibernate.proxy.HibernateProxy";

	private static final String SPRING = "org.springframework.aop.SpringProxy";

	/** Parts of the names that code generators give to classes. */
	private static final List<String> GENERATED = List.of("$$", "$HibernateProxy", "$MockitoMock$", "$ByteBuddy$");

	private Proxies() {
	}

	/**
	 * Returns the entity of a proxy of Hibernate, any other value itself. Refuses a proxy
	 * whose entity is not loaded.
	 */
	static Object unwrap(Object value) {
		Class<?> proxy = findInterface(value.getClass(), HIBERNATE);
		if (proxy == null) {
			return value;
		}
		try {
			Method getter = proxy.getMethod("getHibernateLazyInitializer");
			Class<?> type = getter.getReturnType();
			Object initializer = getter.invoke(value);
			if (Boolean.TRUE.equals(type.getMethod("isUninitialized").invoke(initializer))) {
				throw new PathException(
						"a proxy of Hibernate that is not loaded (expected: a loaded entity); call Hibernate.initialize for it, or fetch it in the query");
			}
			return type.getMethod("getImplementation").invoke(initializer);
		}
		catch (ReflectiveOperationException ex) {
			throw new PathException("a proxy of Hibernate (expected: an entity); send Hibernate.unproxy of it", ex);
		}
	}

	private static @Nullable Class<?> findInterface(@Nullable Class<?> type, String name) {
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			for (Class<?> candidate : each.getInterfaces()) {
				Class<?> found = candidate.getName().equals(name) ? candidate : findInterface(candidate, name);
				if (found != null) {
					return found;
				}
			}
		}
		return null;
	}

	/**
	 * Returns the class as which an instance is carried: its nearest superclass that has
	 * a source, if the classes below hold no data.
	 */
	public static Class<?> carriedClass(Object value) {
		Class<?> type = unwrap(value).getClass();
		while (isGenerated(type) && hasNoData(type) && type.getSuperclass() != Object.class) {
			type = type.getSuperclass();
		}
		return type;
	}

	private static boolean isGenerated(Class<?> type) {
		return type.isAnonymousClass() || type.isSynthetic() || type.isHidden() || Proxy.isProxyClass(type)
				|| GENERATED.stream().anyMatch(type.getName()::contains);
	}

	private static boolean hasNoData(Class<?> type) {
		return Arrays.stream(type.getDeclaredFields()).noneMatch(Proxies::isData);
	}

	private static boolean isData(Field field) {
		return (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0 && !field.isSynthetic();
	}

	/**
	 * Returns what to do about an instance whose class no option can name.
	 * @return null for a class that has a source
	 */
	public static @Nullable String remedy(Class<?> type, String declared) {
		if (!isGenerated(type)) {
			return null;
		}
		String name = declared.substring(declared.lastIndexOf('.') + 1);
		if (findInterface(type, SPRING) != null || type.getName().contains("$$SpringCGLIB$$")) {
			return "a proxy of Spring; send a %s with its data, such as AopProxyUtils.getSingletonTarget of it"
				.formatted(name);
		}
		if (type.getName().contains("$MockitoMock$")) {
			return "a mock; let the test return a %s that was made by its constructor".formatted(name);
		}
		return type.isAnonymousClass() ? "an anonymous class with fields of its own; send a %s".formatted(name)
				: "a class that a library has made at run time; copy its data into a new %s".formatted(name);
	}

}
