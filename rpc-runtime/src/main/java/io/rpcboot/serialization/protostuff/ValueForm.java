package io.rpcboot.serialization.protostuff;

import java.util.function.BiFunction;
import java.util.function.Function;

import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * A class of the JDK as a simpler value, for serializers with another layout: what is
 * carried, and what is refused for safety, is the same as for the default serializer.
 * Immutable and thread-safe.
 */
public final class ValueForm {

	/** More than an instance takes without its bytes or its text. */
	private static final int SIZE = 160;

	private final Class<?> type;

	private final Class<?> basis;

	private final boolean isHolder;

	private final Function<Object, @Nullable Object> writer;

	private final BiFunction<@Nullable Object, ReadBudget, Object> reader;

	ValueForm(Class<?> type, Class<?> basis, boolean isHolder, Function<Object, @Nullable Object> writer,
			BiFunction<@Nullable Object, ReadBudget, Object> reader) {
		this.type = type;
		this.basis = basis;
		this.isHolder = isHolder;
		this.writer = writer;
		this.reader = reader;
	}

	/**
	 * The class.
	 * @return a class of the JDK
	 */
	public Class<?> javaType() {
		return this.type;
	}

	/**
	 * The class of the simpler value.
	 * @return one of {@code String}, {@code Boolean}, {@code Integer}, {@code Long},
	 * {@code Double}, {@code byte[]}, {@code int[]} and {@code long[]}
	 */
	public Class<?> basis() {
		return this.basis;
	}

	/**
	 * Whether an instance may hold nothing, as {@code OptionalInt} does.
	 * @return true if {@link #write} can return null and {@link #read} takes it
	 */
	public boolean isHolder() {
		return this.isHolder;
	}

	/**
	 * The simpler value of an instance.
	 * @param value an instance
	 * @return what is written
	 * @throws SerializationException if it cannot be carried
	 */
	public @Nullable Object write(Object value) {
		try {
			return this.writer.apply(value);
		}
		catch (PathException ex) {
			throw failure(ex);
		}
	}

	/**
	 * The instance of a simpler value.
	 * @param value what was written
	 * @param budget of the message
	 * @return the instance
	 * @throws SerializationException if it is not what {@link #write} gives or the budget
	 * is used up
	 */
	public Object read(@Nullable Object value, ReadBudget budget) {
		budget.charge(SIZE);
		try {
			return this.reader.apply(value, budget);
		}
		catch (PathException ex) {
			throw failure(ex);
		}
	}

	static SerializationException failure(PathException failure) {
		return new SerializationException(String.valueOf(failure.getMessage()), failure.getCause());
	}

}
