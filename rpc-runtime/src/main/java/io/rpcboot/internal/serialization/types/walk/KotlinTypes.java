package io.rpcboot.internal.serialization.types.walk;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.internal.serialization.types.kind.Creator;
import org.jspecify.annotations.Nullable;

/**
 * Classes of Kotlin's standard library, which is compiled without the names of
 * parameters. They are known by name, because most applications lack them.
 */
final class KotlinTypes {

	private static final List<String> ENDS = List.of("first", "last");

	private static final List<String> DATA = List.of("data");

	/** Fields that the constructor takes, in the order of its parameters. */
	private static final Map<String, List<String>> PARAMETERS = Map.ofEntries(
			Map.entry("kotlin.Pair", List.of("first", "second")),
			Map.entry("kotlin.Triple", List.of("first", "second", "third")),
			Map.entry("kotlin.collections.IndexedValue", List.of("index", "value")),
			Map.entry("kotlin.ranges.IntRange", ENDS), Map.entry("kotlin.ranges.LongRange", ENDS),
			Map.entry("kotlin.ranges.CharRange", ENDS), Map.entry("kotlin.ranges.UIntRange", ENDS),
			Map.entry("kotlin.ranges.ULongRange", ENDS), Map.entry("kotlin.UByte", DATA),
			Map.entry("kotlin.UShort", DATA), Map.entry("kotlin.UInt", DATA), Map.entry("kotlin.ULong", DATA),
			Map.entry("kotlin.time.Instant", List.of("epochSeconds", "nanosecondsOfSecond")),
			Map.entry("kotlin.uuid.Uuid", List.of("mostSignificantBits", "leastSignificantBits")));

	private KotlinTypes() {
	}

	/** Returns true if a class was compiled by Kotlin. */
	static boolean isKotlin(Class<?> type) {
		return Arrays.stream(type.getAnnotations())
			.anyMatch((each) -> each.annotationType().getName().equals("kotlin.Metadata"));
	}

	/** Finds the constructor of a class of the standard library; null for any other. */
	static @Nullable Creator creator(Class<?> type, MethodHandles.Lookup lookup, List<FieldDefinition> fields) {
		List<String> names = PARAMETERS.get(type.getName());
		if (names == null) {
			return null;
		}
		Map<String, Class<?>> types = new HashMap<>();
		fields.forEach((each) -> types.put(each.name(), each.rawType()));
		Class<?>[] parameters = names.stream().map(types::get).toArray(Class<?>[]::new);
		for (Constructor<?> each : type.getDeclaredConstructors()) {
			if (Arrays.equals(each.getParameterTypes(), parameters)) {
				return new Creator(lookup, each, names.toArray(String[]::new));
			}
		}
		return null;
	}

}
