package io.rpcboot.internal.memory;

/**
 * What the other side of a connection was granted because it asked, and does not use yet.
 */
@FunctionalInterface
public interface Lease {

	/**
	 * Which lease is owed: each has another number.
	 * @return 0 if nothing is owed
	 */
	long owed();

	/**
	 * Whether others need the memory, so that it is not to be kept in vain.
	 * @return false while there is enough for all
	 */
	default boolean isWanted() {
		return true;
	}

}
