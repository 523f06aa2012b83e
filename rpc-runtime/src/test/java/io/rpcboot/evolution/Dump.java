package io.rpcboot.evolution;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rpcboot.serialization.UndeclaredException;

/**
 * A graph of objects as text, field by field with types: {@code User{id=1, name='Ann'}}.
 * A {@code long} has the suffix L and so on; a list is {@code [1, 2]} and any other kind
 * of collection has its class before it.
 */
public final class Dump {

	private static final Map<Class<?>, String> SUFFIXES = Map.of(Long.class, "L", Short.class, "s", Byte.class, "b",
			Float.class, "f", Double.class, "d");

	private Dump() {
	}

	/**
	 * Write down a graph.
	 * @param value any value or exception
	 * @return the text
	 */
	public static String of(Object value) {
		if (value == null || value instanceof Enum<?> || value instanceof Boolean) {
			return String.valueOf(value);
		}
		if (value instanceof CharSequence || value instanceof Character) {
			return "'" + value + "'";
		}
		if (value instanceof Number) {
			return value + SUFFIXES.getOrDefault(value.getClass(), "");
		}
		if (value instanceof Optional<?> optional) {
			return "Optional[" + optional.map(Dump::of).orElse("") + "]";
		}
		if (value instanceof Collection<?> collection) {
			return kind(collection, ArrayList.class)
					+ collection.stream().map(Dump::of).collect(Collectors.joining(", ", "[", "]"));
		}
		if (value instanceof Map<?, ?> map) {
			return kind(map, LinkedHashMap.class) + map.entrySet()
				.stream()
				.map((each) -> of(each.getKey()) + "=" + of(each.getValue()))
				.collect(Collectors.joining(", ", "{", "}"));
		}
		if (value.getClass().isArray()) {
			return value.getClass().getComponentType().getSimpleName() + IntStream.range(0, Array.getLength(value))
				.mapToObj((index) -> of(Array.get(value, index)))
				.collect(Collectors.joining(", ", "[", "]"));
		}
		if (value instanceof UndeclaredException undeclared) {
			return "undeclared %s: %s".formatted(undeclared.type(),
					Objects.requireNonNullElse(undeclared.getMessage(), "without a message"));
		}
		return value.getClass().getName().startsWith("java.") ? value.toString() : fields(value);
	}

	private static String kind(Object value, Class<?> usual) {
		return (value.getClass() == usual) ? "" : value.getClass().getSimpleName();
	}

	private static String fields(Object value) {
		List<String> fields = new ArrayList<>();
		if (value instanceof Throwable thrown) {
			fields.add("message=" + of(thrown.getMessage()));
		}
		Deque<Class<?>> hierarchy = new ArrayDeque<>();
		for (Class<?> each = value.getClass(); !each.getName().startsWith("java."); each = each.getSuperclass()) {
			hierarchy.push(each);
		}
		for (Class<?> each : hierarchy) {
			for (Field field : each.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
					fields.add(field.getName() + "=" + of(get(field, value)));
				}
			}
		}
		return fields.stream().collect(Collectors.joining(", ", value.getClass().getSimpleName() + "{", "}"));
	}

	private static Object get(Field field, Object instance) {
		try {
			field.setAccessible(true);
			return field.get(instance);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
