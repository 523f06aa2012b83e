package io.rpcboot.serialization.zoo;

/**
 * Classes that only the zoo has.
 */
public final class ZooClasses {

	private ZooClasses() {
	}

	/** A generic record that checks and changes what it is given. */
	public record Range<T extends Comparable<? super T>>(T low, T high) {

		public Range {
			if (low != null && high != null && low.compareTo(high) > 0) {
				throw new IllegalArgumentException("low: %s (expected: at most %s)".formatted(low, high));
			}
		}

	}

}
