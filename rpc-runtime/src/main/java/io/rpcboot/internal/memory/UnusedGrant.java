package io.rpcboot.internal.memory;

/**
 * What the other side of a connection was granted because it asked, and does not use yet.
 */
@FunctionalInterface
public interface UnusedGrant {

	/**
	 * Which lease is owed: each has another number.
	 * @return 0 if nothing is owed
	 */
	long owed();

	/**
	 * Whether a part of it has come: what is left is given back at once then, by a sender
	 * that keeps to the rules.
	 * @return false until a long frame has come
	 */
	default boolean isPartlyPaid() {
		return false;
	}

	/**
	 * Whether others need the memory, so that it is not to be kept in vain.
	 * @return false while there is enough for all
	 */
	default boolean isWanted() {
		return true;
	}

}
