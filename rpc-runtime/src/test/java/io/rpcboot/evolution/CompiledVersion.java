package io.rpcboot.evolution;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.rpcboot.ServiceDescriptor;

/**
 * One version of a service: the interface {@code evolution.Api} with all its types,
 * compiled into a class loader of its own.
 */
public final class CompiledVersion {

	/** The method that every version has unchanged. */
	public static final String UNTOUCHED = "untouched";

	private static final String METHOD = "exchange";

	private static final String HEADER = """
			package evolution;
			import java.util.*;
			import io.rpcboot.*;
			import io.protostuff.Tag;
			public interface Api {
				int untouched(int number);
			""";

	private final Class<?> service;

	private CompiledVersion(Class<?> service) {
		this.service = service;
	}

	/**
	 * Compile a version.
	 * @param body what stands in the interface: types, and a method {@code exchange}
	 * unless it is {@code User exchange(User value)}, and a static {@code Object value()}
	 * unless it is {@code new User()}
	 * @return the version
	 */
	public static CompiledVersion of(String body) {
		StringBuilder source = new StringBuilder(HEADER).append(body).append('\n');
		if (!body.contains(METHOD)) {
			source.append("\tUser exchange(User value);\n");
		}
		if (!body.contains("static Object value()")) {
			source.append("\tstatic Object value() { return new User(); }\n");
		}
		Map<String, byte[]> classes = InMemoryCompiler.compile("evolution.Api", source.append("}\n").toString());
		try {
			return new CompiledVersion(new Loader(classes).loadClass("evolution.Api"));
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The interface.
	 * @return a class of the version's own loader
	 */
	public Class<?> service() {
		return this.service;
	}

	/**
	 * The service.
	 * @return its description
	 */
	public ServiceDescriptor descriptor() {
		return ServiceDescriptor.of(this.service);
	}

	/**
	 * The method that the row is about: the one named {@code exchange}, else the one that
	 * changed its name; of overloads the one that takes {@link #value()}.
	 * @return the method
	 */
	public Method method() {
		List<Method> candidates = Arrays.stream(this.service.getMethods())
			.filter((each) -> !Modifier.isStatic(each.getModifiers()) && !each.getName().equals(UNTOUCHED))
			.toList();
		return candidates.stream()
			.filter((each) -> each.getName().equals(METHOD) && takes(each, value()))
			.findFirst()
			.orElseGet(() -> candidates.get(0));
	}

	private static boolean takes(Method method, Object value) {
		if (method.getParameterCount() != 1) {
			return method.getParameterCount() == 0;
		}
		Class<?> parameter = method.getParameterTypes()[0];
		return parameter.isPrimitive() ? value instanceof Number : value == null || parameter.isInstance(value);
	}

	/**
	 * What this version sends: as argument, if the method has a parameter, and as result,
	 * or to be thrown if it is an exception.
	 * @return a new object each time
	 */
	public Object value() {
		try {
			return this.service.getMethod("value").invoke(null);
		}
		catch (InvocationTargetException | IllegalAccessException | NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Defines the classes of one version. */
	private static final class Loader extends ClassLoader {

		private final Map<String, byte[]> classes;

		Loader(Map<String, byte[]> classes) {
			super(CompiledVersion.class.getClassLoader());
			this.classes = classes;
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			byte[] bytes = this.classes.get(name);
			if (bytes == null) {
				throw new ClassNotFoundException(name);
			}
			return defineClass(name, bytes, 0, bytes.length);
		}

	}

}
