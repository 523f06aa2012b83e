package io.rpcboot.internal.serialization.types.kind;

/**
 * Order of a collection or map that its writer announces before the elements, with the
 * look-ups that follow from it. A reader whose container has other look-ups refuses it.
 */
public enum Order {

	/** Order of the elements, or the natural one of a sorted type; not announced. */
	PLAIN,

	/** Reverse of the natural order. Types that are not sorted keep any order. */
	REVERSED,

	/** Order of {@link String#CASE_INSENSITIVE_ORDER}, which also finds the keys. */
	IGNORING_CASE,

	/** Order of the elements. Keys are found by their lower case. */
	LOWER_CASE;

	/**
	 * Heap size of an entry and the lower case of its key without its characters, in
	 * bytes.
	 */
	private static final int ENTRY = 72;

	/** Returns the additional heap size of an element or entry, in bytes. */
	public int weight() {
		return (this == LOWER_CASE) ? ENTRY : 0;
	}

	/** Returns true if keys are found in another case. */
	public boolean ignoresCase() {
		return this == IGNORING_CASE || this == LOWER_CASE;
	}

}
