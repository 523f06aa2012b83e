package io.rpcboot.internal.serialization.types.kind;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Constructor of a class, with the field that each parameter takes. Immutable once
 * linked.
 */
public class Creator {

	private static final int CONSTANT = -1;

	/** Last parameter of a constructor of Kotlin with defaults. */
	private static final String DEFAULTS = "kotlin.jvm.internal.DefaultConstructorMarker";

	private final MethodHandles.Lookup lookup;

	private final Constructor<?> constructor;

	private final String[] parameters;

	private final @Nullable Object[] constants;

	private int[] sources = {};

	private boolean inOrder;

	/**
	 * Handle {@code ()Object} without parameters, else {@code (Object[])Object}; created
	 * by the first instance.
	 */
	private volatile @Nullable MethodHandle handle;

	/**
	 * Creates a creator.
	 * @param fields name of the field for each parameter; empty for null or zero
	 */
	public Creator(MethodHandles.Lookup lookup, Constructor<?> constructor, String... fields) {
		this.lookup = lookup;
		this.constructor = constructor;
		this.parameters = fields;
		this.constants = Arrays.stream(constructor.getParameterTypes()).map(Creator::zero).toArray();
	}

	/** Creates a copy, to be linked again. */
	Creator(Creator other) {
		this(other.lookup, other.constructor, other.parameters);
	}

	/** Returns the box of zero for a primitive, else null. */
	static @Nullable Object zero(Class<?> type) {
		return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
	}

	/**
	 * Links to the fields by their names. Returns the indexes of the fields that no
	 * parameter takes.
	 */
	int[] link(List<String> names) {
		this.sources = Arrays.stream(this.parameters).mapToInt(names::indexOf).toArray();
		int[] own = IntStream.range(0, names.size()).toArray();
		this.inOrder = Arrays.equals(this.sources, own);
		return Arrays.stream(own)
			.filter((index) -> Arrays.stream(this.sources).noneMatch((source) -> source == index))
			.toArray();
	}

	boolean takesNothing() {
		return this.parameters.length == 0;
	}

	public boolean takes(String field) {
		return List.of(this.parameters).contains(field);
	}

	/** Calls a constructor without parameters. */
	Object create() {
		MethodHandle known = this.handle;
		MethodHandle creating = (known != null) ? known : handle();
		try {
			return (Object) creating.invokeExact();
		}
		catch (Throwable ex) {
			throw failure(ex);
		}
	}

	/** Calls any constructor. */
	Object create(@Nullable Object[] values) {
		if (takesNothing()) {
			return create();
		}
		@Nullable Object[] arguments = this.inOrder ? values : arguments(values);
		MethodHandle known = this.handle;
		return invoke((known != null) ? known : handle(), arguments);
	}

	/** Calls a handle {@code (Object[])Object}. */
	final Object invoke(MethodHandle creating, @Nullable Object[] arguments) {
		try {
			return (Object) creating.invokeExact(arguments);
		}
		catch (Throwable ex) {
			throw failure(ex);
		}
	}

	private PathException failure(Throwable failure) {
		return (failure instanceof Exception)
				? new PathException("the constructor of %s threw %s"
					.formatted(this.constructor.getDeclaringClass().getName(), failure), failure)
				: PathException.of(failure);
	}

	private synchronized MethodHandle handle() {
		MethodHandle result = this.handle;
		if (result == null) {
			result = handle(this.constructor);
			this.handle = result;
		}
		return result;
	}

	private MethodHandle handle(Constructor<?> called) {
		int count = called.getParameterCount();
		try {
			MethodHandle result = this.lookup.unreflectConstructor(called)
				.asFixedArity()
				.asType(MethodType.genericMethodType(count));
			return (count > 0) ? result.asSpreader(Object[].class, count) : result;
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("the lookup has all access to " + called, ex);
		}
	}

	/**
	 * Finds the constructor that Kotlin compiles for parameters with defaults: behind the
	 * parameters, a bit for each absent one, and a marker.
	 * @return a handle {@code (Object[])Object}; null if no parameter has a default
	 */
	@Nullable MethodHandle defaults() {
		Constructor<?> found = withDefaults();
		return (found != null) ? handle(found) : null;
	}

	private @Nullable Constructor<?> withDefaults() {
		int count = this.parameters.length;
		int all = count + (count + Integer.SIZE - 1) / Integer.SIZE + 1;
		for (Constructor<?> each : this.constructor.getDeclaringClass().getDeclaredConstructors()) {
			Class<?>[] types = each.getParameterTypes();
			if (each.isSynthetic() && types.length == all && types[all - 1].getName().equals(DEFAULTS)
					&& Arrays.equals(Arrays.copyOf(types, count), this.constructor.getParameterTypes())) {
				return each;
			}
		}
		return null;
	}

	/** Returns true if a parameter may have a default. */
	boolean hasDefaults() {
		return withDefaults() != null;
	}

	/** Returns the index of the parameter that takes a field. */
	final int parameterOf(int field) {
		return IntStream.range(0, this.sources.length)
			.filter((each) -> this.sources[each] == field)
			.findFirst()
			.orElseThrow();
	}

	final @Nullable Object[] arguments(@Nullable Object[] values) {
		@Nullable Object[] arguments = this.constants.clone();
		for (int i = 0; i < arguments.length; i++) {
			if (this.sources[i] != CONSTANT) {
				arguments[i] = values[this.sources[i]];
			}
		}
		return arguments;
	}

}
