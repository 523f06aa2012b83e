package io.rpcboot.internal.serialization.types.kind;

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

import io.rpcboot.internal.serialization.types.value.ExactTypes;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Class of the JDK that holds one value or none, and perhaps a stamp.
 */
public enum HolderKind {

	OPTIONAL(Optional.class, Object.class, (holder) -> ((Optional<?>) holder).orElse(null), Optional::ofNullable),

	REFERENCE(AtomicReference.class, Object.class, (holder) -> ((AtomicReference<?>) holder).get(),
			AtomicReference::new),

	INT(OptionalInt.class, Integer.class,
			(holder) -> ((OptionalInt) holder).isPresent() ? ((OptionalInt) holder).getAsInt() : null,
			(held) -> (held != null) ? OptionalInt.of((int) held) : OptionalInt.empty()),

	LONG(OptionalLong.class, Long.class,
			(holder) -> ((OptionalLong) holder).isPresent() ? ((OptionalLong) holder).getAsLong() : null,
			(held) -> (held != null) ? OptionalLong.of((long) held) : OptionalLong.empty()),

	DOUBLE(OptionalDouble.class, Double.class,
			(holder) -> ((OptionalDouble) holder).isPresent() ? ((OptionalDouble) holder).getAsDouble() : null,
			(held) -> (held != null) ? OptionalDouble.of((double) held) : OptionalDouble.empty()),

	STAMPED(AtomicStampedReference.class, Object.class, (holder) -> ((AtomicStampedReference<?>) holder).getReference(),
			(holder) -> ((AtomicStampedReference<?>) holder).getStamp(), AtomicStampedReference::new),

	/** The mark is the stamp 0 or 1. */
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

	public static @Nullable HolderKind of(Class<?> type) {
		return Arrays.stream(values()).filter((each) -> each.javaType == type).findFirst().orElse(null);
	}

	/** Returns the class of the held values, {@code Object} if it is a type argument. */
	public Class<?> heldType() {
		return this.heldType;
	}

	public boolean isGeneric() {
		return this.heldType == Object.class;
	}

	/** Returns the class of all instances. */
	public Class<?> javaType() {
		return this.javaType;
	}

	/** Returns true if instances have a stamp. Without one, it is 0. */
	public boolean isStamped() {
		return this.stamp != null;
	}

	/** Returns the held value, null for none. Refuses an instance of a subclass. */
	public @Nullable Object get(Object holder) {
		return this.getter.apply(ExactTypes.require(holder, this.javaType));
	}

	public int stamp(Object holder) {
		return (this.stamp != null) ? this.stamp.apply(holder) : 0;
	}

	public Object create(@Nullable Object held, int stamp) {
		return this.maker.apply(held, stamp);
	}

}
