package io.rpcboot.serialization.types;

import java.util.Collections;
import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/**
 * What kinds of collections and kinds of maps have in common.
 */
final class Containers {

	private Containers() {
	}

	/** Whether it is the reverse of the natural order, which is the only other one. */
	static boolean isReversed(@Nullable Comparator<?> comparator) {
		if (comparator == null || comparator.equals(Comparator.naturalOrder())) {
			return false;
		}
		if (comparator.equals(Collections.reverseOrder())) {
			return true;
		}
		throw new PathException("sorted by %s (expected: the natural order or its reverse, which alone can be carried)"
			.formatted(comparator.getClass().getName()));
	}

	/** Whether the first type argument is an enum. */
	static boolean isOfEnum(ResolvedType type) {
		return !type.arguments().isEmpty() && type.arguments().get(0).raw().isEnum();
	}

	/** A type of the JDK that came after Java 17. */
	static @Nullable Class<?> find(String type) {
		try {
			return Class.forName(type);
		}
		catch (ClassNotFoundException ex) {
			return null;
		}
	}

}
