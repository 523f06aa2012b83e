package io.rpcboot.serialization.types;

import java.util.Collections;
import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/**
 * The orders that can be carried.
 */
final class SortOrder {

	private SortOrder() {
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

}
