package io.rpcboot.serialization.zoo;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.rpcboot.serialization.Serializer;

/**
 * One type of the zoo.
 *
 * @param type as Java source, with the imports of {@link ZooServices}
 * @param values what a {@link Serializer} that carries the type must bring back; null is
 * added for every type but the primitive ones
 * @param state what must be equal
 */
public record ZooRow(String type, List<Object> values, Function<Object, Object> state) {

	/** A row whose values are compared by {@code equals}, arrays by what they hold. */
	static ZooRow row(String type, Object... values) {
		return new ZooRow(type, Arrays.asList(values), ZooRow::state);
	}

	/** A row whose values have no {@code equals} that tells enough. */
	@SafeVarargs
	@SuppressWarnings({ "unchecked", "varargs" })
	static <T> ZooRow rowBy(Function<? super T, Object> state, String type, T... values) {
		return new ZooRow(type, List.copyOf(Arrays.asList(values)),
				(value) -> (value != null) ? state(state.apply((T) value)) : null);
	}

	private static Object state(Object value) {
		if (value == null) {
			return null;
		}
		if (value.getClass().isArray()) {
			List<Object> elements = IntStream.range(0, Array.getLength(value))
				.mapToObj((index) -> state(Array.get(value, index)))
				.collect(ArrayList::new, List::add, List::addAll);
			return Arrays.asList(value.getClass(), elements);
		}
		if (value instanceof SortedSet<?> sorted) {
			return List.of(order(sorted.comparator()), new ArrayList<>(sorted));
		}
		if (value instanceof SortedMap<?, ?> sorted) {
			return List.of(order(sorted.comparator()), new ArrayList<>(sorted.entrySet()));
		}
		return value;
	}

	/** The order of something sorted. */
	static String order(Comparator<?> comparator) {
		if (comparator == null || comparator == Comparator.naturalOrder()) {
			return "natural";
		}
		return (comparator == Collections.reverseOrder()) ? "reversed" : comparator.toString();
	}

	@Override
	public String toString() {
		return this.type;
	}

}
