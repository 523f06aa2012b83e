package io.rpcboot.serialization.types;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Finds the constructor that takes fields by the names of its parameters.
 */
final class ConstructorFinder {

	private ConstructorFinder() {
	}

	/**
	 * Find the constructor that takes all final fields and nothing unknown; of several
	 * the one that takes most of the extra values, then most fields, then least else.
	 * @param extras names and types of values that are no fields
	 * @param constant which parameters may be null
	 * @return null if there is none
	 */
	static @Nullable Creator byName(Class<?> type, MethodHandles.Lookup lookup, List<FieldDefinition> fields,
			Map<String, Class<?>> extras, Predicate<Parameter> constant) {
		Map<String, Class<?>> known = new HashMap<>(extras);
		fields.forEach((field) -> known.put(field.name(), field.rawType()));
		return Arrays.stream(type.getDeclaredConstructors())
			.filter((each) -> each.getParameterCount() > 0)
			.filter((each) -> !ClassFields.isPlatform(type) || Modifier.isPublic(each.getModifiers()))
			.filter((each) -> takesOnly(each, known, constant) && takesAllFinal(each, fields))
			.max(Comparator.<Constructor<?>>comparingLong((each) -> taken(each, extras))
				.thenComparing((each) -> taken(each, known))
				.thenComparing((each) -> -each.getParameterCount())
				.thenComparing(Constructor::toString))
			.map((each) -> Creator.byName(lookup, each, constant))
			.orElse(null);
	}

	private static boolean takesOnly(Constructor<?> constructor, Map<String, Class<?>> known,
			Predicate<Parameter> constant) {
		return Arrays.stream(constructor.getParameters())
			.allMatch((each) -> each.isNamePresent()
					&& (each.getType() == known.get(each.getName()) || constant.test(each)));
	}

	private static boolean takesAllFinal(Constructor<?> constructor, List<FieldDefinition> fields) {
		List<String> names = Arrays.stream(constructor.getParameters()).map(Parameter::getName).toList();
		return fields.stream().filter(FieldDefinition::isFinal).allMatch((field) -> names.contains(field.name()));
	}

	private static long taken(Constructor<?> constructor, Map<String, Class<?>> values) {
		return Arrays.stream(constructor.getParameters()).filter((each) -> values.containsKey(each.getName())).count();
	}

}
