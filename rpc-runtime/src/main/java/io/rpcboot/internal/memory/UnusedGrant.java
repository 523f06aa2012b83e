package io.rpcboot.internal.memory;

/** Memory that a peer was granted on request and does not use yet. */
@FunctionalInterface
public interface UnusedGrant {

	/**
	 * Returns the number of the unused grant; each grant has another number.
	 * @return 0 if there is none
	 */
	long owed();

	/**
	 * Returns true if a part of the grant has arrived. A correct peer then returns the
	 * rest at once.
	 * @return false until a long frame has arrived
	 */
	default boolean isPartlyPaid() {
		return false;
	}

	/**
	 * Returns the number of the small body that has been arriving for the longest time.
	 * @return 0 if there is none
	 */
	default long smallBody() {
		return 0;
	}

	/**
	 * Returns the number of the request that has been lacking its message, or its end,
	 * for the longest time, and has memory.
	 * @return 0 if there is none
	 */
	default long openRequest() {
		return 0;
	}

	/**
	 * Returns the bytes of all bodies beside which that one arrives.
	 * @return 0 if there is none
	 */
	default long smallBytes() {
		return 0;
	}

	/**
	 * Returns true if others need the memory.
	 * @return false while there is enough for all
	 */
	default boolean isWanted() {
		return true;
	}

}
