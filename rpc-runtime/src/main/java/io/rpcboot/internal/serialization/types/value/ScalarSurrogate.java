package io.rpcboot.internal.serialization.types.value;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Conversion between a class and a simpler value. Immutable and thread-safe.
 *
 * @param javaType the class
 * @param basis class of the simpler value, which every format supports
 * @param writer returns the simpler value of an instance
 * @param reader returns the instance of a simpler value
 */
public record ScalarSurrogate(Class<?> javaType, Class<?> basis, Function<Object, Object> writer,
		BiFunction<Object, ReadBudget, @Nullable Object> reader) {

	private static boolean isOpen(Constructor<?> constructor) {
		return (constructor.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
	}

	/**
	 * Creates a conversion. Subclasses of a class that applications can extend are
	 * refused.
	 * @param basis {@code String}, a box, or an array of {@code byte}, {@code int} or
	 * {@code long}
	 */
	public static <V, B> ScalarSurrogate of(Class<V> type, Class<B> basis, Function<V, B> writer,
			Function<B, V> reader) {
		return charging(type, basis, writer, (value, budget) -> reader.apply(value));
	}

	/**
	 * Creates a conversion whose reader charges the read budget, because instances are
	 * larger than their simpler value and an object.
	 */
	static <V, B> ScalarSurrogate charging(Class<V> type, Class<B> basis, Function<V, B> writer,
			BiFunction<B, ReadBudget, V> reader) {
		boolean isExact = !Modifier.isAbstract(type.getModifiers())
				&& Arrays.stream(type.getDeclaredConstructors()).anyMatch(ScalarSurrogate::isOpen);
		return new ScalarSurrogate(type, basis,
				(value) -> writer.apply(type.cast(isExact ? ExactTypes.require(value, type) : value)),
				(value, budget) -> reader.apply(basis.cast(value), budget));
	}

	/**
	 * Returns the simpler value of an instance. Refuses an instance that cannot be
	 * carried.
	 */
	public Object write(Object value) {
		return this.writer.apply(value);
	}

	/** Returns the instance of a simpler value. Refuses a value without one. */
	public @Nullable Object read(Object value, ReadBudget budget) {
		return this.reader.apply(value, budget);
	}

}
