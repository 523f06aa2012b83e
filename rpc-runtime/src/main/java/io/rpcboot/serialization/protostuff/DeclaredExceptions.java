package io.rpcboot.serialization.protostuff;

import java.util.List;

import io.rpcboot.serialization.OutputBuffer;

/**
 * The exceptions of one throws clause. The one that is nearest to what was thrown is
 * carried, with its message and fields. A bare {@code Exception} or {@code Throwable}
 * stands only for itself: a subclass that is not declared is not turned into one.
 */
final class DeclaredExceptions {

	private static final List<Class<?>> ONLY_THEMSELVES = List.of(Throwable.class, Exception.class,
			RuntimeException.class, Error.class);

	private final String method;

	private final List<StructType> types;

	/**
	 * Create it.
	 * @param method for messages
	 * @param types in the order of the throws clause
	 */
	DeclaredExceptions(String method, List<StructType> types) {
		this.method = method;
		this.types = types;
	}

	/** Write what was thrown, or return false. */
	boolean write(Throwable thrown, OutputBuffer buffer) {
		int index = nearest(thrown.getClass());
		if (index < 0) {
			return false;
		}
		try {
			ProtostuffOutput out = new ProtostuffOutput(buffer);
			Groups.start(out, index + 1);
			this.types.get(index).writeFields(out, thrown);
			Groups.end(out, index + 1);
			out.finish();
			return true;
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method, "exception", ex);
		}
	}

	private int nearest(Class<?> thrown) {
		for (Class<?> each = thrown; each != null; each = each.getSuperclass()) {
			if (each != thrown && ONLY_THEMSELVES.contains(each)) {
				return -1;
			}
			for (int i = 0; i < this.types.size(); i++) {
				if (this.types.get(i).javaType() == each) {
					return i;
				}
			}
		}
		return -1;
	}

	Throwable read(ProtostuffInput in) {
		try {
			return require(in);
		}
		catch (RuntimeException ex) {
			throw PathException.failure(this.method, "exception", ex);
		}
	}

	private Throwable require(ProtostuffInput in) {
		for (int i = 0; i < this.types.size(); i++) {
			Object thrown = this.types.get(i).takeField(in, i + 1);
			if (thrown != null) {
				in.requireEnd();
				return (Throwable) thrown;
			}
		}
		throw new PathException("none of the declared exceptions: %s".formatted(this.types));
	}

}
