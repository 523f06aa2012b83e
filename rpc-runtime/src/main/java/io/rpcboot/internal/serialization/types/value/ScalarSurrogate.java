package io.rpcboot.internal.serialization.types.value;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A class of the JDK as a simpler value. Immutable and thread-safe.
 *
 * @param javaType a class of the JDK
 * @param basis the class of the simpler value, which every format has
 * @param writer gives the simpler value
 * @param reader makes an instance of it
 */
public record ScalarSurrogate(Class<?> javaType, Class<?> basis, Function<Object, Object> writer,
		BiFunction<Object, ReadBudget, @Nullable Object> reader) {

	private static boolean isOpen(Constructor<?> constructor) {
		return (constructor.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
	}

	/**
	 * Create a form. Subclasses of a class that others can extend are refused.
	 * @param basis {@code String}, a box, or an array of {@code byte}, {@code int} or
	 * {@code long}
	 */
	public static <V, B> ScalarSurrogate of(Class<V> type, Class<B> basis, Function<V, B> writer,
			Function<B, V> reader) {
		return charging(type, basis, writer, (value, budget) -> reader.apply(value));
	}

	/**
	 * Create a form of instances that take more than their simpler value and an object,
	 * which the reader charges.
	 */
	static <V, B> ScalarSurrogate charging(Class<V> type, Class<B> basis, Function<V, B> writer,
			BiFunction<B, ReadBudget, V> reader) {
		boolean isExact = !Modifier.isAbstract(type.getModifiers())
				&& Arrays.stream(type.getDeclaredConstructors()).anyMatch(ScalarSurrogate::isOpen);
		return new ScalarSurrogate(type, basis,
				(value) -> writer.apply(type.cast(isExact ? ExactTypes.require(value, type) : value)),
				(value, budget) -> reader.apply(basis.cast(value), budget));
	}

	/** The simpler value of an instance; refuses one that cannot be carried. */
	public Object write(Object value) {
		return this.writer.apply(value);
	}

	/** The instance of a simpler value; refuses one of which there is none. */
	public @Nullable Object read(Object value, ReadBudget budget) {
		return this.reader.apply(value, budget);
	}

}
