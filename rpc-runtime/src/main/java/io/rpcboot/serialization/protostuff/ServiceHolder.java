package io.rpcboot.serialization.protostuff;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.rpcboot.serialization.SerializationException;

import org.jspecify.annotations.Nullable;

/**
 * A class of the JDK that holds one value of any type, or none.
 */
public enum ServiceHolder {

	/** An {@code Optional}. */
	OPTIONAL(Optional.class, (holder) -> ((Optional<?>) holder).orElse(null), Optional::ofNullable),

	/** An {@code AtomicReference}. */
	REFERENCE(AtomicReference.class, (holder) -> ((AtomicReference<?>) holder).get(), AtomicReference::new);

	private final Class<?> javaType;

	private final Function<Object, @Nullable Object> getter;

	private final Function<@Nullable Object, Object> maker;

	ServiceHolder(Class<?> javaType, Function<Object, @Nullable Object> getter,
			Function<@Nullable Object, Object> maker) {
		this.javaType = javaType;
		this.getter = getter;
		this.maker = maker;
	}

	/**
	 * The class.
	 * @return the class that every instance has
	 */
	public Class<?> javaType() {
		return this.javaType;
	}

	/**
	 * What an instance holds.
	 * @param holder an instance
	 * @return null if it holds nothing
	 */
	public @Nullable Object get(Object holder) {
		return this.getter.apply(holder);
	}

	/**
	 * Make an instance.
	 * @param held what it holds, null for nothing
	 * @param budget of the message
	 * @return the instance
	 * @throws SerializationException if the budget is used up
	 */
	public Object create(@Nullable Object held, ReadBudget budget) {
		budget.charge(ReadBudget.OBJECT);
		return create(held);
	}

	Object create(@Nullable Object held) {
		return this.maker.apply(held);
	}

}
