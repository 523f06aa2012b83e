package io.rpcboot.serialization.jackson;

import java.util.Collections;
import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/**
 * The order of something sorted, natural or reversed.
 */
final class JsonOrder {

	static final String REVERSED = "reversed";

	private JsonOrder() {
	}

	/** Whether a comparator reverses the natural order; any other one is an error. */
	static boolean isReversed(@Nullable Comparator<?> comparator) {
		if (comparator == null || comparator == Comparator.naturalOrder()) {
			return false;
		}
		if (comparator == Collections.reverseOrder()) {
			return true;
		}
		throw new JsonFailure("comparator %s (expected: the natural order or Collections.reverseOrder())"
			.formatted(comparator.getClass().getName()));
	}

	static @Nullable Comparator<@Nullable Object> comparator(boolean reversed) {
		return reversed ? Collections.reverseOrder() : null;
	}

}
