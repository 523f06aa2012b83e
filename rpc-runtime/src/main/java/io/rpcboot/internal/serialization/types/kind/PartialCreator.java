package io.rpcboot.internal.serialization.types.kind;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Constructor of a class of which the writer has only some fields. A missing field is the
 * default of its parameter in Kotlin, else null or zero. If the constructor refuses that,
 * missing collections, maps, arrays and optionals are empty.
 */
final class PartialCreator extends Creator {

	private final Creator whole;

	/** Fields that the constructor takes and the writer lacks. */
	private final List<StructField> missing;

	/** Constructor with defaults; null if there is none. */
	private final @Nullable MethodHandle defaults;

	/**
	 * Creates a creator.
	 * @param whole linked creator of all fields
	 * @param missing fields that it takes and the writer lacks
	 */
	PartialCreator(Creator whole, List<StructField> missing) {
		super(whole);
		this.whole = whole;
		this.missing = missing;
		this.defaults = whole.defaults();
	}

	@Override
	Object create(@Nullable Object[] values) {
		try {
			return call(values);
		}
		catch (PathException ex) {
			if (!(ex.getCause() instanceof Exception)) {
				throw ex;
			}
			@Nullable Object[] filled = values.clone();
			this.missing.forEach((each) -> filled[each.index()] = empty(each.rawType(), values[each.index()]));
			return Arrays.equals(filled, values) ? refuse(ex) : createWith(filled, ex);
		}
	}

	private Object createWith(@Nullable Object[] values, PathException first) {
		try {
			return call(values);
		}
		catch (PathException ex) {
			return refuse((ex.getCause() instanceof Exception) ? first : ex);
		}
	}

	private Object refuse(PathException failure) {
		if (!(failure.getCause() instanceof Exception)) {
			throw failure;
		}
		String names = this.missing.stream().map((each) -> each.member().name()).collect(Collectors.joining(" and "));
		throw new PathException(
				"the other side has another version of this class, without %s, and the constructor here refuses null or zero for a missing field: %s; accept null there, or update the other side first"
					.formatted(names, failure.getMessage()),
				failure.getCause());
	}

	private Object call(@Nullable Object[] values) {
		if (this.defaults == null) {
			return this.whole.create(values);
		}
		@Nullable Object[] arguments = this.whole.arguments(values);
		int count = arguments.length;
		int masks = (count + Integer.SIZE - 1) / Integer.SIZE;
		int[] absent = new int[masks];
		for (StructField each : this.missing) {
			int parameter = this.whole.parameterOf(each.index());
			absent[parameter / Integer.SIZE] |= 1 << parameter;
		}
		@Nullable Object[] all = Arrays.copyOf(arguments, count + masks + 1);
		Arrays.setAll(absent, (index) -> {
			all[count + index] = absent[index];
			return absent[index];
		});
		return this.whole.invoke(this.defaults, all);
	}

	/** Returns an empty value of a type, or the given one if there is none. */
	private static @Nullable Object empty(Class<?> type, @Nullable Object otherwise) {
		CollectionKind collection = CollectionKind.of(ResolvedType.of(type));
		if (collection != null) {
			return collection.finish(collection.create(false), 0);
		}
		MapKind map = MapKind.of(ResolvedType.of(type));
		if (map != null) {
			return map.create(false);
		}
		if (type.isArray()) {
			return Array.newInstance(type.getComponentType(), 0);
		}
		if (type == Optional.class) {
			return Optional.empty();
		}
		if (type == OptionalInt.class) {
			return OptionalInt.empty();
		}
		if (type == OptionalLong.class) {
			return OptionalLong.empty();
		}
		return (type == OptionalDouble.class) ? OptionalDouble.empty() : otherwise;
	}

}
