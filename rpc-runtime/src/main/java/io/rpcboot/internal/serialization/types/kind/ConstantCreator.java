package io.rpcboot.internal.serialization.types.kind;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.util.List;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Returns the one instance of a class, such as an {@code object} of Kotlin. Values of
 * fields that arrive are dropped.
 */
public final class ConstantCreator extends Creator {

	/** Field of the one instance. */
	public static final String INSTANCE = "INSTANCE";

	private final MethodHandles.Lookup lookup;

	private final Class<?> type;

	public ConstantCreator(MethodHandles.Lookup lookup, Constructor<?> constructor) {
		super(lookup, constructor);
		this.lookup = lookup;
		this.type = constructor.getDeclaringClass();
	}

	@Override
	int[] link(List<String> names) {
		return new int[0];
	}

	/** Returns false, because no field of the instance is to be set. */
	@Override
	boolean takesNothing() {
		return false;
	}

	@Override
	public boolean takes(String field) {
		return true;
	}

	@Override
	Object create(@Nullable Object[] values) {
		try {
			return this.lookup.findStaticGetter(this.type, INSTANCE, this.type).invoke();
		}
		catch (Throwable ex) {
			throw PathException.of(ex);
		}
	}

}
