package io.rpcboot.serialization.types;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A class of the JDK that holds one value or none, and perhaps a stamp.
 */
public enum HolderKind {

	/** An {@code Optional}. */
	OPTIONAL(Optional.class, Object.class, (holder) -> ((Optional<?>) holder).orElse(null), Optional::ofNullable),

	/** An {@code AtomicReference}. */
	REFERENCE(AtomicReference.class, Object.class, (holder) -> ((AtomicReference<?>) holder).get(),
			AtomicReference::new),

	/** An {@code OptionalInt}. */
	INT(OptionalInt.class, Integer.class,
			(holder) -> ((OptionalInt) holder).isPresent() ? ((OptionalInt) holder).getAsInt() : null,
			(held) -> (held != null) ? OptionalInt.of((int) held) : OptionalInt.empty()),

	/** An {@code OptionalLong}. */
	LONG(OptionalLong.class, Long.class,
			(holder) -> ((OptionalLong) holder).isPresent() ? ((OptionalLong) holder).getAsLong() : null,
			(held) -> (held != null) ? OptionalLong.of((long) held) : OptionalLong.empty()),

	/** An {@code OptionalDouble}. */
	DOUBLE(OptionalDouble.class, Double.class,
			(holder) -> ((OptionalDouble) holder).isPresent() ? ((OptionalDouble) holder).getAsDouble() : null,
			(held) -> (held != null) ? OptionalDouble.of((double) held) : OptionalDouble.empty()),

	/** An {@code AtomicStampedReference}. */
	STAMPED(AtomicStampedReference.class, Object.class, (holder) -> ((AtomicStampedReference<?>) holder).getReference(),
			(holder) -> ((AtomicStampedReference<?>) holder).getStamp(), AtomicStampedReference::new),

	/** An {@code AtomicMarkableReference}, whose mark is the stamp 0 or 1. */
	MARKABLE(AtomicMarkableReference.class, Object.class,
			(holder) -> ((AtomicMarkableReference<?>) holder).getReference(),
			(holder) -> ((AtomicMarkableReference<?>) holder).isMarked() ? 1 : 0,
			(held, stamp) -> new AtomicMarkableReference<>(held, isMark(stamp)));

	private final Class<?> javaType;

	private final Class<?> heldType;

	private final Function<Object, @Nullable Object> getter;

	private final @Nullable Function<Object, Integer> stamp;

	private final BiFunction<@Nullable Object, Integer, Object> maker;

	HolderKind(Class<?> javaType, Class<?> heldType, Function<Object, @Nullable Object> getter,
			Function<@Nullable Object, Object> maker) {
		this(javaType, heldType, getter, null, (held, stamp) -> maker.apply(held));
	}

	HolderKind(Class<?> javaType, Class<?> heldType, Function<Object, @Nullable Object> getter,
			@Nullable Function<Object, Integer> stamp, BiFunction<@Nullable Object, Integer, Object> maker) {
		this.javaType = javaType;
		this.heldType = heldType;
		this.getter = getter;
		this.stamp = stamp;
		this.maker = maker;
	}

	private static boolean isMark(int stamp) {
		if (stamp >>> 1 != 0) {
			throw new PathException("boolean %d (expected: 0 or 1)".formatted(stamp));
		}
		return stamp == 1;
	}

	static @Nullable HolderKind of(Class<?> type) {
		return Arrays.stream(values()).filter((each) -> each.javaType == type).findFirst().orElse(null);
	}

	/** What every instance holds, {@code Object} if a type argument says it. */
	Class<?> heldType() {
		return this.heldType;
	}

	boolean isGeneric() {
		return this.heldType == Object.class;
	}

	/**
	 * The class.
	 * @return the class that every instance has
	 */
	public Class<?> javaType() {
		return this.javaType;
	}

	/**
	 * Whether there is a stamp.
	 * @return true if {@link #stamp} can be asked
	 */
	public boolean isStamped() {
		return this.stamp != null;
	}

	/**
	 * What an instance holds.
	 * @param holder an instance
	 * @return null if it holds nothing
	 * @throws PathException if it is of a subclass
	 */
	public @Nullable Object get(Object holder) {
		return this.getter.apply(Exact.require(holder, this.javaType));
	}

	/**
	 * The stamp of an instance.
	 * @param holder an instance
	 * @return a number
	 */
	public int stamp(Object holder) {
		return (this.stamp != null) ? this.stamp.apply(holder) : 0;
	}

	/**
	 * Make an instance.
	 * @param held what it holds, null for nothing
	 * @param stamp 0 for one that has none
	 * @return the instance
	 */
	public Object create(@Nullable Object held, int stamp) {
		return this.maker.apply(held, stamp);
	}

}
